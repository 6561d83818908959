"""RDS for slurmdbd.

Sources: the provider's description of alicloud_db_instance; for instance types
https://www.alibabacloud.com/help/en/rds/product-overview/primary-apsaradb-rds-instance-types; for disks that grow, not
in the Basic edition, https://www.alibabacloud.com/help/en/rds/apsaradb-rds-for-mysql/configure-automatic-storage-expansion.
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from types import MappingProxyType
from typing import Self

from pydantic import Field, field_validator, model_validator

from pulumi_slurm.errors import FieldError, check_each_pair, field_error, raise_errors
from pulumi_slurm.model.alibaba_ids import id_of_key
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.one_of import OneOf

PARAMETERS = MappingProxyType({"innodb_lock_wait_timeout": "900"})
"""Parameters of the instance that slurmdbd needs: https://slurm.schedmd.com/accounting.html."""

_OWN_WORDS = ("ServiceKey", "disabled")
"""What RDS takes besides the id of a key, but not when it creates an instance. Source: encryption_key in
website/docs/r/db_instance.html.markdown of https://github.com/aliyun/terraform-provider-alicloud at 81c43b6, which
changes the key of PostgreSQL alone afterwards (alicloud/resource_alicloud_db_instance.go)."""

_INSTANCE_TYPE = re.compile(r"mysql\.[a-z0-9]+\.[a-z0-9]+(\.[a-z0-9]+)?")
_PARAMETER = re.compile(r"[a-z][a-z0-9_]*")
_OTHER_EDITIONS = (".serverless.", ".xc")
"""Parts of types that need another category: website/docs/r/db_instance.html.markdown of the provider for serverless
ones, and the page on instance types for those of clusters."""
_HIGH_AVAILABILITY_SUFFIX = ".2c"
_DEFAULT_TYPE = "mysql.n2.medium.1"
_DEFAULT_HIGH_AVAILABILITY_TYPE = "mysql.n2.medium.2c"


class AckMySqlVersion(StrEnum):
    """Versions of MySQL that slurmdbd supports."""

    MYSQL_5_7 = "5.7"
    MYSQL_8_0 = "8.0"
    MYSQL_8_4 = "8.4"


class RdsSpec(Model):
    """An RDS for MySQL instance with a private address; its name, user and password are derived."""

    version: OneOf[AckMySqlVersion] = AckMySqlVersion.MYSQL_8_0
    """The version of MySQL."""
    instance_type: str | None = None
    """The instance type; by default one with 2 CPUs and 4 GiB: "mysql.n2.medium.1", or with highAvailability
    "mysql.n2.medium.2c"."""
    high_availability: bool = False
    """Run a second instance that takes over when the first fails, in the cluster's second zone if it has one. A change
    replaces the instance, which is empty then."""
    disk_gib: int = Field(default=20, ge=20, le=2000)
    """The disk in GiB, a multiple of 5. With highAvailability it grows automatically, and this is its size at first;
    without, enlarge it here. It never shrinks."""
    largest_disk_gib: int = Field(default=500, ge=20, le=32000)
    """With highAvailability: the size in GiB up to which the disk grows."""
    encryption_key: str | None = None
    """The id of a key of yours in KMS that encrypts the disk, with a dedicated instance type, whose name begins with
    "mysql.x". The account has to have the role AliyunRDSInstanceEncryptionDefaultRole then. A change replaces the
    instance, which is empty then; without it, the disk isn't encrypted. Taking it out changes nothing on an instance
    that has it."""
    backup_days: int = Field(default=7, ge=7, le=730)
    """For how many days backups are kept, and with highAvailability the binary log between them."""
    backup_time: str = Field(default="18:00", pattern=r"^([01][0-9]|2[0-3]):00$")
    """When a backup begins, in UTC, on the hour: "18:00"."""
    parameters: dict[str, str] = {}
    """Additional parameters of the instance, other than those that slurmdbd needs: such that need no restart, which the
    provider refuses during the update. One that is taken out again keeps its value."""

    @field_validator("instance_type")
    @classmethod
    def _is_an_instance_type(cls, value: str | None) -> str | None:
        if value is not None and not _INSTANCE_TYPE.fullmatch(value):
            raise field_error("RDS for MySQL has no such instance type", f'Write for example "{_DEFAULT_TYPE}".')
        if value is not None and any(part in value for part in _OTHER_EDITIONS):
            raise field_error(
                "this is a type of serverless or cluster editions, and this instance is of none",
                f'Write for example "{_DEFAULT_TYPE}".',
            )
        return value

    @field_validator("encryption_key")
    @classmethod
    def _is_a_key_of_ones_own(cls, value: str | None) -> str | None:
        if value in _OWN_WORDS:
            raise field_error(
                "RDS takes this word for PostgreSQL alone, and never when it creates an instance",
                'Write the id of a key of KMS, and a dedicated instanceType, which begins with "mysql.x"; or leave it '
                "out, and the disk isn't encrypted.",
            )
        return value if value is None else id_of_key(value)

    @field_validator("disk_gib")
    @classmethod
    def _is_a_multiple_of_5(cls, value: int) -> int:
        if value % 5:
            below = value // 5 * 5
            raise field_error("RDS sells disks in steps of 5 GiB", f"Write {max(below, 20)} or {below + 5}.")
        return value

    @field_validator("parameters")
    @classmethod
    def _are_parameters(cls, value: dict[str, str]) -> dict[str, str]:
        return check_each_pair(value, value.items(), lambda name, _: _check_parameter(name))

    @model_validator(mode="after")
    def _goes_together(self) -> Self:
        raise_errors([*self._instance_type_errors(), *self._disk_errors()])
        return self

    def _instance_type_errors(self) -> Iterator[FieldError]:
        if self.instance_type is None:
            return
        has_second_instance = self.instance_type.endswith(_HIGH_AVAILABILITY_SUFFIX)
        if has_second_instance == self.high_availability:
            return
        yield FieldError(
            ("instance_type",),
            self.instance_type,
            f"this type has {'a' if has_second_instance else 'no'} second instance, and highAvailability is "
            f"{str(self.high_availability).lower()}",
            f"Write one that ends in {_HIGH_AVAILABILITY_SUFFIX}, or highAvailability: false."
            if self.high_availability
            else "Write highAvailability: true, or one that ends in .1 or .1c.",
            depends_on_fields=(("high_availability",),),
        )

    def _disk_errors(self) -> Iterator[FieldError]:
        if not self.high_availability:
            if "largest_disk_gib" in self.model_fields_set:
                yield FieldError(
                    ("largest_disk_gib",),
                    self.largest_disk_gib,
                    "only the disk of an instance with highAvailability grows automatically",
                    "Leave it out and enlarge diskGib when it is needed; or write highAvailability: true.",
                    depends_on_fields=(("high_availability",),),
                )
        elif self.largest_disk_gib < self.disk_gib:
            yield FieldError(
                ("largest_disk_gib",),
                self.largest_disk_gib if "largest_disk_gib" in self.model_fields_set else FieldError.ABSENT,
                f"it is below diskGib, {self.disk_gib}",
                f"Write {self.disk_gib} or more.",
                depends_on_fields=(("disk_gib",),),
            )

    @property
    def machine(self) -> str:
        """The configured instance type, or the default one."""
        return self.instance_type or (_DEFAULT_HIGH_AVAILABILITY_TYPE if self.high_availability else _DEFAULT_TYPE)


def _check_parameter(name: str) -> None:
    if name in PARAMETERS:
        raise field_error(f"slurmdbd needs it to be {PARAMETERS[name]}, which is set already", "Leave it out.")
    if not _PARAMETER.fullmatch(name):
        raise field_error("RDS has no such parameter", "Write it as MySQL does, in lower case.")
