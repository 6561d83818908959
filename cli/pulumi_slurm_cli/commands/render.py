"""``pulumi-slurm render``: write what a stack's settings come to into a folder."""

import argparse
import sys
from pathlib import Path

from pulumi_slurm_cli.commands.arguments import INPUT
from pulumi_slurm_cli.commands.exit_codes import SAME
from pulumi_slurm_cli.commands.output import print_line
from pulumi_slurm_cli.commands.written_file import write_output
from pulumi_slurm_cli.importing import UnreadableFileError
from pulumi_slurm_cli.importing.source import STANDARD_INPUT, Source
from pulumi_slurm_cli.offline.rendering import render


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    command.add_argument("settings", type=Path, metavar="Pulumi.<stack>.yaml", help=INPUT)
    command.add_argument(
        "-o", "--output", type=Path, metavar="DIR", required=True, help="a new folder, or an empty one"
    )


def run(options: argparse.Namespace) -> int:
    """Write the files."""
    output: Path = options.output
    if output == STANDARD_INPUT:
        raise UnreadableFileError("-: a folder of files is written. Write -o and the name of a new folder")
    if output.exists() and not output.is_dir():
        raise UnreadableFileError(f"{output}: this is a file. Write -o and the name of a new folder")
    if output.is_dir() and any(output.iterdir()):
        problem = "the folder has files already, and one of an object that has gone would stay among them"
        raise UnreadableFileError(f"{output}: {problem}. Name a new folder, or an empty one")
    source = Source(options.settings)
    rendering = render(source.text(), source.name)
    for line in rendering.notes:
        print_line(line, sys.stderr)
    for name, text in rendering.files.items():
        (output / name).parent.mkdir(parents=True, exist_ok=True)
        write_output(output / name, text)
    objects = sum(name.startswith("objects/") for name in rendering.files)
    print_line(
        f"{output}: {objects} objects, without Secrets, and {len(rendering.files) - objects} other files", sys.stderr
    )
    return SAME
