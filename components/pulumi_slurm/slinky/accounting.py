"""Accounting: slurmdbd."""

import pulumi

from pulumi_slurm import model as spec
from pulumi_slurm.kube.resources import Args, component_inputs, create_in_turn, parse_args
from pulumi_slurm.manifests import slinky
from pulumi_slurm.manifests.database import database_host, password_secret
from pulumi_slurm.manifests.objects import ClusterRef
from pulumi_slurm.manifests.services import before_slurmdbd
from pulumi_slurm.slinky.objects import create_object


class AccountingArgs(Args):
    """Arguments of `Accounting`."""

    cluster: ClusterRef
    """The cluster whose jobs are accounted for."""
    accounting: spec.AccountingSpec = spec.AccountingSpec()
    """slurmdbd and where its database is; the database itself is a `Database`."""


class Accounting(pulumi.ComponentResource):
    """slurmdbd. It is ready once it answers, so that slurmctld, which gives up without it, can come after."""

    resource: pulumi.CustomResource
    """The Accounting object."""
    host: pulumi.Output[str]
    """Where slurmctld finds slurmdbd."""
    ends: list[pulumi.Resource]
    """What comes last of it: whoever comes after these comes after all of it."""

    def __init__(self, name: str, args: AccountingArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        args = parse_args(AccountingArgs, args)
        super().__init__("slurm:index:Accounting", name, component_inputs(args), opts)
        ref, options = args.cluster, args.accounting
        made = slinky.accounting(
            ref,
            options,
            host=database_host(ref, options.database),
            password=password_secret(ref, options.database),
        )
        self.resource = create_object(f"{name}-accounting", made, self, opts)
        self.ends = [self.resource]
        if options.external:
            host = options.external.host
        else:
            self.ends = create_in_turn(f"{name}-slurmdbd", before_slurmdbd(ref), self, opts, [self.resource])
            host = f"{ref.name}-slurmdbd.{ref.namespace}"
        self.host = pulumi.Output.from_input(host)
        self.register_outputs({"host": self.host})
