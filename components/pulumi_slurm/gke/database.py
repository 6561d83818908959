"""GkeDatabase: Cloud SQL for slurmdbd."""

from typing import Any, Unpack, overload

import pulumi
import pulumi_gcp as gcp
from pydantic import field_validator

from pulumi_slurm.clouds.database import DATABASE_USER, PASSWORD_KEY
from pulumi_slurm.clouds.maintenance import Day
from pulumi_slurm.gke import database_service
from pulumi_slurm.gke.arguments import GkeArgs, when_known
from pulumi_slurm.gke.dicts import GkeDatabaseArgsDict
from pulumi_slurm.gke.model import CloudSqlSpec, names
from pulumi_slurm.gke.model.database import SLURMDBD_FLAGS
from pulumi_slurm.gke.plan.slurm_spec import cloud_sql_name
from pulumi_slurm.keys import Purpose
from pulumi_slurm.kube.component import Component, Options, protection
from pulumi_slurm.kube.root_key import check_root_key, root_key
from pulumi_slurm.kube.slurm_cluster import derived_key
from pulumi_slurm.manifests.objects import manifest
from pulumi_slurm.model import DatabaseSpec
from pulumi_slurm.model.cluster_ref import ClusterRef

_ANYWHERE = "%"


class GkeDatabaseArgs(GkeArgs):
    """Arguments of `GkeDatabase`."""

    region: pulumi.Input[str]
    """The region of the instance."""
    cluster: ClusterRef
    """The Slurm cluster whose accounting data it stores."""
    database: CloudSqlSpec = CloudSqlSpec()
    """The instance."""
    network_id: pulumi.Input[str]
    """The VPC in the form projects/<project>/global/networks/<name>."""
    root_key: pulumi.Input[str]
    """The stack's root key, from which the password is derived."""
    encryption_key: pulumi.Input[str] | None = None
    """A key of Cloud KMS that encrypts the instance; a change replaces it."""
    labels: dict[str, str] = {}
    """Labels of the instance, for example for billing."""
    deletion_protection: bool = True
    """Make Pulumi and Google refuse to delete the instance."""

    _region = field_validator("region")(when_known(names.region))
    _labels = field_validator("labels")(names.resource_labels)
    _root_key = field_validator("root_key")(check_root_key)


class GkeDatabase(Component[GkeDatabaseArgs]):
    """A Cloud SQL instance with only a private address, and the Service and Secret with which slurmdbd reaches it.

    ``opts`` needs both providers, ``ResourceOptions(providers=[google, kubernetes])``: the first creates the instance,
    its database and its user, the second a Secret with the password, and a Service for the address of the instance. The
    instance depends on private services access, the objects on the namespace: pass both as `depends_on`.

    With `deletionProtection`, Pulumi refuses to delete or to replace the instance before it changes anything else, and
    Google refuses it from all clients. The database and the user are deleted with their instance and never before it.
    Google reserves the name of a deleted instance for a week, so every instance gets a new one. `diskGib` is used when
    the instance is created; afterwards the disk grows by itself and never shrinks.

    slurmdbd sends its password encrypted, and all else unencrypted within the VPC unless a line of slurmdbd.conf asks
    for TLS: the page of `CloudSqlSpec` says how.

    Example::

        GkeDatabase(
            "hpc-cloudsql",
            GkeDatabaseArgs(
                project="my-project",
                region="us-central1",
                cluster=ClusterRef(name="hpc"),
                network_id=network.network_id,
                root_key=pulumi.Config("slurm").require_secret("rootKey"),
            ),
            pulumi.ResourceOptions(providers=[google, kubernetes], depends_on=network.private_services()),
        )
    """

    host: pulumi.Output[str]
    """The host name for slurmdbd: the name of the Service."""
    secret_name: pulumi.Output[str]
    """The Secret with the password of slurmdbd's user."""
    instance_name: pulumi.Output[str]
    """The instance's name, for example for `gcloud sql`."""

    @overload
    def __init__(
        self, resource_name: str, args: GkeDatabaseArgs | GkeDatabaseArgsDict, opts: Options = None
    ) -> None: ...
    @overload
    def __init__(self, resource_name: str, *, opts: Options = None, **fields: Unpack[GkeDatabaseArgsDict]) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        super().__init__(resource_name, args, opts, fields)
        cluster = self._args.cluster
        password = derived_key(root_key(self._args.root_key), cluster.name, Purpose.DATABASE)
        instance = self._instance(self._args.database)
        user = self._contents(instance, password)
        service = self.create("service", database_service.service(cluster))
        address = instance.private_ip_address
        endpoints = self.create("endpoints", database_service.endpoints(cluster, address), service)
        service_name = cloud_sql_name(cluster.name)
        secret = self.create_secret(
            "password", manifest("v1", "Secret", cluster, service_name), {PASSWORD_KEY: password}
        )
        self.host = pulumi.Output.from_input(service_name)
        self.secret_name = pulumi.Output.from_input(service_name)
        self.instance_name = instance.name
        self.finish(user, endpoints, secret)

    def _instance(self, database: CloudSqlSpec) -> gcp.sql.DatabaseInstance:
        return gcp.sql.DatabaseInstance(
            f"{self._name}-instance",
            project=self._args.project,
            region=self._args.region,
            database_version=str(database.version),
            encryption_key_name=self._args.encryption_key,
            # This protection is the provider's; that of the API and that of Pulumi are set below.
            deletion_protection=self._args.deletion_protection,
            settings=self._settings(database),
            opts=self.child(
                protect=protection(self._args.deletion_protection),
                # A size below that to which the disk has grown would replace the instance.
                ignore_changes=["settings.diskSize"],
            ),
        )

    def _settings(self, database: CloudSqlSpec) -> "gcp.sql.DatabaseInstanceSettingsArgsDict":
        settings: gcp.sql.DatabaseInstanceSettingsArgsDict = {
            "tier": database.tier,
            "edition": str(database.edition),
            "availability_type": "REGIONAL" if database.high_availability else "ZONAL",
            "disk_size": database.disk_gib,
            "disk_autoresize": True,
            "deletion_protection_enabled": self._args.deletion_protection,
            "backup_configuration": {
                "enabled": database.backups,
                "binary_log_enabled": database.backups,
                "start_time": database.backup_time,
            },
            "retain_backups_on_delete": database.final_backup_days > 0,
            "final_backup_config": {
                "enabled": database.final_backup_days > 0,
                "retention_days": database.final_backup_days or None,
            },
            "ip_configuration": {
                "ipv4_enabled": False,
                "private_network": self._args.network_id,
                # The client decides whether to use TLS, see above.
                "ssl_mode": "ALLOW_UNENCRYPTED_AND_ENCRYPTED",
            },
            "database_flags": [
                {"name": flag, "value": value} for flag, value in sorted({**SLURMDBD_FLAGS, **database.flags}.items())
            ],
            "user_labels": self._args.labels,
        }
        if database.max_disk_gib:
            settings["disk_autoresize_limit"] = database.max_disk_gib
        # Left out, it would stay as it is.
        settings["insights_config"] = {"query_insights_enabled": database.query_insights}
        if window := database.maintenance_window:
            # Days are numbers, and Monday is 1.
            settings["maintenance_window"] = {"day": [*Day].index(window.day) + 1, "hour": window.hour}
        return settings

    def _contents(self, instance: gcp.sql.DatabaseInstance, password: pulumi.Input[str]) -> gcp.sql.User:
        """Create the database and its user; return the user, which comes last.

        Pulumi abandons them rather than deleting them. A destroy would delete them before the instance, so the
        accounting data would be lost even if Google then refuses to delete the instance because it is protected.
        """
        database = gcp.sql.Database(
            f"{self._name}-database",
            name=DatabaseSpec().name,
            instance=instance.name,
            project=self._args.project,
            charset="utf8mb4",
            deletion_policy="ABANDON",
            opts=self.child(instance),
        )
        return gcp.sql.User(
            f"{self._name}-user",
            name=DATABASE_USER,
            host=_ANYWHERE,
            password=password,
            instance=instance.name,
            project=self._args.project,
            deletion_policy="ABANDON",
            # Cloud SQL performs one change of an instance at a time.
            opts=self.child(database),
        )
