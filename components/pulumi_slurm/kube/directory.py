"""Directory: a small LDAP server in the cluster, for trials."""

from typing import Any

import pulumi

from pulumi_slurm import model as spec
from pulumi_slurm.keys import Purpose, derive
from pulumi_slurm.kube.resources import Args, child_options, component_inputs, create_in_turn, parse_args, secret
from pulumi_slurm.manifests import directory as manifests
from pulumi_slurm.manifests.objects import ClusterRef, manifest


class DirectoryArgs(Args):
    """Arguments of `Directory`."""

    cluster: ClusterRef
    """The cluster whose users it holds."""
    directory: spec.DirectorySpec = spec.DirectorySpec()
    """Its domain, volume and image."""
    root_key: Any
    """The stack's root key (str or Output), from which the admin's password is derived."""


class Directory(pulumi.ComponentResource):
    """An OpenLDAP server with one replica and a volume. It has no users: add them with ldapadd."""

    uri: pulumi.Output[str]
    """Where it listens."""
    base_dn: pulumi.Output[str]
    """The base of its tree."""
    password: pulumi.Output[str]
    """The admin's password; secret."""
    ends: list[pulumi.Resource]
    """What comes last of it: whoever comes after these comes after all of it."""

    def __init__(self, name: str, args: DirectoryArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        args = parse_args(DirectoryArgs, args)
        super().__init__("slurm:index:Directory", name, component_inputs(args, "root_key"), opts)
        ref = args.cluster
        self.password = pulumi.Output.secret(
            pulumi.Output.from_input(args.root_key).apply(lambda key: derive(key, ref.name, Purpose.DIRECTORY))
        )
        known = secret(
            f"{name}-password",
            manifest("v1", "Secret", ref, manifests.directory_name(ref)),
            {manifests.ADMIN_PASSWORD_KEY: self.password},
            child_options(self, opts),
        )
        self.ends = create_in_turn(name, manifests.directory(ref, args.directory), self, opts, [known])
        self.uri = pulumi.Output.from_input(f"ldap://{manifests.directory_name(ref)}.{ref.namespace}")
        self.base_dn = pulumi.Output.from_input(args.directory.base_dn)
        self.register_outputs({"uri": self.uri, "baseDn": self.base_dn})
