"""A step for accounting: what slurmdbd has of a job that ran."""

from collections.abc import Iterator

from pulumi_slurm_cli.proof.result import Result, judged, untried
from pulumi_slurm_cli.proof.trial import Trial

_FIELDS = ("JobIDRaw", "State", "ExitCode", "AllocTRES", "Account", "Start", "End")
_TRIES = 10


def jobs_are_recorded(trial: Trial) -> Iterator[Result]:
    """Ask sacct for a job that ended well, with what it had."""
    subject, job = "sacct", trial.ended_well
    if not trial.spec.accounting or not trial.has_database or job is None:
        why = "the specification has no accounting" if not trial.spec.accounting else "no job ended well"
        observed = why if trial.has_database else "slurmdbd doesn't answer"
        yield untried("record", subject, observed)
        return
    script = f"""
for try in $(seq {_TRIES}); do
    row=$(sacct --noheader --parsable2 --allocations --jobs={job} --format={",".join(_FIELDS)}) || exit
    case "$row" in ''|*'|RUNNING|'*|*'|PENDING|'*|*'|Unknown') sleep 1 ;; *) break ;; esac
done
echo "$row"
"""
    done = trial.place.query(script)
    values = done.lines[-1].split("|") if done.code == 0 and done.lines else []
    row = dict(zip(_FIELDS, values, strict=False))
    lacking = [name for name in _FIELDS if row.get(name, "") in ("", "Unknown", "None") and name != "Account"]
    is_well = not lacking and (row["State"], row["ExitCode"]) == ("COMPLETED", "0:0")
    if is_well:
        account = f", account {row['Account']}" if row["Account"] else ""
        observed = f"{row['State']}, {row['AllocTRES']}{account}"
    elif not row:
        observed = done.complaint if done.code else "it has no row"
    else:
        observed = f"it has no {', '.join(lacking)}" if lacking else f"it is {row['State']}, {row['ExitCode']}"
    yield judged(
        "record",
        subject,
        f"job {job}: {observed}",
        wrong=not is_well,
        expected="COMPLETED, 0:0, with its TRES and times",
        fix="See slurmctld's log for slurmdbd, and `sacctmgr show stats`.",
        jobs=(job,),
    )
