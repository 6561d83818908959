"""Parsing of times, memory sizes and quantities, in every form that Slurm or Kubernetes accepts.

Slurm times: https://slurm.schedmd.com/slurm.conf.html (MaxTime). Quantities:
https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/.
"""

import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType

from pulumi_slurm.errors import field_error
from pulumi_slurm.slurmconf.values import TIME_FORMS, UNLIMITED, UnreadableError, ValueType, read

MAX_SLURM_INTEGER = 2**32 - 3
"""The largest integer that Slurm stores in 32 bits; the two above it mean "not set" and "no limit"."""

MAX_SLURM_NODES = 65536
"""Slurm's own limit: MAX_SLURM_NODES in slurm/slurm.h of https://github.com/SchedMD/slurm, at slurm-26-05-3-1."""

_MOST = 2**63 - 1
"""What a quantity of Kubernetes may be at most, which caps what is more; of memory in MiB Slurm has the bit above for
MEM_PER_CPU: slurm/slurm.h of https://github.com/SchedMD/slurm."""
_QUANTITY = re.compile(r"(?P<number>\d{1,30}(?:\.\d{1,30})?)(?P<suffix>m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?", re.ASCII)
_MEANT = re.compile(r"([0-9]{1,30}(?:\.[0-9]{1,30})?) ?([KMGTPkmgt])(?:i?[Bb]|i)", re.ASCII)
"""What people write elsewhere, such as 16GB or 16 Gi."""
_FACTORS: Mapping[str, int | Fraction] = MappingProxyType(
    {
        "": 1,
        "m": Fraction(1, 1000),
        **{letter: 1000**power for power, letter in enumerate("kMGTPE", start=1)},
        **{f"{letter}i": 1024**power for power, letter in enumerate("KMGTPE", start=1)},
    }
)
_MEMORY = re.compile(r"(?P<number>\d{1,30})(?P<unit>[KMGT]?)B?", re.IGNORECASE | re.ASCII)
_MEMORY_MIB = MappingProxyType(
    {"K": Fraction(1, 1024), "M": Fraction(1), "": Fraction(1), "G": Fraction(1024), "T": Fraction(1024**2)}
)
_DURATION = re.compile(r"(?:\d{1,30}(?:\.\d{1,30})?(?:ns|us|ms|s|m|h))+", re.ASCII)
_DURATION_PART = re.compile(r"(\d+(?:\.\d+)?)(ns|us|ms|s|m|h)", re.ASCII)
_DURATION_SECONDS = MappingProxyType({"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0})


def slurm_time(value: object) -> str:
    """Return ``value`` as the text of a Slurm time; raise a field error if Slurm would not accept it.

    A plain number is in minutes, as in Slurm.
    """
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise field_error("this is not a time", TIME_FORMS)
    text = str(value).strip()
    return UNLIMITED if time_seconds(text) is None else text


def time_seconds(text: str) -> int | None:
    """Return a Slurm time in seconds, or None for no limit."""
    try:
        seconds = read(ValueType.DURATION, text)
    except UnreadableError as error:
        raise field_error(error.issue.problem, error.issue.fix) from None
    return seconds if isinstance(seconds, int) else None


def slurm_seconds(value: object) -> str:
    """Return ``value`` as a number of seconds or "INFINITE", a form that only SuspendTime has."""
    try:
        seconds = read(ValueType.SECONDS, str(value).strip())
    except UnreadableError as error:
        raise field_error(error.issue.problem, error.issue.fix) from None
    if isinstance(seconds, int) and seconds >= 2**32:
        raise field_error("slurmctld exits on more seconds than it can count", 'Write "INFINITE".')
    return str(seconds)


def memory_mib(value: object) -> str:
    """Return ``value`` in MiB, as in slurm.conf; accepts Slurm's suffixes K, M, G, T and Kubernetes' such as Gi."""
    fix = 'Write MiB ("4000"), a Slurm size ("4G") or a Kubernetes quantity ("4Gi").'
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise field_error("this is not an amount of memory", fix)
    text = str(value).strip()
    if text.upper() == UNLIMITED:
        return UNLIMITED
    match = _MEMORY.fullmatch(text)
    if match:
        mib = int(match["number"]) * _MEMORY_MIB[match["unit"].upper()]
    elif text[-1:] == "i" and _QUANTITY.fullmatch(text):
        mib = quantity(text) / 1024**2
    else:
        raise field_error("this is not an amount of memory that Slurm reads", fix)
    if mib < 1 and mib != 0:
        raise field_error("this is less than 1 MiB", fix)
    if mib > _MOST:
        raise field_error("this is more MiB than Slurm can count", 'Write "UNLIMITED", or less.')
    return str(int(mib))


def quantity(text: str) -> Fraction:
    """Return the value of a Kubernetes quantity, in bytes or in cores."""
    match = _QUANTITY.fullmatch(text)
    if not match:
        meant = _MEANT.fullmatch(text)
        fix = f'Write "{meant[1]}{meant[2].upper()}i".' if meant else 'Write for example "64Gi", "500M" or "1.5".'
        raise field_error("this is not a Kubernetes quantity", fix)
    value = Fraction(Decimal(match["number"])) * _FACTORS[match["suffix"] or ""]
    if value > _MOST:
        raise field_error("this is more than Kubernetes can count", 'Write less than "8Ei".')
    return value


def quantity_text(value: object) -> str:
    """Return ``value`` as the text of a Kubernetes quantity greater than zero."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise field_error("this is not a Kubernetes quantity", 'Write for example "64Gi", "500M" or "1.5".')
    text = str(value).strip()
    if quantity(text) == 0:
        raise field_error("nothing fits into zero", 'Write for example "64Gi".')
    return text


def bytes_text(value: object) -> str:
    """Return ``value`` as the text of an amount of memory or storage; raise a field error for less than 1 MiB.

    A size without a unit is in bytes, which nobody means by 20.
    """
    text = quantity_text(value)
    if quantity(text) < 1024**2:
        number = text if text.isdecimal() else "20"
        raise field_error("this is less than 1 MiB, since a size without a unit is in bytes", f'Write "{number}Gi".')
    return text


def bytes_or_zero(value: object) -> str:
    """Return ``value`` as the text of an amount of memory or storage, which may be zero."""
    return "0" if str(value) == "0" else bytes_text(value)


def duration_seconds(text: str) -> float:
    """Return a Go duration such as ``1h30m``, the form that the operator's API takes, in seconds."""
    if not _DURATION.fullmatch(text):
        raise field_error(
            "this is not a duration", 'Write for example "15m", "24h" or "1h30m"; days are not a unit here.'
        )
    return sum(float(number) * _DURATION_SECONDS[unit] for number, unit in _DURATION_PART.findall(text))


def duration(text: str) -> str:
    """Return a Go duration unchanged; raise a field error if it is none or not positive."""
    if duration_seconds(text) <= 0:
        raise field_error("a duration has to be longer than nothing", 'Write for example "15m".')
    return text
