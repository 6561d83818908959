"""Specifications that are refused, with every error that their user reads: the YAML files in the folders beside.

A key says what is wrong. ``config`` is what stands in a stack's configuration, as text where it is a whole one, in
addition to the harness's base; ``errors`` are all errors, in this order.
"""

from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent
ROOMS = ("slurm", "gke", "ack", "ack_slurm")
"""A folder for each: a Slurm cluster, the clouds' specifications, and a cluster that ack-slurm-operator runs."""


def cases_of(room: str) -> dict[str, dict[str, Any]]:
    """Return the cases of a room; the name of each begins with that of its file."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return {
        f"{file.stem}: {name}": case
        for file in sorted((FOLDER / room).glob("*.yaml"))
        for name, case in yaml.load(file.read_text(), Loader=loader).items()
    }
