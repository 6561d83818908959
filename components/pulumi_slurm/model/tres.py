"""Trackable resources (TRES): what limits and weights speak of.

Source: https://slurm.schedmd.com/tres.html.
"""

import re
from collections.abc import Mapping

from pulumi_slurm.errors import field_error

_NAME = re.compile(r"(?i:billing|cpu|energy|mem|node|pages|vmem)|(?i:bb|fs|gres|ic|license)/[A-Za-z0-9_.:-]+", re.ASCII)
COUNTED_ANYWAY = "fs/disk"
"""The one resource with a slash that Slurm counts by itself, also without accounting."""

COUNTED = "AccountingStorageTRES"
WEIGHED = "PriorityWeightTRES"
"""Keys of slurm.conf whose values are names of resources, with a weight behind each or without."""


def named_in(lines: Mapping[str, str], key: str) -> list[str] | None:
    """Return the resources that one of these keys has in further lines of slurm.conf; None where it isn't there."""
    text = next((text for name, text in lines.items() if name.lower() == key.lower()), None)
    return None if text is None else [item.split("=")[0].strip() for item in text.split(",")]


def tres_name(key: str) -> None:
    """Raise the error of a name that is no resource to Slurm."""
    if not _NAME.fullmatch(key):
        raise field_error("this is not a trackable resource", 'Write for example "CPU", "Mem" or "GRES/gpu".')
