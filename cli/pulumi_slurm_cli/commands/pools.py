"""``pulumi-slurm pools``: write slurm:pools that fit the nodes of a Kubernetes cluster."""

import argparse
from pathlib import Path
from typing import Any

from pulumi_slurm.user_file import MAX_BYTES_OF_A_LIST
from pulumi_slurm_cli.commands.arguments import INPUT
from pulumi_slurm_cli.commands.cluster import add_cluster, cluster_in_place_of
from pulumi_slurm_cli.commands.exit_codes import DIFFERENT, SAME
from pulumi_slurm_cli.commands.output import print_text
from pulumi_slurm_cli.commands.settings import read_data
from pulumi_slurm_cli.importing import UnreadableFileError
from pulumi_slurm_cli.importing.source import name_of
from pulumi_slurm_cli.importing.stack_yaml import SCHEMA, settings_yaml
from pulumi_slurm_cli.pools.live_pools import live_pools
from pulumi_slurm_cli.pools.node import live_nodes


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    command.add_argument(
        "nodes", type=Path, nargs="?", metavar="nodes.json", help=f"what `kubectl get nodes -o json` prints: {INPUT}"
    )
    add_cluster(command)


def run(options: argparse.Namespace) -> int:
    """Print the settings; return whether there is a pool among them."""
    kubectl = cluster_in_place_of(options.nodes, options, "nodes")
    if kubectl:
        data, name = {"items": kubectl.objects(["nodes"], instead=_NODES)}, "kubectl get nodes"
    else:
        data, name = read_data(options.nodes, _NODES, MAX_BYTES_OF_A_LIST), name_of(options.nodes)
    nodes, unread = live_nodes(data)
    if not nodes:
        raise UnreadableFileError(f"{name}: there are no nodes with what is allocatable on them. {_NODES}")
    proposed = live_pools(nodes)
    notes = [*proposed.notes, *(f"Left out: {item}; it doesn't say what is allocatable." for item in unread)]
    config: dict[str, Any] = {"slurm:kind": "kubernetes", "slurm:provider": str(proposed.provider)}
    config |= {f"slurm:{name}": value for name, value in (kubectl.named if kubectl else {}).items()}
    config["slurm:pools"] = proposed.pools
    print_text(settings_yaml(config, [SCHEMA, "#", *(f"# {' '.join(note.split())}" for note in notes)]))
    return SAME if proposed.pools else DIFFERENT


_NODES = "Write what `kubectl get nodes -o json` prints into a file, and name that."
