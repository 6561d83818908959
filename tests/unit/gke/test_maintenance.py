"""Maintenance windows: recurrences that RFC 5545 allows, and 48 hours in any 32 days."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest

from pulumi_slurm.errors import SpecError
from pulumi_slurm.gke.model import GkeMaintenanceWindowSpec
from pulumi_slurm.gke.model.recurrence import least_days_between, least_windows

START = date(2026, 1, 3)
"""A Saturday, the day of the first window by default."""
MONDAY = START - timedelta(days=START.weekday())
SUNDAY = MONDAY - timedelta(days=1)


def weeks(day: date, first_day: date = MONDAY) -> int:
    """Return the number of whole weeks from the first day of the week of the first window."""
    return (day - first_day).days // 7


def is_last_in_month(day: date) -> bool:
    return (day + timedelta(days=7)).month != day.month


WINDOWS: dict[str, Callable[[date], bool]] = {
    "FREQ=DAILY": lambda day: True,
    "FREQ=DAILY;INTERVAL=3": lambda day: (day - START).days % 3 == 0,
    "FREQ=DAILY;INTERVAL=2;BYDAY=SA,SU": lambda day: (day - START).days % 2 == 0 and day.weekday() >= 5,
    "FREQ=DAILY;BYDAY=SA,SU": lambda day: day.weekday() >= 5,
    "FREQ=DAILY;BYMONTHDAY=1,15,-1": lambda day: day.day in {1, 15} or (day + timedelta(days=1)).day == 1,
    "FREQ=DAILY;BYMONTH=1,2,3,4,5,6,7,8,9,10,11": lambda day: day.month != 12,
    "FREQ=DAILY;INTERVAL=1000": lambda day: (day - START).days % 1000 == 0,
    "FREQ=WEEKLY": lambda day: day.weekday() == 5,
    "FREQ=WEEKLY;BYDAY=SA,SU": lambda day: day.weekday() >= 5,
    "FREQ=WEEKLY;BYDAY=SA,SA": lambda day: day.weekday() == 5,
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR,SA,SU": lambda day: day.weekday() >= 4 and weeks(day) % 2 == 0,
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR,SA,SU;WKST=SU": lambda day: day.weekday() >= 4 and weeks(day, SUNDAY) % 2 == 0,
    "FREQ=WEEKLY;INTERVAL=5;BYDAY=MO,TU,WE,TH": lambda day: day.weekday() <= 3 and weeks(day) % 5 == 0,
    "FREQ=WEEKLY;INTERVAL=6;BYDAY=MO,TU,WE,TH": lambda day: day.weekday() <= 3 and weeks(day) % 6 == 0,
    "FREQ=WEEKLY;BYDAY=MO,SA;BYSETPOS=-1": lambda day: day.weekday() == 5,
    "FREQ=MONTHLY": lambda day: day.day == 3,
    "FREQ=MONTHLY;BYDAY=1SA,1SU": lambda day: day.day <= 7 and day.weekday() >= 5,
    "FREQ=MONTHLY;BYDAY=-1SA,+1SU,TU": lambda day: (
        day.weekday() == 1 or (day.weekday() == 5 and is_last_in_month(day)) or (day.weekday() == 6 and day.day <= 7)
    ),
    "FREQ=MONTHLY;BYDAY=5SA": lambda day: day.weekday() == 5 and day.day > 28,
    "FREQ=MONTHLY;BYMONTHDAY=1,8,15,22,29,-1": lambda day: (
        day.day in {1, 8, 15, 22, 29} or (day + timedelta(days=1)).day == 1
    ),
    "FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR": lambda day: day.day == 13 and day.weekday() == 4,
    "FREQ=MONTHLY;BYDAY=SA;BYSETPOS=1,-1": lambda day: day.weekday() == 5 and (day.day <= 7 or is_last_in_month(day)),
    "FREQ=MONTHLY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR,SA,SU": lambda day: day.month % 2 == 1,
    "FREQ=MONTHLY;INTERVAL=3;BYDAY=MO,TU,WE,TH,FR,SA,SU": lambda day: day.month % 3 == 1,
    "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30": lambda day: False,
}
"""Recurrences, and whether a day has a window."""


def least_in_32_days(has_window: Callable[[date], bool]) -> int:
    """Count the windows in 32 days from each day of thirty years."""
    days = [has_window(START + timedelta(days=number)) for number in range(30 * 366)]
    return min(sum(days[first : first + 32]) for first in range(len(days) - 32))


@pytest.mark.parametrize("recurrence", WINDOWS)
def test_the_least_windows_in_any_32_days_are_counted(recurrence: str) -> None:
    assert least_windows(recurrence, START) == least_in_32_days(WINDOWS[recurrence])


def test_first_saturdays_can_be_35_days_apart() -> None:
    assert least_windows("FREQ=MONTHLY;BYDAY=1SA,1SU", START) == 0


def test_windows_are_counted_in_any_year() -> None:
    for year in (1, 1999, 2100, 9999):
        assert least_windows("FREQ=MONTHLY;BYDAY=SA,SU", date(year, 12, 31)) == 8


def errors_of(**fields: Any) -> list[str]:
    with pytest.raises(SpecError) as caught:
        GkeMaintenanceWindowSpec(**fields)
    return [str(error) for error in caught.value.errors]


@pytest.mark.parametrize(
    "recurrence",
    [
        "FREQ=MONTHLY;BYDAY=1SA,1SU",
        "FREQ=WEEKLY;BYDAY=SA,SA",
        "FREQ=DAILY;INTERVAL=1000",
        "FREQ=WEEKLY;INTERVAL=6;BYDAY=MO,TU,WE,TH",
        "FREQ=WEEKLY;BYDAY=SA;WKST=MO",
        "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30",
    ],
)
def test_less_than_48_hours_are_refused(recurrence: str) -> None:
    hours = least_windows(recurrence, START) * 8
    assert errors_of(recurrence=recurrence) == [
        f'recurrence = "{recurrence}": that gives {hours} hours in 32 days, and GKE takes no less than 48. Add days, '
        "or write more hours."
    ]


@pytest.mark.parametrize(
    "recurrence",
    [
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR,SA,SU",
        "FREQ=WEEKLY;WKST=SU;BYDAY=SA,SU",
        "FREQ=DAILY;INTERVAL=5",
        "BYDAY=SA,SU;FREQ=MONTHLY",
        "FREQ=MONTHLY;BYDAY=SA,SU,+1MO,-53TU;BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12",
        "FREQ=MONTHLY;BYMONTHDAY=1,2,3,4,5,6,-1,-31",
    ],
)
def test_recurrences_with_enough_windows_are_accepted(recurrence: str) -> None:
    assert GkeMaintenanceWindowSpec(recurrence=recurrence).rule == recurrence


@pytest.mark.parametrize(
    ("recurrence", "days"),
    [
        ("FREQ=DAILY", 1),
        ("FREQ=DAILY;INTERVAL=3", 3),
        ("FREQ=WEEKLY;BYDAY=SA,SU", 1),
        ("FREQ=WEEKLY;BYDAY=SA", 7),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=FR,MO", 4),
        ("FREQ=MONTHLY;BYMONTHDAY=1,-1", 1),
        ("FREQ=MONTHLY;BYDAY=1SA", 28),
        ("FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30", 32),
    ],
)
def test_the_least_days_between_windows_are_counted(recurrence: str, days: int) -> None:
    assert least_days_between(recurrence, START) == days


def test_a_window_may_span_several_days() -> None:
    """As that from Saturday to the end of Monday in Google's guide."""
    window = GkeMaintenanceWindowSpec(start="2026-01-03T00:00:00Z", hours=72, days=["Saturday"])
    assert (window.rule, window.end) == ("FREQ=WEEKLY;BYDAY=SA", "2026-01-06T00:00:00Z")
    assert GkeMaintenanceWindowSpec(hours=168, days=["Saturday"])


def test_a_window_ends_before_the_next_one_begins() -> None:
    assert errors_of(hours=25) == [
        "hours = 25: windows begin 24 hours apart, and this one would not be over. Write 24 or less, or fewer days."
    ]
    assert errors_of(hours=100, recurrence="FREQ=DAILY;INTERVAL=4") == [
        "hours = 100: windows begin 96 hours apart, and this one would not be over. Write 96 or less, or fewer days."
    ]


def test_the_example_in_the_description_is_accepted() -> None:
    description = str(GkeMaintenanceWindowSpec.model_fields["recurrence"].description)
    assert GkeMaintenanceWindowSpec(recurrence=description.split('"')[1])


@pytest.mark.parametrize(
    "recurrence",
    [
        "",
        ";",
        "FREQ=YEARLY",
        "FREQ=HOURLY",
        "FREQ=",
        "INTERVAL=1",
        "RRULE:FREQ=DAILY",
        "FREQ=DAILY;",
        "FREQ=DAILY;X=1",
        "FREQ=DAILY;FREQ=DAILY",
        "FREQ=DAILY;BYDAY=SA,SU,MO;BYDAY=TU",
        "FREQ=DAILY;COUNT=1000",
        "FREQ=DAILY;UNTIL=20300101T000000Z",
        "FREQ=DAILY;INTERVAL=0",
        "FREQ=DAILY;INTERVAL=-1",
        "FREQ=DAILY;INTERVAL=1,2",
        f"FREQ=DAILY;INTERVAL={'9' * 5000}",
        "FREQ=WEEKLY;BYDAY=XX",
        "FREQ=WEEKLY;BYDAY=",
        "FREQ=WEEKLY;BYDAY=SA,,SU",
        "FREQ=WEEKLY;BYDAY=1SA,SU,SA",
        "FREQ=DAILY;BYDAY=1SA,2SU,MO",
        "FREQ=MONTHLY;BYDAY=0SA,SU,MO",
        "FREQ=MONTHLY;BYDAY=54SA,SU,MO",
        "FREQ=DAILY;BYMONTH=13",
        "FREQ=DAILY;BYMONTH=-1",
        "FREQ=DAILY;BYMONTH=0,1",
        "FREQ=DAILY;BYMONTHDAY=32",
        "FREQ=DAILY;BYMONTHDAY=0",
        "FREQ=WEEKLY;BYMONTHDAY=1,2,3",
        "FREQ=DAILY;BYSETPOS=1",
        "FREQ=MONTHLY;BYDAY=MO,TU,SA,SU;BYSETPOS=367",
        "FREQ=DAILY;BYWEEKNO=1",
        "FREQ=DAILY;BYYEARDAY=1",
        "FREQ=DAILY;WKST=XX",
    ],
)
def test_other_recurrences_are_refused(recurrence: str) -> None:
    (error,) = errors_of(recurrence=recurrence, hours=24)
    assert error.startswith('recurrence = "')
    assert "hours in 32 days" not in error


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
