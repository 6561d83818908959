"""The tables in the folder of this module, one for each file: ``slurm.conf.keys`` and so on.

A line is a key: its name, its type, and marks between bars.

    MaxJobCount   number32 | took restart slurmctld
    RoutePlugin   text     | until 23.02 | Write TopologyParam=RouteTree.

A number behind the type is the bits that Slurm has for the value. ``takes`` is what a change takes where a reconfigure
is not enough, ``took`` what it took before 23.11. ``since`` and ``until`` are the first and last series in which the
key has an effect. ``words`` are all that Slurm reads where it refuses others; ``names`` are words whose case counts;
``plugins`` are all that its source has. Each may have the first and last series that has it, as in ``thread(26.05-)``
and ``WorkQ(-25.11)``. ``from`` and ``to`` are the smallest and the largest number. ``known`` are all that Slurm looks
for in a value where it ignores the rest; ``default`` are words of earlier series for what it does anyway today, and
``moved`` are words that another key has today, whose name follows them. ``undoes`` is a word that takes back those
before it. ``repeats`` and ``begins an entry`` are `Key.repeats` and `Key.begins_entry`. Any other mark is a sentence:
what to write instead.
``[PartitionName]`` begins the keys of such entries; marks behind it hold for all of them.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from pulumi_slurm.slurmconf.catalogue.key import Change, File, Key, Word
from pulumi_slurm.slurmconf.values import ValueType
from pulumi_slurm.slurmconf.version import Series

_TYPE = re.compile(r"([a-z]+)([0-9]*)")
_WORD = re.compile(r"([^()]+)(?:\(([0-9.]*)-([0-9.]*)\))?")


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
            yield Key(name, file, entry, ValueType(match[1]), **{"largest": largest, **_marks([*shared, *marks])})


def _marks(marks: list[str]) -> dict[str, Any]:
    fields: dict[str, Any] = {"change": Change.RECONFIGURE}
    for mark in marks:
        match mark.split(" ", 1):
            case ["takes" | "took" as word, change]:
                fields["change" if word == "takes" else "earlier_change"] = Change(change)
            case ["undoes", word]:
                fields["undoes"] = word
            case ["since" | "until" as word, series]:
                fields[word] = Series.of(series)
            case ["words" | "plugins" as mark_name, words]:
                fields[mark_name] = tuple(_word(text) for text in words.split())
            case ["names", words]:
                fields["words"] = tuple(_word(text) for text in words.split())
                fields["case_counts"] = True
            case ["known" | "default" as mark_name, words]:
                fields[mark_name] = tuple(words.lower().split())
            case ["moved", words_and_key]:
                *moved_words, other_key = words_and_key.split()
                fields["moved"] = tuple((word.lower(), other_key) for word in moved_words)
            case ["from" | "to" as mark_name, number]:
                fields["smallest" if mark_name == "from" else "largest"] = int(number)
            case ["repeats"]:
                fields["repeats"] = True
            case ["begins", "an entry"]:
                fields["begins_entry"] = True
            case _:
                fields["replacement"] = mark
    return fields


def _word(text: str) -> Word:
    match = _WORD.fullmatch(text)
    assert match, text
    since, until = (Series.of(series) if series else None for series in match.groups()[1:])
    return Word(match[1], since, until)
