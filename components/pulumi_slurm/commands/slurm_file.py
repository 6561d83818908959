"""Slurm's files, as commands read them."""

import sys
from pathlib import Path

from pulumi_slurm.commands.output import print_line
from pulumi_slurm.importing.source import Source
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, parse
from pulumi_slurm.slurmconf.conf_error import LineError
from pulumi_slurm.slurmconf.version import Series


def read_conf(path: Path, file: File, series: Series) -> Conf:
    """Return what a file has; say which of its lines are not compared."""
    source = Source(path)
    # Of these files, slurm.conf alone may not be empty.
    text = source.text() if file is File.SLURM else source.text_or_nothing()
    passed_over: list[LineError] = []
    conf = parse(text, file, series, name=source.name, include=source.included, passed_over=passed_over)
    for line in passed_over:
        print_line(f"not compared: {line}", sys.stderr)
    return conf
