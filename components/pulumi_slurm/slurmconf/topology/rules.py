"""Rules between the fields of topology.yaml.

Follows what the topology plugins refuse: src/plugins/topology/{tree,block,ring,torus3d}/*_record.c.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from pulumi_slurm.slurmconf import hostlist
from pulumi_slurm.slurmconf.topology.model import Blocks, Dims, Flat, Rings, Topology, Torus, Toruses, Tree
from pulumi_slurm.slurmconf.topology.places import Path
from pulumi_slurm.slurmconf.version import Series

Broken = tuple[Path, str, str]
"""Where a rule is broken, what is wrong, and what to write instead."""

SINCE = Series(25, 5)
"""The first series that reads topology.yaml; earlier ones have topology.conf only."""
_RINGS_SINCE = Series(26, 5)
_LARGEST_RING = 16
_MOST_BLOCK_LEVELS = 16
_DEEPEST_TREE = 20


def broken(topologies: Sequence[Topology], series: Series) -> Iterator[Broken]:
    """Return every rule that is broken."""
    if series < SINCE:
        yield (), f"Slurm {series} does not read it, only {SINCE} and later", "Write topology.conf instead."
    yield from _unique((), "topology", [topology.topology for topology in topologies])
    for at, topology in enumerate(topologies):
        kinds = [kind for kind in _KINDS if getattr(topology, kind) not in (None, False)]
        if len(kinds) != 1:
            told = "has more than one kind" if kinds else "has no kind"
            yield (at,), told, f"Give exactly one of {', '.join(_KINDS)}."
        for kind in kinds:
            network = getattr(topology, kind)
            if series < _RINGS_SINCE and (kind in {"ring", "torus3d"} or isinstance(network, Flat)):
                yield (at, kind), f"it is new in Slurm {_RINGS_SINCE}, and this is {series}", "Leave it out."
            if kind in _RULES:
                yield from _within((at, kind), _RULES[kind](network))


def _within(path: Path, found: Iterator[Broken]) -> Iterator[Broken]:
    for inner, problem, fix in found:
        yield (*path, *inner), problem, fix


def _unique(path: Path, key: str, names: Iterable[str]) -> Iterator[Broken]:
    seen: set[str] = set()
    for at, name in enumerate(names):
        if name in seen:
            yield (*path, at, key), f"the name {name} is taken", "Give each a name of its own."
        seen.add(name)


def _tree(tree: Tree) -> Iterator[Broken]:
    yield from _unique(("switches",), "switch", [switch.switch for switch in tree.switches])
    below = {switch.switch: hostlist.expand(switch.children or "") for switch in tree.switches}
    for at, switch in enumerate(tree.switches):
        here = ("switches", at, "children")
        if switch.children and switch.nodes:
            yield here, "Slurm ignores it, because the switch has nodes", "Put one of them on a switch of its own."
        if unknown := [child for child in below[switch.switch] if child not in below]:
            yield here, f"there is no switch {hostlist.compress(unknown)}", "Add it, or leave it out here."
        elif switch.switch in _reached(below, switch.switch):
            yield here, "the switch is below itself", "Leave one of the switches in this circle out."


def _reached(below: dict[str, list[str]], start: str) -> set[str]:
    found: set[str] = set()
    waiting = list(below[start])
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += below.get(name, [])
    return found


def _block(block: Blocks) -> Iterator[Broken]:
    yield from _unique(("blocks",), "block", [each.block for each in block.blocks])
    base, *larger = block.block_sizes or [1]
    for at, size in enumerate(larger, 1):
        factor, rest = divmod(size, base)
        if rest or factor.bit_count() != 1 or factor.bit_length() > _MOST_BLOCK_LEVELS:
            fix = f"Write {base} times a power of two, up to {base << (_MOST_BLOCK_LEVELS - 1)}."
            yield ("block_sizes", at), f"{size} is no multiple of the base size {base} by a power of two", fix


def _ring(ring: Rings) -> Iterator[Broken]:
    yield from _unique(("rings",), "ring", [each.ring for each in ring.rings])
    for at, each in enumerate(ring.rings):
        if (nodes := hostlist.count(each.nodes or "")) > _LARGEST_RING:
            yield ("rings", at, "nodes"), f"{nodes} nodes; a ring has at most {_LARGEST_RING}", "Make several rings."


def _torus3d(tori: Toruses) -> Iterator[Broken]:
    yield from _unique(("toruses",), "name", [torus.name for torus in tori.toruses])
    for at, torus in enumerate(tori.toruses):
        yield from _within(("toruses", at), _torus(torus))


def _torus(torus: Torus) -> Iterator[Broken]:
    if torus.nodes is not None and torus.regions is not None:
        yield (), "has both nodes and regions", "Give one of them."
    if torus.nodes is not None:
        yield from _filled((), torus.nodes, torus.dims)
    for at, region in enumerate(torus.regions or ()):
        yield from _filled(("regions", at), region.nodes, region.dims)
        ends = [begin + length for begin, length in zip(_axes(region.anchor), _axes(region.dims), strict=True)]
        if any(end > length for end, length in zip(ends, _axes(torus.dims), strict=True)):
            yield ("regions", at, "dims"), "the region is not within the torus", "Make it smaller, or move its anchor."
    for at, placement in enumerate(torus.placements or ()):
        sizes = zip(_axes(placement.dims), _axes(torus.dims), strict=True)
        if not all(1 <= size <= length for size, length in sizes):
            yield ("placements", at, "dims"), "the shape is empty, or larger than the torus", "Make it fit."


def _filled(path: Path, nodes: str, dims: Dims) -> Iterator[Broken]:
    x, y, z = _axes(dims)
    if (given := hostlist.count(nodes)) != x * y * z or not given:
        yield (*path, "nodes"), f"{given} nodes for {x} x {y} x {z} places", "Give one node for each place, from 1 on."


def _axes(dims: Dims) -> tuple[int, int, int]:
    return dims.x, dims.y, dims.z


_KINDS = ("tree", "block", "flat", "ring", "torus3d")
_RULES: dict[str, Callable[[Any], Iterator[Broken]]] = {
    "tree": _tree,
    "block": _block,
    "ring": _ring,
    "torus3d": _torus3d,
}
