"""The Kubernetes cluster that a command looks at: one way to find it, for all commands."""

import argparse
import os
from pathlib import Path
from typing import Any

from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.user_error import UserError
from pulumi_slurm_cli.importing import UnreadableFileError
from pulumi_slurm_cli.importing.source import STANDARD_INPUT, Source, name_of
from pulumi_slurm_cli.kubectl import Kubectl


def add_cluster(command: argparse.ArgumentParser) -> None:
    """Add the arguments by which a cluster is named."""
    command.add_argument(
        "--context", help="the cluster, as the kubeconfig calls it; by default that of the stack's file, or the current"
    )
    command.add_argument("--kubeconfig", type=Path, metavar="FILE", help="where the context is")


def names_cluster(options: argparse.Namespace) -> bool:
    """Return whether the command line names a cluster."""
    return bool(options.context or options.kubeconfig)


def cluster_of(
    options: argparse.Namespace, source: Source | None = None, config: Any = None, *, writes: bool = False
) -> Kubectl:
    """Return kubectl for the cluster that the command line names, or else the configuration of a stack's file.

    Where neither does, it is that of $KUBE_CONTEXT, which the stack's program takes too, or else the current one. A
    relative path in the file begins in its folder, where the stack's program runs. ``writes`` is of a command that
    changes something, for which the current one won't do: it can be any.

    Raises:
        UserError: if nobody names a cluster that something is written of.
    """
    context = options.context or getattr(config, "context", None) or os.environ.get("KUBE_CONTEXT")
    kubeconfig = options.kubeconfig
    if not kubeconfig and (written := getattr(config, "kubeconfig", None)):
        folder = source.path.parent if source and source.path != STANDARD_INPUT else Path()
        kubeconfig = folder / Path(written).expanduser()
    if writes and not context and not kubeconfig:
        problem = f"{source.name}: it names no cluster" if source else "no cluster is named"
        fix = "Write slurm:context into the file, or" if hasattr(config, "context") else "Write"
        raise UserError(
            f"{problem}, and the current one can be any. {fix} --context, as `kubectl config get-contexts` lists them"
        )
    return Kubectl(context or None, kubeconfig)


def cluster_in_place_of(
    file: Path | None, options: argparse.Namespace, content: str, *, writes: bool = False
) -> Kubectl | None:
    """Return kubectl for the cluster to ask for ``content``, None where a file has that.

    Raises:
        UserError: as `cluster_of` does, and where the command line names both.
    """
    if file is None:
        return cluster_of(options, writes=writes)
    if names_cluster(options):
        raise UserError(f"{name_of(file)}: write a file of {content}, or the context of a cluster")
    return None


def operated_cluster(config: Any, name: str) -> SlurmSpec:
    """Return the Slurm cluster of a stack, of which slurm-operator makes the pods.

    Raises:
        UnreadableFileError: if the stack makes none, or another operator makes them.
    """
    spec = getattr(config, "slurm", None) or getattr(config, "cluster", None)
    if not isinstance(spec, SlurmSpec):
        raise UnreadableFileError(f"{name}: a stack of this kind makes no Slurm cluster. Name another")
    operator = getattr(getattr(config, "ack", None), "slurm_operator", "slinky")
    if operator != "slinky":
        raise UnreadableFileError(f"{name}: its pods are {operator}'s, and only those of slurm-operator are known here")
    return spec
