"""Cloud SQL for slurmdbd.

The log-on: users of MySQL 8 have passwords of type caching_sha2_password. slurmdbd's client library, MariaDB's, asks
the server for its RSA key and encrypts the password with it; all other data is sent unencrypted within the VPC. With a
line such as `StorageParameters=SSL_CIPHER=ECDHE-RSA-AES128-GCM-SHA256` in `accounting.extraConf` it uses TLS, and
doesn't check the certificate, which Google issues for the instance instead of its host. `SSL_CA` only works with
libraries before 3.4, which don't compare the name. If the library checks certificates by default, as MariaDB's own 3.4
does, slurmdbd's pod also needs the variable `MARIADB_TLS_DISABLE_PEER_VERIFICATION=1`.

Source of tiers: https://cloud.google.com/sql/docs/mysql/instance-settings.
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from types import MappingProxyType
from typing import Self

from pydantic import Field, field_validator, model_validator

from pulumi_slurm.clouds.maintenance import Day
from pulumi_slurm.errors import FieldError, field_error, raise_errors
from pulumi_slurm.errors.counts import counted
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.one_of import OneOf

SLURMDBD_FLAGS = MappingProxyType({"innodb_lock_wait_timeout": "900"})
"""InnoDB settings that slurmdbd needs and Cloud SQL doesn't set: slurmdbd exits if it waits too long for a lock.

See https://slurm.schedmd.com/accounting.html#slurm-accounting-configuration-before-build. That page also covers the
buffer pool and the redo log; Cloud SQL sizes both according to the machine.
"""

_CUSTOM = re.compile(r"db-custom-([0-9]{1,3})-([0-9]{1,7})")
_LEGACY = re.compile(r"db-n1-(standard|highmem)-[0-9]{1,3}")
_PERFORMANCE = re.compile(r"db-perf-optimized-N-[0-9]{1,3}")
_FLAG = re.compile(r"[a-z][a-z0-9_]*")


class GkeMySqlVersion(StrEnum):
    """Versions of MySQL that slurmdbd works with."""

    MYSQL_8_0 = "MYSQL_8_0"
    MYSQL_8_4 = "MYSQL_8_4"


class CloudSqlEdition(StrEnum):
    """Cloud SQL's editions."""

    ENTERPRISE = "ENTERPRISE"
    ENTERPRISE_PLUS = "ENTERPRISE_PLUS"


class CloudSqlMaintenanceSpec(Model):
    """When Google may update an instance, which stops it for about a minute."""

    day: OneOf[Day]
    """The day of the week, in UTC."""
    hour: int = Field(ge=0, le=23)
    """The hour in which it begins, in UTC."""


class CloudSqlSpec(Model):
    """A Cloud SQL instance with a private address; its name, user and password are derived."""

    version: OneOf[GkeMySqlVersion] = GkeMySqlVersion.MYSQL_8_4
    """The version of MySQL."""
    edition: OneOf[CloudSqlEdition] = CloudSqlEdition.ENTERPRISE
    """Cloud SQL's edition."""
    tier: str = "db-custom-2-8192"
    """The machine, e.g. "db-custom-2-8192" (2 CPUs, 8 GiB); ENTERPRISE_PLUS has tiers "db-perf-optimized-N-..."."""
    high_availability: bool = False
    """A second instance in another zone takes over when the first fails."""
    backups: bool = True
    """Back up every night, and keep the log between backups."""
    backup_time: str = Field(default="03:00", pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")
    """When a backup starts, in UTC."""
    final_backup_days: int = Field(default=30, ge=0, le=365)
    """For how many days Google keeps a last backup of a deleted instance; 0 keeps none. The nightly ones stay as
    long as the instance would have kept them: https://cloud.google.com/sql/docs/mysql/backup-recovery/backups."""
    disk_gib: int = Field(default=20, ge=10, le=65536)
    """The size of a new disk in GiB. It grows by itself, and a later change does nothing."""
    max_disk_gib: int | None = Field(default=None, ge=10, le=65536)
    """The size up to which it grows, in GiB; by default up to Google's own limit. On a full disk slurmdbd stores
    nothing, and slurmctld keeps what it has to say for a while."""
    maintenance_window: CloudSqlMaintenanceSpec | None = None
    """When Google may update the instance; by default at any time."""
    query_insights: bool = False
    """Let Google show which queries take long."""
    flags: dict[str, str] = {}
    """Additional database flags; those that slurmdbd needs are set already."""

    @field_validator("flags")
    @classmethod
    def _are_flags(cls, value: dict[str, str]) -> dict[str, str]:
        # The text names the flag, because a path would convert its name to camel case, like that of a field.
        for flag in value:
            if flag in SLURMDBD_FLAGS:
                raise field_error(
                    f"slurmdbd needs {flag} to be {SLURMDBD_FLAGS[flag]}, and it is set so", "Leave it out."
                )
            if not _FLAG.fullmatch(flag):
                raise field_error(
                    f'Cloud SQL has no flag "{flag}"',
                    "Write flags as `gcloud sql flags list` shows them, in lower case.",
                )
        return value

    @model_validator(mode="after")
    def _cloud_sql_offers_it(self) -> Self:
        raise_errors(
            [*self._edition_has_the_tier(), *self._high_availability_has_backups(), *self._disk_grows_if_at_all()]
        )
        return self

    def _disk_grows_if_at_all(self) -> Iterator[FieldError]:
        if self.max_disk_gib is not None and self.max_disk_gib < self.disk_gib:
            yield FieldError(
                ("max_disk_gib",),
                self.max_disk_gib,
                f"the disk has {self.disk_gib} GiB from the beginning",
                f"Write {self.disk_gib} or more, or a smaller diskGib.",
                depends_on_fields=(("disk_gib",),),
            )

    def _edition_has_the_tier(self) -> Iterator[FieldError]:
        fix = _fix_of_tier(self.tier, self.edition)
        if fix:
            tier = self.tier if "tier" in self.model_fields_set else FieldError.ABSENT
            problem = f"edition {self.edition} has no such machine"
            yield FieldError(("tier",), tier, problem, fix, depends_on_fields=(("edition",),))

    def _high_availability_has_backups(self) -> Iterator[FieldError]:
        if self.high_availability and not self.backups:
            yield FieldError(
                ("backups",),
                False,
                "the second instance is kept up by backups and the log between them",
                "Write true, or leave highAvailability out.",
                depends_on_fields=(("high_availability",),),
            )


def _fix_of_tier(tier: str, edition: str) -> str | None:
    """Return what to write instead of a tier that the edition doesn't have; None if it has the tier."""
    if edition is CloudSqlEdition.ENTERPRISE_PLUS:
        return None if _PERFORMANCE.fullmatch(tier) else 'Write for example "db-perf-optimized-N-2".'
    match = _CUSTOM.fullmatch(tier)
    if not match:
        return None if _LEGACY.fullmatch(tier) else 'Write for example "db-custom-2-8192", 2 CPUs and 8,192 MiB.'
    cpus, mib = int(match[1]), int(match[2])
    if not 1 <= cpus <= 96 or (cpus > 1 and cpus % 2):
        return "Write 1 CPU, or an even number up to 96."
    min_mib, max_mib = max(3840, -(-cpus * 922 // 256) * 256), cpus * 6656
    if not min_mib <= mib <= max_mib or mib % 256:
        return f"With {counted(cpus, 'CPU')} write {min_mib} to {max_mib} MiB, a multiple of 256."
    return None
