"""RestApi: slurmrestd."""

from collections.abc import Mapping
from typing import Any, Self

import pulumi
from pydantic import model_validator

from pulumi_slurm.kube.component import Args, Component, Options
from pulumi_slurm.manifests.parts.rest_api import RestApiPart
from pulumi_slurm.manifests.services import slurmrestd_url
from pulumi_slurm.slinky.objects import options_in
from pulumi_slurm.slinky.part_rules import check_part


class RestApiArgs(RestApiPart, Args):
    """Arguments of `RestApi`."""

    @model_validator(mode="after")
    def _rules_hold(self) -> Self:
        check_part(self.cluster, {"rest_api": self.rest_api}, {("rest_api",): ("rest_api",)})
        return self


class RestApi(Component[RestApiArgs]):
    """slurmrestd. It is ready once it answers. The operator sees jobs and nodes through it, so node sets come after."""

    url: pulumi.Output[str]
    """Where slurmrestd is found from inside the Kubernetes cluster."""

    def __init__(self, resource_name: str, args: RestApiArgs | Mapping[str, Any], opts: Options = None) -> None:
        super().__init__(resource_name, args, opts)
        cluster = self._args.cluster
        objects = self.create_in_turn(self._args.manifests(), options_of=options_in(self._args.cluster))
        self.url = pulumi.Output.from_input(slurmrestd_url(cluster))
        self.finish(objects[-1])
