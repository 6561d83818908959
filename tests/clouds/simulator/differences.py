"""Differences between the old and the new inputs of a resource, by what its provider says of them."""

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from tests.clouds.simulator import facts
from tests.clouds.simulator.wire import Place, Unknown, Values, pattern

Change = Literal["add", "delete", "update"]
Found = tuple[Place, Change, Any, Any]
"""A place, how it changes, and its values."""


@dataclass(frozen=True)
class Rules:
    """What the provider's code does beside its schema, which `facts` has: patterns, e.g. nodeConfig.spot."""

    unordered: Collection[str] = ()
    """Lists whose order is irrelevant."""
    by_last_part: Collection[str] = ()
    """References for which a name and a path that ends with it are the same."""


@dataclass(frozen=True)
class Difference:
    """A difference at one place."""

    place: Place
    kind: Change
    replaces: bool


def differences(token: str, old: Values, new: Values, rules: Rules) -> list[Difference]:
    """Return the differences of a resource of a type, in the order of the inputs' names."""
    return [
        Difference(place, kind, facts.replaces(token, place, before, after))
        for place, kind, before, after in _Comparison(token, rules).of(old, new, ())
    ]


@dataclass(frozen=True)
class _Comparison:
    token: str
    rules: Rules

    def of(self, old: Any, new: Any, place: Place) -> Iterator[Found]:
        if isinstance(old, dict) and isinstance(new, dict):
            yield from self._of_objects(old, new, place)
        elif isinstance(old, list) and isinstance(new, list):
            if pattern(place) not in self.rules.unordered or _sorted(old) != _sorted(new):
                yield from self._of_lists(old, new, place)
        elif not _same(old, new, last_part=pattern(place) in self.rules.by_last_part):
            yield place, "update", old, new

    def _of_objects(self, old: Values, new: Values, place: Place) -> Iterator[Found]:
        for name in sorted((old.keys() | new.keys()) - {"__defaults"}):
            before, after, here = old.get(name), new.get(name), (*place, name)
            default = facts.default(self.token, here)
            both = {str(default if value is None else value) for value in (before, after)}
            if None in (before, after) and (len(both) == 1 or (_is_empty(before) and _is_empty(after))):
                continue
            if after is None:
                if not facts.is_kept(self.token, here):
                    yield here, "delete", before, None
            elif before is None:
                yield here, "add", None, after
            else:
                yield from self.of(before, after, here)

    def _of_lists(self, old: list[Any], new: list[Any], place: Place) -> Iterator[Found]:
        for index in range(max(len(old), len(new))):
            here = (*place, index)
            if index >= len(new):
                yield here, "delete", old[index], None
            elif index >= len(old):
                yield here, "add", None, new[index]
            else:
                yield from self.of(old[index], new[index], here)


def _is_empty(value: Any) -> bool:
    """Return whether a provider takes a value for one that isn't written, as it does false, 0 and what is empty."""
    if isinstance(value, dict):
        return bool(value) and all(map(_is_empty, value.values()))
    return value in (None, "", False, 0)


def _sorted(values: list[Any]) -> list[str]:
    return sorted(json.dumps(value, sort_keys=True, default=str) for value in values)


def _same(old: Any, new: Any, *, last_part: bool) -> bool:
    if isinstance(old, Unknown) or isinstance(new, Unknown):
        return False
    if last_part and isinstance(old, str) and isinstance(new, str):
        parts = [text.rpartition("projects/")[2].split("/") for text in (old, new)]
        shortest = min(map(len, parts))
        return parts[0][-shortest:] == parts[1][-shortest:]
    return bool(old == new)
