"""Rules between the fields of topology.yaml.

Follows what the topology plugins refuse: src/plugins/topology/{tree,block,ring,torus3d}/*_record.c.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from pulumi_slurm.issue import Issue
from pulumi_slurm.slurmconf import hostlist
from pulumi_slurm.slurmconf.topology.model import Blocks, Dims, Flat, Rings, Topology, Torus, Toruses, Tree
from pulumi_slurm.slurmconf.topology.yaml_lines import Path
from pulumi_slurm.slurmconf.version import Series

PathIssue = tuple[Path, Issue]
"""An issue, and the path of the field that has it."""

SINCE = Series(25, 5)
"""The first series that reads topology.yaml; earlier ones have topology.conf only."""
_RINGS_SINCE = Series(26, 5)
_LARGEST_RING = 16
_MOST_BLOCK_LEVELS = 16
_MOST_PASSES = 21
"""How often slurmctld goes through the switches to find what is below each, in their order."""


def topology_issues(topologies: Sequence[Topology], series: Series) -> Iterator[PathIssue]:
    """Return the issues of all rules that the topologies break."""
    if series < SINCE:
        yield (), Issue(f"Slurm {series} does not read it, only {SINCE} and later", "Write topology.conf instead.")
    yield from _unique((), "topology", [topology.topology for topology in topologies])
    for index, topology in enumerate(topologies):
        fields = [field for field in _NETWORKS if getattr(topology, field) not in (None, False)]
        if len(fields) != 1:
            problem = "this topology has more than one kind" if fields else "this topology has no kind"
            yield (index,), Issue(problem, f"Give exactly one of {', '.join(_NETWORKS)}.")
        for field in fields:
            network = getattr(topology, field)
            if series < _RINGS_SINCE and (field in {"ring", "torus3d"} or isinstance(network, Flat)):
                yield (index, field), Issue(f"it is new in Slurm {_RINGS_SINCE}, and this is {series}", "Leave it out.")
            if field in _RULES:
                yield from _below((index, field), _RULES[field](network))


def _below(path: Path, issues: Iterator[PathIssue]) -> Iterator[PathIssue]:
    for inner, issue in issues:
        yield (*path, *inner), issue


def _unique(path: Path, key: str, names: Iterable[str]) -> Iterator[PathIssue]:
    used: set[str] = set()
    for index, name in enumerate(names):
        if name in used:
            yield (*path, index, key), Issue(f"the name {name} is taken", "Give each a name of its own.")
        used.add(name)


def _tree(tree: Tree) -> Iterator[PathIssue]:
    yield from _unique(("switches",), "switch", [switch.switch for switch in tree.switches])
    children = {switch.switch: hostlist.expand(switch.children or "") for switch in tree.switches}
    late = _first_unresolved(children)
    for index, switch in enumerate(tree.switches):
        path = ("switches", index, "children")
        if switch.children and switch.nodes:
            fix = "Put one of them on a switch of its own."
            yield path, Issue("a switch has either switches or nodes below it, and this one has both", fix)
        if unknown := [child for child in children[switch.switch] if child not in children]:
            yield path, Issue(f"there is no switch {hostlist.compress(unknown)}", "Add it, or leave it out here.")
        elif switch.switch in _descendants(children, switch.switch):
            yield path, Issue("the switch is below itself", "Leave one of the switches in this circle out.")
        elif switch.switch == late:
            problem = f"slurmctld exits, since more than {_MOST_PASSES} switches stand each before one below it"
            yield path, Issue(problem, "Write each switch after those below it.")


def _descendants(children: dict[str, list[str]], switch: str) -> set[str]:
    descendants: set[str] = set()
    waiting = list(children[switch])
    while waiting:
        name = waiting.pop()
        if name not in descendants:
            descendants.add(name)
            waiting += children.get(name, [])
    return descendants


def _first_unresolved(children: dict[str, list[str]]) -> str | None:
    """Return the first switch of which slurmctld has not found in all its passes what is below it."""
    resolved = {switch for switch, below in children.items() if not below}
    for _ in range(_MOST_PASSES):
        resolved.update(
            switch for switch, below in children.items() if switch not in resolved and resolved.issuperset(below)
        )
    return next((switch for switch in children if switch not in resolved), None)


def _blocks(blocks: Blocks) -> Iterator[PathIssue]:
    yield from _unique(("blocks",), "block", [block.block for block in blocks.blocks])
    base, *larger = blocks.block_sizes or [1]
    for index, size in enumerate(larger, 1):
        factor, remainder = divmod(size, base)
        if remainder or factor.bit_count() != 1 or factor.bit_length() > _MOST_BLOCK_LEVELS:
            fix = f"Write {base} times a power of two, up to {base << (_MOST_BLOCK_LEVELS - 1)}."
            problem = f"{size} is not the base size, {base}, times a power of two"
            if not remainder and factor.bit_count() == 1:
                problem = f"{size} is more than the base size, {base}, times {1 << (_MOST_BLOCK_LEVELS - 1)}"
            yield ("block_sizes", index), Issue(problem, fix)


def _rings(rings: Rings) -> Iterator[PathIssue]:
    yield from _unique(("rings",), "ring", [ring.ring for ring in rings.rings])
    for index, ring in enumerate(rings.rings):
        if (nodes := hostlist.count(ring.nodes or "")) > _LARGEST_RING:
            problem = f"{nodes} nodes; a ring has at most {_LARGEST_RING}"
            yield ("rings", index, "nodes"), Issue(problem, "Make several rings.")


def _toruses(tori: Toruses) -> Iterator[PathIssue]:
    yield from _unique(("toruses",), "name", [torus.name for torus in tori.toruses])
    for index, torus in enumerate(tori.toruses):
        yield from _below(("toruses", index), _torus(torus))


def _torus(torus: Torus) -> Iterator[PathIssue]:
    if torus.nodes is not None and torus.regions is not None:
        yield (), Issue("this torus has both nodes and regions", "Give one of them.")
    if torus.nodes is not None:
        yield from _node_count((), torus.nodes, torus.dims)
    for index, region in enumerate(torus.regions or ()):
        yield from _node_count(("regions", index), region.nodes, region.dims)
        ends = [begin + length for begin, length in zip(_axes(region.anchor), _axes(region.dims), strict=True)]
        if any(end > length for end, length in zip(ends, _axes(torus.dims), strict=True)):
            issue = Issue("the region is not within the torus", "Make it smaller, or move its anchor.")
            yield ("regions", index, "dims"), issue
    for index, placement in enumerate(torus.placements or ()):
        sizes = zip(_axes(placement.dims), _axes(torus.dims), strict=True)
        if not all(1 <= size <= length for size, length in sizes):
            yield ("placements", index, "dims"), Issue("the shape is empty, or larger than the torus", "Make it fit.")


def _node_count(path: Path, nodes: str, dims: Dims) -> Iterator[PathIssue]:
    x, y, z = _axes(dims)
    if (count := hostlist.count(nodes)) != x * y * z or not count:
        problem = f"its places are {x} x {y} x {z}, and its nodes {count}"
        yield (*path, "nodes"), Issue(problem, "Give one node for each place, from 1 on.")


def _axes(dims: Dims) -> tuple[int, int, int]:
    return dims.x, dims.y, dims.z


_NETWORKS = ("tree", "block", "flat", "ring", "torus3d")
_RULES: Mapping[str, Callable[[Any], Iterator[PathIssue]]] = MappingProxyType(
    {
        "tree": _tree,
        "block": _blocks,
        "ring": _rings,
        "torus3d": _toruses,
    }
)
