"""NodeName lines, divided into groups that can be node sets: alike in hardware and name, and in the same partitions."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from pulumi_slurm.slurmconf import hostlist
from pulumi_slurm.slurmconf.node_lines import NodeLine
from pulumi_slurm.slurmconf.values import Value

OF_ONE_NODE = frozenset({"NodeAddr", "NodeHostname", "BcastAddr", "Port", "Reason"})
"""Keys that say something about one node and nothing about others like it."""

_DIGITS = "0123456789"


@dataclass
class NodeGroup:
    """Nodes that become one node set."""

    prefix: str
    """What their names begin with, before the number; the whole name when there is no number."""
    options: Mapping[str, Value]
    """What their lines say, without what concerns single nodes."""
    hosts: list[str] = field(default_factory=list)
    """Their names, by number."""

    @cached_property
    def old_names(self) -> str:
        """Their names as a hostlist; read when the group is complete."""
        return hostlist.compress(self.hosts)

    @cached_property
    def padding(self) -> int:
        """The width to which numbers are padded with zeros, 0 where they are not; read when the group is complete."""
        numbers = [host.removeprefix(self.prefix) for host in self.hosts]
        padded = [number for number in numbers if len(number) > 1 and number.startswith("0")]
        return min(map(len, padded), default=0)


def node_groups(lines: Iterable[NodeLine], partitions: Iterable[frozenset[str]]) -> list[NodeGroup]:
    """Return the groups in the order of the lines; ``partitions`` are sets of nodes that no group may straddle."""
    memberships: dict[str, list[int]] = {}
    for index, members in enumerate(partitions):
        for host in members:
            memberships.setdefault(host, []).append(index)
    groups: dict[object, NodeGroup] = {}
    grouped: set[str] = set()
    for line in lines:
        options = {key: value for key, value in line.options.items() if key not in OF_ONE_NODE}
        if options.get("State") not in ("CLOUD", "FUTURE"):
            options.pop("State", None)
        sorted_options = tuple(sorted(options.items()))
        for host in line.hosts:
            if host not in grouped:
                prefix = _split(host)[0]
                group_key = (prefix, sorted_options, tuple(memberships.get(host, ())))
                groups.setdefault(group_key, NodeGroup(prefix, options)).hosts.append(host)
        grouped.update(line.hosts)
    for group in groups.values():
        group.hosts.sort(key=lambda host: (int(_split(host)[1] or 0), host))
    return list(groups.values())


def _split(host: str) -> tuple[str, str]:
    prefix = host.rstrip(_DIGITS)
    return prefix, host[len(prefix) :]
