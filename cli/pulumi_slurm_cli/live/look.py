"""One look at a living cluster."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pulumi_slurm_cli.live.error import LiveClusterError
from pulumi_slurm_cli.live.jobs import LiveJob, job_of
from pulumi_slurm_cli.live.nodes import LiveNode, node_of
from pulumi_slurm_cli.live.partitions import LivePartition, partition_of
from pulumi_slurm_cli.live.reservations import LiveReservation, reservation_of
from pulumi_slurm_cli.live.rest import Slurmrestd
from pulumi_slurm_cli.shapes import Shape, shape_errors

_Seen = TypeVar("_Seen")


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What a cluster had in memory at one time. Its parts are read one after the other, within moments."""

    taken: int
    """When it began, in seconds since 1970."""
    cluster: str
    """The name of the cluster to Slurm."""
    release: str
    """The release of slurmrestd, such as 26.05.5. slurmctld doesn't tell its own; where images' tags are the same,
    they are the same."""
    controllers: tuple[str, ...]
    """The hosts of slurmctld that answer."""
    jobs: tuple[LiveJob, ...]
    """Also those that ended less than MinJobAge ago."""
    nodes: tuple[LiveNode, ...]
    partitions: tuple[LivePartition, ...]
    reservations: tuple[LiveReservation, ...]
    configuration: Mapping[str, Any] | None
    """slurm.conf in slurmctld's memory, in slurmrestd's form; None before Slurm 26.05."""

    @property
    def unfinished(self) -> tuple[LiveJob, ...]:
        """The jobs that wait, run, or still have nodes."""
        return tuple(job for job in self.jobs if job.is_waiting or job.has_nodes)


def take_look(slurm: Slurmrestd) -> Look:
    """Look at all of a cluster.

    Raises:
        LiveClusterError: if any of it can't be seen.
    """
    now = int(time.time())
    ping = slurm.get("ping", "pings")
    if errors := shape_errors(_Pings, ping):
        raise _unreadable("ping", f"{errors[0].where}: {errors[0].problem}")
    controllers = tuple(str(item["hostname"]) for item in ping["pings"] if item["responding"])
    if not controllers:
        # Whom a ping doesn't reach doesn't answer, or refuses the token; this tells which.
        slurm.get("jobs", "jobs")
        raise LiveClusterError("slurmctld: it doesn't answer slurmrestd. See that its pod is ready.")
    about = ping["meta"]["slurm"]
    return Look(
        taken=now,
        cluster=about["cluster"],
        release=about["release"],
        controllers=controllers,
        # Details have a line for each core of each node.
        jobs=_all(slurm, "jobs", job_of, "?flags=ALL"),
        nodes=_all(slurm, "nodes", node_of),
        partitions=_all(slurm, "partitions", partition_of),
        reservations=_all(slurm, "reservations", reservation_of),
        configuration=slurm.get_configuration(),
    )


def _all(
    slurm: Slurmrestd, resource: str, read: Callable[[Mapping[str, Any]], _Seen], query: str = ""
) -> tuple[_Seen, ...]:
    listed = slurm.get(resource, resource, query)[resource]
    try:
        return tuple(map(read, listed))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise _unreadable(resource, f"{type(error).__name__}: {error}") from None


def _unreadable(resource: str, why: str) -> LiveClusterError:
    problem = f"this version can't read what it says of {resource}: {why}"
    return LiveClusterError(f"slurmrestd: {problem}. Tell us, with its release.")


class _Ping(Shape):
    hostname: str
    responding: bool


class _Slurm(Shape):
    cluster: str
    release: str


class _About(Shape):
    slurm: _Slurm


class _Pings(Shape):
    pings: list[_Ping]
    meta: _About
