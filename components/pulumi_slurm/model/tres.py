"""Trackable resources (TRES), to which limits and weights refer.

Source: https://slurm.schedmd.com/tres.html.
"""

import re
from collections.abc import Mapping
from math import isfinite

from pulumi_slurm.errors import check_each_pair, field_error

_NAME = re.compile(r"(?i:billing|cpu|energy|mem|node|pages|vmem)|(?i:bb|fs|gres|ic|license)/[A-Za-z0-9_.:-]+", re.ASCII)
ALWAYS_TRACKED = "fs/disk"
"""The only TRES with a slash that Slurm tracks by default, even without accounting."""

ACCOUNTING_STORAGE_TRES = "AccountingStorageTRES"
PRIORITY_WEIGHT_TRES = "PriorityWeightTRES"
NODE_WEIGHTS = "TRESWeights"
"""Keys of slurm.conf whose values are names of TRES, in the last two with a weight after each; the last is of nodes."""


MAX_TRES_AMOUNT = 2**64 - 3
"""The largest amount of a TRES; the integers above it mean "not set" and "no limit"."""


def tres_names(lines: Mapping[str, str], key: str) -> list[str] | None:
    """Return the names of TRES in the value of one of these keys; None if the lines don't have the key."""
    text = next((text for name, text in lines.items() if name.lower() == key.lower()), None)
    return None if text is None else [item.split("=")[0].strip() for item in text.split(",")]


def check_tres_name(key: str) -> None:
    """Raise a field error if Slurm has no TRES of this name."""
    if not _NAME.fullmatch(key):
        raise field_error("this is not a trackable resource", 'Write for example "CPU", "Mem" or "GRES/gpu".')


def check_tres_amounts(amounts: dict[str, int]) -> dict[str, int]:
    """Return amounts by TRES; raise field errors for names that aren't TRES and for amounts that Slurm can't store."""
    return check_each_pair(amounts, amounts.items(), lambda name, amount: _check_amount(name, amount, MAX_TRES_AMOUNT))


def check_tres_weights(weights: dict[str, float]) -> dict[str, float]:
    """Return weights by TRES; raise field errors for names that aren't TRES and for weights that aren't numbers."""
    return check_each_pair(weights, weights.items(), lambda name, weight: _check_amount(name, weight, None))


def _check_amount(name: str, amount: float, maximum: int | None) -> None:
    check_tres_name(name)
    if amount < 0:
        raise field_error("this is too small", "Write 0 or more.")
    if maximum is not None and amount > maximum:
        raise field_error("this is too large", f"Write {maximum} or less.")
    if not isfinite(amount):
        raise field_error("this is not a number", "Write a number.")
