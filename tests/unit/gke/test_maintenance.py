"""Maintenance windows: 48 hours in any 32 days, windows that don't overlap, and the form of recurrences."""

from datetime import date, timedelta
from itertools import combinations, pairwise
from typing import Any

import pytest

from pulumi_slurm.clouds.maintenance import Day
from pulumi_slurm.docstrings import docstrings
from pulumi_slurm.errors import SpecError
from pulumi_slurm.gke.model import GkeMaintenanceWindowSpec

DAYS = list(Day)


def errors_of(**fields: Any) -> list[str]:
    with pytest.raises(SpecError) as caught:
        GkeMaintenanceWindowSpec(**fields)
    return [str(error) for error in caught.value.errors]


@pytest.mark.parametrize("hours", [4, 8, 12, 24, 48])
def test_any_32_days_have_48_hours_and_no_windows_overlap(hours: int) -> None:
    for days in (days for count in range(1, 8) for days in combinations(DAYS, count)):
        # By the calendar, from a Thursday on.
        calendar = [date(2026, 1, 1) + timedelta(days=number) for number in range(40)]
        begins = [number for number, day in enumerate(calendar) if DAYS[day.weekday()] in days]
        least = min(sum(first <= number < first + 32 for number in begins) for first in range(7))
        apart = min(later - earlier for earlier, later in pairwise(begins))
        if least * hours >= 48 and hours <= 24 * apart:
            assert GkeMaintenanceWindowSpec(days=list(days), hours=hours)
        else:
            refused = errors_of(days=list(days), hours=hours)
            assert any("hours in 32 days" in error for error in refused) == (least * hours < 48)
            assert any("would not be over" in error for error in refused) == (hours > 24 * apart)


def test_a_window_may_span_several_days() -> None:
    """As that from Saturday to the end of Monday in Google's guide."""
    window = GkeMaintenanceWindowSpec(start="2026-01-03T00:00:00Z", hours=72, days=["Saturday"])
    assert (window.rule, window.end) == ("FREQ=WEEKLY;BYDAY=SA", "2026-01-06T00:00:00Z")
    assert GkeMaintenanceWindowSpec(hours=168, days=["Saturday"])


def test_a_window_ends_before_the_next_one_begins() -> None:
    assert errors_of(hours=25) == [
        "hours = 25: windows begin 24 hours apart, and this one would not be over. Write 24 or less, or fewer days."
    ]
    assert errors_of(hours=100, days=["Monday", "Friday"]) == [
        "hours = 100: windows begin 72 hours apart, and this one would not be over. Write 72 or less, or fewer days."
    ]


def test_the_example_in_the_description_is_accepted() -> None:
    description = docstrings(GkeMaintenanceWindowSpec)["recurrence"]
    assert GkeMaintenanceWindowSpec(recurrence=description.split('"')[1])


@pytest.mark.parametrize(
    "recurrence",
    ["FREQ=DAILY", "BYDAY=SA,SU;FREQ=MONTHLY", "FREQ=MONTHLY;BYDAY=1SA,-1SU", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR,SA,SU"],
)
def test_recurrences_are_handed_on(recurrence: str) -> None:
    assert GkeMaintenanceWindowSpec(recurrence=recurrence).rule == recurrence


@pytest.mark.parametrize(
    "recurrence",
    [
        *("", ";", "weekly", "INTERVAL=1", "RRULE:FREQ=DAILY", "FREQ=DAILY;", "FREQ=DAILY;BYDAY", "freq=daily"),
        *("FREQ=YEARLY", "FREQ=HOURLY", "FREQ=", "FREQ=DAILY2", "FREQ=DAILY;BYDAY=SA, SU", "XFREQ=DAILY"),
        *("FREQ=WEEKLY;FREQ=DAILY", "FREQ=DAILY;BYDAY=SA;FREQ=HOURLY", "FREQ=DAILY;BYWEEKNO=1", "FREQ=DAILY;XCOUNT=3"),
        *("FREQ=DAILY;COUNT=1000", "FREQ=DAILY;UNTIL=20300101T000000Z", "COUNT=1;FREQ=DAILY"),
    ],
)
def test_other_recurrences_are_refused(recurrence: str) -> None:
    (error,) = errors_of(recurrence=recurrence, hours=24)
    assert error.startswith('recurrence = "')


def test_a_window_that_would_end_after_the_last_year_is_refused() -> None:
    assert errors_of(start="9999-12-31T23:00:00Z", hours=8) == [
        'start = "9999-12-31T23:00:00Z": that window would end after the year 9999. Write an earlier start.'
    ]
    assert GkeMaintenanceWindowSpec(start="9999-12-31T15:00:00Z", hours=8).end == "9999-12-31T23:00:00Z"


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("2026-01-03T22:00:00Z", "2026-01-04T06:00:00Z"),
        ("2026-01-03T02:00:00+08:00", "2026-01-03T10:00:00+08:00"),
        ("2026-01-03T02:00:00.5-07:00", "2026-01-03T10:00:00.5-07:00"),
        ("2026-01-03T02:00:00.123456789Z", "2026-01-03T10:00:00.123456789Z"),
    ],
)
def test_a_window_ends_its_hours_later_to_the_last_digit(start: str, end: str) -> None:
    assert GkeMaintenanceWindowSpec(start=start, hours=8).end == end
