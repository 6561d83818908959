"""Values of Slurm's JSON.

Numbers for which Slurm has a word are mappings: {"set": true, "infinite": false, "number": 5}, where one that is
infinite, and one that isn't set, has 0 as its number. Others are plain.

Source: DUMP_FUNC(UINT32_NO_VAL) in src/plugins/data_parser/v0.0.45/parsers.c, branch slurm-26.05.
"""

import math
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pulumi_slurm.slurmconf.hostlist import expand

Number = int | float | None
"""A number; ``math.inf`` for one without a limit, None where Slurm has none."""

_POWERS = "KMGTPE"
_AMOUNT = re.compile(rf"(\d+(?:\.\d+)?)([{_POWERS}]?)")
_NOTHING: Mapping[str, int] = MappingProxyType({})


def number(value: Any) -> Number:
    """Return a number, whichever form it has."""
    if isinstance(value, dict):
        if value["infinite"]:
            return math.inf
        amount: int | float | None = value["number"] if value["set"] else None
        return amount
    plain: int | float | None = value
    return plain


def count(value: Any) -> int:
    """Return a number that counts, 0 where Slurm has none."""
    amount = number(value)
    return 0 if amount is None or amount == math.inf else int(amount)


def moment(value: Any) -> int | None:
    """Return a time in seconds since 1970, None for none, which Slurm writes as 0."""
    return count(value) or None


def words(value: Any) -> tuple[str, ...]:
    """Return a list of words, which Slurm writes as one text with commas, or as a list."""
    items = value.split(",") if isinstance(value, str) else value or ()
    return tuple(item for item in items if item)


def hosts(value: str | None) -> tuple[str, ...]:
    """Return the names of a hostlist, in its order."""
    return tuple(expand(value)) if value else ()


def tres(text: str) -> Mapping[str, int]:
    """Return trackable resources, such as "cpu=1,mem=24105M,gres/gpu=2", by name; memory in MiB.

    Source: https://slurm.schedmd.com/tres.html.
    """
    if not text:
        return _NOTHING
    amounts = {}
    for item in text.split(","):
        name, _, amount = item.partition("=")
        amounts[name] = _mebibytes(amount) if name == "mem" else _amount(amount)
    return MappingProxyType(amounts)


def _amount(text: str) -> int:
    """Return a number that may end with a letter for a power of 1024."""
    if not (match := _AMOUNT.fullmatch(text)):
        return 0
    power = _POWERS.index(match[2]) + 1 if match[2] else 0
    return round(float(match[1]) * float(1024**power))


def _mebibytes(text: str) -> int:
    """Return memory in MiB, which is what Slurm means by a number without a letter."""
    return _amount(text if text[-1:] in _POWERS else f"{text}M") // 1024**2


def gpus_of_gres(text: str) -> int:
    """Return the number of GPUs in a list such as "gpu:a100:2(S:0-1),fpga:1", "gres/gpu:1" or "gpu".

    Source: https://slurm.schedmd.com/slurm.conf.html#OPT_Gres and https://slurm.schedmd.com/sbatch.html#OPT_gres.
    """
    total = 0
    for item in re.split(r",(?![^(]*\))", text):
        kind, *details = re.sub(r"\(.*", "", item).removeprefix("gres/").replace("=", ":").split(":")
        if kind == "gpu":
            total += _amount(details[-1]) if details and _AMOUNT.fullmatch(details[-1]) else 1
    return total
