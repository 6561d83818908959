"""Arguments that several commands have."""

import argparse
from collections.abc import Collection
from pathlib import Path

from pulumi_slurm.importing import UnreadableFileError
from pulumi_slurm.importing.source import name_of
from pulumi_slurm.model.images import OS_BY_SERIES
from pulumi_slurm.slurmconf.version import SERIES, Series, is_release

INPUT = "a file, or - for standard input"


def add_cluster(command: argparse.ArgumentParser) -> None:
    """Add the cluster that is asked where no file is named."""
    command.add_argument("--context", help="the cluster to ask in place of a file; the current one by default")
    command.add_argument("--kubeconfig", type=Path, metavar="FILE", help="where the context is")


def file_or_cluster(file: Path | None, options: argparse.Namespace, what: str) -> dict[str, str]:
    """Return the cluster's arguments that are given, as text; refuse them beside a file of ``what``."""
    given = {name: str(value) for name in ("context", "kubeconfig") if (value := vars(options)[name])}
    if file and given:
        raise UnreadableFileError(f"{name_of(file)}: write a file of {what}, or the context of a cluster")
    return given


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
