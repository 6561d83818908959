"""The Kubernetes cluster that a command looks at: one way to find it, for all commands."""

import argparse
from pathlib import Path

from pulumi_slurm.importing.source import name_of
from pulumi_slurm.providers.kubectl import Kubectl
from pulumi_slurm.user_error import UserError


def add_cluster(command: argparse.ArgumentParser) -> None:
    """Add the arguments by which a cluster is named."""
    command.add_argument("--context", help="the cluster, as the kubeconfig calls it; the current one by default")
    command.add_argument("--kubeconfig", type=Path, metavar="FILE", help="where the context is")


def names_cluster(options: argparse.Namespace) -> bool:
    """Return whether the command line names a cluster."""
    return bool(options.context or options.kubeconfig)


def cluster_of(options: argparse.Namespace) -> Kubectl:
    """Return kubectl for the cluster that the command line names, or else the current one."""
    return Kubectl(options.context, options.kubeconfig)


def cluster_in_place_of(file: Path | None, options: argparse.Namespace, what: str) -> Kubectl | None:
    """Return kubectl for the cluster to ask for ``what``, None where a file has that.

    Raises:
        UserError: where the command line names both.
    """
    if file is None:
        return cluster_of(options)
    if names_cluster(options):
        raise UserError(f"{name_of(file)}: write a file of {what}, or the context of a cluster")
    return None
