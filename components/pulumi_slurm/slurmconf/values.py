"""Values of configuration keys: their types, and the way between text and typed value.

Source: Slurm's src/common/parse_value.c (numbers, booleans) and src/common/parse_time.c (times).
"""

import re
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from itertools import groupby
from types import MappingProxyType

from pulumi_slurm.issue import Issue
from pulumi_slurm.slurmconf import hostlist

Value = str | int | float | bool | tuple[str, ...]
"""A typed value; `ValueType` says which of these a key has."""

UNLIMITED = "UNLIMITED"
TIME_FORMS = 'Write minutes ("90"), "MM:SS", "HH:MM:SS", "D-HH", "D-HH:MM", "D-HH:MM:SS" or "UNLIMITED".'


class ValueType(StrEnum):
    """What a key's value is; after each, the Python type of the typed value."""

    TEXT = "text"
    """Any text, compared as it stands: str. Plugins are text, because they are files of that name."""
    WORD = "word"
    """A word whose case Slurm ignores, such as a state: str in capitals."""
    NUMBER = "number"
    """A whole number, or UNLIMITED/INFINITE: int or "UNLIMITED"."""
    DECIMAL = "decimal"
    """A number with a fraction: float, infinite for UNLIMITED/INFINITE."""
    FLAG = "flag"
    """YES/NO, TRUE/FALSE, UP/DOWN, 1/0: bool."""
    SECONDS = "seconds"
    """Whole seconds, or NONE/INFINITE/-1: int or "INFINITE"."""
    DURATION = "duration"
    """A Slurm time such as 1-00:00:00, where a bare number is minutes: int seconds, or "UNLIMITED"."""
    MEMORY = "memory"
    """An amount of memory in MiB, without a unit: int, or "UNLIMITED"."""
    LIST = "list"
    """Items between commas whose order counts: tuple."""
    SET = "set"
    """Items between commas whose order does not count, but among those with one name before =: tuple, as `as_set`."""
    AMOUNTS = "amounts"
    """Items between commas that add up, such as licenses: tuple, sorted, each as often as it is written."""
    HOSTS = "hosts"
    """A hostlist such as gpu[001-128]: str, in the shortest form."""


class UnreadableError(ValueError):
    """Text that Slurm would not read as a key's value; ``str(error)`` is the text for people."""

    def __init__(self, problem: str, fix: str) -> None:
        self.issue = Issue(problem, fix)
        """The fix says which forms Slurm reads."""
        super().__init__(str(self.issue))


def read(value_type: ValueType, text: str) -> Value:
    """Return what ``text`` stands for; raise `UnreadableError` when it stands for nothing."""
    return _READERS[value_type](text)


def write(value_type: ValueType, value: Value) -> str:
    """Return the text of a typed value, without the quotes that a file may need around it."""
    if isinstance(value, bool):
        return "YES" if value else "NO"
    if isinstance(value, tuple):
        return ",".join(value)
    if value_type is ValueType.DURATION and isinstance(value, int):
        return _time(value)
    if value == float("inf"):
        return UNLIMITED
    return str(value)


def items(text: str) -> tuple[str, ...]:
    """Split at commas, but not at those inside of brackets or parentheses."""
    parts, depth, begin = [], 0, 0
    for index, mark in enumerate(text):
        if mark in "[(":
            depth += 1
        elif mark in "])":
            depth -= 1
        elif mark == "," and depth <= 0:
            parts.append(text[begin:index])
            begin = index + 1
    parts.append(text[begin:])
    return tuple(part.strip() for part in parts if part.strip())


def as_set(written: Iterable[str]) -> tuple[str, ...]:
    """Return items sorted by name, which stands before =, and those of one name in their order; none twice in a row.

    Of SchedulerParameters and its like Slurm uses the first of a name, of TRESBillingWeights and its like the last:
    conf_get_opt_str in src/common/read_config.c, xstrcasestr where it looks by itself, and slurm_get_tres_weight_array
    in src/common/slurm_protocol_api.c. "no_" is no part of a name, since the last of adjust_limits and no_adjust_limits
    in SwitchParameters holds: slingshot_setup_config in src/plugins/switch/hpe_slingshot/config.c.
    """
    in_order = [*written]
    places: dict[str, str] = {}
    for item in in_order:
        name, head = _name_and_head(item)
        places[name] = min(places.get(name, head), head)
    in_order.sort(key=lambda item: places[_name_and_head(item)[0]])
    return tuple(item for item, _ in groupby(in_order))


def _name_and_head(item: str) -> tuple[str, str]:
    """Return what items of one name have in common, and by what one is sorted."""
    name, equals, _ = item.partition("=")
    return name.lower().removeprefix("no_"), f"{name}{equals}"


_LIMITLESS = frozenset({UNLIMITED, "INFINITE"})
_NUMBER = re.compile(r"\+?(0x[0-9a-f]{1,30}|[0-9]{1,30})(k?)", re.IGNORECASE | re.ASCII)
_DECIMAL = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]+)?", re.IGNORECASE | re.ASCII)
_WITH_UNIT = re.compile(r"([0-9]{1,30})([MGT])(i?B)?", re.IGNORECASE | re.ASCII)
_MIB = MappingProxyType({"M": 1, "G": 1024, "T": 1024**2})
_DIGITS = "([0-9]{1,30})"
"""Digits of a number; of more than 4300 Python makes none, and Slurm reads none of more than 20."""
_MINUTES_FIRST = re.compile(f"{_DIGITS}(?::{_DIGITS})?", re.ASCII)
_HOURS_FIRST = re.compile(f"{_DIGITS}:{_DIGITS}:{_DIGITS}", re.ASCII)
_DAYS_FIRST = re.compile(f"{_DIGITS}-(?:{_DIGITS}(?::{_DIGITS})?(?::{_DIGITS})?)?", re.ASCII)
_LONGEST = 24855 * 24 * 3600
"""The whole days that fit into the 32 bits in which Slurm counts seconds; more is silently taken for something else."""


def _number(text: str) -> int | str:
    if text.upper() in _LIMITLESS:
        return UNLIMITED
    match = _NUMBER.fullmatch(text)
    if not match:
        raise UnreadableError("this is not a whole number", 'Write digits, or "UNLIMITED".')
    digits = match[1].lower()
    base = 16 if digits.startswith("0x") else 8 if digits.startswith("0") else 10
    try:
        number = int(digits, base)
    except ValueError:
        raise UnreadableError("Slurm reads it as octal", f'Write "{digits.lstrip("0")}".') from None
    return number * 1024 if match[2] else number


def _decimal(text: str) -> float:
    if text.upper() in _LIMITLESS:
        return float("inf")
    if not _DECIMAL.fullmatch(text):
        raise UnreadableError("this is not a number", 'Write for example "12.5".')
    return float(text)


def _flag(text: str) -> bool:
    word = text.lower()
    if word in {"yes", "up", "true", "1"}:
        return True
    if word in {"no", "down", "false", "0"}:
        return False
    raise UnreadableError("this is neither yes nor no", 'Write "YES" or "NO".')


def _seconds(text: str) -> int | str:
    if text.upper() in {"NONE", "INFINITE", "-1"}:
        return "INFINITE"
    if not re.fullmatch(_DIGITS, text, re.ASCII):
        raise UnreadableError("this is not a number of seconds", 'Write seconds, for example "600", or "INFINITE".')
    return int(text)


def _duration(text: str) -> int | str:
    if text.upper() in _LIMITLESS or text == "-1":
        return UNLIMITED
    if match := _DAYS_FIRST.fullmatch(text):
        days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    elif match := _HOURS_FIRST.fullmatch(text):
        days, (hours, minutes, seconds) = 0, map(int, match.groups())
    elif match := _MINUTES_FIRST.fullmatch(text):
        days, hours, (minutes, seconds) = 0, 0, (int(part or 0) for part in match.groups())
    else:
        raise UnreadableError("this is not a time that Slurm reads", TIME_FORMS)
    total = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
    if total > _LONGEST:
        raise UnreadableError("this is longer than Slurm can count", 'Write at most "24855-00:00:00", or "UNLIMITED".')
    return total


def _time(total: int) -> str:
    minutes, seconds = divmod(total, 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    clock = f"{hours:02}:{minutes:02}:{seconds:02}"
    return f"{days}-{clock}" if days else clock


def _memory(text: str) -> int | str:
    if match := _WITH_UNIT.fullmatch(text):
        mib = int(match[1]) * _MIB[match[2].upper()]
        raise UnreadableError("Slurm takes no unit here", f'Write MiB: "{mib}".')
    return _number(text)


def host_names(text: str) -> list[str]:
    """Return every name of a hostlist, in order; raise `UnreadableError` when Slurm would not read it."""
    try:
        return hostlist.expand(text)
    except ValueError as error:
        raise UnreadableError(
            f"Slurm does not read this hostlist: {error}", 'Write for example "gpu[001-128],cpu-0".'
        ) from None


_READERS: Mapping[ValueType, Callable[[str], Value]] = MappingProxyType(
    {
        ValueType.TEXT: str,
        ValueType.WORD: str.upper,
        ValueType.NUMBER: _number,
        ValueType.DECIMAL: _decimal,
        ValueType.FLAG: _flag,
        ValueType.SECONDS: _seconds,
        ValueType.DURATION: _duration,
        ValueType.MEMORY: _memory,
        ValueType.LIST: items,
        ValueType.SET: lambda text: as_set(items(text)),
        ValueType.AMOUNTS: lambda text: tuple(sorted(items(text))),
        ValueType.HOSTS: lambda text: hostlist.compress(host_names(text)),
    }
)
