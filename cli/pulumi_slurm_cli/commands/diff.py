"""``pulumi-slurm diff``: tell what differs between two files of Slurm, and what the change takes."""

import argparse
from pathlib import Path

from pulumi_slurm.errors.counts import counted
from pulumi_slurm.model.hooks import RESERVED_FILES, SLURM_FILES
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.diff import compare, takes
from pulumi_slurm.slurmconf.version import SERIES
from pulumi_slurm_cli.commands.arguments import INPUT, one_of, series
from pulumi_slurm_cli.commands.exit_codes import DIFFERENT, SAME
from pulumi_slurm_cli.commands.output import print_line
from pulumi_slurm_cli.commands.slurm_file import add_include_from, read_conf
from pulumi_slurm_cli.importing import Source, UnreadableFileError


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    command.add_argument("old", type=Path, help=INPUT)
    command.add_argument("new", type=Path, help=INPUT)
    command.add_argument(
        "--file", type=one_of(File), choices=list(File), help="which file they are, when not by their names"
    )
    command.add_argument(
        "--slurm-version", type=series, default=SERIES[-1], help=f"the Slurm that reads them; {SERIES[-1]} by default"
    )
    add_include_from(command)


def run(options: argparse.Namespace) -> int:
    """Print the differences; return whether there are any."""
    file = options.file or _file_of_both(options.old, options.new)
    sources = (Source(path, include_from=options.include_from) for path in (options.old, options.new))
    old, new = (read_conf(source, file, options.slurm_version, _ONE_FILE) for source in sources)
    differences = compare(old, new, options.slurm_version)
    for difference in differences:
        print_line(difference)
    if differences:
        count = counted(len(differences), "difference")
        print_line(f"{count}; what it takes: {takes(differences)}")
    return DIFFERENT if differences else SAME


_ONE_FILE = "Name two of one kind, and say by --file which one that is where their names don't"


def _file_of_both(old: Path, new: Path) -> File:
    """Return which file two are by their names; slurm.conf where these don't say."""
    one, other = _file_of(old), _file_of(new)
    if one and other and one is not other:
        raise UnreadableFileError(f"{old}, {new}: these are a {one} and a {other}. {_ONE_FILE}")
    return one or other or File.SLURM


def _file_of(path: Path) -> File | None:
    if path.name in {*SLURM_FILES, *RESERVED_FILES} - {*File} or path.suffix in {".yaml", ".yml", ".json", ".lua"}:
        names = ", ".join(sorted(File))
        problem = "diff knows no file of this kind"
        raise UnreadableFileError(f"{path}: {problem}. Compare {names}; say by --file which one of them it is")
    return File(path.name) if path.name in set(File) else None
