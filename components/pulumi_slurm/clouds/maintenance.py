"""When a cloud may upgrade a cluster and its nodes."""

from enum import StrEnum

from pydantic import Field, field_validator

from pulumi_slurm.errors import check_unique
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.one_of import OneOf
from pulumi_slurm.model.timestamps import rfc_3339


class Day(StrEnum):
    """The days of a week."""

    MONDAY = "Monday"
    TUESDAY = "Tuesday"
    WEDNESDAY = "Wednesday"
    THURSDAY = "Thursday"
    FRIDAY = "Friday"
    SATURDAY = "Saturday"
    SUNDAY = "Sunday"


class MaintenanceWindowSpec(Model):
    """The hours of a week in which the cloud may upgrade the control plane and the nodes that it manages."""

    start: str = "2026-01-03T02:00:00Z"
    """The beginning of the first window, in RFC 3339 form; its time of day is that of all windows."""
    hours: int = Field(default=8, ge=1, le=24)
    """How long a window is, in hours."""
    days: list[OneOf[Day]] = Field(default=[Day.SATURDAY, Day.SUNDAY], min_length=1)
    """The days of the week on which a window begins."""

    @field_validator("start")
    @classmethod
    def _is_a_time(cls, value: str) -> str:
        rfc_3339(value, 'Write for example "2026-01-03T02:00:00Z", in quotes.')
        return value

    @field_validator("days")
    @classmethod
    def _days_are_unique(cls, value: list[Day]) -> list[Day]:
        check_unique(value, "this day is named before", "Leave it out.")
        return value
