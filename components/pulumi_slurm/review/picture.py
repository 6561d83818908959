"""A cluster as a picture: node pools, the node sets on them, the partitions of these, and what changes."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from html import escape
from types import MappingProxyType

from pulumi_slurm.review.effect import Verdict
from pulumi_slurm.review.report import ShownAmount, ShownCluster, ShownSize
from pulumi_slurm.review.worker_fates import Fate

_LONGEST = 28
"""Characters of a name in a box."""


class Mark(StrEnum):
    """What becomes of a box."""

    SAME = "same"
    NEW = "new"
    CHANGED = "changed"
    GONE = "gone"
    ENDS = "ends"


_POOLS = MappingProxyType({Verdict.ENDS: Mark.ENDS, Verdict.DRAINS: Mark.GONE})
"""What a box of a node pool shows of its jobs' fate."""


@dataclass(frozen=True)
class Box:
    """One thing in the picture."""

    column: int
    """0 for node pools, 1 for node sets, 2 for partitions."""
    name: str
    lines: tuple[str, ...]
    mark: Mark


@dataclass(frozen=True)
class Picture:
    """Boxes in three columns, and lines between them, by their places among the boxes."""

    boxes: tuple[Box, ...]
    lines: tuple[tuple[int, int], ...]


def picture(cluster: ShownCluster) -> Picture:
    """Return what a picture of the cluster has."""
    boxes: dict[tuple[int, str], Box] = {}
    lines: dict[tuple[tuple[int, str], tuple[int, str]], None] = {}
    for item in cluster.node_sets:
        if item.pool:
            boxes[0, item.pool] = Box(0, item.pool, ("node pool",), _POOLS.get(item.of_pool, Mark.SAME))
            lines[(0, item.pool), (1, item.name)] = None
        mark = _mark(item.before, item.after)
        if item.fate is Fate.END or item.of_pool is Verdict.ENDS:
            mark = Mark.ENDS
        elif mark is Mark.SAME and item.fate is not Fate.STAY:
            mark = Mark.CHANGED
        boxes[1, item.name] = Box(1, item.name, ("node set", *_size_lines(item.before, item.after)), mark)
        for name in item.partitions:
            lines[(1, item.name), (2, name)] = None
    for partition in cluster.partitions:
        mark = _mark(partition.before, partition.after)
        if mark is Mark.SAME and partition.limits:
            mark = Mark.CHANGED
        limits = [f"{key} {new}" for key, (_, new) in partition.limits.items()]
        sizes = _size_lines(partition.before, partition.after)
        boxes[2, partition.name] = Box(2, partition.name, ("partition", *sizes, *limits), mark)
    places = {key: place for place, key in enumerate(boxes)}
    return Picture(
        tuple(boxes.values()),
        tuple((places[one], places[other]) for one, other in lines if one in places and other in places),
    )


def mermaid(cluster: ShownCluster) -> str:
    """Return the picture as Mermaid, which forges draw."""
    drawn = picture(cluster)
    text = ["flowchart LR"]
    for place, box in enumerate(drawn.boxes):
        label = "<br/>".join(_quoted(line) for line in (_cut(box.name), *box.lines))
        text.append(f'  b{place}["{label}"]:::{box.mark}')
    text += [f"  b{one} --> b{other}" for one, other in drawn.lines]
    text += [
        # Colours that can be read on a light and on a dark page.
        "  classDef same stroke:#6e7781,stroke-width:1px",
        "  classDef new stroke:#1a7f37,stroke-width:3px",
        "  classDef changed stroke:#9a6700,stroke-width:3px",
        "  classDef gone stroke:#cf222e,stroke-width:3px,stroke-dasharray:6 4",
        "  classDef ends stroke:#cf222e,stroke-width:5px",
    ]
    return "\n".join(text)


_WIDTH, _GAP, _LINE, _PADDING = 220, 80, 18, 12
_STYLE = """
    svg { background: #ffffff; color: #1f2328; font: 13px system-ui, sans-serif }
    text { fill: currentColor } .name { font-weight: 600 }
    rect { fill: #f6f8fa; stroke: #6e7781; stroke-width: 1 } path { stroke: #6e7781; fill: none }
    .new rect { stroke: #1a7f37; stroke-width: 3 } .changed rect { stroke: #9a6700; stroke-width: 3 }
    .gone rect { stroke: #cf222e; stroke-width: 3; stroke-dasharray: 6 4 }
    .ends rect { stroke: #cf222e; stroke-width: 5 }
    @media (prefers-color-scheme: dark) {
      svg { background: #0d1117; color: #e6edf3 } rect { fill: #161b22; stroke: #8b949e } path { stroke: #8b949e }
      .new rect { stroke: #3fb950 } .changed rect { stroke: #d29922 }
      .gone rect { stroke: #f85149 } .ends rect { stroke: #f85149 }
    }
"""


def svg(clusters: Iterable[ShownCluster]) -> str:
    """Return the picture of clusters, one below the other, as SVG that can be read on a light and on a dark page."""
    parts: list[str] = []
    top = _PADDING
    for cluster in clusters:
        parts.append(f'<text class="name" x="{_PADDING}" y="{top + 14}">{escape(_cut(cluster.name))}</text>')
        drawn = picture(cluster)
        places, bottom = _places(drawn.boxes, top + 28)
        for one, other in drawn.lines:
            parts.append(_curve(places[one], places[other]))
        for box, (x, y, height) in zip(drawn.boxes, places, strict=True):
            parts.append(_drawn(box, x, y, height))
        top = bottom + 2 * _PADDING
    width = 3 * _WIDTH + 2 * _GAP + 2 * _PADDING
    size = f'width="{width}" height="{top}" viewBox="0 0 {width} {top}"'
    title = "<title>Node pools, node sets and partitions, and what changes</title>"
    return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size}>{title}<style>{_STYLE}</style>\n' + "\n".join(
        [*parts, "</svg>\n"]
    )


_Place = tuple[int, int, int]


def _places(boxes: Iterable[Box], top: int) -> tuple[list[_Place], int]:
    """Return where each box is, as its left, its top and its height; and where the lowest ends."""
    ends = [top, top, top]
    places = []
    for box in boxes:
        height = (len(box.lines) + 1) * _LINE + _PADDING
        places.append((_PADDING + box.column * (_WIDTH + _GAP), ends[box.column], height))
        ends[box.column] += height + _PADDING
    return places, max(ends)


def _curve(one: _Place, other: _Place) -> str:
    (left, y, height), (right, other_y, other_height) = one, other
    start, end = (left + _WIDTH, y + height // 2), (right, other_y + other_height // 2)
    middle = (start[0] + end[0]) // 2
    return f'<path d="M{start[0]} {start[1]} C{middle} {start[1]} {middle} {end[1]} {end[0]} {end[1]}"/>'


def _drawn(box: Box, x: int, y: int, height: int) -> str:
    lines = [f'<text class="name" x="{x + _PADDING}" y="{y + _LINE}">{escape(_cut(box.name))}</text>']
    lines += [
        f'<text x="{x + _PADDING}" y="{y + (number + 2) * _LINE}">{escape(_cut(line))}</text>'
        for number, line in enumerate(box.lines)
    ]
    rect = f'<rect x="{x}" y="{y}" width="{_WIDTH}" height="{height}" rx="6"/>'
    return f'<g class="{box.mark}">{rect}{"".join(lines)}</g>'


def _mark(before: ShownSize | None, after: ShownSize | None) -> Mark:
    if before is None:
        return Mark.NEW
    if after is None:
        return Mark.GONE
    return Mark.SAME if before == after else Mark.CHANGED


def _size_lines(before: ShownSize | None, after: ShownSize | None) -> list[str]:
    size = after or before
    if size is None:
        return []
    old = before or size
    lines = [f"nodes {_arrow(old.nodes, size.nodes)}, CPUs {_arrow(old.cpus, size.cpus)}"]
    return lines + [f"{kind} {_arrow(old.gpus.get(kind, amount), amount)}" for kind, amount in size.gpus.items()]


def _arrow(before: ShownAmount, after: ShownAmount) -> str:
    return str(after) if str(before) == str(after) else f"{before} → {after}"


def _cut(text: str) -> str:
    line = "".join(char if char.isprintable() else "?" for char in " ".join(text.split()))
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _quoted(text: str) -> str:
    """Return a text as Mermaid takes it within quotes: anything but letters, digits and a few marks by its number."""
    return re.sub(r"[^\w .,→…+/-]", lambda found: f"#{ord(found[0])};", _cut(text))
