"""``pulumi-slurm import``: turn a slurm.conf, and the files beside it, into a stack's settings."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from pulumi_slurm.model.hooks import RESERVED_FILES, SLURM_FILES
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.version import DEFAULT_SERIES
from pulumi_slurm_cli.commands.arguments import INPUT, one_of, spec_version
from pulumi_slurm_cli.commands.exit_codes import DIFFERENT, SAME
from pulumi_slurm_cli.commands.output import print_line
from pulumi_slurm_cli.commands.slurm_file import add_include_from
from pulumi_slurm_cli.commands.written_file import add_output, check_output, write_output
from pulumi_slurm_cli.importing import Accounting, Source, UnreadableFileError, import_cluster, stack_yaml
from pulumi_slurm_cli.importing.source import STANDARD_INPUT


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    command.add_argument("slurm_conf", type=Path, metavar="slurm.conf", help=INPUT)
    command.add_argument(
        "--slurm-version",
        type=spec_version,
        default=str(DEFAULT_SERIES),
        help=f"the Slurm of the new cluster; {DEFAULT_SERIES} by default",
    )
    command.add_argument(
        "--accounting",
        type=one_of(Accounting),
        choices=list(Accounting),
        default=Accounting.EXTERNAL,
        help="keep the slurmdbd that slurm.conf names (external), or make a new one (new)",
    )
    add_include_from(command)
    add_output(command)


def run(options: argparse.Namespace) -> int:
    """Write the settings; return whether they make a cluster as they are."""
    _refuse_to_write_over(options.output, [options.slurm_conf])
    check_output(options.output, force=options.force)
    source = Source(options.slurm_conf, include_from=options.include_from)
    imported = import_cluster(source, options.slurm_version, options.accounting)
    _refuse_to_write_over(options.output, source.files_read)
    text = stack_yaml(imported)
    write_output(options.output, text, force=options.force, private=True)
    if options.output and options.output != STANDARD_INPUT:
        counts = f"{len(imported.left_out)} not carried over, {len(imported.to_do)} to do"
        print_line(f"{options.output}: {len(imported.data.get('nodeSets', []))} node sets; {counts}", sys.stderr)
    for error in imported.errors:
        print_line(error, sys.stderr)
    return SAME if imported.spec else DIFFERENT


def _refuse_to_write_over(output: Path | None, read: Sequence[Path]) -> None:
    if not output or not output.exists():
        return
    files_of_slurm = {*File, *SLURM_FILES, *RESERVED_FILES}
    if output.name in files_of_slurm or any(file.exists() and output.samefile(file) for file in read):
        problem = "this is a file of the old cluster, and would be written over"
        raise UnreadableFileError(f"{output}: {problem}. Write -o and another name, such as Pulumi.hpc.yaml")
