"""Controller: slurmctld, its configuration files and its scripts."""

import pulumi

from pulumi_slurm import model as spec
from pulumi_slurm.kube.resources import Args, child_options, component_inputs, create, create_in_turn, parse_args
from pulumi_slurm.manifests import slinky
from pulumi_slurm.manifests.files import file_config_maps
from pulumi_slurm.manifests.objects import ClusterRef
from pulumi_slurm.manifests.services import before_slurmctld
from pulumi_slurm.slinky.objects import create_object


class ControllerArgs(Args):
    """Arguments of `Controller`."""

    cluster: ClusterRef
    """The cluster that it controls."""
    controller: spec.ControllerSpec = spec.ControllerSpec()
    """slurmctld, or the description of one outside the cluster."""
    monitoring: spec.MonitoringSpec = spec.MonitoringSpec()
    """Metrics."""
    accounting: bool = False
    """Whether the cluster has an `Accounting`, which then has to be there first."""
    extra_conf: str = ""
    """Lines at the end of slurm.conf."""
    config_files: dict[str, str] = {}
    """Configuration files beside slurm.conf."""
    hooks: spec.HooksSpec = spec.HooksSpec()
    """Prolog and epilog scripts."""


class Controller(pulumi.ComponentResource):
    """slurmctld. It is ready once it answers.

    A change of the cluster's name, of the Secrets that hold keys, or of whether state is kept on a volume replaces it:
    slurmctld is away meanwhile, and jobs are lost unless state is on a volume. ``protect`` in ``opts`` refuses that.
    """

    resource: pulumi.CustomResource
    """The Controller object."""
    host: pulumi.Output[str]
    """Where clients find slurmctld."""
    ends: list[pulumi.Resource]
    """What comes last of it: whoever comes after these comes after all of it."""

    def __init__(self, name: str, args: ControllerArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        args = parse_args(ControllerArgs, args)
        super().__init__("slurm:index:Controller", name, component_inputs(args), opts)
        ref, options = args.cluster, args.controller
        files: list[pulumi.Resource] = []
        refs: dict[str, str] = {}
        for field, config_map in file_config_maps(ref, args.config_files, args.hooks).items():
            role = field.removesuffix("Refs")
            files = [create(f"{name}-{role}", config_map, child_options(self, opts, files))]
            refs[field] = config_map["metadata"]["name"]
        made = slinky.controller(
            ref,
            options,
            args.monitoring,
            accounting=args.accounting,
            extra_conf=args.extra_conf,
            file_refs=refs,
        )
        # The operator's webhook reads the ConfigMaps before it lets the Controller in.
        self.resource = create_object(f"{name}-controller", made, self, opts, files)
        self.ends = [self.resource]
        if options.external:
            host = options.external.host
        else:
            self.ends = create_in_turn(f"{name}-slurmctld", before_slurmctld(ref), self, opts, [self.resource])
            host = f"{ref.name}-slurmctld.{ref.namespace}"
        self.host = pulumi.Output.from_input(host)
        self.register_outputs({"host": self.host})
