"""SlurmCopilot: what the copilot needs beside the operator that runs it."""

from collections.abc import Mapping
from typing import Any

import pulumi

from pulumi_slurm.ack.checked_secret import checked_secret
from pulumi_slurm.ack.generic_node import GenericNode, GenericNodeArgs
from pulumi_slurm.ack.slurm import secret_checks
from pulumi_slurm.ack.slurm.copilot import OutsideSlurmSpec, outside_slurmrestd, token_secret
from pulumi_slurm.ack.slurm.names import TOKEN_SECRET
from pulumi_slurm.kube.component import Args, Component
from pulumi_slurm.kube.resources import create_secret


class SlurmCopilotArgs(Args):
    """Arguments of `SlurmCopilot`."""

    operator_namespace: str = "ack-slurm-operator"
    """The operator's namespace, in which the copilot looks for tokens."""
    tokens: dict[str, pulumi.Input[str]] | None = None
    """Tokens by cluster, where they are written by hand. A containerised cluster's slurmctld writes its
    own at each start, so leave that out."""
    outside: OutsideSlurmSpec | None = None
    """A Slurm cluster on the same machines that doesn't run in Kubernetes."""


class SlurmCopilot(Component[SlurmCopilotArgs]):
    """The Secret with the copilot's tokens, and for a Slurm outside Kubernetes its Service and GenericNodes.

    One for each operator: the Secret holds the tokens of all its clusters. It is empty where slurmctld writes them, and
    whatever is written there stays: Pulumi looks at its data only when it is made, so a token that is given by hand and
    changes later has to be written by hand too.

    A token of `scontrol token` lasts 1800 seconds unless a lifespan is given. How Alibaba's image renews its own is not
    documented.

    Example::

        outside = {"name": "old", "addresses": ["10.1.0.4"]}
        tokens = {"old": pulumi.Config("slurm").require_secret("copilotToken")}
        SlurmCopilot("copilot", {"outside": outside, "tokens": tokens})
    """

    token_secret: pulumi.Output[str]
    """The Secret's name."""
    rest_host: pulumi.Output[str | None]
    """The name by which the copilot asks for the slurmrestd outside."""

    def __init__(
        self, name: str, args: SlurmCopilotArgs | Mapping[str, Any], opts: pulumi.ResourceOptions | None = None
    ) -> None:
        super().__init__(name, args, opts)
        args = self._args
        tokens = create_secret(
            f"{name}-tokens",
            token_secret(args.operator_namespace),
            {cluster: checked_secret(token, secret_checks.token) for cluster, token in (args.tokens or {}).items()},
            self.child(ignore_changes=["data", "stringData"]),
        )
        self.token_secret = pulumi.Output.from_input(TOKEN_SECRET)
        self.rest_host = pulumi.Output.from_input(_rest_host(args.outside))
        self.finish(tokens, *(self._outside(args.outside) if args.outside else []))

    def _outside(self, outside: OutsideSlurmSpec) -> list[pulumi.Resource]:
        """Make what stands for a Slurm outside Kubernetes: the way to its slurmrestd, and its nodes."""
        objects: list[pulumi.Resource] = []
        for manifest in outside_slurmrestd(outside):
            role = manifest["metadata"]["name"].removeprefix(outside.name).strip("-")
            objects.append(self.create(f"{role}-{manifest['kind'].lower()}", manifest))
        nodes = [
            GenericNode(
                f"{self._name}-{node.alias}",
                GenericNodeArgs(cluster=outside.name, namespace=outside.namespace, node=node),
                self.child(),
            )
            for node in outside.nodes
        ]
        return [*objects, *nodes]


def _rest_host(outside: OutsideSlurmSpec | None) -> str | None:
    return f"{outside.name}-slurmrestd.{outside.namespace}.svc.cluster.local" if outside else None
