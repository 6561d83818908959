"""A cluster as a picture: node pools, the node sets on them, the partitions of these, and what changes."""

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from html import escape
from textwrap import wrap
from types import MappingProxyType

from pulumi_slurm_cli.review.effect import SEVERE, Verdict
from pulumi_slurm_cli.review.report import ShownAmount, ShownCluster, ShownSize
from pulumi_slurm_cli.review.text import one_line
from pulumi_slurm_cli.review.worker_fates import Fate

_COLUMNS = ("node pool", "node set", "partition")
_LONGEST = 80
"""Characters of a line of Mermaid, which breaks lines itself."""


class Mark(StrEnum):
    """What becomes of a box."""

    SAME = "same"
    NEW = "new"
    CHANGED = "changed"
    GONE = "gone"
    ENDS = "ends"


_WORDS = MappingProxyType({Mark.NEW: "new", Mark.CHANGED: "changes", Mark.GONE: "goes", Mark.ENDS: "ends jobs"})
"""What a box says of its mark, for whoever can't tell the colours apart."""
_POOLS = MappingProxyType({**dict.fromkeys(SEVERE, Mark.ENDS), Verdict.DRAINS: Mark.GONE})
"""What a box of a node pool shows of its jobs' fate."""


@dataclass(frozen=True)
class Box:
    """One thing in the picture."""

    column: int
    """What it is, by its place in `_COLUMNS`."""
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
            boxes[0, item.pool] = Box(0, item.pool, (), _POOLS.get(item.of_pool, Mark.SAME))
            lines[(0, item.pool), (1, item.name)] = None
        mark = _mark(item.before, item.after)
        if item.fate is Fate.END or item.of_pool in SEVERE:
            mark = Mark.ENDS
        elif mark is Mark.SAME and item.fate is not Fate.STAY:
            mark = Mark.CHANGED
        boxes[1, item.name] = Box(1, item.name, tuple(_size_lines(item.before, item.after)), mark)
        for name in item.partitions:
            lines[(1, item.name), (2, name)] = None
    for partition in cluster.partitions:
        mark = _mark(partition.before, partition.after)
        if mark is Mark.SAME and partition.limits:
            mark = Mark.CHANGED
        limits = [f"{key} {old} → {new}" for key, (old, new) in partition.limits.items()]
        sizes = _size_lines(partition.before, partition.after)
        boxes[2, partition.name] = Box(2, partition.name, (*sizes, *limits), mark)
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
        kind = ", ".join(filter(None, (_COLUMNS[box.column], _WORDS.get(box.mark))))
        label = "<br/>".join(_quoted(line) for line in (box.name, kind, *box.lines))
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


_CHARACTERS = 28
"""Characters of a line in a box."""
_CHARACTER = 7.3
"""The width of each, in the widest of the fonts at their size: 0.602 em of DejaVu Sans Mono and Menlo, rounded up."""
_GAP, _LINE, _PADDING = 56, 18, 12
_WIDTH = math.ceil(_CHARACTERS * _CHARACTER) + 2 * _PADDING
_STYLE = """
    svg { background: #ffffff; color: #1f2328; font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
    text { fill: currentColor } .name { font-weight: 600 } .column { fill: #59636e }
    rect { fill: #f6f8fa; stroke: #6e7781; stroke-width: 1 } path { stroke: #6e7781; fill: none }
    .new rect { stroke: #1a7f37; stroke-width: 3 } .changed rect { stroke: #9a6700; stroke-width: 3 }
    .gone rect { stroke: #cf222e; stroke-width: 3; stroke-dasharray: 6 4 }
    .ends rect { stroke: #cf222e; stroke-width: 5 }
    @media (prefers-color-scheme: dark) {
      svg { background: #0d1117; color: #e6edf3 } rect { fill: #161b22; stroke: #8b949e } path { stroke: #8b949e }
      .column { fill: #9198a1 }
      .new rect { stroke: #3fb950 } .changed rect { stroke: #d29922 }
      .gone rect { stroke: #f85149 } .ends rect { stroke: #f85149 }
    }
"""


def svg(clusters: Iterable[ShownCluster]) -> str:
    """Return the picture of clusters, one below the other, as SVG that can be read on a light and on a dark page."""
    parts: list[str] = []
    top = _PADDING
    for cluster in clusters:
        drawn = picture(cluster)
        # Without node pools, as of settings that are compared without an engine, there is no empty column.
        columns = sorted({box.column for box in drawn.boxes})
        parts += _texts(_wrapped(cluster.name, len(_COLUMNS) * _CHARACTERS, 1), _PADDING, top, "name")
        top += _LINE
        for place, column in enumerate(columns):
            parts += _texts([f"{_COLUMNS[column]}s"], _left(place), top, "column")
        top += _LINE + _PADDING // 2
        places, top = _places(drawn.boxes, columns, top)
        parts += [_curve(places[one], places[other]) for one, other in drawn.lines]
        parts += [_drawn(box, place) for box, place in zip(drawn.boxes, places, strict=True)]
        top += _PADDING
    width = _left(len(_COLUMNS) - 1) + _WIDTH + _PADDING
    size = f'width="{width}" height="{top}" viewBox="0 0 {width} {top}"'
    title = "<title>Node pools, node sets and partitions, and what changes</title>"
    return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size}>{title}<style>{_STYLE}</style>\n' + "\n".join(
        [*parts, "</svg>\n"]
    )


@dataclass(frozen=True)
class _Place:
    """Where a box is, in pixels."""

    left: int
    top: int
    height: int

    @property
    def middle(self) -> int:
        return self.top + self.height // 2


def _left(column: int) -> int:
    return _PADDING + column * (_WIDTH + _GAP)


def _places(boxes: Iterable[Box], columns: list[int], top: int) -> tuple[list[_Place], int]:
    """Return where each box is, and where the next thing below all of them can be."""
    ends = dict.fromkeys(columns, top)
    places = []
    for box in boxes:
        height = sum(len(lines) for _, lines in _lines(box)) * _LINE + _PADDING
        places.append(_Place(_left(columns.index(box.column)), ends[box.column], height))
        ends[box.column] += height + _PADDING
    return places, max(ends.values(), default=top)


def _curve(one: _Place, other: _Place) -> str:
    start, end = one.left + _WIDTH, other.left
    middle = (start + end) // 2
    return f'<path d="M{start} {one.middle} C{middle} {one.middle} {middle} {other.middle} {end} {other.middle}"/>'


def _drawn(box: Box, place: _Place) -> str:
    rect = f'<rect x="{place.left}" y="{place.top}" width="{_WIDTH}" height="{place.height}" rx="6"/>'
    texts, top = [], place.top + _PADDING // 2
    for style, lines in _lines(box):
        texts += _texts(lines, place.left + _PADDING, top, style)
        top += len(lines) * _LINE
    return f'<g class="{box.mark}">{rect}{"".join(texts)}</g>'


def _lines(box: Box) -> Iterator[tuple[str, list[str]]]:
    """Yield the class of lines in a box, and the lines."""
    yield "name", _wrapped(box.name, _CHARACTERS, 2)
    if word := _WORDS.get(box.mark):
        yield "", [word]
    for line in box.lines:
        # Where two numbers have no room beside each other, they are below each other.
        for part in [line] if len(line) <= _CHARACTERS else line.split(", ", 1):
            yield "", _wrapped(part, _CHARACTERS, 2)


def _wrapped(text: str, width: int, max_lines: int) -> list[str]:
    """Return a text in at least one line, and in no more than ``max_lines``."""
    # The width of other characters is known to the reader's font alone; no name of Slurm or Kubernetes has any.
    printable = "".join(
        char if char.isascii() or char in "→…" else "?" for char in one_line(text, width * max_lines + 1)
    )
    lines = wrap(printable, width) or ["?"]
    return lines if len(lines) <= max_lines else [*lines[: max_lines - 1], f"{lines[max_lines - 1][: width - 1]}…"]


def _texts(lines: Iterable[str], left: int, top: int, style: str) -> list[str]:
    """Return lines below each other; the first has its baseline in the height of a line below the top."""
    attribute = f' class="{style}"' if style else ""
    return [
        f'<text{attribute} x="{left}" y="{top + number * _LINE + 13}">{escape(line)}</text>'
        for number, line in enumerate(lines)
    ]


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


def _quoted(text: str) -> str:
    """Return a text as Mermaid takes it within quotes: anything but letters, digits and a few marks by its number."""
    return re.sub(r"[^\w .,→…+/-]", lambda match: f"#{ord(match[0])};", one_line(text, _LONGEST))
