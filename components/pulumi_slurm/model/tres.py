"""Trackable resources (TRES), to which limits and weights refer.

Source: https://slurm.schedmd.com/tres.html.
"""

import re
from collections.abc import Mapping

from pulumi_slurm.errors import field_error

_NAME = re.compile(r"(?i:billing|cpu|energy|mem|node|pages|vmem)|(?i:bb|fs|gres|ic|license)/[A-Za-z0-9_.:-]+", re.ASCII)
ALWAYS_TRACKED = "fs/disk"
"""The only TRES with a slash that Slurm tracks by default, even without accounting."""

ACCOUNTING_STORAGE_TRES = "AccountingStorageTRES"
PRIORITY_WEIGHT_TRES = "PriorityWeightTRES"
"""Keys of slurm.conf whose values are names of TRES, in the second with a weight after each."""


def tres_names(lines: Mapping[str, str], key: str) -> list[str] | None:
    """Return the names of TRES in the value of one of these keys; None if the lines don't have the key."""
    text = next((text for name, text in lines.items() if name.lower() == key.lower()), None)
    return None if text is None else [item.split("=")[0].strip() for item in text.split(",")]


def check_tres_name(key: str) -> None:
    """Raise a field error if Slurm has no TRES of this name."""
    if not _NAME.fullmatch(key):
        raise field_error("this is not a trackable resource", 'Write for example "CPU", "Mem" or "GRES/gpu".')
