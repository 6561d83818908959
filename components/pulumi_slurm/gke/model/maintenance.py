"""When GKE may upgrade a cluster, and when it may not.

Sources: of the limits https://cloud.google.com/kubernetes-engine/docs/concepts/maintenance-windows-and-exclusions; of
windows over several days, and of days in UTC, the page of the same name in docs/how-to; of recurrences
https://www.rfc-editor.org/rfc/rfc5545#section-3.3.10. How many hours a recurrence gives is left to GKE.
"""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import pairwise
from typing import Self

from pydantic import Field, field_validator, model_validator

from pulumi_slurm.clouds.maintenance import Day, MaintenanceWindowSpec
from pulumi_slurm.errors import FieldError, field_error, raise_errors
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.one_of import OneOf
from pulumi_slurm.model.timestamps import rfc_3339

_FRACTION = re.compile(r"\.[0-9]+")
_RECURRENCE = re.compile(r"[A-Z]+=[A-Z0-9,+-]+(;[A-Z]+=[A-Z0-9,+-]+)*", re.ASCII)
_FREQUENCIES = frozenset({"DAILY", "WEEKLY", "MONTHLY"})
_PARTS = frozenset({"FREQ", "INTERVAL", "BYDAY", "BYMONTHDAY", "BYMONTH", "BYSETPOS", "WKST"})
"""Parts of a rule; the other ones of RFC 5545 are for years or for less than days, or end it."""
_ENDS = ("COUNT", "UNTIL")
_MIN_HOURS_IN_32_DAYS = 48
_MAX_TIME_WITHOUT_UPGRADES = timedelta(days=30)


class GkeMaintenanceWindowSpec(MaintenanceWindowSpec):
    """When GKE may upgrade the control plane and nodes. Windows need to cover at least 48 hours in any 32 days."""

    hours: int = Field(default=8, ge=4, le=168)
    """How long a window is, in hours. It ends before the next one begins; with more than 24 it spans several days."""
    days: list[OneOf[Day]] = Field(default=[Day.SATURDAY, Day.SUNDAY], min_length=1)
    """The days of the week on which a window begins, in UTC, whatever the time zone of `start`: GKE stores none."""
    recurrence: str | None = None
    """When windows start, instead of `days`, as an RFC 5545 RRULE without an end, for example
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR,SA,SU". Its frequency is DAILY, WEEKLY or MONTHLY, and its days are those of UTC,
    whatever the time zone of `start`. GKE alone looks whether these windows give enough hours and don't overlap."""

    @field_validator("recurrence")
    @classmethod
    def _is_a_rule(cls, value: str | None) -> str | None:
        if value is None:
            return value
        names = [part.partition("=")[0] for part in value.split(";")]
        parts = dict(part.partition("=")[::2] for part in value.split(";"))
        if end := next((name for name in _ENDS if name in parts), None):
            raise field_error(f"{end} ends the windows, and GKE needs them for ever", f"Leave {end} out.")
        well_formed = _RECURRENCE.fullmatch(value) and len(parts) == len(names) and parts.keys() <= _PARTS
        if not well_formed or parts.get("FREQ") not in _FREQUENCIES:
            fix = 'Write for example "FREQ=WEEKLY;BYDAY=SA,SU".'
            raise field_error("this is not a recurrence of days, weeks or months", fix)
        return value

    @model_validator(mode="after")
    def _is_long_enough(self) -> Self:
        errors = [*self._days_and_recurrence(), *self._too_late()]
        raise_errors(
            errors if self.recurrence else [*errors, *self._too_short(), *self._longer_than_the_time_between()]
        )
        return self

    def _days_and_recurrence(self) -> Iterator[FieldError]:
        if self.recurrence and "days" in self.model_fields_set:
            problem = "recurrence says when windows begin"
            yield FieldError(("days",), list(self.days), problem, "Keep one of them.", (("recurrence",),))

    def _too_late(self) -> Iterator[FieldError]:
        try:
            _ = self.end
        except OverflowError:
            problem = "that window would end after the year 9999"
            yield FieldError(("start",), self.start, problem, "Write an earlier start.", (("hours",),))

    def _too_short(self) -> Iterator[FieldError]:
        begins = self._numbers_of_days
        # Four weeks, and whichever four days come after them.
        windows = 4 * len(begins) + min(sum((day + more) % 7 in begins for more in range(4)) for day in range(7))
        if windows * self.hours < _MIN_HOURS_IN_32_DAYS:
            problem = f"that gives {windows * self.hours} hours in 32 days, and GKE takes no less than 48"
            yield FieldError(("days",), list(self.days), problem, "Add days, or write more hours.", (("hours",),))

    def _longer_than_the_time_between(self) -> Iterator[FieldError]:
        begins = sorted(self._numbers_of_days)
        hours_between = 24 * min(later - day for day, later in pairwise([*begins, begins[0] + 7]))
        if self.hours > hours_between:
            yield FieldError(
                ("hours",),
                self.hours,
                f"windows begin {hours_between} hours apart, and this one would not be over",
                f"Write {hours_between} or less, or fewer days.",
                depends_on_fields=(("days",),),
            )

    @property
    def _numbers_of_days(self) -> set[int]:
        return {list(Day).index(Day(day)) for day in self.days}

    @property
    def rule(self) -> str:
        """When windows start, as an RFC 5545 RRULE."""
        return self.recurrence or f"FREQ=WEEKLY;BYDAY={','.join(day[:2].upper() for day in self.days)}"

    @property
    def end(self) -> str:
        """The end of the first window, in RFC 3339 form."""
        # Python keeps six digits of a fraction of a second, and without the others the window would be shorter.
        fraction = _FRACTION.search(self.start)
        end = (_time(self.start).replace(microsecond=0) + timedelta(hours=self.hours)).isoformat()
        whole_seconds = len("2026-01-03T02:00:00")
        end = end[:whole_seconds] + (fraction[0] if fraction else "") + end[whole_seconds:]
        return end.replace("+00:00", "Z")


class ExclusionScope(StrEnum):
    """The upgrades that an exclusion prevents."""

    NO_UPGRADES = "NO_UPGRADES"
    NO_MINOR_UPGRADES = "NO_MINOR_UPGRADES"
    NO_MINOR_OR_NODE_UPGRADES = "NO_MINOR_OR_NODE_UPGRADES"


class GkeMaintenanceExclusionSpec(Model):
    """A period in which GKE doesn't upgrade the cluster, for example during a long training."""

    name: str = Field(min_length=1)
    """Its name, for example the reason for it."""
    start: str
    """Its start, in RFC 3339 form."""
    end: str | None = None
    """Its end; with NO_UPGRADES at most 30 days after its start. Without it, the exclusion lasts until the end of
    support of the cluster's version, which NO_UPGRADES can't."""
    scope: OneOf[ExclusionScope] = ExclusionScope.NO_MINOR_OR_NODE_UPGRADES
    """The upgrades that it prevents."""

    @field_validator("start", "end")
    @classmethod
    def _is_a_time(cls, value: str | None) -> str | None:
        if value is not None:
            _time(value)
        return value

    @model_validator(mode="after")
    def _ends_in_time(self) -> Self:
        raise_errors([*self._ends_before_its_start(), *self._too_long()])
        return self

    def _ends_before_its_start(self) -> Iterator[FieldError]:
        if self.end is None:
            if self.scope is ExclusionScope.NO_UPGRADES:
                problem = "GKE goes without any upgrade for 30 days at most"
                fix = "Write an end, or another scope."
                yield FieldError(("end",), FieldError.ABSENT, problem, fix, depends_on_fields=(("scope",),))
        elif _time(self.end) <= _time(self.start):
            problem = f"this is not after the start, {self.start}"
            yield FieldError(("end",), self.end, problem, "Write a later end.", (("start",),))

    def _too_long(self) -> Iterator[FieldError]:
        if self.end is None:
            return
        length = _time(self.end) - _time(self.start)
        if self.scope is ExclusionScope.NO_UPGRADES and length > _MAX_TIME_WITHOUT_UPGRADES:
            yield FieldError(
                ("end",),
                self.end,
                f"that is {length.days} days, and GKE goes without any upgrade for 30 at most",
                "Write an earlier end, or scope NO_MINOR_OR_NODE_UPGRADES.",
                depends_on_fields=(("start",), ("scope",)),
            )


def _time(text: str) -> datetime:
    return rfc_3339(text, 'Write for example "2026-01-03T02:00:00Z", in quotes.')
