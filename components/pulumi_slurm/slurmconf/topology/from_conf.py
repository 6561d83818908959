"""A topology from topology.conf."""

from types import MappingProxyType
from typing import Any

from pulumi_slurm.slurmconf.conf import Conf
from pulumi_slurm.slurmconf.topology.model import Topology


def from_topology_conf(conf: Conf, name: str = "default") -> Topology:
    """Return what a topology.conf says; raise ValueError when it has no lines, or lines of more than one kind.

    LinkSpeed is left out, since Slurm uses it for nothing.
    """
    keywords = {entry.keyword for entry in conf.entries}
    lines: list[dict[str, Any]] = [
        {_FIELDS[key]: value for key, value in {entry.keyword: entry.name, **entry.options}.items() if key in _FIELDS}
        for entry in conf.entries
    ]
    if keywords == {"SwitchName"}:
        network: dict[str, Any] = {"tree": {"switches": lines}}
    elif keywords == {"BlockName"}:
        sizes = conf.options.get("BlockSizes")
        block_sizes = [int(size) for size in sizes] if isinstance(sizes, tuple) else None
        network = {"block": {"block_sizes": block_sizes, "blocks": lines}}
    elif keywords == {"RingName"}:
        network = {"ring": {"rings": lines}}
    else:
        raise ValueError(f"a topology has lines of one kind; here are: {', '.join(sorted(keywords)) or 'none'}")
    return Topology.model_validate({"topology": name, "cluster_default": True, **network})


_FIELDS = MappingProxyType(
    {
        "SwitchName": "switch",
        "BlockName": "block",
        "RingName": "ring",
        "Switches": "children",
        "Nodes": "nodes",
    }
)
