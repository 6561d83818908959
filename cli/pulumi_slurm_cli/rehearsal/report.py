"""A rehearsal's result as text for people."""

from collections.abc import Iterator, Sequence

from pulumi_slurm_cli.rehearsal.result import JobChange, Rehearsal

_MOST = 20
"""Lines of a list that are shown; `--json` has all."""


def report(rehearsal: Rehearsal) -> str:
    """Return what a change comes to, first what matters most."""
    return "\n".join(_lines(rehearsal))


def _lines(rehearsal: Rehearsal) -> Iterator[str]:
    after = rehearsal.after
    if rehearsal.came_up:
        yield f"comes up: Slurm {after.slurm}, slurmctld after {_seconds(after.slurmctld_seconds)}"
    else:
        yield "would not come up:"
        yield from (f"  {line}" for line in rehearsal.reasons or ["no daemon said why"])
    if after.slurmdbd_seconds is not None:
        converted = "with the conversion of the database" if after.database_converted else "with nothing to convert"
        yield f"slurmdbd: after {_seconds(after.slurmdbd_seconds)}, {converted}"
    if rehearsal.came_up:
        yield from _of_jobs(rehearsal)
        for title, items in (
            ("partitions lost", rehearsal.partitions_lost),
            ("partitions new", rehearsal.partitions_new),
            ("partitions changed", rehearsal.partitions_changed),
            ("nodes lost", rehearsal.nodes_lost),
            ("nodes changed", rehearsal.nodes_changed),
            ("reservations lost", rehearsal.reservations_lost),
            ("associations lost", rehearsal.associations_lost),
            ("associations new", rehearsal.associations_new),
        ):
            yield from _list(title, items)
    yield from _list("new errors in the logs", rehearsal.errors_new)
    yield from _list("notes", rehearsal.notes)
    yield from _list("differs from the cluster", rehearsal.differences)


def _of_jobs(rehearsal: Rehearsal) -> Iterator[str]:
    if rehearsal.jobs_before is None:
        yield "jobs: unknown"
        return
    lost, changed = rehearsal.jobs_lost, rehearsal.jobs_changed
    yield f"jobs: {rehearsal.jobs_before} run or wait, {len(lost)} lost, {len(changed)} changed"
    yield from _list("jobs lost", [*map(_job, lost)])
    yield from _list("jobs changed", [*map(_job, changed)])


def _job(change: JobChange) -> str:
    return f"{change.id}: {change.before} -> {change.after}"


def _list(title: str, items: Sequence[str]) -> Iterator[str]:
    if not items:
        return
    yield f"{title}:"
    for item in items[:_MOST]:
        yield from (f"  {line}" for line in item.splitlines())
    if len(items) > _MOST:
        yield f"  and {len(items) - _MOST} more"


def _seconds(value: float | None) -> str:
    return "an unknown time" if value is None else f"{value:.1f} s"
