"""AckDatabase: RDS for slurmdbd."""

from collections.abc import Mapping, Sequence
from typing import Any, Self, Unpack, overload

import pulumi
import pulumi_alicloud as alicloud
from pulumi_alicloud import rds
from pydantic import field_validator, model_validator

from pulumi_slurm.ack import database_service
from pulumi_slurm.ack.database_password import database_password
from pulumi_slurm.ack.dicts import AckDatabaseArgsDict
from pulumi_slurm.ack.model import RdsSpec
from pulumi_slurm.ack.model.database import PARAMETERS
from pulumi_slurm.ack.model.service_roles import ROLE_FOR_DATABASES
from pulumi_slurm.ack.node_vswitches import missing_vswitches, vswitches_of
from pulumi_slurm.ack.part_rules import check_part
from pulumi_slurm.ack.plan.slurm_spec import database_service as service_name
from pulumi_slurm.ack.rds_database import create_rds_database
from pulumi_slurm.clouds.database import DATABASE_USER, PASSWORD_KEY
from pulumi_slurm.errors import raise_errors
from pulumi_slurm.kube.component import Args, Component, Options, protection
from pulumi_slurm.kube.root_key import check_root_key, root_key
from pulumi_slurm.manifests.objects import manifest
from pulumi_slurm.model import DatabaseSpec
from pulumi_slurm.model.cluster_ref import ClusterRef

_BACKUP_DAYS = (
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
)


class AckDatabaseArgs(Args):
    """Arguments of `AckDatabase`."""

    cluster: ClusterRef
    """The Slurm cluster whose accounting it stores."""
    database: RdsSpec = RdsSpec()
    """The instance."""
    ack_cluster: str = "slurm"
    """The name of the ACK cluster, the prefix of the instance's name."""
    zones: list[str]
    """The zones of the ACK cluster: the instance is in the first one, and with `high_availability` a second instance in
    the next."""
    node_vswitches: pulumi.Input[Mapping[str, pulumi.Input[str]]]
    """By zone: the id of the vSwitch of nodes, for example `AckNetwork.node_vswitches`."""
    security_ips: pulumi.Input[Sequence[pulumi.Input[str]]]
    """The ranges that may connect: those of nodes and pods, in CIDR notation."""
    root_key: pulumi.Input[str]
    """The stack's root key, from which the password is derived."""
    tags: dict[str, str] = {}
    """Tags of the instance."""
    deletion_protection: bool = True
    """Make RDS and Pulumi refuse to delete the instance."""

    _root_key = field_validator("root_key")(check_root_key)

    @model_validator(mode="after")
    def _rules_hold(self) -> Self:
        check_part(
            {"name": self.ack_cluster, "zones": self.zones, "database": self.database, "tags": self.tags},
            {
                ("name",): ("ack_cluster",),
                ("zones",): ("zones",),
                ("database",): ("database",),
                ("tags",): ("tags",),
            },
        )
        raise_errors(missing_vswitches(self.instance_zones, self.node_vswitches))
        return self

    @property
    def instance_zones(self) -> list[str]:
        """The zones of the instance and, with `high_availability`, of the second one."""
        return self.zones[: 2 if self.database.high_availability else 1]


class AckDatabase(Component[AckDatabaseArgs]):
    """An RDS for MySQL instance with only a private address, and a Service and a Secret for slurmdbd.

    ``opts`` takes both providers, ``ResourceOptions(providers=[alicloud, kubernetes])``: the first creates the
    instance, its database and its account, the second a Secret with the password and a Service for the instance. These
    need the namespace: pass it as `depends_on`.

    With `deletion_protection` Pulumi refuses to delete or replace the instance before it changes any other resource,
    and RDS refuses its deletion by anyone. The database and the account are deleted with the instance and never before
    it. With `high_availability`, `disk_gib` only applies when the instance is created, and afterwards the disk grows
    automatically; otherwise a larger `disk_gib` enlarges it.

    The connection between slurmdbd and RDS stays within the VPC and isn't encrypted.

    Example::

        args = AckDatabaseArgs(
            cluster=ClusterRef(name="hpc"),
            zones=["cn-hangzhou-i"],
            node_vswitches=network.node_vswitches,
            security_ips=["10.1.0.0/18"],
            root_key=pulumi.Config("slurm").require_secret("rootKey"),
        )
        AckDatabase("rds", args, pulumi.ResourceOptions(providers=[alibaba, kubernetes], depends_on=[namespace]))
    """

    host: pulumi.Output[str]
    """The host name for slurmdbd, which is the Service's name."""
    secret_name: pulumi.Output[str]
    """The Secret with the password of slurmdbd's user."""
    connection_string: pulumi.Output[str]
    """The instance's private host name."""
    instance_id: pulumi.Output[str]
    """The instance's id."""

    @overload
    def __init__(
        self, resource_name: str, args: AckDatabaseArgs | AckDatabaseArgsDict, opts: Options = None
    ) -> None: ...
    @overload
    def __init__(self, resource_name: str, *, opts: Options = None, **fields: Unpack[AckDatabaseArgsDict]) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        super().__init__(resource_name, args, opts, fields)
        cluster = self._args.cluster
        password = root_key(self._args.root_key).apply(lambda key: database_password(key, cluster.name))
        instance = self._instance()
        backups = self._backups(instance)
        database = create_rds_database(
            self,
            self._name,
            instance.id,
            instance,
            database=DatabaseSpec().name,
            description="Slurm accounting",
            user=DATABASE_USER,
            password=password,
        )
        # Created last, so that slurmdbd can log in as soon as the Service exists.
        service = self.create("service", database_service.service(cluster, instance.connection_string), database)
        secret = manifest("v1", "Secret", cluster, service_name(cluster.name))
        password_secret = self.create_secret("password", secret, {PASSWORD_KEY: password})
        self.host = pulumi.Output.from_input(service_name(cluster.name))
        self.secret_name = pulumi.Output.from_input(service_name(cluster.name))
        self.connection_string = instance.connection_string
        self.instance_id = instance.id.apply(str)
        self.finish(backups, service, password_secret)

    def _instance(self) -> rds.Instance:
        args, database = self._args, self._args.database
        zones = args.instance_zones
        return rds.Instance(
            f"{self._name}-instance",
            engine="MySQL",
            engine_version=str(database.version),
            category="HighAvailability" if database.high_availability else "Basic",
            instance_type=database.machine,
            instance_charge_type="Postpaid",
            instance_name=f"{args.ack_cluster}-accounting",
            db_instance_storage_type="cloud_essd",
            instance_storage=database.disk_gib,
            encryption_key=database.encryption_key,
            role_arn=self._role_for_the_key() if database.encryption_key else None,
            **(_growth(database) if database.high_availability else {}),
            zone_id=zones[0],
            zone_id_slave_a=zones[-1] if database.high_availability else None,
            vswitch_id=vswitches_of(zones, args.node_vswitches).apply(",".join),
            security_ips=args.security_ips,
            parameters=[
                rds.InstanceParameterArgs(name=name, value=value)
                for name, value in sorted({**PARAMETERS, **database.parameters}.items())
            ],
            deletion_protection=args.deletion_protection,
            tags=args.tags or None,
            opts=self.child(
                protect=protection(args.deletion_protection),
                ignore_changes=["instanceStorage"] if database.high_availability else None,
                # For MySQL the provider only reads it when it creates the instance.
                replace_on_changes=["encryptionKey"],
                custom_timeouts=pulumi.CustomTimeouts(create="1h", update="1h", delete="30m"),
            ),
        )

    def _role_for_the_key(self) -> pulumi.Output[str]:
        """Return the address of the role by which RDS uses a key of the user's, without which it refuses the key.

        Source: role_arn in website/docs/r/db_instance.html.markdown of Terraform's provider alicloud.
        """
        account = alicloud.get_account_output(opts=pulumi.InvokeOutputOptions(parent=self))
        return account.apply(lambda answer: f"acs:ram::{answer.id}:role/{ROLE_FOR_DATABASES.lower()}")

    def _backups(self, instance: rds.Instance) -> pulumi.Resource:
        database = self._args.database
        return rds.BackupPolicy(
            f"{self._name}-backups",
            instance_id=instance.id,
            preferred_backup_periods=list(_BACKUP_DAYS),
            preferred_backup_time=_hour_from(database.backup_time),
            backup_retention_period=database.backup_days,
            # The Basic edition keeps no log.
            enable_backup_log=True if database.high_availability else None,
            log_backup_retention_period=database.backup_days if database.high_availability else None,
            opts=self.child(instance, retain_on_delete=True),
        )


def _growth(database: RdsSpec) -> dict[str, Any]:
    """Return the inputs by which the disk grows as soon as a fifth of it is left; the Basic edition refuses them."""
    return {
        "storage_auto_scale": "Enable",
        "storage_threshold": 20,
        "storage_upper_bound": database.largest_disk_gib,
    }


def _hour_from(time: str) -> str:
    """Return the hour that starts at a time such as "18:00", in RDS's form "18:00Z-19:00Z"; the last ends at 24:00.

    Source: BACKUP_TIME in alicloud/extension_rds.go of Terraform's provider alicloud.
    """
    return f"{time}Z-{int(time[:2]) + 1:02}:00Z"
