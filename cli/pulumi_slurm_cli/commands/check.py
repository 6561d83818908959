"""``pulumi-slurm check``: tell all that is wrong with stacks' files."""

import argparse
import os
import sys
from pathlib import Path

from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm_cli.checking.check import Level, check_files
from pulumi_slurm_cli.checking.reports import Format, report
from pulumi_slurm_cli.commands.arguments import INPUT
from pulumi_slurm_cli.commands.exit_codes import DIFFERENT, SAME, WRONG
from pulumi_slurm_cli.commands.output import print_line, print_text
from pulumi_slurm_cli.importing import UnreadableFileError
from pulumi_slurm_cli.importing.source import Source


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    command.add_argument("settings", type=Path, nargs="+", metavar="Pulumi.<stack>.yaml", help=INPUT)
    command.add_argument(
        "--format",
        choices=["text", "github", "sarif", "json"],
        default="text",
        help="text by default; github for annotations of a workflow, sarif for code scanning",
    )


def run(options: argparse.Namespace) -> int:
    """Print what there is to say; return whether anything is refused, or to be reviewed."""
    files: list[Path] = options.settings
    if files[0].name in set(File):
        named = " ".join(map(str, files))
        raise UnreadableFileError(f"{files[0]}: this is no stack's file. Run pulumi-slurm check-outside {named}")
    texts, unread = [], []
    # A file that is named twice is one, whose cluster is in nobody's way.
    for file in {os.path.realpath(file): file for file in files}.values():
        source = Source(file)
        try:
            texts.append((source.text(), source.name))
        except UnreadableFileError as error:
            unread.append(error)
    findings = check_files(texts)
    if text := report(findings, Format(options.format)):
        print_text(f"{text}\n")
    for problem in unread:
        print_line(problem, sys.stderr)
    if unread:
        return WRONG
    return DIFFERENT if any(finding.level is not Level.NOTE for finding in findings) else SAME
