"""Versions of Slurm: a series such as 25.11, which is what configuration depends on."""

from typing import NamedTuple, Self


class Series(NamedTuple):
    """A Slurm series; series compare by age."""

    year: int
    month: int

    @classmethod
    def of(cls, text: str) -> Self:
        """Return the series of a version such as "25.11" or "24.11.5"; raise ValueError for other text."""
        year, month, *_ = text.split(".")
        return cls(int(year), int(month))

    def __str__(self) -> str:
        """Return the series as Slurm writes it."""
        return f"{self.year}.{self.month:02}"


SERIES = tuple(Series.of(text) for text in ("23.02", "23.11", "24.05", "24.11", "25.05", "25.11", "26.05"))
"""The series that the catalogue of keys covers, the oldest first."""
