"""What to look at first: facts beyond a limit, of which no more are told than a person reads.

The limits are those of alerts on the same facts: nodes that came back by themselves, or jobs that just wait, are none.
"""

from collections.abc import Iterator

from pulumi_slurm.model.alerts import AlertRulesSpec
from pulumi_slurm.model.units import duration_seconds
from pulumi_slurm_cli.few import few
from pulumi_slurm_cli.proof.node_states import Kind
from pulumi_slurm_cli.status.pods import DAEMONS
from pulumi_slurm_cli.status.reading import Reading
from pulumi_slurm_cli.status.reasons import Kept, Writer, kept_from_jobs
from pulumi_slurm_cli.status.spans import span
from pulumi_slurm_cli.status.status import Gpus, Status
from pulumi_slurm_cli.status.waits import FOR_ROOM, oldest

LOOKS = 3
"""How many facts are told."""
_LIMITS = AlertRulesSpec()
"""Those of alerts, by default."""


def first_looks(status: Status) -> list[str]:
    """Return at most `LOOKS` facts, with those first that keep most from working."""
    looks = [*_of_daemons(status)]
    if status.reading and status.reading.partitions is not None:
        looks += [*_of_partitions(status), *_of_nodes(status, status.reading), *_of_slurmctld(status.reading)]
        looks += _of_gpus(status.reading)
    return looks[:LOOKS]


def _of_daemons(status: Status) -> Iterator[str]:
    reading = status.reading
    if reading and not any(ping.answers for ping in reading.slurmctld):
        yield "slurmctld does not answer: jobs go on, and none starts"
    elif reading:
        yield from (
            f"slurmctld's {ping.role} on {ping.host} does not answer" for ping in reading.slurmctld if not ping.answers
        )
    if reading and status.spec.accounting and not any(ping.answers for ping in reading.slurmdbd):
        yield "slurmdbd does not answer: slurmctld keeps what it is to record, and sacct and sacctmgr fail"
    for daemon in DAEMONS:
        pods = [pod for pod in status.pods if pod.daemon == daemon and not pod.is_ready]
        if pods:
            names = few((f"{pod.name} ({pod.trouble})" for pod in pods), 2)
            yield f"{daemon}: {len(pods)} {'pod is' if len(pods) == 1 else 'pods are'} not ready: {names}"
    if not status.reading and not any(pod.daemon in ("slurmctld", "login") for pod in status.pods):
        yield "there is no pod of slurmctld, and none of a login set"


def _of_partitions(status: Status) -> Iterator[str]:
    for partition in status.partitions():
        waiting = f"{partition.waiting} {'job waits' if partition.waiting == 1 else 'jobs wait'}"
        works = [node for node in partition.nodes if node.works and node.kind is not Kind.DRAINED]
        if partition.waiting and partition.state != "up":
            yield f"partition {partition.name} is {partition.state}, and {waiting} for it"
        elif partition.waiting and partition.nodes and not works:
            yield f"no node of {partition.name} runs jobs, of {len(partition.nodes)}, and {waiting} for it"


def _of_nodes(status: Status, reading: Reading) -> Iterator[str]:
    for kept in kept_from_jobs(reading.nodes):
        is_drained = kept.kinds == {Kind.DRAINED}
        limit = int(duration_seconds((_LIMITS.nodes_drained if is_drained else _LIMITS.nodes_not_responding).after))
        for_long = kept.since is not None and reading.now - kept.since > limit
        if for_long:
            verb = "is" if len(kept.nodes) == 1 else "are"
            does = f"{verb} {'drained' if is_drained else 'down'} for more than {span(limit)}"
            reason = f": {kept.reason}" if kept.writer is Writer.SLURM else ""
            yield f"{_share(status, kept)} {does} by {author_of(kept)}{reason}"


def _share(status: Status, kept: Kept) -> str:
    """Return how many nodes they are of the smallest partition that has all of them, or of all."""
    assert status.reading
    names = {*kept.nodes}
    having = [one for one in status.partitions() if names <= {node.name for node in one.nodes}]
    if having:
        smallest = min(having, key=lambda one: len(one.nodes))
        return f"{len(names)} of {len(smallest.nodes)} nodes of {smallest.name}"
    return f"{len(names)} of {len(status.reading.nodes)} nodes"


def author_of(kept: Kept) -> str:
    """Return who keeps nodes from jobs, for people."""
    if kept.writer is Writer.CHECK:
        return f"check {kept.name}" if kept.name else "pulumi-slurm"
    if kept.writer is Writer.PERSON:
        return f"user {kept.name or 'unknown'}"
    return str(kept.writer)


def _of_slurmctld(reading: Reading) -> Iterator[str]:
    if (reading.database_queue or 0) > _LIMITS.database_queue.messages:
        yield f"{reading.database_queue} messages of slurmctld wait for slurmdbd"
    late = reading.now - (reading.backfill_at or reading.now)
    if late > duration_seconds(_LIMITS.backfill_late.age) and any(jobs.reason in FOR_ROOM for jobs in reading.waiting):
        yield f"the backfill scheduler ran last {span(late)} ago, and jobs wait"


def _of_gpus(reading: Reading) -> Iterator[str]:
    free = Gpus.of(reading.nodes).free
    since = oldest(jobs for jobs in reading.waiting if jobs.reason in FOR_ROOM)
    idle = _LIMITS.gpus_idle
    if free >= idle.gpus and since is not None and reading.now - since > duration_seconds(idle.after):
        yield f"{free} GPUs are free, and a job has waited for nodes for {span(reading.now - since)}"
