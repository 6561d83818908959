"""Token: a JWT for the REST API, kept fresh by the operator."""

from typing import Any, Self, Unpack, overload

import pulumi
from pydantic import model_validator

from pulumi_slurm.dicts import TokenArgsDict
from pulumi_slurm.kube.component import Args, Component, Options
from pulumi_slurm.manifests import slinky
from pulumi_slurm.manifests.parts.token import TokenPart
from pulumi_slurm.slinky.objects import replacement
from pulumi_slurm.slinky.part_rules import check_part


class TokenArgs(TokenPart, Args):
    """Arguments of `Token`."""

    @model_validator(mode="after")
    def _rules_hold(self) -> Self:
        check_part(self.cluster, {"tokens": [self.token]}, {("tokens", 0): ("token",)})
        return self


class Token(Component[TokenArgs]):
    """A token. The operator writes it into a Secret and renews it there.

    Example::

        Token("ci", {"cluster": {"name": "hpc"}, "token": {"name": "ci", "username": "ci", "lifetime": "24h"}})
    """

    secret_name: pulumi.Output[str]
    """The Secret with the token, under the key SLURM_JWT. The name changes when the JWT key is rotated."""

    @overload
    def __init__(self, resource_name: str, args: TokenArgs | TokenArgsDict, opts: Options = None) -> None: ...
    @overload
    def __init__(self, resource_name: str, *, opts: Options = None, **fields: Unpack[TokenArgsDict]) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        super().__init__(resource_name, args, opts, fields)
        cluster, token = self._args.cluster, self._args.token
        objects = self.create_in_turn(self._args.manifests(), options_of=replacement)
        self.secret_name = pulumi.Output.from_input(slinky.token_secret(cluster, token).name)
        self.finish(objects[-1])
