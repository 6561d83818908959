"""Arguments that several commands have."""

import argparse
import os
import re
from collections.abc import Callable, Collection
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from pulumi_slurm.model.images import OS_BY_SERIES
from pulumi_slurm.slurmconf.version import SERIES, Series, is_release

E = TypeVar("E", bound=StrEnum)

INPUT = "a file, or - for standard input"


def spec_version(text: str) -> str:
    """Return a release of Slurm that a cluster can have."""
    _check_release(text, OS_BY_SERIES)
    return text


def series(text: str) -> Series:
    """Return the series of a release of Slurm."""
    _check_release(text, SERIES)
    return Series.of(text)


def number_from(minimum: int) -> Callable[[str], int]:
    """Return what reads a whole number that isn't smaller."""

    def number(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) < minimum:
            raise argparse.ArgumentTypeError(f"{text} is no whole number from {minimum} on")
        return int(text)

    return number


def folder(text: str) -> Path:
    """Return the path of a folder that is there."""
    if not os.path.isdir(text):
        problem = "this is no folder" if os.path.lexists(text) else "there is no such folder"
        raise argparse.ArgumentTypeError(f"{text}: {problem}")
    return Path(text)


def one_of(choices: type[E]) -> Callable[[str], E]:
    """Return what reads one of an enum's values."""

    def choice(text: str) -> E:
        try:
            return choices(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text} is not one of {', '.join(map(str, choices))}") from None

    return choice


def _check_release(text: str, choices: Collection[Series]) -> None:
    if not is_release(text, choices):
        raise argparse.ArgumentTypeError(f"{text} is not one of {', '.join(map(str, choices))}, or a release of it")
