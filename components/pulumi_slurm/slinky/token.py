"""Token: a JWT for the REST API, kept fresh by the operator."""

import pulumi

from pulumi_slurm import model as spec
from pulumi_slurm.kube.resources import Args, component_inputs, parse_args
from pulumi_slurm.manifests import slinky
from pulumi_slurm.manifests.objects import ClusterRef
from pulumi_slurm.slinky.objects import create_object


class TokenArgs(Args):
    """Arguments of `Token`."""

    cluster: ClusterRef
    """The cluster whose REST API the token opens."""
    token: spec.TokenSpec
    """Whom it speaks for, and for how long."""


class Token(pulumi.ComponentResource):
    """A token. The operator writes it into a Secret and renews it there."""

    resource: pulumi.CustomResource
    """The Token object."""
    secret_name: pulumi.Output[str]
    """The Secret with the token, under the key SLURM_JWT. The name changes when the JWT key is rotated."""

    def __init__(self, name: str, args: TokenArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        args = parse_args(TokenArgs, args)
        super().__init__("slurm:index:Token", name, component_inputs(args), opts)
        self.resource = create_object(f"{name}-token", slinky.token(args.cluster, args.token), self, opts)
        self.secret_name = pulumi.Output.from_input(slinky.token_secret(args.cluster, args.token).name)
        self.register_outputs({"secretName": self.secret_name})
