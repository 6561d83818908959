"""When GKE may upgrade a cluster, and when it may not.

Source of the limits: https://cloud.google.com/kubernetes-engine/docs/concepts/maintenance-windows-and-exclusions.
"""

import re
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Self

from pydantic import Field, field_validator, model_validator

from pulumi_slurm.clouds.timestamps import rfc_3339
from pulumi_slurm.errors import FieldError, field_error, field_errors
from pulumi_slurm.model.base import Model

_PART = re.compile(r"[A-Z]+=[A-Z0-9,+-]+")
_INTERVAL = re.compile(r"[1-9][0-9]{0,2}")
_PARTS = {
    "FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST", "BYDAY", "BYMONTH", "BYMONTHDAY", "BYSETPOS", "BYWEEKNO", "BYYEARDAY",
}  # fmt: skip
_FREQUENCIES = ("DAILY", "WEEKLY", "MONTHLY")
_DAYS = {"MO", "TU", "WE", "TH", "FR", "SA", "SU"}
_SHORTEST = timedelta(hours=4)
_LEAST_IN_32_DAYS = timedelta(hours=48)
_LONGEST_WITHOUT_UPGRADES = timedelta(days=30)


class GkeMaintenanceWindowSpec(Model):
    """When GKE may upgrade the control plane and nodes. At least 48 hours in any 32 days have to lie in it.

    Those 48 hours are checked where `recurrence` has nothing but FREQ=DAILY or WEEKLY, INTERVAL and BYDAY.
    """

    start: str = "2026-01-03T02:00:00Z"
    """The beginning of the first window, in RFC 3339 form."""
    end: str = "2026-01-03T10:00:00Z"
    """The end of the first window."""
    recurrence: str = "FREQ=WEEKLY;BYDAY=SA,SU"
    """When it comes again, as an RFC 5545 RRULE."""

    @field_validator("start", "end")
    @classmethod
    def _is_a_time(cls, value: str) -> str:
        _moment(value)
        return value

    @field_validator("recurrence")
    @classmethod
    def _is_a_rule(cls, value: str) -> str:
        parts = _rule(value)
        if parts.get("FREQ") not in _FREQUENCIES or not parts.keys() <= _PARTS:
            raise field_error(
                "this is not a recurrence of days, weeks or months", 'Write for example "FREQ=WEEKLY;BYDAY=SA,SU".'
            )
        return value

    @model_validator(mode="after")
    def _is_long_enough(self) -> Self:
        length = _moment(self.end) - _moment(self.start)
        found = list(_comes_after(self.start, self.end))
        if not found and length < _SHORTEST:
            found.append(
                FieldError(
                    ("end",),
                    self.end,
                    "the window is shorter than 4 hours, the least that GKE takes",
                    "Write a later end.",
                    depends_on_fields=(("start",),),
                )
            )
        times = _times_in_32_days(self.recurrence)
        if not found and times is not None and times * length < _LEAST_IN_32_DAYS:
            hours = times * length // timedelta(hours=1)
            found.append(
                FieldError(
                    ("recurrence",),
                    self.recurrence,
                    f"that gives {hours} hours in 32 days, and GKE takes no less than 48",
                    "Add days, or write a later end.",
                    depends_on_fields=(("start",), ("end",)),
                )
            )
        if found:
            raise field_errors(found)
        return self


class ExclusionScope(StrEnum):
    """What an exclusion keeps off."""

    NO_UPGRADES = "NO_UPGRADES"
    NO_MINOR_UPGRADES = "NO_MINOR_UPGRADES"
    NO_MINOR_OR_NODE_UPGRADES = "NO_MINOR_OR_NODE_UPGRADES"


class GkeMaintenanceExclusionSpec(Model):
    """A time in which GKE leaves the cluster alone, such as a long training."""

    name: str = Field(min_length=1)
    """What it is for."""
    start: str
    """Its beginning, in RFC 3339 form."""
    end: str
    """Its end; NO_UPGRADES takes 30 days at most."""
    scope: ExclusionScope = ExclusionScope.NO_MINOR_OR_NODE_UPGRADES
    """What it keeps off."""

    @field_validator("start", "end")
    @classmethod
    def _is_a_time(cls, value: str) -> str:
        _moment(value)
        return value

    @model_validator(mode="after")
    def _ends_in_time(self) -> Self:
        found = list(_comes_after(self.start, self.end))
        length = _moment(self.end) - _moment(self.start)
        if self.scope is ExclusionScope.NO_UPGRADES and length > _LONGEST_WITHOUT_UPGRADES:
            found.append(
                FieldError(
                    ("end",),
                    self.end,
                    f"that is {length.days} days, and GKE goes without any upgrade for 30 at most",
                    "Write an earlier end, or scope NO_MINOR_OR_NODE_UPGRADES.",
                    depends_on_fields=(("start",), ("scope",)),
                )
            )
        if found:
            raise field_errors(found)
        return self


def _comes_after(start: str, end: str) -> list[FieldError]:
    if _moment(end) > _moment(start):
        return []
    return [FieldError(("end",), end, f"this is not after the start, {start}", "Write a later end.", (("start",),))]


def _moment(text: str) -> datetime:
    return rfc_3339(text, 'Write for example "2026-01-03T02:00:00Z", in quotes.')


def _rule(text: str) -> dict[str, str]:
    parts = text.split(";")
    if not all(map(_PART.fullmatch, parts)):
        return {}
    return {key: value for key, _, value in (part.partition("=") for part in parts)}


def _times_in_32_days(recurrence: str) -> int | None:
    """Return how often a window comes in any 32 days at least; None where that is not so easy to say."""
    parts = _rule(recurrence)
    days = set(parts.get("BYDAY", "").split(",")) - {""}
    interval = parts.get("INTERVAL", "1")
    if not parts.keys() <= {"FREQ", "INTERVAL", "BYDAY"} or not days <= _DAYS or not _INTERVAL.fullmatch(interval):
        return None
    every = int(interval)
    if parts["FREQ"] == "WEEKLY":
        return 32 // (7 * every) * max(len(days), 1)
    if parts["FREQ"] == "DAILY" and not days:
        return 32 // every
    return 32 // 7 * len(days) if parts["FREQ"] == "DAILY" and every == 1 else None
