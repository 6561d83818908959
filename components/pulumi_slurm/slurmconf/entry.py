"""An entry: a line of a file that begins with a name and goes on with more keys."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pulumi_slurm.slurmconf.conf_error import Location
from pulumi_slurm.slurmconf.values import Value


@dataclass(frozen=True, slots=True)
class Entry:
    """A line that names something, such as ``PartitionName=gpu Nodes=gpu-[0-3] Default=YES``."""

    keyword: str
    """The key that begins it, as the catalogue spells it: NodeName, PartitionName, NodeSet, SwitchName, …

    In gres.conf it is Name wherever there is one: the NodeName before it is an option then."""
    name: str
    """The value of that key, as written; for NodeName a hostlist in its short form and order."""
    options: Mapping[str, Value] = field(default_factory=dict)
    """The other keys of the line, as the catalogue spells them."""
    location: Location | None = field(default=None, compare=False)
    """Where it was read; two entries that say the same are equal wherever they stand."""
