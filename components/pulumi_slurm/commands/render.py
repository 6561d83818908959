"""``pulumi-slurm render``: write the objects of a stack's cluster into a folder."""

import argparse
import sys
from pathlib import Path

from pulumi_slurm.clouds.registry import CLOUDS
from pulumi_slurm.commands.exit_codes import SAME
from pulumi_slurm.commands.output import print_line
from pulumi_slurm.commands.settings import KINDS_WITH_POOLS, read_config, specification
from pulumi_slurm.importing import UnreadableFileError
from pulumi_slurm.importing.source import Source
from pulumi_slurm.manifests.cluster import render
from pulumi_slurm.manifests.folder import write_objects

HELP = "write the objects of a stack's cluster into a folder"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    command.add_argument(
        "settings", type=Path, metavar="settings", help="Pulumi.<stack>.yaml of kind local or kubernetes"
    )
    command.add_argument(
        "-o", "--output", type=Path, metavar="DIR", required=True, help="a new folder, or an empty one"
    )


def run(options: argparse.Namespace) -> int:
    """Write the objects."""
    output: Path = options.output
    if output.exists() and not output.is_dir():
        raise UnreadableFileError(f"{output}: this is a file. Write -o and the name of a new folder")
    if output.is_dir() and any(output.iterdir()):
        problem = "the folder has files already, and one of an object that has gone would stay among them"
        raise UnreadableFileError(f"{output}: {problem}. Name a new folder, or an empty one")
    name, config = Source(options.settings).name, read_config(options.settings, "Name a Pulumi.<stack>.yaml")
    if config.get("slurm:cluster") is None:
        raise UnreadableFileError(f"{name}: there is no slurm:cluster. Name a Pulumi.<stack>.yaml")
    if config.get("slurm:kind") not in KINDS_WITH_POOLS or any(f"slurm:{row.key}" in config for row in CLOUDS):
        raise UnreadableFileError(f"{name}: only a run of this stack knows its pools. Run `pulumi preview --diff`")
    spec, pools = specification(config, name)
    count = write_objects(render(spec, pools), spec.namespace, options.output)
    print_line(f"{options.output}: {count} objects, without the namespace and Secrets", sys.stderr)
    return SAME
