"""A look at the cluster of a stack, for the commands that take one."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pulumi_slurm.configuration.slinky import slinky_files
from pulumi_slurm.manifests.services import slurmrestd_name
from pulumi_slurm.manifests.slinky import token_secret
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.ports import SLURMRESTD_PORT
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm_cli.commands.cluster import add_cluster
from pulumi_slurm_cli.kubectl import Kubectl
from pulumi_slurm_cli.live import (
    DatabaseLook,
    LiveClusterError,
    Look,
    ServiceAddress,
    Slurmrestd,
    service_proxy,
    take_database_look,
    take_look,
    token_of_environment,
    token_of_file,
    token_of_secret,
)
from pulumi_slurm_cli.live.token import claims

_SEES_ALL = ("slurm", "root")
_HIDDEN = frozenset({"accounts", "jobs", "nodes", "partitions", "reservations", "users", "all"})


def add_living_cluster(command: argparse.ArgumentParser) -> None:
    """Add how the cluster is found, and how slurmrestd is asked."""
    add_cluster(command)
    token = command.add_mutually_exclusive_group()
    token.add_argument(
        "--token-file", type=Path, metavar="FILE", help="a token of slurmrestd, as `scontrol token` writes it"
    )
    token.add_argument(
        "--token-secret",
        metavar="NAME",
        help="the Secret of a token in its namespace; by default SLURM_JWT, and then one of the stack's tokens",
    )


def look_at(spec: SlurmSpec, kubectl: Kubectl, options: argparse.Namespace) -> Look:
    """Return a look at the cluster of a specification.

    Raises:
        KubectlError: if kubectl can't reach it.
        LiveClusterError: if it can't be seen, or not all of it.
    """
    return look_at_all(spec, kubectl, options, with_database=False)[0]


def look_at_all(
    spec: SlurmSpec, kubectl: Kubectl, options: argparse.Namespace, *, with_database: bool
) -> tuple[Look, DatabaseLook | None]:
    """Return a look at the cluster of a specification, and at its database if that is wanted.

    Raises:
        KubectlError: if kubectl can't reach it.
        LiveClusterError: if it can't be seen, or not all of it.
    """
    name = slurmrestd_name(ClusterRef.of(spec))
    address = ServiceAddress(spec.namespace, name, str(SLURMRESTD_PORT), kubectl)
    token = _token(spec, address, options)
    with service_proxy(address) as proxy:
        slurm = Slurmrestd(proxy.get, token, str(address))
        look = take_look(slurm)
        database = take_database_look(slurm) if with_database else None
    _refuse_a_part(spec, look, claims(token))
    return look, database


def _token(spec: SlurmSpec, address: ServiceAddress, options: argparse.Namespace) -> str:
    if options.token_file:
        return token_of_file(options.token_file)
    if options.token_secret:
        return token_of_secret(options.token_secret, address)
    if from_environment := token_of_environment():
        return from_environment
    if not spec.tokens:
        instead = "Write --token-file with one that `scontrol token` prints, or set SLURM_JWT."
        raise LiveClusterError(f"slurmrestd wants a token, and the stack has none in its `tokens`. {instead}")
    best = next((token for token in spec.tokens if token.username in _SEES_ALL), spec.tokens[0])
    return token_of_secret(token_secret(ClusterRef.of(spec), best).name, address)


def _refuse_a_part(spec: SlurmSpec, look: Look, token_claims: Mapping[str, object]) -> None:
    """Refuse a look from which others' jobs are hidden, since it would read as if there were none.

    Source: https://slurm.schedmd.com/slurm.conf.html#OPT_PrivateData.
    """
    user = token_claims.get("sun") or token_claims.get("username")
    if look.configuration is not None:
        hidden: Any = look.configuration.get("PrivateData") or ()
    else:
        hidden = slinky_files(spec)[File.SLURM].options.get("PrivateData") or ()
    words = hidden if isinstance(hidden, list | tuple) else str(hidden).split(",")
    named = sorted({str(word).lower() for word in words} & _HIDDEN)
    if named and user is not None and user not in _SEES_ALL:
        problem = f"the token is of {user}, from whom PrivateData hides {', '.join(named)} of others"
        raise LiveClusterError(f"slurmrestd: {problem}. Take a token of slurm.")
