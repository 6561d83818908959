"""GkeDatabase: Cloud SQL for slurmdbd."""

from collections.abc import Mapping
from typing import Any

import pulumi
import pulumi_gcp as gcp
from pydantic import field_validator

from pulumi_slurm.clouds.database import DATABASE_USER, PASSWORD_KEY
from pulumi_slurm.gke import database_service
from pulumi_slurm.gke.arguments import GkeArgs, when_known
from pulumi_slurm.gke.model import CloudSqlSpec, names
from pulumi_slurm.gke.model.database import SLURMDBD_FLAGS
from pulumi_slurm.gke.plan.slurm_spec import cloud_sql_name
from pulumi_slurm.keys import Purpose, derive
from pulumi_slurm.kube.component import Component, protection
from pulumi_slurm.manifests.objects import ClusterRef, manifest
from pulumi_slurm.model import DatabaseSpec

_ANYWHERE = "%"


class GkeDatabaseArgs(GkeArgs):
    """Arguments of `GkeDatabase`."""

    region: pulumi.Input[str]
    """The region of the instance."""
    cluster: ClusterRef
    """The Slurm cluster whose accounting it holds."""
    database: CloudSqlSpec = CloudSqlSpec()
    """The instance."""
    network: pulumi.Input[str]
    """The VPC in the form projects/<project>/global/networks/<name>."""
    root_key: pulumi.Input[str]
    """The stack's root key, from which the password is derived."""
    labels: dict[str, str] = {}
    """Labels of the instance, for example for billing."""
    deletion_protection: bool = True
    """Let Pulumi and Google refuse to delete the instance."""

    _region = field_validator("region")(when_known(names.region))
    _labels = field_validator("labels")(names.resource_labels)


class GkeDatabase(Component[GkeDatabaseArgs]):
    """A Cloud SQL instance that has only a private address, and how slurmdbd finds it.

    ``opts`` takes both providers, ``ResourceOptions(providers=[google, kubernetes])``: the first makes the instance,
    its database and its user, the second a Secret with the password, and a Service that leads to the instance. The
    instance comes after private services access, the objects after the namespace: give both as `depends_on`.

    With `deletionProtection` Pulumi refuses to delete or to replace the instance before it has touched anything else,
    and Google refuses it, whoever asks. The database and the user go with their instance and never before it. Google
    keeps the name of a deleted instance back for a week, so each gets a new one. `diskGib` counts when the instance is
    made; afterwards the disk grows by itself and never shrinks.

    The connection: users of MySQL 8 have passwords of the kind caching_sha2_password. slurmdbd's client library,
    MariaDB's, then asks the server for its RSA key and sends the password encrypted by it; all else travels in clear
    within the VPC, unless slurmdbd.conf has a line such as
    ``StorageParameters=SSL_CIPHER=ECDHE-RSA-AES128-GCM-SHA256``, which makes the library speak TLS. The certificate
    isn't looked at then: it is one of Google's own and names the instance, not the host. ``SSL_CA`` works only with
    libraries before 3.4, which don't compare the name. All this was seen with slurmdbd 26.05, Debian's libraries 3.3
    and 3.4 and a MySQL 9.7 with certificates of its own; not checked with Cloud SQL, nor with a library 3.4 in which
    the check of certificates is on from the start, as MariaDB ships it: that one also needs the variable
    MARIADB_TLS_DISABLE_PEER_VERIFICATION=1 in slurmdbd's pod.

    Example::

        GkeDatabase(
            "hpc-cloudsql",
            GkeDatabaseArgs(
                project="my-project",
                region="us-central1",
                cluster=ClusterRef(name="hpc"),
                network=network.network_id,
                root_key=pulumi.Config("slurm").require_secret("rootKey"),
            ),
            pulumi.ResourceOptions(providers=[google, kubernetes], depends_on=network.private_services()),
        )
    """

    host: pulumi.Output[str]
    """Where slurmdbd finds it: the Service's name."""
    secret_name: pulumi.Output[str]
    """The Secret with the password of slurmdbd's user."""
    instance_name: pulumi.Output[str]
    """The instance's name, for example for `gcloud sql`."""

    def __init__(
        self, name: str, args: GkeDatabaseArgs | Mapping[str, Any], opts: pulumi.ResourceOptions | None = None
    ) -> None:
        super().__init__(name, args, opts)
        cluster = self._args.cluster
        root_key: pulumi.Output[str] = pulumi.Output.secret(self._args.root_key)
        password = root_key.apply(lambda key: derive(key, cluster.name, Purpose.DATABASE))
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
            database_version=database.version.value,
            # Pulumi's own protection and the API's are beside it; this one is the provider's.
            deletion_protection=self._args.deletion_protection,
            settings={
                "tier": database.tier,
                "edition": database.edition.value,
                "availability_type": "REGIONAL" if database.high_availability else "ZONAL",
                "disk_size": database.disk_gib,
                "disk_autoresize": True,
                "deletion_protection_enabled": self._args.deletion_protection,
                "backup_configuration": {
                    "enabled": database.backups,
                    "binary_log_enabled": database.backups,
                    "start_time": database.backup_time,
                },
                "ip_configuration": {
                    "ipv4_enabled": False,
                    "private_network": self._args.network,
                    # Whether it is TLS is up to the client, see above.
                    "ssl_mode": "ALLOW_UNENCRYPTED_AND_ENCRYPTED",
                },
                "database_flags": [
                    {"name": flag, "value": value}
                    for flag, value in sorted({**SLURMDBD_FLAGS, **database.flags}.items())
                ],
                "user_labels": self._args.labels,
            },
            opts=self.child(
                protect=protection(self._args.deletion_protection),
                # A size below the one that the disk has grown to would replace the instance.
                ignore_changes=["settings.diskSize"],
            ),
        )

    def _contents(self, instance: gcp.sql.DatabaseInstance, password: pulumi.Input[str]) -> gcp.sql.User:
        """Make the database and its user; return what comes last.

        They are forgotten rather than deleted. In a destroy they come before the instance, so accounting would be gone
        when Google then refuses to delete the instance that is protected.
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
            # Cloud SQL runs one change of an instance at a time.
            opts=self.child(database),
        )
