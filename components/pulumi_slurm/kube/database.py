"""Database: the MariaDB behind slurmdbd, as one pod for trials or through mariadb-operator."""

from typing import Any

import pulumi

from pulumi_slurm import model as spec
from pulumi_slurm.keys import Purpose, derive
from pulumi_slurm.kube.resources import Args, child_options, component_inputs, create_in_turn, parse_args, secret
from pulumi_slurm.manifests import database as manifests
from pulumi_slurm.manifests.objects import ClusterRef, manifest


class DatabaseArgs(Args):
    """Arguments of `Database`."""

    cluster: ClusterRef
    """The cluster whose accounting it holds."""
    database: spec.DatabaseSpec = spec.DatabaseSpec()
    """What kind of database it is."""
    root_key: Any = None
    """The stack's root key (str or Output), from which passwords are derived; not used with a `passwordSecret`."""


class Database(pulumi.ComponentResource):
    """The database of slurmdbd. An external one is only described, by its host and the Secret with its password."""

    host: pulumi.Output[str]
    """Where slurmdbd finds it."""
    secret_name: pulumi.Output[str]
    """The Secret with the password of slurmdbd's user."""
    ends: list[pulumi.Resource]
    """What comes last of it: whoever comes after these comes after all of it."""

    def __init__(self, name: str, args: DatabaseArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        args = parse_args(DatabaseArgs, args)
        super().__init__("slurm:index:Database", name, component_inputs(args, "root_key"), opts)
        ref, options = args.cluster, args.database
        password = manifests.password_secret(ref, options)
        made: list[pulumi.Resource] = []
        external = options.kind is spec.DatabaseKind.EXTERNAL
        if not external and options.password_secret is None:
            made.append(
                secret(
                    f"{name}-password",
                    manifest("v1", "Secret", ref, manifests.database_name(ref)),
                    {
                        manifests.PASSWORD_KEY: _derived(args.root_key, ref, Purpose.DATABASE),
                        manifests.ROOT_PASSWORD_KEY: _derived(args.root_key, ref, Purpose.DATABASE_ROOT),
                    },
                    child_options(self, opts),
                )
            )
        self.ends = create_in_turn(name, manifests.database(ref, options), self, opts, made)
        self.host = pulumi.Output.from_input(manifests.database_host(ref, options))
        self.secret_name = pulumi.Output.from_input(password.name)
        self.register_outputs({"host": self.host, "secretName": self.secret_name})


def _derived(root_key: pulumi.Input[str], ref: ClusterRef, purpose: Purpose) -> pulumi.Output[str]:
    return pulumi.Output.from_input(root_key).apply(lambda key: derive(key, ref.name, purpose))
