"""AckDatabase: RDS for slurmdbd."""

from collections.abc import Mapping
from typing import Any, Self

import pulumi
from pulumi_alicloud import rds
from pydantic import model_validator

from pulumi_slurm.ack import database_service
from pulumi_slurm.ack.database_password import database_password
from pulumi_slurm.ack.model import RdsSpec
from pulumi_slurm.ack.model.database import PARAMETERS
from pulumi_slurm.ack.plan.addresses import plan_addresses
from pulumi_slurm.ack.plan.slurm_spec import database_service as service_name
from pulumi_slurm.ack.rules import CheckedAckSpec
from pulumi_slurm.clouds.database import DATABASE_USER, PASSWORD_KEY
from pulumi_slurm.kube.component import Args, Component, child_options, parse_args, protection
from pulumi_slurm.kube.resources import create, create_secret
from pulumi_slurm.kube.stated_parts import check_stated
from pulumi_slurm.manifests.objects import ClusterRef, manifest
from pulumi_slurm.model import DatabaseSpec

_EVERY_DAY = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


class AckDatabaseArgs(Args):
    """Arguments of `AckDatabase`."""

    spec: CheckedAckSpec
    """The ACK cluster; its `database` is what is made."""
    cluster: ClusterRef
    """The Slurm cluster whose accounting it holds."""
    node_vswitches: pulumi.Input[Mapping[str, pulumi.Input[str]]]
    """By zone: the id of the vSwitch of nodes: `AckNetwork.node_vswitches`."""
    root_key: pulumi.Input[str]
    """The stack's root key, from which the password is derived."""

    @model_validator(mode="after")
    def _there_is_one(self) -> Self:
        check_stated(self.spec, "database")
        return self


class AckDatabase(Component[AckDatabaseArgs]):
    """An RDS for MySQL instance with a private address alone, and how slurmdbd finds it.

    ``opts`` takes both providers, ``ResourceOptions(providers=[alicloud, kubernetes])``: the first makes the instance,
    its database and its account, the second a Secret with the password, and a Service that leads to the instance, which
    come after the namespace: give it as `depends_on`.

    With `deletionProtection` Pulumi refuses to delete or to replace the instance before it has touched anything else,
    and RDS refuses it, whoever asks. The database and the account go with their instance and never before it. `diskGib`
    counts when the instance is made; afterwards the disk grows by itself and never shrinks.

    What slurmdbd and RDS say to each other stays within the VPC and isn't encrypted. Not checked on a real account:
    that slurmdbd's client library, MariaDB's, logs on to RDS for MySQL 8.0, that an account with ReadWrite may make the
    two stored procedures of slurmdbd, and the character set utf8mb4, which the provider's description has for old
    versions only.
    """

    host: pulumi.Output[str]
    """Where slurmdbd finds it: the Service's name."""
    secret_name: pulumi.Output[str]
    """The Secret with the password of slurmdbd's user."""
    connection_string: pulumi.Output[str]
    """The instance's private name."""
    instance_id: pulumi.Output[str]
    """The instance's id."""

    def __init__(
        self, name: str, args: AckDatabaseArgs | Mapping[str, Any], opts: pulumi.ResourceOptions | None = None
    ) -> None:
        args = parse_args(AckDatabaseArgs, args)
        what = args.spec.database or RdsSpec()
        # Only its own part of the specification: no other change is to show as a change of this.
        super().__init__(name, args, opts, inputs={"database": what.model_dump(mode="json", by_alias=True)})
        self._name, self._args, self._opts = name, args, opts
        ref = args.cluster
        password = pulumi.Output.secret(args.root_key).apply(lambda key: database_password(key, ref.name))
        instance = self._instance(what)
        backups = self._backups(instance, what)
        granted = self._contents(instance, password)
        # Who finds the Service finds a database that lets slurmdbd in.
        service = create(
            f"{name}-service",
            database_service.service(ref, instance.connection_string),
            child_options(self, opts, [granted]),
        )
        known = create_secret(
            f"{name}-password",
            manifest("v1", "Secret", ref, service_name(ref.name)),
            {PASSWORD_KEY: password},
            child_options(self, opts),
        )
        self._last = [backups, service, known]
        self.host = pulumi.Output.from_input(service_name(ref.name))
        self.secret_name = pulumi.Output.from_input(service_name(ref.name))
        self.connection_string = instance.connection_string
        self.instance_id = instance.id.apply(str)
        self.finish(*self._last)

    def _instance(self, what: RdsSpec) -> rds.Instance:
        spec = self._args.spec
        zones = spec.zones[:2] if what.high_availability else spec.zones[:1]
        return rds.Instance(
            f"{self._name}-instance",
            engine="MySQL",
            engine_version=what.version.value,
            category="HighAvailability" if what.high_availability else "Basic",
            instance_type=what.machine,
            instance_charge_type="Postpaid",
            instance_name=f"{spec.cluster_name}-accounting",
            db_instance_storage_type="cloud_essd",
            instance_storage=what.disk_gib,
            storage_auto_scale="Enable",
            storage_threshold=20,
            storage_upper_bound=what.largest_disk_gib,
            zone_id=zones[0],
            zone_id_slave_a=zones[-1] if what.high_availability else None,
            vswitch_id=pulumi.Output.from_input(self._args.node_vswitches).apply(
                lambda ids: ",".join(str(ids[zone]) for zone in zones)
            ),
            security_ips=plan_addresses(spec).clients,
            parameters=[
                rds.InstanceParameterArgs(name=name, value=value)
                for name, value in sorted({**PARAMETERS, **what.parameters}.items())
            ],
            deletion_protection=spec.deletion_protection,
            tags=spec.tags or None,
            opts=child_options(
                self,
                self._opts,
                protect=protection(spec.deletion_protection),
                # The disk grows by itself.
                ignore_changes=["instanceStorage"],
                custom_timeouts=pulumi.CustomTimeouts(create="1h", update="1h", delete="30m"),
            ),
        )

    def _backups(self, instance: rds.Instance, what: RdsSpec) -> pulumi.Resource:
        return rds.BackupPolicy(
            f"{self._name}-backups",
            instance_id=instance.id,
            preferred_backup_periods=_EVERY_DAY,
            preferred_backup_time=f"{what.backup_hour:02}:00Z-{(what.backup_hour + 1) % 24:02}:00Z",
            backup_retention_period=what.backup_days,
            # The Basic edition keeps no log.
            enable_backup_log=True if what.high_availability else None,
            log_backup_retention_period=what.backup_days if what.high_availability else None,
            opts=child_options(self, self._opts, [instance], retain_on_delete=True),
        )

    def _contents(self, instance: rds.Instance, password: pulumi.Input[str]) -> pulumi.Resource:
        """Make the database and its account, and return what comes last.

        They are forgotten rather than deleted. In a destroy they come before the instance, so accounting would be gone
        when RDS then refuses to delete the instance that is protected.
        """
        database = rds.Database(
            f"{self._name}-database",
            instance_id=instance.id,
            data_base_name=DatabaseSpec().name,
            character_set="utf8mb4",
            description="Slurm accounting",
            opts=child_options(self, self._opts, [instance], retain_on_delete=True),
        )
        account = rds.RdsAccount(
            f"{self._name}-account",
            db_instance_id=instance.id,
            account_name=DATABASE_USER,
            account_password=password,
            account_type="Normal",
            opts=child_options(self, self._opts, [instance], retain_on_delete=True),
        )
        return rds.AccountPrivilege(
            f"{self._name}-privilege",
            instance_id=instance.id,
            account_name=account.account_name,
            privilege="ReadWrite",
            db_names=[database.data_base_name],
            opts=child_options(self, self._opts, [database, account], retain_on_delete=True),
        )
