"""What the real providers' schemas say of inputs: what replaces, what stays when it is left out, what is refused."""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from tests.clouds.simulator.wire import Place, Unknown, Values, leaves, pattern

Row = Mapping[str, Any]
"""What is known of an input, or of a block of them."""


@cache
def resources() -> Mapping[str, Mapping[str, Row]]:
    """Return what is known of each type of resource."""
    by_type: Mapping[str, Mapping[str, Row]] = json.loads(
        Path(__file__).with_name("provider_facts.json").read_text(encoding="utf-8")
    )["resources"]
    return by_type


def rows(token: str) -> Mapping[str, Row]:
    """Return what is known of a resource's inputs, by their patterns."""
    return resources()[token]


def is_kept(token: str, place: Place) -> bool:
    """Return whether what is left out at a place stays as it is in the cloud."""
    return bool(rows(token).get(pattern(place), {}).get("kept"))


def kept(token: str) -> Iterator[str]:
    """Yield the inputs of a resource, as a whole, that stay as they are in the cloud when they are left out."""
    yield from (path for path, row in rows(token).items() if row.get("kept") and "." not in path)


def is_sensitive(token: str, place: Place) -> bool:
    """Return whether the provider calls an input, or the block around it, sensitive."""
    steps = pattern(place).split(".")
    paths = (".".join(steps[:length]) for length in range(1, len(steps) + 1))
    return any(rows(token).get(path, {}).get("sensitive") for path in paths)


def default(token: str, place: Place) -> Any:
    """Return what the provider takes where nothing is written; None where it takes nothing."""
    return rows(token).get(pattern(place), {}).get("default")


def replaces(token: str, place: Place, old: Any, new: Any) -> bool:
    """Return whether a difference makes the resource anew: None is where one side has nothing.

    A block that comes or goes does so by itself, or by an input that is set in it.
    """
    if old is not None and new is not None:
        return _replaces(token, pattern(place))
    written = [place, *(where for where, _ in leaves(old if new is None else new, place))]
    return any(_replaces(token, pattern(where)) for where in written)


def _replaces(token: str, path: str) -> bool:
    row = rows(token).get(path)
    if row is None:
        around = rows(token).get(path.rpartition(".")[0], {})
        return bool(around.get("map") and around.get("replaces"))
    return bool(row.get("replaces"))


def problems(token: str, inputs: Values) -> Iterator[tuple[Place, str]]:
    """Yield the inputs that the provider's checks refuse; those that aren't known yet pass."""
    for place, value in leaves(inputs):
        row = rows(token).get(pattern(place), {})
        if not isinstance(value, Unknown) and (problem := _problem(row, value)):
            yield place, problem
    for place, count in _lists(inputs):
        row = rows(token).get(pattern(place), {})
        if not row.get("minItems", count) <= count <= row.get("maxItems", count):
            yield place, f"expected {row.get('minItems', '')} to {row.get('maxItems', '')} items, received {count}"
    for path, row in rows(token).items():
        if "." in path:
            # Whether the block around it is there isn't known without its place.
            continue
        others = [name for name in row.get("conflictsWith", ()) if inputs.get(name) is not None]
        if inputs.get(path) is not None and others:
            yield (path,), f"conflicts with {', '.join(others)}"
        choices = row.get("exactlyOneOf", ())
        if choices and all("." not in name for name in choices):
            written = [name for name in choices if inputs.get(name) is not None]
            if len(written) != 1 and path == (written or choices)[0]:
                yield (path,), f"exactly one of {', '.join(choices)} must be written"


def _lists(value: Any, place: Place = ()) -> Iterator[tuple[Place, int]]:
    """Yield every list that is there, with the number of its items."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _lists(item, (*place, key))
    elif isinstance(value, list) and value:
        yield place, len(value)
        for index, item in enumerate(value):
            yield from _lists(item, (*place, index))


def _problem(row: Row, value: Any) -> str:
    """Return what is wrong with a value; "" if nothing is."""
    text = str(value)
    if text == "" and row.get("emptyAllowed"):
        return ""
    if "values" in row:
        allowed = {str(choice).lower() if row.get("ignoreCase") else str(choice) for choice in row["values"]}
        if (text.lower() if row.get("ignoreCase") else text) not in allowed:
            return f"expected one of {', '.join(map(str, row['values']))}, received {text!r}"
    if isinstance(value, int | float) and not row.get("min", value) <= value <= row.get("max", value):
        return f"expected {row.get('min', '')} to {row.get('max', '')}, received {text}"
    if "length" in row and not row["length"][0] <= len(text) <= row["length"][1]:
        return f"expected {row['length'][0]} to {row['length'][1]} characters, received {len(text)}"
    if "pattern" in row and not re.search(row["pattern"], text):
        return f"{text!r} doesn't match {row['pattern']}"
    return ""
