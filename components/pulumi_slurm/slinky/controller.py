"""Controller: slurmctld, its configuration files and its scripts."""

from collections.abc import Mapping
from typing import Any, Self

import pulumi
from pydantic import model_validator

from pulumi_slurm.kube.component import Args, Component, Options, parse_args
from pulumi_slurm.manifests.parts.controller import ControllerPart
from pulumi_slurm.slinky.cluster_name import with_kept_name
from pulumi_slurm.slinky.extra_conf import extra_conf_errors
from pulumi_slurm.slinky.objects import options_in
from pulumi_slurm.slinky.part_rules import check_part
from pulumi_slurm.slinky.webhook_cache import sent_again


class ControllerArgs(ControllerPart, Args):
    """Arguments of `Controller`."""

    @model_validator(mode="after")
    def _rules_hold(self) -> Self:
        fields = ("controller", "monitoring", "config_files", "hooks")
        check_part(
            self.cluster,
            {field: getattr(self, field) for field in fields},
            {(field,): (field,) for field in fields},
            errors=extra_conf_errors(
                self.extra_conf, self.cluster, self.config_files, own_plugins=self.controller.image is not None
            ),
        )
        return self


class Controller(Component[ControllerArgs]):
    """slurmctld. It is ready once it answers.

    A change of the Secrets that hold keys, or of whether state is kept on a volume replaces it: slurmctld is away
    meanwhile, and jobs are lost unless state is on a volume. ``protect`` in ``opts`` refuses that. Another ClusterName
    is refused where state is on a volume, since slurmctld would not start with it.
    """

    host: pulumi.Output[str]
    """Where clients find slurmctld."""

    def __init__(self, resource_name: str, args: ControllerArgs | Mapping[str, Any], opts: Options = None) -> None:
        # First, since what is wrong with arguments is said without an engine too, which hooks need.
        args = parse_args(ControllerArgs, args)
        super().__init__(resource_name, args, with_kept_name(resource_name, opts))
        options_of = options_in(args.cluster)
        hooks = {"Controller": {"hooks": sent_again(resource_name)}}
        objects = self.create_in_turn(args.manifests(), options_of=lambda kind: options_of(kind) | hooks.get(kind, {}))
        external = args.controller.external
        inside = f"{args.cluster.name}-slurmctld.{args.cluster.namespace}"
        self.host = pulumi.Output.from_input(external.host if external else inside)
        self.finish(objects[-1])
