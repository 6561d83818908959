"""For which inputs a cloud's provider makes a resource anew, where no engine is there to ask it.

The tables are in the clouds' packages. They are of providers a little older than the SDKs here, and don't have what a
provider decides by code of its own, but for a smaller range of a subnetwork.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from ipaddress import ip_network
from typing import Any

from pulumi_slurm.clouds.registry import CLOUDS
from pulumi_slurm.clouds.resources import Inputs
from pulumi_slurm.clouds.unread import UNKNOWN

FILE = "replaced.inputs"
_AS_IF_LEFT_OUT = frozenset({"", "false", "0", "{}"})
_WORD = re.compile(
    r"(?P<path>[\w.]+)(?P<kept>\?)?(?P<block>\{\})?(?P<unordered>\[\])?(?P<grows><)?(?:=(?P<default>.+))?"
)


@dataclass(frozen=True)
class ReplacedInput:
    """An input of which another value makes its resource anew."""

    path: str
    """Its path, without indexes of lists: "nodeConfig.taints.effect"."""
    is_kept: bool
    """Whether it stays as it is in the cloud when it is left out."""
    is_block: bool
    """Whether only counts that it is there; what is in it has rows of its own."""
    is_unordered: bool
    """Whether the order of its items doesn't count."""
    may_grow: bool
    """Whether a larger range of addresses is taken in place."""
    default: str | None
    """What the provider takes where it is left out."""


@cache
def replaced_inputs() -> Mapping[str, tuple[ReplacedInput, ...]]:
    """Return the inputs for which a resource is made anew, by its type."""
    table: dict[str, list[ReplacedInput]] = {}
    for row in CLOUDS:
        inputs: list[ReplacedInput] = []
        text = files(row.resources.rpartition(".")[0]).joinpath(FILE).read_text(encoding="utf-8")
        for line in text.splitlines():
            if line.startswith(" "):
                inputs += map(_read, line.split())
            elif not line.startswith("#"):
                inputs = table.setdefault(line, [])
    return {kind: tuple(inputs) for kind, inputs in table.items()}


def _read(word: str) -> ReplacedInput:
    match = _WORD.fullmatch(word)
    assert match, word
    return ReplacedInput(
        path=match["path"],
        is_kept=bool(match["kept"]),
        is_block=bool(match["block"]),
        is_unordered=bool(match["unordered"]),
        may_grow=bool(match["grows"]),
        default=match["default"],
    )


def replaced_for(kind: str, old: Inputs, new: Inputs) -> Iterator[str]:
    """Yield the paths for which the resource of a type is made anew; none of a type that no table has."""
    for item in replaced_inputs().get(kind, ()):
        steps = item.path.split(".")
        if _is_kept(item, kind, new):
            continue
        before, after = (_comparable([*_values(side, steps)], item) for side in (old, new))
        if before != after and not (item.may_grow and _is_larger_range(before, after)):
            yield item.path


def _is_kept(item: ReplacedInput, kind: str, new: Inputs) -> bool:
    """Return whether an input is left out, or the block that it is in, and stays as it is in the cloud."""
    if item.is_kept and (item.is_block or not [*_values(new, item.path.split("."))]):
        return True
    around = [
        one for one in replaced_inputs()[kind] if one.is_kept and one.is_block and item.path.startswith(f"{one.path}.")
    ]
    return any(not [*_values(new, one.path.split("."))] for one in around)


def replaced_with_others(kind: str, inputs: Inputs, names: Collection[str]) -> Iterator[str]:
    """Yield the paths for which a resource is made anew since their values aren't known before others are made anew.

    ``names`` are the inputs whose values come from those others.
    """
    for item in replaced_inputs().get(kind, ()):
        steps = item.path.split(".")
        if steps[0] in names and not item.is_block and UNKNOWN in _values(inputs, steps):
            yield item.path


def _is_larger_range(before: list[str], after: list[str]) -> bool:
    if not (before and after):
        return False
    try:
        return ip_network(before[0]).subnet_of(ip_network(after[0]))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False


def _comparable(values: list[Any], item: ReplacedInput) -> list[str]:
    """Return values as texts, such as "false": a program may write a number where the table has a text.

    A provider takes what is empty, false or 0 for the same as what is left out.
    """
    if item.is_block:
        return ["there"] if values else []
    if item.is_unordered:
        values = sorted(values, key=repr)
    texts = [value if isinstance(value, str) else json.dumps(value, sort_keys=True) for value in values]
    left_out = [] if item.default is None else [item.default]
    return [text for text in texts if text not in _AS_IF_LEFT_OUT or item.default] or left_out


def _values(data: Any, steps: list[str]) -> Iterator[Any]:
    """Yield what stands at a path, with each item of the lists on it and at its end."""
    if isinstance(data, list):
        for item in data:
            yield from _values(item, steps)
    elif not steps:
        yield from () if data is None else (data,)
    elif isinstance(data, Mapping):
        yield from _values(data.get(steps[0]), steps[1:])
