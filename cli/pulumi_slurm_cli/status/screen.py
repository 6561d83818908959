"""A status for people: one screen, no line of which is wider than `WIDTH`."""

import unicodedata
from collections.abc import Iterator, Sequence

from pulumi_slurm.slurmconf.hostlist import fold
from pulumi_slurm.visible import as_line
from pulumi_slurm_cli.few import few
from pulumi_slurm_cli.proof.node_states import Kind
from pulumi_slurm_cli.proof.pings import Ping
from pulumi_slurm_cli.status.judgement import author_of, first_looks
from pulumi_slurm_cli.status.pods import DAEMONS, DaemonPod
from pulumi_slurm_cli.status.reading import Reading
from pulumi_slurm_cli.status.reasons import kept_from_jobs
from pulumi_slurm_cli.status.spans import span
from pulumi_slurm_cli.status.status import PartitionStatus, Status
from pulumi_slurm_cli.status.waits import oldest, users_of, waits_of

WIDTH = 100
"""How many columns a line has at most."""
_PARTITIONS, _REASONS, _WAITS, _USERS = 8, 4, 4, 3
_NAME = 16
_HEADS = ("partition", *(kind for kind in Kind if kind is not Kind.OTHER), "other", "GPUs", "free", "lost", "jobs wait")
_OF_COLUMNS = (_NAME, *(max(len(head), 4) for head in _HEADS[1:]))


def screen_of(status: Status) -> list[str]:
    """Return the lines of a screen, each as it can be printed."""
    return [_clipped(as_line(line)) for line in _lines(status)]


def _lines(status: Status) -> Iterator[str]:
    yield f"Slurm cluster {status.spec.name} in namespace {status.spec.namespace}"
    yield from (f"! {look}" for look in first_looks(status))
    reading = status.reading
    for daemon in DAEMONS:
        if text := _daemon(status, daemon):
            yield f"{daemon:<11} {text}"
    if reading is None:
        yield "There is no pod that is ready, in which Slurm could be asked for nodes and jobs."
    elif reading.partitions is not None:
        yield from _partitions(status)
        yield from _kept(reading)
        yield from _waits(reading)


def _daemon(status: Status, daemon: str) -> str:
    """Return how a daemon is, by its own answer and by its pods; "" where the cluster has none."""
    spec, reading = status.spec, status.reading
    pods = [pod for pod in status.pods if pod.daemon == daemon]
    pings: Sequence[Ping] = getattr(reading, daemon, ()) if reading and daemon in ("slurmctld", "slurmdbd") else ()
    is_outside = (daemon == "slurmctld" and spec.controller.external is not None) or (
        daemon == "slurmdbd" and spec.accounting is not None and spec.accounting.external is not None
    )
    if not pods and not pings and (daemon == "login" or (daemon == "slurmdbd" and spec.accounting is None)):
        return ""
    answers = [f"{ping.role} {'up' if ping.answers else 'down'} on {ping.host}" for ping in pings]
    if daemon in ("slurmctld", "slurmdbd") and reading and not pings:
        answers = ["no answer"]
    where = ["outside: its pod, and since when it runs, can't be had"] if is_outside else [_pods(pods, reading)]
    return "; ".join([*answers, *where])


def _pods(pods: Sequence[DaemonPod], reading: Reading | None) -> str:
    ready = [pod for pod in pods if pod.is_ready]
    if not pods:
        return "no pod"
    since = min((pod.since for pod in ready if pod.since), default=None)
    for_long = f" for {span(reading.now - since)}" if since and reading else ""
    others = few((f"{pod.name} {pod.trouble}" for pod in pods if not pod.is_ready), 2)
    return f"{len(ready)} of {len(pods)} pods ready{for_long}{f'; not {others}' if others else ''}"


def _partitions(status: Status) -> Iterator[str]:
    partitions = status.partitions()
    shown = [*range(len(_HEADS))]
    if not any(one.kinds[Kind.OTHER] for one in partitions):
        shown.remove(_HEADS.index("other"))
    if not any(one.gpus.total for one in partitions):
        shown = [number for number in shown if _HEADS[number] not in ("GPUs", "free", "lost")]
    for row in (_HEADS, *map(_row, partitions[:_PARTITIONS])):
        texts = [_cell(str(row[number]), _OF_COLUMNS[number], is_text=number == 0) for number in shown]
        yield " ".join(texts)
    if len(partitions) > _PARTITIONS:
        yield f"and {few(one.name for one in partitions[_PARTITIONS:])}"


def _row(partition: PartitionStatus) -> tuple[object, ...]:
    name = partition.name if partition.state == "up" else f"{partition.name} ({partition.state})"
    kinds, gpus = [partition.kinds[kind] for kind in Kind], partition.gpus
    return (name, *kinds, gpus.total, gpus.free, gpus.unusable, partition.waiting)


def _cell(text: str, width: int, *, is_text: bool) -> str:
    line = _clipped(as_line(text), width)
    space = " " * (width - _width(line))
    return line + space if is_text else space + line


def _kept(reading: Reading) -> Iterator[str]:
    groups = kept_from_jobs(reading.nodes)
    if groups:
        count = sum(len(group.nodes) for group in groups)
        yield f"Kept from jobs: {count} of {len(reading.nodes)} nodes"
    for group in groups[:_REASONS]:
        for_long = f", {span(reading.now - group.since)}" if group.since else ""
        names = _clipped(as_line(fold(sorted(group.nodes))), 30)
        yield f"  {len(group.nodes)} by {author_of(group)}{for_long}: {names}: {group.reason}"
    if len(groups) > _REASONS:
        yield f"  and {sum(len(group.nodes) for group in groups[_REASONS:])} for other reasons"


def _waits(reading: Reading) -> Iterator[str]:
    waits = waits_of(reading.waiting)
    since = oldest(reading.waiting)
    if not waits:
        yield "No job waits"
        return
    users = few(f"{user} {count}" for user, count in users_of(reading.waiting)[:_USERS])
    count = sum(wait.count for wait in waits)
    longest = f", the longest for {span(reading.now - since)}" if since else ""
    yield f"{count} {'job waits' if count == 1 else 'jobs wait'}{longest}; by user: {users}"
    for wait in waits[:_WAITS]:
        for_long = f", up to {span(reading.now - wait.since)}" if wait.since else ""
        words = f"{wait.words} ({_clipped(as_line(wait.reason), 24)})" if wait.words else wait.reason
        yield f"  {wait.count}{for_long}: {words}"
    if len(waits) > _WAITS:
        yield f"  and {sum(wait.count for wait in waits[_WAITS:])} for other reasons"


def _clipped(line: str, width: int = WIDTH) -> str:
    """Return a line that isn't wider, with dots where it was."""
    if _width(line) <= width:
        return line
    while _width(line) > width - 3:
        line = line[:-1]
    return f"{line}..."


def _width(text: str) -> int:
    """Return how many columns of a terminal a text has: letters of East Asia have two."""
    return len(text) + sum(unicodedata.east_asian_width(mark) in "WF" for mark in text)
