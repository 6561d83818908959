"""Arguments that several commands have."""

import argparse
from collections.abc import Collection

from pulumi_slurm.model.images import OS_BY_SERIES
from pulumi_slurm.slurmconf.version import SERIES, Series, is_release

INPUT = "a file, or - for standard input"


def spec_version(text: str) -> str:
    """Return a release of Slurm that a cluster can have."""
    _check_release(text, OS_BY_SERIES)
    return text


def series(text: str) -> Series:
    """Return the series of a release of Slurm."""
    _check_release(text, SERIES)
    return Series.of(text)


def _check_release(text: str, known: Collection[Series]) -> None:
    if not is_release(text, known):
        raise argparse.ArgumentTypeError(f"{text} is not one of {', '.join(map(str, known))}, or a release of it")
