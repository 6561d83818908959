"""Cloud SQL for slurmdbd.

Source of tiers: https://cloud.google.com/sql/docs/mysql/instance-settings.
"""

import re
from enum import StrEnum
from typing import ClassVar, Self

from pydantic import Field, field_validator, model_validator

from pulumi_slurm.errors import FieldError, field_error, field_errors
from pulumi_slurm.model.base import Model

SLURMDBD_FLAGS = {"innodb_lock_wait_timeout": "900"}
"""What slurmdbd asks of InnoDB and Cloud SQL doesn't set by itself: slurmdbd ends when a lock isn't to be had in time.

See https://slurm.schedmd.com/accounting.html#slurm-accounting-configuration-before-build. The buffer pool and the redo
log, of which it speaks too, are left to Cloud SQL, which measures them by the machine. See docs/verification.md.
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


class CloudSqlSpec(Model):
    """A Cloud SQL instance with a private address; name, user and password are derived."""

    _renamed_fields: ClassVar = {"regional": "highAvailability"}

    version: GkeMySqlVersion = GkeMySqlVersion.MYSQL_8_4
    """The version of MySQL."""
    edition: CloudSqlEdition = CloudSqlEdition.ENTERPRISE
    """Cloud SQL's edition."""
    tier: str = "db-custom-2-8192"
    """The machine, e.g. "db-custom-2-8192" (2 CPUs, 8 GiB); ENTERPRISE_PLUS has tiers "db-perf-optimized-N-..."."""
    high_availability: bool = False
    """A second instance in another zone takes over when the first fails."""
    backups: bool = True
    """Back up every night, and keep the log between backups."""
    backup_time: str = Field(default="03:00", pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")
    """When a backup begins, in UTC."""
    disk_gib: int = Field(default=20, ge=10, le=65536)
    """The disk in GiB; it grows by itself."""
    flags: dict[str, str] = {}
    """Further database flags, beside those that slurmdbd needs."""

    @field_validator("flags")
    @classmethod
    def _are_flags(cls, value: dict[str, str]) -> dict[str, str]:
        # The flags are named in the text: a path would write their names as those of fields.
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
    def _is_on_sale(self) -> Self:
        found: list[FieldError] = []
        fix = _wrong_tier(self.tier, self.edition)
        if fix:
            stated = self.tier if "tier" in self.model_fields_set else FieldError.ABSENT
            found.append(
                FieldError(
                    ("tier",),
                    stated,
                    f"edition {self.edition} has no such machine",
                    fix,
                    depends_on_fields=(("edition",),),
                )
            )
        if self.high_availability and not self.backups:
            found.append(
                FieldError(
                    ("backups",),
                    False,
                    "the second instance is kept up by backups and the log between them",
                    "Write true, or leave highAvailability out.",
                    depends_on_fields=(("high_availability",),),
                )
            )
        if found:
            raise field_errors(found)
        return self


def _wrong_tier(tier: str, edition: CloudSqlEdition) -> str | None:
    """Return what to write instead of a tier that an edition doesn't have, or None where it has it."""
    if edition is CloudSqlEdition.ENTERPRISE_PLUS:
        return None if _PERFORMANCE.fullmatch(tier) else 'Write for example "db-perf-optimized-N-2".'
    match = _CUSTOM.fullmatch(tier)
    if not match:
        return None if _LEGACY.fullmatch(tier) else 'Write for example "db-custom-2-8192", 2 CPUs and 8,192 MiB.'
    cpus, mib = int(match[1]), int(match[2])
    if not 1 <= cpus <= 96 or (cpus > 1 and cpus % 2):
        return "Write 1 CPU, or an even number up to 96."
    least, most = max(3840, -(-cpus * 922 // 256) * 256), cpus * 6656
    if not least <= mib <= most or mib % 256:
        return f"With {cpus} CPUs write {least} to {most} MiB, a multiple of 256."
    return None
