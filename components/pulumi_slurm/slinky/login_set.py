"""LoginSet: login nodes with an SSH server."""

from typing import Any

import pulumi

from pulumi_slurm import model as spec
from pulumi_slurm.kube.resources import Args, child_options, component_inputs, create, create_all, parse_args
from pulumi_slurm.manifests import slinky
from pulumi_slurm.manifests.autoscaling import autoscaler
from pulumi_slurm.manifests.objects import ClusterRef
from pulumi_slurm.manifests.services import SSH_PORT, before_login
from pulumi_slurm.slinky.objects import create_object


class LoginSetArgs(Args):
    """Arguments of `LoginSet`."""

    cluster: ClusterRef
    """The cluster that people log in to."""
    login_set: spec.LoginSetSpec
    """The login nodes and their Service."""
    sssd: spec.SecretKeyRef
    """The Secret with sssd.conf."""
    shared_volumes: list[spec.SharedVolumeSpec] = []
    """Volumes that they mount."""


class LoginSet(pulumi.ComponentResource):
    """Login nodes. They are ready once SSH answers."""

    resource: pulumi.CustomResource
    """The LoginSet object."""
    ssh_command: pulumi.Output[str]
    """How to log in; inside the Kubernetes cluster where the Service has no outside address."""

    def __init__(self, name: str, args: LoginSetArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        args = parse_args(LoginSetArgs, args)
        super().__init__("slurm:index:LoginSet", name, component_inputs(args), opts)
        ref, options = args.cluster, args.login_set
        made = slinky.login_set(ref, options, sssd=args.sssd, volumes=args.shared_volumes)
        self.resource = create_object(f"{name}-loginset", made, self, opts)
        fronts = before_login(ref, options)
        front = create_all(f"{name}-ssh", fronts, child_options(self, opts, [self.resource]))[0]
        if options.autoscaling:
            scaler = autoscaler(ref, options.autoscaling, "LoginSet", made["metadata"]["name"], None)
            create(f"{name}-autoscaler", scaler, child_options(self, opts, [self.resource]))
        inside = f"{fronts[0]['metadata']['name']}.{ref.namespace}"
        status: pulumi.Output[Any] = getattr(front, "status", pulumi.Output.from_input(None))
        self.ssh_command = status.apply(lambda value: _ssh_command(value, inside, options))
        self.register_outputs({"sshCommand": self.ssh_command})


def _ssh_command(status: Any, inside: str, options: spec.LoginSetSpec) -> str:
    user = "root@" if options.root_authorized_keys else ""
    if options.service.type is spec.ServiceType.NODE_PORT and options.service.node_port:
        return f"ssh -p {options.service.node_port} {user}<any node>"
    balancer = getattr(status, "load_balancer", None)
    for ingress in getattr(balancer, "ingress", None) or []:
        address = ingress.ip or ingress.hostname
        if address:
            return f"ssh -p {SSH_PORT} {user}{address}"
    return f"ssh -p {SSH_PORT} {user}{inside}"
