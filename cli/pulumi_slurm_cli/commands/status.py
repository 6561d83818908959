"""``pulumi-slurm status``: tell on one screen how a living cluster does, and what to look at first."""

import argparse
from pathlib import Path

from pulumi_slurm.visible import visible_json
from pulumi_slurm_cli.commands.arguments import INPUT
from pulumi_slurm_cli.commands.cluster import add_cluster, cluster_of, operated_cluster
from pulumi_slurm_cli.commands.exit_codes import SAME
from pulumi_slurm_cli.commands.output import print_line, print_text
from pulumi_slurm_cli.commands.stack_configuration import stack_configuration
from pulumi_slurm_cli.importing.source import Source
from pulumi_slurm_cli.status import json_of, screen_of, status_of


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    command.add_argument("settings", type=Path, metavar="Pulumi.<stack>.yaml", help=INPUT)
    add_cluster(command)
    command.add_argument("--json", action="store_true", help="print a report for programs")


def run(options: argparse.Namespace) -> int:
    """Print how the cluster does; how that is doesn't change the exit code, since nothing is checked."""
    source = Source(options.settings)
    config = stack_configuration(source.text(), source.name)
    spec = operated_cluster(config, source.name)
    status = status_of(spec, cluster_of(options, source, config))
    if options.json:
        print_text(visible_json(json_of(status)) + "\n")
    else:
        for line in screen_of(status):
            print_line(line)
    return SAME
