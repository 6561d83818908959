"""A step for accounting: what slurmdbd has of the jobs that ran."""

from collections.abc import Iterator

from pulumi_slurm_cli.proof.result import Result, Verdict
from pulumi_slurm_cli.proof.trial import Trial, last_words

_FIELDS = "JobIDRaw,State,ExitCode,AllocTRES,Account,Start,End"
_TRIES = 10


def jobs_are_recorded(trial: Trial) -> Iterator[Result]:
    """Ask sacct for a job that ran, with what it had."""
    subject = "sacct"
    if not trial.spec.accounting:
        yield Result(
            step="record", subject=subject, verdict=Verdict.SKIP, observed="the specification has no accounting"
        )
        return
    if not trial.has_database:
        yield Result(step="record", subject=subject, verdict=Verdict.SKIP, observed="slurmdbd doesn't answer")
        return
    if not trial.job_ids:
        yield Result(step="record", subject=subject, verdict=Verdict.SKIP, observed="no job ran")
        return
    job = trial.job_ids[0]
    script = f"""
for try in $(seq {_TRIES}); do
    row=$(timeout 20 sacct --noheader --parsable2 --allocations --jobs={job} --format={_FIELDS}) || exit
    case "$row" in ''|*'|RUNNING|'*|*'|PENDING|'*|*'|Unknown') sleep 1 ;; *) break ;; esac
done
echo "$row"
"""
    done = trial.place.run(script)
    row = done.lines[-1].split("|") if done.lines else []
    is_whole = done.code == 0 and len(row) == len(_FIELDS.split(",")) and row[0] == str(job)
    lacking = [name for name, value in zip(_FIELDS.split(","), row, strict=False) if value in ("", "Unknown", "None")]
    lacking = [name for name in lacking if name != "Account"]
    if is_whole and not lacking:
        observed = f"job {job}: {row[1]}, {row[3]}{f', account {row[4]}' if row[4] else ''}"
        yield Result(step="record", subject=subject, verdict=Verdict.PASS, observed=observed, jobs=(job,))
        return
    why = f"it has no {', '.join(lacking)}" if is_whole else last_words(done) if done.lines else "it has no row"
    yield Result(
        step="record",
        subject=subject,
        verdict=Verdict.FAIL,
        observed=f"job {job}: {why}",
        expected="its state, exit code, TRES and times, within ten seconds of its end",
        fix="See slurmctld's log for slurmdbd, and `sacctmgr show stats`.",
        jobs=(job,),
    )
