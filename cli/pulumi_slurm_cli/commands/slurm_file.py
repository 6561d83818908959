"""Slurm's files, as commands read them."""

import argparse
import sys

from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, parse
from pulumi_slurm.slurmconf.conf_error import ConfError, LineError
from pulumi_slurm.slurmconf.version import Series
from pulumi_slurm_cli.commands.arguments import folder
from pulumi_slurm_cli.commands.output import print_line
from pulumi_slurm_cli.importing.source import Source, refuse_another


def add_include_from(command: argparse.ArgumentParser) -> None:
    """Add where included files may lie."""
    command.add_argument(
        "--include-from",
        type=folder,
        action="append",
        default=[],
        metavar="DIR",
        help="let the files include others from there too, and let links beside them lead there; may be given again",
    )


def read_conf(source: Source, file: File, series: Series, instead: str) -> Conf:
    """Return what a file has; say which of its lines are not compared.

    Raises:
        UnreadableFileError: if it is another file of Slurm, with what to do ``instead``; or as `Source` does.
        ConfError: with everything in it that is no configuration.
    """
    # Of these files, slurm.conf alone may not be empty.
    text = source.text() if file is File.SLURM else source.text_or_nothing()
    try:
        return parse_conf(source, text, source.name, file, series)
    except ConfError:
        refuse_another(source, file, instead, text)
        raise


def parse_conf(source: Source, text: str, name: str, file: File, series: Series) -> Conf:
    """Return what a text of a file in a source's folder has; say which of its lines are not compared."""
    passed_over: list[LineError] = []
    conf = parse(text, file, series, name=name, include=source.included, passed_over=passed_over)
    for line in passed_over:
        print_line(f"not compared: {line}", sys.stderr)
    return conf
