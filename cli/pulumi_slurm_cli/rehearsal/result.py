"""What a rehearsal's answers come to: whether the daemons came up, and what a change does to jobs."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict

from pulumi_slurm_cli.rehearsal.script import JOB_FIELDS, PARTITION_FIELDS, SEPARATOR

_RUNS = frozenset({"RUNNING", "SUSPENDED", "STOPPED", "SIGNALING", "STAGE_OUT", "CONFIGURING"})
_WAITS = frozenset({"PENDING", "REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED", "SPECIAL_EXIT", "RESV_DEL_HOLD"})
_STATE = re.compile(r"\bNodeName=(\S+).*?\bState=(\S+)", re.S)
_FATAL = re.compile(r"fatal: .*")
_SAID = re.compile(r"(fatal|error): .*")
_NO_REASON = frozenset({"None", "(null)", ""})


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Job(_Answer):
    """A job as squeue has it; one line of an array that waits stands for many."""

    id: str
    state: str
    partition: str
    account: str
    qos: str
    time_limit: str
    nodes: str
    reason: str

    @property
    def is_active(self) -> bool:
        """Whether it runs or waits."""
        return self.state in _RUNS | _WAITS


class Partition(_Answer):
    """A partition as sinfo has it."""

    name: str
    state: str
    time_limit: str
    node_count: int
    nodes: str


class Start(_Answer):
    """One start of the daemons on the copies."""

    slurm: str
    """The release of slurmctld."""
    came_up: bool
    reasons: list[str]
    """Why not: what a daemon said last, fatal lines first."""
    errors: list[str]
    """What slurmctld's and slurmdbd's logs have as errors, though they may have come up."""
    state_is_young: bool
    """Whether the copy lacks files that slurmctld writes every few minutes; it then passes over errors of the state."""
    failed_scripts: dict[str, str]
    """The specification's scripts of sacctmgr that failed, with what they said."""
    jobs: list[Job]
    partitions: list[Partition]
    nodes: dict[str, str]
    """The state of each node; whether it answers is left out, since none does."""
    reservations: list[str]
    associations: list[str]
    """As sacctmgr shows them: cluster, account, user, partition, QoS and limits."""
    qos: list[str]
    import_seconds: float | None
    """How long it took to read the dump of the database."""
    slurmdbd_seconds: float | None
    """How long slurmdbd took until it answered, with the conversion of the database where there was one."""
    database_converted: bool
    """Whether slurmdbd changed tables, as one of a newer Slurm does."""
    slurmctld_seconds: float | None


class JobChange(_Answer):
    """A job that a change treats in another way than the configuration that runs does."""

    id: str
    before: str
    after: str
    """What differs; of a job that is lost, its state, "gone" where slurmctld doesn't know it any more."""


class Rehearsal(_Answer):
    """What a change comes to."""

    came_up: bool
    reasons: list[str]
    jobs_before: int | None
    """How many jobs ran or waited; None where no start of before says so."""
    jobs_lost: list[JobChange]
    """Those that run and would end or begin anew, and those that wait and would be gone."""
    jobs_changed: list[JobChange]
    partitions_lost: list[str]
    partitions_new: list[str]
    partitions_changed: list[str]
    nodes_lost: list[str]
    nodes_changed: list[str]
    reservations_lost: list[str]
    associations_lost: list[str]
    associations_new: list[str]
    errors_new: list[str]
    """Errors in the logs that the configuration that runs doesn't have."""
    notes: list[str]
    """What was left open, or couldn't be looked at."""
    differences: list[str]
    """Where the rehearsal's files differ from the cluster's, and why."""
    before: Start | None
    """The configuration that runs, started on the same copies; None where its files can't be read."""
    after: Start

    @property
    def is_fine(self) -> bool:
        """Whether the daemons come up and no job is lost."""
        return self.came_up and not self.jobs_lost and self.jobs_before is not None


def read_start(answers: Mapping[str, str]) -> Start:
    """Return what the files of answers say."""
    came_up = "came-up" in answers
    logs = [answers.get(f"{daemon}.log", "") for daemon in ("slurmdbd", "slurmctld")]
    scripts = ("qos", "accounts")
    return Start(
        slurm=answers.get("version", "").strip().removeprefix("slurm-wlm ").removeprefix("slurm "),
        came_up=came_up,
        reasons=[] if came_up else [*_reasons(answers)],
        errors=[match[0] for log in logs for match in _SAID.finditer(log)],
        state_is_young="state-is-young" in answers,
        failed_scripts={name: answers[f"{name}-failed"].strip() for name in scripts if f"{name}-failed" in answers},
        jobs=read_jobs(answers.get("jobs", "")),
        partitions=[Partition(**row) for row in _rows(answers.get("partitions", ""), PARTITION_FIELDS, Partition)],
        nodes=dict(sorted(_nodes(answers.get("nodes", "")))),
        reservations=sorted(re.findall(r"^ReservationName=(\S+)", answers.get("reservations", ""), re.M)),
        associations=sorted(answers.get("associations", "").splitlines()),
        qos=sorted(answers.get("qos", "").splitlines()),
        import_seconds=_seconds(answers, "import"),
        slurmdbd_seconds=_seconds(answers, "slurmdbd"),
        database_converted=bool(answers.get("conversion", "").strip()),
        slurmctld_seconds=_seconds(answers, "slurmctld"),
    )


def read_jobs(text: str) -> list[Job]:
    """Return the jobs that squeue shows with `SQUEUE`."""
    return [Job(**row) for row in _rows(text, JOB_FIELDS, Job)]


def _seconds(answers: Mapping[str, str], name: str) -> float | None:
    text = answers.get(f"{name}-milliseconds")
    return int(text) / 1000 if text else None


def _reasons(answers: Mapping[str, str]) -> Iterator[str]:
    if text := answers.get("database-failed"):
        yield f"MariaDB: {text.strip()}"
        return
    daemon = "slurmctld" if "slurmctld-milliseconds" in answers else "slurmdbd"
    if text := answers.get("slurmctld-silent"):
        yield text.strip()
    log = answers.get(f"{daemon}.log", "")
    log_lines = [match[0] for match in _FATAL.finditer(log)] or [match[0] for match in _SAID.finditer(log)][-5:]
    yield from (f"{daemon}: {line}" for line in log_lines or answers.get(f"{daemon}.tail", "").splitlines())
    code = answers.get(f"{daemon}-ended", "").strip()
    if not log_lines and code not in ("", "0", "1"):
        yield f"{daemon} ended with {code}"


def _rows(text: str, fields: tuple[str, ...], model: type[BaseModel]) -> Iterator[dict[str, Any]]:
    names = [*model.model_fields]
    assert len(names) == len(fields)
    for line in text.splitlines():
        # The last field may have the separator in it.
        values = line.split(SEPARATOR, len(fields) - 1)
        if len(values) == len(fields):
            yield dict(zip(names, values, strict=True))


def _nodes(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        if match := _STATE.search(line):
            base, *flags = match[2].rstrip("*").split("+")
            yield match[1], "+".join([base, *(flag for flag in flags if flag != "NOT_RESPONDING")])


def compared(
    before: Start | None, after: Start, running: list[Job] | None, differences: list[str], notes: list[str]
) -> Rehearsal:
    """Return what a change comes to: how the two starts differ, which are on the same copies.

    ``running`` are the jobs that the cluster itself has, for where the start of before fails.
    """
    first = before if before and before.came_up else None
    notes = [*notes]
    if after.state_is_young:
        notes.append("the state has no usage of associations or QoS yet, so slurmctld passes over errors in it")
    if before and not before.came_up:
        notes.append(f"the configuration that runs doesn't start on the copy either: {'; '.join(before.reasons)}")
    jobs = first.jobs if first else running
    if first is None:
        notes.append("jobs are compared with those of the cluster, and nothing else is compared")
    notes += [f"the specification's {name} could not be set: {text}" for name, text in after.failed_scripts.items()]
    active = None if jobs is None else [job for job in jobs if job.is_active]
    lost, changed = _jobs(active or [], {job.id: job for job in after.jobs}) if after.came_up else ([], [])
    old, new = (first, after) if first and after.came_up else (after, after)
    before_partitions, after_partitions = ({item.name: item for item in start.partitions} for start in (old, new))
    return Rehearsal(
        came_up=after.came_up,
        reasons=after.reasons,
        jobs_before=None if active is None else len(active),
        jobs_lost=lost,
        jobs_changed=changed,
        partitions_lost=sorted(before_partitions.keys() - after_partitions.keys()),
        partitions_new=sorted(after_partitions.keys() - before_partitions.keys()),
        partitions_changed=[
            f"{name}: {text}"
            for name in sorted(before_partitions.keys() & after_partitions.keys())
            for text in [_difference(before_partitions[name], after_partitions[name])]
            if text
        ],
        nodes_lost=sorted(old.nodes.keys() - new.nodes.keys()),
        nodes_changed=[
            f"{name}: {state} -> {new.nodes[name]}"
            for name, state in old.nodes.items()
            if new.nodes.get(name, state) != state
        ],
        reservations_lost=sorted({*old.reservations} - {*new.reservations}),
        associations_lost=sorted({*old.associations} - {*new.associations}),
        associations_new=sorted({*new.associations} - {*old.associations}),
        errors_new=[line for line in dict.fromkeys(after.errors) if first and line not in first.errors],
        notes=notes,
        differences=differences,
        before=before,
        after=after,
    )


def _jobs(before: list[Job], after: Mapping[str, Job]) -> tuple[list[JobChange], list[JobChange]]:
    lost, changed = [], []
    for job in before:
        now = after.get(job.id)
        if now is None:
            lost.append(JobChange(id=job.id, before=job.state, after="gone"))
        elif not now.is_active or (job.state in _RUNS and now.state not in _RUNS):
            reason = "" if now.reason in _NO_REASON else f", {now.reason}"
            lost.append(JobChange(id=job.id, before=job.state, after=f"{now.state}{reason}"))
        elif text := _difference(job, now):
            changed.append(JobChange(id=job.id, before=job.state, after=text))
    return lost, changed


def _difference(before: Job | Partition, after: Job | Partition) -> str:
    old, new = before.model_dump(), after.model_dump()
    return ", ".join(f"{name} {value} -> {new[name]}" for name, value in old.items() if new[name] != value)
