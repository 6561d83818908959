"""Reads the list prices of a cloud by region, from the file beside its machine types that a tool writes.

A line with a region begins what is listed there; below it, indented, stand names with what they cost, in words that the
cloud's `prices` reads. The day of the list is in a comment.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from importlib.resources import files

FILE = "list.prices"
_DAY = "# As of "


@dataclass(frozen=True)
class PriceList:
    """Prices of one day."""

    day: date
    regions: Mapping[str, Mapping[str, Sequence[str]]]
    """The words of each name, by region."""


def read_price_list(package: str) -> PriceList:
    """Return the list of a package, such as "pulumi_slurm.machines.gke"."""
    day = date.min
    regions: dict[str, dict[str, list[str]]] = {}
    names: dict[str, list[str]] = {}
    for line in files(package).joinpath(FILE).read_text(encoding="utf-8").splitlines():
        if line.startswith(_DAY):
            day = date.fromisoformat(line.removeprefix(_DAY))
        elif line.startswith(" "):
            name, *words = line.split()
            names[name] = words
        elif not line.startswith("#"):
            names = regions[line] = {}
    return PriceList(day, regions)


def comment_of_day(day: str) -> str:
    """Return the line with the day of a list: "2026-08-03"."""
    return f"{_DAY}{day}"
