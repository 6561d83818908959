"""RestApi: slurmrestd."""

import pulumi

from pulumi_slurm import model as spec
from pulumi_slurm.kube.resources import Args, component_inputs, create_in_turn, parse_args
from pulumi_slurm.manifests import slinky
from pulumi_slurm.manifests.objects import ClusterRef
from pulumi_slurm.manifests.services import before_slurmrestd
from pulumi_slurm.model.ports import SLURMRESTD_PORT
from pulumi_slurm.slinky.objects import create_object


class RestApiArgs(Args):
    """Arguments of `RestApi`."""

    cluster: ClusterRef
    """The cluster that it speaks for."""
    rest_api: spec.RestApiSpec = spec.RestApiSpec()
    """slurmrestd and its Service."""


class RestApi(pulumi.ComponentResource):
    """slurmrestd. It is ready once it answers. The operator sees jobs and nodes through it, so node sets come after."""

    resource: pulumi.CustomResource
    """The RestApi object."""
    url: pulumi.Output[str]
    """Where slurmrestd is found from inside the Kubernetes cluster."""
    ends: list[pulumi.Resource]
    """What comes last of it: whoever comes after these comes after all of it."""

    def __init__(self, name: str, args: RestApiArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        args = parse_args(RestApiArgs, args)
        super().__init__("slurm:index:RestApi", name, component_inputs(args), opts)
        ref = args.cluster
        self.resource = create_object(f"{name}-restapi", slinky.rest_api(ref, args.rest_api), self, opts)
        fronts = before_slurmrestd(ref, args.rest_api)
        self.ends = create_in_turn(f"{name}-slurmrestd", fronts, self, opts, [self.resource])
        self.url = pulumi.Output.from_input(f"http://{ref.name}-slurmrestd.{ref.namespace}:{SLURMRESTD_PORT}")
        self.register_outputs({"url": self.url})
