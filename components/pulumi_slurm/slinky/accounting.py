"""Accounting: slurmdbd."""

from collections.abc import Mapping
from typing import Any, Self

import pulumi
from pydantic import model_validator

from pulumi_slurm.kube.component import Args, Component, Options
from pulumi_slurm.manifests.parts.accounting import AccountingPart
from pulumi_slurm.slinky.objects import options_in
from pulumi_slurm.slinky.part_rules import check_part


class AccountingArgs(AccountingPart, Args):
    """Arguments of `Accounting`."""

    @model_validator(mode="after")
    def _rules_hold(self) -> Self:
        check_part(self.cluster, {"accounting": self.accounting}, {("accounting",): ("accounting",)})
        return self


class Accounting(Component[AccountingArgs]):
    """slurmdbd. It is ready once it answers, so that slurmctld, which gives up without it, can come after."""

    host: pulumi.Output[str]
    """Where slurmctld finds slurmdbd."""

    def __init__(self, resource_name: str, args: AccountingArgs | Mapping[str, Any], opts: Options = None) -> None:
        super().__init__(resource_name, args, opts)
        cluster, accounting = self._args.cluster, self._args.accounting
        objects = self.create_in_turn(self._args.manifests(), options_of=options_in(self._args.cluster))
        inside = f"{cluster.name}-slurmdbd.{cluster.namespace}"
        self.host = pulumi.Output.from_input(accounting.external.host if accounting.external else inside)
        self.finish(objects[-1])
