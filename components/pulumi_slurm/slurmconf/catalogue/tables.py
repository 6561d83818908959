"""The tables beside this module, one for each file: ``slurm.conf.keys`` and so on.

A line is a key: its name, its type, and marks between bars.

    MaxJobCount   number32 | took restart slurmctld
    RoutePlugin   text     | until 23.02 | Write TopologyParam=RouteTree.

A number behind the type is the bits that Slurm has for the value. ``takes`` is what a change takes where a reconfigure
is not enough, ``took`` what it took before 23.11. ``since`` and ``until`` are the first and last series in which the
key has an effect. ``words`` are all that Slurm reads where it refuses others. ``repeats`` and ``begins an entry`` are
`Key.repeats` and `Key.begins_entry`. Any other mark is a sentence: what to write instead. ``[PartitionName]`` begins
the keys of such entries; marks behind it hold for all of them.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from pulumi_slurm.slurmconf.catalogue.key import Change, File, Key
from pulumi_slurm.slurmconf.values import ValueType
from pulumi_slurm.slurmconf.version import Series

_TYPE = re.compile(r"([a-z]+)([0-9]*)")


@cache
def table(file: File) -> dict[tuple[str | None, str], Key]:
    """Return the keys of a file by entry and name in small letters, as they stand in the table."""
    text = Path(__file__).with_name(f"{file}.keys").read_text(encoding="utf-8")
    return {(key.entry, key.name.lower()): key for key in _keys(file, text)}


def _keys(file: File, text: str) -> Iterator[Key]:
    entry: str | None = None
    shared: list[str] = []
    for line in text.splitlines():
        first, *marks = (part.strip() for part in line.split(" | "))
        if first.startswith("["):
            entry, shared = first.strip("[]"), marks
        elif first and not first.startswith("#"):
            name, value_type = first.split()
            match = _TYPE.fullmatch(value_type)
            assert match, line
            largest = 2 ** int(match[2]) - 1 if match[2] else None
            yield Key(name, file, entry, ValueType(match[1]), **_marks([*shared, *marks]), largest=largest)


def _marks(marks: list[str]) -> dict[str, Any]:
    fields: dict[str, Any] = {"change": Change.RECONFIGURE}
    for mark in marks:
        match mark.split(" ", 1):
            case ["takes", change]:
                fields["change"] = Change(change)
            case ["took", change]:
                fields["earlier_change"] = Change(change)
            case ["since" | "until" as word, series]:
                fields[word] = Series.of(series)
            case ["words", words]:
                fields["words"] = tuple(words.split())
            case ["repeats"]:
                fields["repeats"] = True
            case ["begins", "an entry"]:
                fields["begins_entry"] = True
            case _:
                fields["replacement"] = mark
    return fields
