"""Differences between the old and the new inputs of a resource, by the rules of its kind."""

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from tests.clouds.simulator.wire import Place, Unknown, Values, pattern

Change = Literal["add", "delete", "update"]


@dataclass(frozen=True)
class Rules:
    """How the inputs of a kind are compared: patterns, which are places without list indexes, e.g. nodeConfig.spot."""

    replacing: Collection[str] = ()
    """Inputs that can't change in place, nor anything within them."""
    unordered: Collection[str] = ()
    """Lists whose order is irrelevant."""
    kept: Collection[str] = ()
    """Inputs that keep their values when they are no longer set."""
    by_last_part: Collection[str] = ()
    """References for which a name and a path that ends with it are the same."""


@dataclass(frozen=True)
class Difference:
    """A difference at one place."""

    place: Place
    kind: Change
    replaces: bool


def differences(old: Values, new: Values, rules: Rules) -> list[Difference]:
    """Return the differences, in the order of the inputs' names."""
    return [
        Difference(place, kind, _within(pattern(place), rules.replacing))
        for place, kind in _compared(old, new, rules, ())
    ]


def _compared(old: Any, new: Any, rules: Rules, place: Place) -> Iterator[tuple[Place, Change]]:
    if isinstance(old, dict) and isinstance(new, dict):
        yield from _compared_objects(old, new, rules, place)
    elif isinstance(old, list) and isinstance(new, list):
        if pattern(place) not in rules.unordered or _sorted(old) != _sorted(new):
            yield from _compared_lists(old, new, rules, place)
    elif not _same(old, new, last_part=pattern(place) in rules.by_last_part):
        yield place, "update"


def _compared_objects(old: Values, new: Values, rules: Rules, place: Place) -> Iterator[tuple[Place, Change]]:
    for name in sorted((old.keys() | new.keys()) - {"__defaults"}):
        before, after, here = old.get(name), new.get(name), (*place, name)
        if before is None and after is None:
            continue
        if after is None:
            if pattern(here) not in rules.kept:
                yield here, "delete"
        elif before is None:
            yield here, "add"
        else:
            yield from _compared(before, after, rules, here)


def _compared_lists(old: list[Any], new: list[Any], rules: Rules, place: Place) -> Iterator[tuple[Place, Change]]:
    for index in range(max(len(old), len(new))):
        if index >= len(new):
            yield (*place, index), "delete"
        elif index >= len(old):
            yield (*place, index), "add"
        else:
            yield from _compared(old[index], new[index], rules, (*place, index))


def _sorted(values: list[Any]) -> list[str]:
    return sorted(json.dumps(value, sort_keys=True, default=str) for value in values)


def _same(old: Any, new: Any, *, last_part: bool) -> bool:
    if isinstance(old, Unknown) or isinstance(new, Unknown):
        return False
    if last_part and isinstance(old, str) and isinstance(new, str):
        return old.rpartition("/")[2] == new.rpartition("/")[2]
    return bool(old == new)


def _within(place: str, patterns: Collection[str]) -> bool:
    return any(place == within or place.startswith(f"{within}.") for within in patterns)
