"""Recurrences of maintenance windows: what RFC 5545 allows, and how many windows they give.

Source: https://www.rfc-editor.org/rfc/rfc5545#section-3.3.10.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, partial
from itertools import groupby, pairwise
from types import MappingProxyType

from pulumi_slurm.errors import field_error

EXAMPLE = "FREQ=WEEKLY;BYDAY=SA,SU"
SPAN = 32
"""The days in any of which GKE needs enough hours of windows."""

_FREQUENCIES = ("DAILY", "WEEKLY", "MONTHLY")
_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_DAY_OF_MONTH = re.compile(r"([+-]?([1-9]|[1-4][0-9]|5[0-3]))?(MO|TU|WE|TH|FR|SA|SU)")
_NUMBER = re.compile(r"[+-]?[0-9]{1,3}", re.ASCII)
_INTERVAL = re.compile(r"0{0,8}[1-9][0-9]{0,8}", re.ASCII)
_ENDS = ("COUNT", "UNTIL")
_LONGEST_INTERVALS = MappingProxyType({"DAILY": SPAN, "WEEKLY": 5, "MONTHLY": 2})
"""With a longer interval there are 32 days without any window: 5 weeks or two months between the last and the next."""
_YEARS_UNTIL_DATES_REPEAT = 28
"""After which each date is on the same day of the week again, until 2100. What is left out of it is how the days of an
INTERVAL of FREQ=DAILY move against dates in later years."""


def parse_recurrence(text: str) -> dict[str, str]:
    """Return the parts of a recurrence by name; raise a field error if RFC 5545 doesn't allow it, or if it ends."""
    parts: dict[str, str] = {}
    for part in text.split(";"):
        name, _, value = part.partition("=")
        if name in parts:
            raise field_error(f"the part {name} stands here twice", "Keep one of them.")
        parts[name] = value
    if parts.get("FREQ") not in _FREQUENCIES:
        raise field_error("this is not a recurrence of days, weeks or months", f'Write for example "{EXAMPLE}".')
    for name, value in parts.items():
        if name in _ENDS:
            raise field_error(f"{name} ends the windows, and GKE needs them for ever", f"Leave {name} out.")
        if name not in _CHECKS:
            raise field_error(
                f'a recurrence of days, weeks or months has no part "{name}"', f"Write parts of {', '.join(_CHECKS)}."
            )
        if not _CHECKS[name](value, parts["FREQ"]):
            raise field_error(
                f'RFC 5545 doesn\'t allow "{name}={value}" with FREQ={parts["FREQ"]}', f'Write for example "{EXAMPLE}".'
            )
    if "BYSETPOS" in parts and not parts.keys() & {"BYDAY", "BYMONTHDAY", "BYMONTH"}:
        raise field_error("BYSETPOS selects from the days of another part", "Add BYDAY or BYMONTHDAY.")
    return parts


def _days(value: str, frequency: str) -> bool:
    if frequency == "MONTHLY":
        return all(map(_DAY_OF_MONTH.fullmatch, value.split(",")))
    return all(day in _DAYS for day in value.split(","))


def _numbers(value: str, _: str, *, most: int, negative: bool = True) -> bool:
    return all(
        _NUMBER.fullmatch(number) and 1 <= abs(int(number)) <= most and (negative or number.isdigit())
        for number in value.split(",")
    )


_CHECKS: Mapping[str, Callable[[str, str], bool]] = MappingProxyType(
    {
        "FREQ": lambda value, _: value in _FREQUENCIES,
        "INTERVAL": lambda value, _: bool(_INTERVAL.fullmatch(value)),
        "BYDAY": _days,
        "BYMONTHDAY": lambda value, frequency: frequency != "WEEKLY" and _numbers(value, frequency, most=31),
        "BYMONTH": partial(_numbers, most=12, negative=False),
        "BYSETPOS": partial(_numbers, most=366),
        "WKST": lambda value, _: value in _DAYS,
    }
)
"""Whether a part may have a value, with a frequency. BYWEEKNO is for years, and BYYEARDAY for years or less than days;
numbers before the days of BYDAY are for months or years."""


@cache
def least_windows(text: str, start: date) -> int:
    """Return the least number of windows in any 32 days; ``start`` is the day of the first window."""
    # The calendar repeats after 400 years; this way dates can be added to whatever the year is.
    recurrence = _Recurrence(parse_recurrence(text), start.replace(year=2000 + start.year % 400))
    return recurrence.least_windows()


@cache
def least_days_between(text: str, start: date) -> int:
    """Return the least number of days from the start of a window to that of the next; `SPAN` if it is more."""
    recurrence = _Recurrence(parse_recurrence(text), start.replace(year=2000 + start.year % 400))
    return recurrence.least_days_between()


@dataclass(frozen=True)
class _Recurrence:
    parts: dict[str, str]
    start: date

    @property
    def frequency(self) -> str:
        return self.parts["FREQ"]

    @property
    def interval(self) -> int:
        return int(self.parts.get("INTERVAL", "1"))

    def least_windows(self) -> int:
        if self.interval > _LONGEST_INTERVALS[self.frequency]:
            return 0
        days_until_repeated = self._days_until_repeated
        windows = self._windows(days_until_repeated + SPAN)
        count = least = sum(map(windows.__contains__, range(SPAN)))
        for day in range(days_until_repeated):
            count += (day + SPAN in windows) - (day in windows)
            least = min(least, count)
        return least

    def least_days_between(self) -> int:
        if self.interval > _LONGEST_INTERVALS[self.frequency]:
            return SPAN
        windows = sorted(self._windows(self._days_until_repeated + SPAN))
        return min((later - earlier for earlier, later in pairwise(windows)), default=SPAN)

    @property
    def _days_until_repeated(self) -> int:
        if self.frequency == "MONTHLY" or self.parts.keys() & {"BYMONTH", "BYMONTHDAY"}:
            return _YEARS_UNTIL_DATES_REPEAT * 366
        return 7 * self.interval

    def _windows(self, days: int) -> set[int]:
        """Return the days with windows, counted from the start."""
        # Positions of BYSETPOS count from the beginning of a period, so periods are looked at as a whole.
        calendar = (self.start + timedelta(days=day) for day in range(-31, days + 31))
        return {
            (day - self.start).days
            for period, days_of_period in groupby(calendar, self._period)
            if period % self.interval == self._period(self.start) % self.interval
            for day in self._positions([day for day in days_of_period if self._has(day)])
        }

    def _period(self, day: date) -> int:
        if self.frequency == "DAILY":
            return day.toordinal()
        if self.frequency == "WEEKLY":
            # The ordinal 1 is a Monday.
            return (day.toordinal() - 1 - _DAYS.index(self.parts.get("WKST", "MO"))) // 7
        return 12 * day.year + day.month

    def _has(self, day: date) -> bool:
        by_month, by_month_day, by_day = (self.parts.get(name) for name in ("BYMONTH", "BYMONTHDAY", "BYDAY"))
        if by_month and day.month not in map(int, by_month.split(",")):
            return False
        from_end = day.day - _days_in_month(day) - 1
        if by_month_day and not {day.day, from_end} & {*map(int, by_month_day.split(","))}:
            return False
        if by_day:
            name = _DAYS[day.weekday()]
            names = {name, f"{(day.day + 6) // 7}{name}", f"{-((6 - from_end) // 7)}{name}"}
            return not names.isdisjoint(item.removeprefix("+") for item in by_day.split(","))
        if self.frequency == "WEEKLY":
            return day.weekday() == self.start.weekday()
        return self.frequency == "DAILY" or bool(by_month_day) or day.day == self.start.day

    def _positions(self, days: list[date]) -> Iterator[date]:
        positions = {int(number) for number in self.parts.get("BYSETPOS", "").split(",") if number}
        for index, day in enumerate(days):
            if not positions or positions & {index + 1, index - len(days)}:
                yield day


def _days_in_month(day: date) -> int:
    next_month = day.replace(day=28) + timedelta(days=4)
    return (next_month - timedelta(days=next_month.day)).day
