"""SlurmCopilot: what the copilot needs beside the operator that runs it."""

from collections.abc import Mapping
from typing import Any

import pulumi

from pulumi_slurm.ack.generic_node import GenericNode, GenericNodeArgs
from pulumi_slurm.ack.slurm import given_secrets
from pulumi_slurm.ack.slurm.copilot import OutsideSlurmSpec, outside_rest, token_secret
from pulumi_slurm.ack.slurm.names import TOKEN_SECRET
from pulumi_slurm.kube.component import Args, Component, child_options, parse_args
from pulumi_slurm.kube.resources import create, create_secret


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
    """

    token_secret: pulumi.Output[str]
    """The Secret's name."""
    rest_host: pulumi.Output[str | None]
    """The name by which the copilot asks for the slurmrestd outside."""

    def __init__(
        self, name: str, args: SlurmCopilotArgs | Mapping[str, Any], opts: pulumi.ResourceOptions | None = None
    ) -> None:
        args = parse_args(SlurmCopilotArgs, args)
        super().__init__(name, args, opts)
        tokens = create_secret(
            f"{name}-tokens",
            token_secret(args.operator_namespace),
            {cluster: _checked_token(value) for cluster, value in (args.tokens or {}).items()},
            child_options(self, opts, ignore_changes=["data", "stringData"]),
        )
        self._last = [tokens]
        host = None
        if outside := args.outside:
            for made in outside_rest(outside):
                role = made["metadata"]["name"].removeprefix(outside.name).strip("-")
                front = create(f"{name}-{role}-{made['kind'].lower()}", made, child_options(self, opts))
                self._last.append(front)
            for node in outside.nodes:
                known = GenericNode(
                    f"{name}-{node.alias}",
                    GenericNodeArgs(cluster=outside.name, namespace=outside.namespace, node=node),
                    child_options(self, opts),
                )
                self._last.append(known.resource)
            host = f"{outside.name}-slurmrestd.{outside.namespace}.svc.cluster.local"
        self.token_secret = pulumi.Output.from_input(TOKEN_SECRET)
        self.rest_host = pulumi.Output.from_input(host)
        self.finish(*self._last)


def _checked_token(value: Any) -> pulumi.Output[str]:
    return sound(value, given_secrets.token)


def sound(value: Any, check: given_secrets.Check) -> pulumi.Output[str]:
    """Return a secret that somebody has handed in, checked as soon as it is known; the message doesn't repeat it."""

    def look(text: str) -> str:
        if found := check(text):
            problem, fix = found
            raise pulumi.RunError(f"{problem}. {fix}")
        return text

    if isinstance(value, str):
        return pulumi.Output.secret(look(value))
    return pulumi.Output.secret(pulumi.Output.from_input(value).apply(look))
