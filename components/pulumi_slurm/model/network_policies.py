"""Who else may connect to Slurm's daemons, to the database and to the directory."""

from collections.abc import Iterator
from typing import Any

from pydantic import field_validator

from pulumi_slurm.errors import AsWritten, FieldError, Path, raise_errors
from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.kubernetes_checks import checked
from pulumi_slurm.model.kubernetes_fields import in_form_of

DAEMONS = ("slurmctld", "slurmdbd", "slurmrestd", "database", "directory")
"""What is protected: the fields that say who else may connect."""


class NetworkPoliciesSpec(Model):
    """NetworkPolicies, by which no other pods connect to Slurm's daemons, the database and the directory.

    Pods of Slurm, its operator, Slurm Bridge and what scrapes the metrics always may, and so may everyone to a daemon
    that machines outside or pods on the host's network connect to. The lists below say who else may, in the form of
    `from` of a NetworkPolicy, for example `{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: web}}}`.
    With a network among them, `{ipBlock: {cidr: 10.0.0.0/8}}`, machines outside are held to these networks.
    """

    enabled: bool | None = None
    """Make them. By default only where the network of the Kubernetes cluster is known to enforce them, as those of the
    stacks `gke` and, with Terway's switch, `ack`; and where one of the lists below has an entry."""
    slurmctld: list[dict[str, Any]] = []
    """Who else may connect to slurmctld, port 6817."""
    slurmdbd: list[dict[str, Any]] = []
    """Who else may connect to slurmdbd, port 6819: for example the slurmctlds of other clusters."""
    slurmrestd: list[dict[str, Any]] = []
    """Who else may connect to slurmrestd, port 6820: whoever uses tokens outside of Slurm's pods."""
    database: list[dict[str, Any]] = []
    """Who else may connect to the MariaDB pod, port 3306: for example backups."""
    directory: list[dict[str, Any]] = []
    """Who else may connect to the directory, ports 389 and 636."""

    _form = field_validator(*DAEMONS)(in_form_of("[NetworkPolicyPeer]"))

    @property
    def are_made(self) -> bool:
        """Whether there are any, as far as the network of the Kubernetes cluster isn't known."""
        return self.enabled if self.enabled is not None else any(getattr(self, daemon) for daemon in DAEMONS)

    @field_validator(*DAEMONS)
    @classmethod
    def _are_peers(cls, value: list[dict[str, Any]]) -> list[dict[str, Any]]:
        raise_errors(error for index, peer in enumerate(value) for error in _peer_errors(peer, (index,)))
        return value


def _peer_errors(peer: dict[str, Any], at: Path) -> Iterator[FieldError]:
    """Yield what Kubernetes would refuse.

    Source: ValidateNetworkPolicyPeer in pkg/apis/networking/validation/validation.go of
    https://github.com/kubernetes/kubernetes.
    """
    block = peer.get("ipBlock")
    if not peer or (block is not None and len(peer) > 1):
        problem = "this names nobody" if not peer else "this is either a network or pods"
        fix = AsWritten("Write ipBlock for machines outside, or namespaceSelector, podSelector or both for pods.")
        yield FieldError(at, FieldError.ABSENT, problem, fix, depends_on_fields=(at,))
    elif block is not None:
        networks: list[tuple[Path, str]] = [(("cidr",), block.get("cidr", ""))]
        networks += [(("except", index), text) for index, text in enumerate(block.get("except", []))]
        for path, text in networks:
            yield from checked(kubernetes_names.network, text, (*at, "ipBlock", *path))
