"""When ACK may upgrade a cluster and its nodes.

Source: the provider's description of maintenance_window of alicloud_cs_managed_kubernetes.
"""

from enum import StrEnum

from pydantic import Field, field_validator

from pulumi_slurm.clouds.timestamps import rfc_3339
from pulumi_slurm.errors import check_unique
from pulumi_slurm.model.base import Model


class Day(StrEnum):
    """The days of a week, as ACK spells them."""

    MONDAY = "Monday"
    TUESDAY = "Tuesday"
    WEDNESDAY = "Wednesday"
    THURSDAY = "Thursday"
    FRIDAY = "Friday"
    SATURDAY = "Saturday"
    SUNDAY = "Sunday"


class UpgradeChannel(StrEnum):
    """What ACK upgrades a cluster to by itself."""

    PATCH = "patch"
    STABLE = "stable"
    RAPID = "rapid"


class AckMaintenanceWindowSpec(Model):
    """When ACK may upgrade the control plane and managed nodes."""

    start: str = "2026-01-03T02:00:00.000+08:00"
    """The beginning of the first window, in RFC 3339 form; its time of day is that of all windows."""
    hours: int = Field(default=6, ge=1, le=24)
    """How long it is."""
    days: list[Day] = Field(default=[Day.SATURDAY, Day.SUNDAY], min_length=1)
    """The days of the week on which it comes."""

    @field_validator("start")
    @classmethod
    def _is_a_time(cls, value: str) -> str:
        rfc_3339(value, 'Write for example "2026-01-03T02:00:00.000+08:00".')
        return value

    @field_validator("days")
    @classmethod
    def _each_once(cls, value: list[Day]) -> list[Day]:
        check_unique(value, "this day is named before", "Leave it out.")
        return value
