"""SlurmCopilot: the objects that the operator's copilot needs."""

from typing import Any, Self, Unpack, overload

import pulumi
from pydantic import model_validator

from pulumi_slurm.ack_slurm.dicts import SlurmCopilotArgsDict
from pulumi_slurm.ack_slurm.manifests import secret_checks
from pulumi_slurm.ack_slurm.manifests.copilot import outside_slurmrestd, token_secret
from pulumi_slurm.ack_slurm.manifests.generic_nodes import generic_nodes
from pulumi_slurm.ack_slurm.manifests.token_signer import token_signer
from pulumi_slurm.ack_slurm.model.outside import TOKEN_SECRET, OutsideSlurmSpec
from pulumi_slurm.errors import FieldError, raise_errors
from pulumi_slurm.kube.checked_secret import checked_secret
from pulumi_slurm.kube.component import Args, Component, Options
from pulumi_slurm.kube.resources import create_secret
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.images import ImagesSpec


class SlurmCopilotArgs(Args):
    """Arguments of `SlurmCopilot`."""

    operator_namespace: str = "ack-slurm-operator"
    """The operator's namespace, from which the copilot reads tokens; what makes GenericNodes runs there."""
    tokens: dict[str, pulumi.Input[str]] | None = None
    """Tokens by cluster, for clusters that don't write them. The slurmctld of a containerised cluster writes its token
    at each start, so leave that cluster out, and one outside whose token is signed here (`jwt_key_secret`)."""
    create_token_secret: bool = True
    """Create the Secret ack-slurm-jwt-token. Write false if it exists already, with tokens that somebody wrote: then
    it is left alone, and stays. Otherwise all tokens in it go when this does."""
    outside_slurm: OutsideSlurmSpec | None = None
    """A Slurm cluster outside Kubernetes, on the same machines."""

    @model_validator(mode="after")
    def _one_writes_the_token(self) -> Self:
        outside = self.outside_slurm
        if outside and outside.jwt_key_secret and outside.name in (self.tokens or {}):
            problem, fix = "a token is signed for this cluster, and would be lost", "Leave it out, or jwtKeySecret."
            raise_errors([FieldError(("tokens", outside.name), FieldError.ABSENT, problem, fix)])
        if self.tokens and not self.create_token_secret:
            problem, fix = "createTokenSecret is false, so no tokens are written", "Leave it out, or createTokenSecret."
            at = ("tokens", next(iter(self.tokens)))
            raise_errors([FieldError(at, FieldError.ABSENT, problem, fix, (("create_token_secret",),))])
        return self


class SlurmCopilot(Component[SlurmCopilotArgs]):
    """The Secret with the copilot's tokens, and for a Slurm outside Kubernetes its Service and what makes GenericNodes.

    Create one for each operator: the Secret contains the tokens of all its clusters. It is created empty if slurmctld
    writes the tokens, or they are signed with `jwt_key_secret`. Pulumi only sets its data on creation, so change tokens
    from `tokens` by hand afterwards.

    A token of `scontrol token` is valid for 1800 seconds unless it is created with a lifespan.

    Example::

        nodes = [{"name": "cn-hongkong.10.1.0.[19-34]", "alias": "node[01-16]"}]
        outside = {"name": "old", "addresses": ["10.1.0.4"], "nodes": nodes}
        tokens = {"old": pulumi.Config("slurm").require_secret("copilotToken")}
        SlurmCopilot("copilot", {"outside_slurm": outside, "tokens": tokens})
    """

    token_secret: pulumi.Output[str]
    """The Secret's name."""
    rest_host: pulumi.Output[str | None]
    """The host name by which the copilot finds a slurmrestd outside Kubernetes."""

    @overload
    def __init__(
        self, resource_name: str, args: SlurmCopilotArgs | SlurmCopilotArgsDict, opts: Options = None
    ) -> None: ...
    @overload
    def __init__(self, resource_name: str, *, opts: Options = None, **fields: Unpack[SlurmCopilotArgsDict]) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        super().__init__(resource_name, args, opts, fields)
        args = self._args
        tokens = [self._tokens()] if args.create_token_secret else []
        self.token_secret = pulumi.Output.from_input(TOKEN_SECRET)
        self.rest_host = pulumi.Output.from_input(_rest_host(args.outside_slurm))
        self.finish(*tokens, *(self._outside(args.outside_slurm, tokens) if args.outside_slurm else []))

    def _tokens(self) -> pulumi.Resource:
        tokens = self._args.tokens or {}
        return create_secret(
            f"{self._name}-tokens",
            token_secret(self._args.operator_namespace),
            {cluster: checked_secret(token, secret_checks.token) for cluster, token in tokens.items()},
            self.child(ignore_changes=["data", "stringData"]),
        )

    def _outside(self, outside: OutsideSlurmSpec, tokens: list[pulumi.Resource]) -> list[pulumi.Resource]:
        """Create the Service for the slurmrestd of a Slurm outside, what makes GenericNodes, and what signs tokens."""
        ref = self._ref(outside)
        objects: list[pulumi.Resource] = []
        for manifest in outside_slurmrestd(outside):
            role = manifest["metadata"]["name"].removeprefix(outside.name).strip("-")
            objects.append(self.create(f"{role}-{manifest['kind'].lower()}", manifest))
        # GenericNodes name the Service by their labels, and go with the ClusterRole, which goes last.
        nodes = self.create_in_turn(generic_nodes(ref, outside), *objects)
        return [*objects, *nodes, *self.create_in_turn(token_signer(ref, outside), *tokens)]

    def _ref(self, outside: OutsideSlurmSpec) -> ClusterRef:
        images = ImagesSpec(kubectl=outside.kubectl_image)
        # The operator may be in a namespace in which no Slurm cluster may be.
        return ClusterRef(name=outside.name, images=images).model_copy(
            update={"namespace": self._args.operator_namespace}
        )


def _rest_host(outside: OutsideSlurmSpec | None) -> str | None:
    return f"{outside.name}-slurmrestd.{outside.namespace}.svc.cluster.local" if outside else None
