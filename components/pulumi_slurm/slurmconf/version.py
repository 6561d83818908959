"""Versions of Slurm: a series such as 25.11, which is what configuration depends on."""

import re
from collections.abc import Container
from typing import NamedTuple, Self

_VERSION = re.compile(r"([0-9]{2})\.([0-9]{2})(?:\..*)?")
_RELEASE = re.compile(r"[0-9]+(\.[0-9]+)+")


class Series(NamedTuple):
    """A Slurm series; series compare by age."""

    year: int
    month: int

    @classmethod
    def of(cls, text: str) -> Self:
        """Return the series of a version such as "25.11" or "24.11.5"; raise ValueError for other text."""
        match = _VERSION.fullmatch(text)
        if match is None:
            raise ValueError(f"{text!r} is not a version of Slurm")
        return cls(int(match[1]), int(match[2]))

    def __str__(self) -> str:
        """Return the series as Slurm writes it."""
        return f"{self.year}.{self.month:02}"


SERIES = tuple(Series.of(text) for text in ("23.02", "23.11", "24.05", "24.11", "25.05", "25.11", "26.05"))
"""The series that the catalogue of keys covers, the oldest first."""

DEFAULT_SERIES = Series(25, 11)
"""The series of a cluster whose specification names none."""


def is_release(text: str, series: Container[Series]) -> bool:
    """Return whether ``text`` is one of these series, such as "25.11", or a release of one, such as "25.11.2"."""
    return bool(_RELEASE.fullmatch(text) and _VERSION.fullmatch(text)) and Series.of(text) in series
