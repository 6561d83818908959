"""Database: the MariaDB behind slurmdbd, as one pod for trials or through mariadb-operator."""

from collections.abc import Mapping
from typing import Any

import pulumi
from pydantic import field_validator

from pulumi_slurm.keys import Purpose
from pulumi_slurm.kube.component import Args, Component, Options
from pulumi_slurm.kube.root_key import check_root_key, root_key
from pulumi_slurm.kube.slurm_cluster import derived_key
from pulumi_slurm.manifests import database as manifests
from pulumi_slurm.manifests.objects import manifest
from pulumi_slurm.manifests.parts.database import DatabasePart
from pulumi_slurm.model import DatabaseKind


class DatabaseArgs(DatabasePart, Args):
    """Arguments of `Database`."""

    root_key: pulumi.Input[str] | None = None
    """The root key from which passwords are derived; the stack secret `slurm:rootKey` by default. It is not used for an
    external database or with a `passwordSecret`."""

    _root_key = field_validator("root_key")(check_root_key)


class Database(Component[DatabaseArgs]):
    """The database of slurmdbd. An external one is only described, by its host and the Secret with its password."""

    host: pulumi.Output[str]
    """Where slurmdbd finds it."""
    secret_name: pulumi.Output[str]
    """The Secret with the password of slurmdbd's user."""

    def __init__(self, resource_name: str, args: DatabaseArgs | Mapping[str, Any], opts: Options = None) -> None:
        super().__init__(resource_name, args, opts)
        cluster, database = self._args.cluster, self._args.database
        before: list[pulumi.Resource] = []
        if database.kind is not DatabaseKind.EXTERNAL and database.password_secret is None:
            secret = manifest("v1", "Secret", cluster, manifests.database_name(cluster))
            key = root_key(self._args.root_key)
            passwords = {
                manifests.PASSWORD_KEY: derived_key(key, cluster.name, Purpose.DATABASE),
                manifests.ROOT_PASSWORD_KEY: derived_key(key, cluster.name, Purpose.DATABASE_ROOT),
            }
            before.append(self.create_secret("password", secret, passwords))
        last = self.create_in_turn(self._args.manifests(), *before)[-1:] or before
        self.host = pulumi.Output.from_input(manifests.database_host(cluster, database))
        self.secret_name = pulumi.Output.from_input(manifests.password_secret(cluster, database).name)
        self.finish(*last)
