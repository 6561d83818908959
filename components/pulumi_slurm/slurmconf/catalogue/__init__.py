"""The catalogue of keys: what each key of each file is, since and until when, and what a change of it takes.

Source: the option tables of Slurm's own parsers and its manual pages, series by series
(https://github.com/SchedMD/slurm, tags slurm-23-02-* to slurm-26-05-*).
"""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from pulumi_slurm.choices import closest, likeness
from pulumi_slurm.issue import Issue
from pulumi_slurm.slurmconf.catalogue.key import Change, File, Key, Word
from pulumi_slurm.slurmconf.catalogue.tables import table
from pulumi_slurm.slurmconf.version import Series

__all__ = ["Change", "File", "Key", "Word", "find", "key_issue", "keys", "keys_with_word"]


_SURELY = 0.75
"""How similar a key has to be to be meant rather than one that another file has."""


def find(file: File, name: str, entry: str | None = None) -> Key | None:
    """Return a key by its name in any case, or None; aliases such as ControlMachine are keys of their own."""
    return table(file).get((entry, name.lower()))


def keys(file: File, entry: str | None = None, series: Series | None = None) -> list[Key]:
    """Return the keys of a file or of one entry keyword, sorted by name; of one series, or of all."""
    matching = [key for key in table(file).values() if key.entry == entry and (series is None or key.known_in(series))]
    return sorted(matching, key=lambda key: key.name.lower())


def key_issue(file: File, name: str, series: Series, entry: str | None = None) -> Issue | None:
    """Return the issue with a key that the series does not know, and None for one that it knows.

    The problem says since or until when there is such a key; the fix names the nearest one, or what replaced it.
    """
    key = find(file, name, entry)
    if key is None:
        return _unknown(file, name, series, entry)
    if key.since is not None and series < key.since:
        problem = f"it is new in Slurm {key.since}, and this is {series}"
        return Issue(problem, f"Leave it out, or use Slurm {key.since}.")
    if key.until is not None and series > key.until:
        problem = f"Slurm {key.until} was the last to heed it, and this is {series}"
        return Issue(problem, key.replacement or "Leave it out.")
    return None


@lru_cache(maxsize=512)
def _names(file: File, entry: str | None, series: Series) -> Mapping[str, str]:
    return MappingProxyType({key.name.lower(): key.name for key in keys(file, entry, series)})


def keys_with_word(file: File, item: str) -> list[str]:
    """Return the names of the keys in whose values Slurm looks for a word, or for one before a number."""
    word, equals, _ = item.lower().partition("=")
    return [key.name for key in keys(file) if word + equals in key.known]


def _where(file: File, entry: str | None) -> str:
    return f"on {entry} lines of {file}" if entry else f"in {file}"


@lru_cache(maxsize=8192)
def _unknown(file: File, name: str, series: Series, entry: str | None) -> Issue:
    """Return the issue with a key that isn't there: it belongs elsewhere, or has another name."""
    problem = f"there is no such key {_where(file, entry)}"
    names = _names(file, entry, series)
    near = closest(name.lower(), names)
    if near and likeness(near, name) >= _SURELY:
        return Issue(problem, f"Write {names[near]}, if you mean that.")
    for other in (file, *File):
        for (other_entry, lower), key in table(other).items():
            if lower == name.lower() and key.known_in(series):
                return Issue(f"it belongs {_where(other, other_entry)}", "Leave it out here.")
    if near:
        return Issue(problem, f"Write {names[near]}, if you mean that.")
    return Issue(problem, f"Leave it out, or look for its name in the manual of {file}.")
