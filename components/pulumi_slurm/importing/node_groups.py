"""NodeName lines, divided into groups that can be node sets: alike in hardware and name, and in the same partitions."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pulumi_slurm.slurmconf.conf import Conf
from pulumi_slurm.slurmconf.records import records
from pulumi_slurm.slurmconf.values import Value

OF_ONE_NODE = frozenset({"NodeAddr", "NodeHostname", "BcastAddr", "Port", "Reason"})
"""Keys that say something about one node and nothing about others like it."""

_NUMBERED = re.compile(r"(.*?)([0-9]*)")


@dataclass
class NodeGroup:
    """Nodes that become one node set."""

    prefix: str
    """What their names begin with, before the number; the whole name when there is no number."""
    options: Mapping[str, Value]
    """What their lines say, without what concerns single nodes."""
    hosts: list[str] = field(default_factory=list)
    """Their names, by number."""

    @property
    def padding(self) -> int:
        """The width to which numbers are padded with zeros; 0 where they are not."""
        numbers = [host.removeprefix(self.prefix) for host in self.hosts]
        padded = [number for number in numbers if len(number) > 1 and number.startswith("0")]
        return min(map(len, padded), default=0)


def node_groups(conf: Conf, partitions: Iterable[frozenset[str]]) -> list[NodeGroup]:
    """Return the groups in the order of the file; ``partitions`` are sets of nodes that no group may straddle."""
    memberships: dict[str, tuple[int, ...]] = {}
    for index, members in enumerate(partitions):
        for host in members:
            memberships[host] = (*memberships.get(host, ()), index)
    groups: dict[object, NodeGroup] = {}
    for record, lines in records(conf).items():
        if record.keyword != "NodeName" or record.host is None:
            continue
        options = {key: value for key, value in lines[0].items() if key not in OF_ONE_NODE}
        if options.get("State") not in ("CLOUD", "FUTURE"):
            options.pop("State", None)
        prefix = _split(record.host)[0]
        group_key = (prefix, tuple(sorted(options.items())), memberships.get(record.host, ()))
        groups.setdefault(group_key, NodeGroup(prefix, options)).hosts.append(record.host)
    for group in groups.values():
        group.hosts.sort(key=lambda host: (int(_split(host)[1] or 0), host))
    return list(groups.values())


def _split(host: str) -> tuple[str, str]:
    match = _NUMBERED.fullmatch(host)
    assert match is not None
    return match[1], match[2]
