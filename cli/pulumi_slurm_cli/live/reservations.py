"""Reservations as slurmctld has them in memory."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pulumi_slurm_cli.live.values import hosts, moment, words


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveReservation:
    """A reservation."""

    name: str
    start: int | None
    """Times are seconds since 1970."""
    end: int | None
    nodes: tuple[str, ...]
    core_count: int
    partition: str
    """"" for any."""
    flags: tuple[str, ...]
    """Such as MAINT or IGNORE_JOBS."""
    users: tuple[str, ...]
    accounts: tuple[str, ...]
    groups: tuple[str, ...]
    features: str
    tres: str
    """In Slurm's form."""


def reservation_of(data: Mapping[str, Any]) -> LiveReservation:
    """Return a reservation from slurmrestd's JSON."""
    return LiveReservation(
        name=data["name"],
        start=moment(data["start_time"]),
        end=moment(data["end_time"]),
        nodes=hosts(data["node_list"]),
        core_count=data["core_count"],
        partition=data["partition"],
        flags=words(data["flags"]),
        users=words(data["users"]),
        accounts=words(data["accounts"]),
        groups=words(data["groups"]),
        features=data["features"],
        tres=data["tres"],
    )
