"""Why jobs wait, in plain words."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from pulumi_slurm_cli.status.reading import Waiting

FOR_ROOM = frozenset(("Resources", "Priority"))
"""Slurm's words for jobs that wait for nodes alone."""
_NO_NODES = "nodes that they need are down, drained or reserved"
_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "None": "slurmctld hasn't looked at them yet",
        "Resources": "their nodes, CPUs, memory or GPUs are in use",
        "Priority": "jobs before them have a higher priority",
        "Dependency": "other jobs have to end first",
        "DependencyNeverSatisfied": "they depend on a job that ended badly, and never start",
        "JobHeldUser": "their user holds them",
        "JobHeldAdmin": "an administrator holds them",
        "BeginTime": "their time hasn't come yet",
        "Licenses": "all licences are in use",
        "Reservation": "their reservation hasn't begun, or is full",
        "JobArrayTaskLimit": "their array has a limit of tasks at once",
        "PartitionDown": "their partition is down",
        "PartitionInactive": "their partition is inactive",
        "PartitionNodeLimit": "they ask for more nodes than their partition allows or has",
        "PartitionTimeLimit": "they ask for more time than their partition allows",
        "PartitionConfig": "their partition isn't for such jobs",
        "BadConstraints": "no node has what they ask for",
        "NodeDown": "a node that they ask for is down",
        "launch_failed_requeued_held": "they failed to start, and are held",
        "InvalidAccount": "their account is no longer valid",
        "InvalidQOS": "their QoS is no longer valid",
        "Cleaning": "they run again, and still end on their nodes",
        "Prolog": "the prolog of their nodes runs",
    }
)
"""What Slurm's words mean: https://slurm.schedmd.com/job_reason_codes.html."""
_BEGINNINGS: Mapping[str, str] = MappingProxyType(
    {
        "ReqNodeNotAvail": _NO_NODES,
        "Nodes_required": _NO_NODES,
        "Assoc": "a limit of their account or user is reached",
        "QOS": "a limit of their QoS is reached",
    }
)
"""By how they begin, of words that Slurm has many of, or that it goes on after."""


@dataclass(frozen=True)
class Wait:
    """Jobs that wait for one reason."""

    reason: str
    """As Slurm writes it."""
    words: str
    """What that means; "" where it isn't known here."""
    count: int
    since: int | None
    """When the first of them was sent, in seconds since 1970."""


def waits_of(waiting: Iterable[Waiting]) -> list[Wait]:
    """Return what jobs wait for, with what holds up the most of them first."""
    groups: dict[str, list[Waiting]] = {}
    for jobs in waiting:
        # What follows a comma is a list of nodes.
        groups.setdefault(jobs.reason.strip("()").partition(",")[0].replace(" ", "_"), []).append(jobs)
    waits = [
        Wait(reason, words_of(reason), sum(jobs.count for jobs in group), oldest(group))
        for reason, group in groups.items()
    ]
    return sorted(waits, key=lambda wait: -wait.count)


def words_of(reason: str) -> str:
    """Return what a reason means, "" where it isn't known here."""
    longer = (words for beginning, words in _BEGINNINGS.items() if reason.startswith(beginning))
    return _WORDS.get(reason) or next(longer, "")


def oldest(waiting: Iterable[Waiting]) -> int | None:
    """Return when the first of some jobs was sent."""
    return min((jobs.since for jobs in waiting if jobs.since is not None), default=None)


def users_of(waiting: Iterable[Waiting]) -> list[tuple[str, int]]:
    """Return who has jobs that wait, and how many, with those who have the most first."""
    counts = Counter[str]()
    for jobs in waiting:
        counts[jobs.user] += jobs.count
    return counts.most_common()
