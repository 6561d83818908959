"""Directory: a small LDAP server in the cluster, for trials."""

from collections.abc import Mapping
from typing import Any

import pulumi
from pydantic import field_validator

from pulumi_slurm.keys import Purpose
from pulumi_slurm.kube.component import Args, Component, Options
from pulumi_slurm.kube.root_key import check_root_key, root_key
from pulumi_slurm.kube.slurm_cluster import derived_key
from pulumi_slurm.manifests import directory as manifests
from pulumi_slurm.manifests.objects import manifest
from pulumi_slurm.manifests.parts.directory import DirectoryPart


class DirectoryArgs(DirectoryPart, Args):
    """Arguments of `Directory`."""

    root_key: pulumi.Input[str]
    """The stack's root key, from which the admin's password is derived."""

    _root_key = field_validator("root_key")(check_root_key)


class Directory(Component[DirectoryArgs]):
    """An OpenLDAP server with one replica and a volume. It has no users: add them with ldapadd."""

    uri: pulumi.Output[str]
    """Where it listens."""
    base_dn: pulumi.Output[str]
    """The base of its tree."""
    password: pulumi.Output[str]
    """The admin's password; secret."""

    def __init__(self, resource_name: str, args: DirectoryArgs | Mapping[str, Any], opts: Options = None) -> None:
        super().__init__(resource_name, args, opts)
        cluster, directory = self._args.cluster, self._args.directory
        self.password = derived_key(root_key(self._args.root_key), cluster.name, Purpose.DIRECTORY)
        secret = manifest("v1", "Secret", cluster, manifests.directory_name(cluster))
        password = self.create_secret("password", secret, {manifests.ADMIN_PASSWORD_KEY: self.password})
        last = self.create_in_turn(self._args.manifests(), password)[-1:]
        self.uri = pulumi.Output.from_input(f"ldap://{manifests.directory_name(cluster)}.{cluster.namespace}")
        self.base_dn = pulumi.Output.from_input(directory.base_dn)
        self.finish(*last)
