"""LoginSet: login nodes with an SSH server."""

from typing import Any, Self, Unpack, overload

import pulumi
from pydantic import model_validator

from pulumi_slurm.dicts import LoginSetArgsDict
from pulumi_slurm.kube.component import Args, Component, Options
from pulumi_slurm.kube.resources import load_balancer_address
from pulumi_slurm.kube.ssh import ssh_command
from pulumi_slurm.manifests.parts.login_set import LoginSetPart
from pulumi_slurm.model import LoginSetSpec, ServiceType
from pulumi_slurm.slinky.objects import options_in
from pulumi_slurm.slinky.part_rules import check_part


class LoginSetArgs(LoginSetPart, Args):
    """Arguments of `LoginSet`."""

    @model_validator(mode="after")
    def _rules_hold(self) -> Self:
        check_part(
            self.cluster,
            {"login_sets": [self.login_set], "shared_volumes": self.shared_volumes},
            {("login_sets", 0): ("login_set",), ("shared_volumes",): ("shared_volumes",)},
        )
        return self


class LoginSet(Component[LoginSetArgs]):
    """Login nodes. They are ready once they have the cluster's key; SSH and SSSD may be up later.

    Example::

        sssd = {"name": "hpc-sssd", "key": "sssd.conf"}
        LoginSet("hpc-login", {"cluster": {"name": "hpc"}, "login_set": {"name": "login"}, "sssd": sssd})
    """

    ssh_command: pulumi.Output[str]
    """A command that logs in: by kubectl's port-forward where the Service has no address outside of the cluster."""

    @overload
    def __init__(self, resource_name: str, args: LoginSetArgs | LoginSetArgsDict, opts: Options = None) -> None: ...
    @overload
    def __init__(self, resource_name: str, *, opts: Options = None, **fields: Unpack[LoginSetArgsDict]) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        super().__init__(resource_name, args, opts, fields)
        cluster, login_set = self._args.cluster, self._args.login_set
        manifests = self._args.manifests()
        resource = self.create("loginset", manifests.pop("loginset"), **options_in(cluster)("LoginSet"))
        others = {role: self.create(role, manifest, resource) for role, manifest in manifests.items()}
        service = manifests["ssh-service"]["metadata"]["name"]
        address = load_balancer_address(others["ssh-service"])
        self.ssh_command = address.apply(lambda outside: _ssh_command(outside, service, cluster.namespace, login_set))
        self.finish(resource, *others.values())


def _ssh_command(address: str | None, service: str, namespace: str, login_set: LoginSetSpec) -> str:
    as_root = bool(login_set.root_authorized_keys)
    if login_set.service.type is ServiceType.NODE_PORT and login_set.service.node_port:
        return f"ssh -p {login_set.service.node_port} {'root@' if as_root else ''}<any node>"
    return ssh_command(address, service, namespace, as_root=as_root)
