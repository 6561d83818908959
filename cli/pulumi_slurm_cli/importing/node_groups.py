"""NodeName lines, divided into groups that can be node sets: alike in hardware and name, and in the same partitions."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from pulumi_slurm.slurmconf import hostlist
from pulumi_slurm.slurmconf.node_lines import NodeLine
from pulumi_slurm.slurmconf.values import Value

OF_ONE_NODE = frozenset({"NodeAddr", "NodeHostname", "BcastAddr", "Port", "Reason"})
"""Keys that say something about one node and nothing about others like it."""

_NUMBER = re.compile(r"([0-9]+)")
_BETWEEN_NAMES = re.compile(r",(?![^\[]*\])")


@dataclass
class NodeGroup:
    """Nodes that become one node set."""

    prefix: str
    """What their names begin with, before the number; the whole name when there is no number."""
    suffix: str
    """What their names end with, behind the number, such as a domain."""
    options: Mapping[str, Value]
    """What their lines say, without what concerns single nodes."""
    hosts: list[str] = field(default_factory=list)
    """Their names, by number."""

    @cached_property
    def old_names(self) -> str:
        """Their names as a hostlist; read when the group is complete."""
        numbered = hostlist.compress(host.removesuffix(self.suffix) for host in self.hosts)
        return _BETWEEN_NAMES.sub(f"{self.suffix},", numbered) + self.suffix

    @cached_property
    def padding(self) -> int:
        """The width to which numbers are padded with zeros, 0 where they are not; read when the group is complete."""
        numbers = [host.removeprefix(self.prefix).removesuffix(self.suffix) for host in self.hosts]
        padded = [number for number in numbers if len(number) > 1 and number.startswith("0")]
        return min(map(len, padded), default=0)


def node_groups(lines: Iterable[NodeLine], partitions: Iterable[frozenset[str]]) -> list[NodeGroup]:
    """Return the groups in the order of the lines; ``partitions`` are sets of nodes that no group may straddle."""
    memberships: dict[str, list[int]] = {}
    for index, members in enumerate(partitions):
        for host in members:
            memberships.setdefault(host, []).append(index)
    alike: dict[object, tuple[Mapping[str, Value], list[str]]] = {}
    grouped: dict[str, int] = {}
    for line in lines:
        options = {key: value for key, value in line.options.items() if key not in OF_ONE_NODE}
        if options.get("State") not in ("CLOUD", "FUTURE"):
            options.pop("State", None)
        sorted_options = tuple(sorted(options.items()))
        for host in line.hosts:
            if host not in grouped:
                group_key = (_NUMBER.sub("0", host), sorted_options, tuple(memberships.get(host, ())))
                alike.setdefault(group_key, (options, []))[1].append(host)
        for host in line.hosts:
            grouped.setdefault(host, len(grouped))
    groups = [group for options, hosts in alike.values() for group in _numbered(options, hosts)]
    return sorted(groups, key=lambda group: min(grouped[host] for host in group.hosts))


def _numbered(options: Mapping[str, Value], hosts: list[str]) -> Iterator[NodeGroup]:
    """Yield groups of names that differ in one number: of several that do, the last one before the domain."""
    parts_of_hosts = [_NUMBER.split(host) for host in hosts]
    first = parts_of_hosts[0]
    differing = [index for index in range(1, len(first), 2) if len({parts[index] for parts in parts_of_hosts}) > 1]
    before_domain = [index for index in differing if "." not in "".join(first[:index])]
    last = (before_domain or differing or [_number_of_one(first)])[-1]
    groups: dict[tuple[str, str], NodeGroup] = {}
    numbers: dict[str, int] = {}
    for host, parts in zip(hosts, parts_of_hosts, strict=True):
        prefix, suffix = "".join(parts[:last]), "".join(parts[last + 1 :])
        numbers[host] = int(parts[last]) if last < len(parts) else 0
        groups.setdefault((prefix, suffix), NodeGroup(prefix, suffix, options)).hosts.append(host)
    for group in groups.values():
        group.hosts.sort(key=lambda host: (numbers[host], host))
    yield from groups.values()


def _number_of_one(parts: list[str]) -> int:
    """Return the index of the number of a name that has no other like it: the one that ends it, or its host's part."""
    in_host = [index for index in range(1, len(parts), 2) if "." not in "".join(parts[:index])]
    ends_host = [index for index in in_host if parts[index + 1][:1] in ("", ".")]
    return ends_host[-1] if ends_host else len(parts)
