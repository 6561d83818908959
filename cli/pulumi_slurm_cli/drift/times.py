"""Time limits between Slurm's text and minutes."""

import math

from pulumi_slurm.model.units import time_seconds


def minutes(text: str) -> float:
    """Return a time limit in minutes, as Slurm keeps it: rounded up; ``math.inf`` for no limit."""
    seconds = time_seconds(text)
    return math.inf if seconds is None else math.ceil(seconds / 60)


def time_text(value: float | None) -> str:
    """Return a time limit as text."""
    if value is None:
        return "NONE"
    if value == math.inf:
        return "UNLIMITED"
    hours, remaining_minutes = divmod(int(value), 60)
    days, hours = divmod(hours, 24)
    return f"{days}-{hours:02}:{remaining_minutes:02}:00"
