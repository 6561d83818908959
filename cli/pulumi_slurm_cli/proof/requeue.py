"""A step for requeueing: a job that is sent back to the queue runs again."""

import shlex
from collections.abc import Iterator

from pulumi_slurm.derived.slurm_conf_lines import slurm_conf_lines
from pulumi_slurm_cli.proof.result import Result, judged, untried
from pulumi_slurm_cli.proof.trial import NO_WAY, Trial, jobs_in

_SECONDS = 200
"""Slurm lets a job that was requeued wait for two minutes: job_requeue in src/slurmctld/job_mgr.c of SchedMD/slurm."""
_SCRIPT = """
job=$({submit}) || exit
job=${{job%%;*}}
echo job "$job"
waits_for() {{
    last=$(($(date +%s) + $2))
    until [ "$(squeue --noheader --jobs="$job" --states=all --format=%T:%r 2>/dev/null | grep -c "$1")" -gt 0 ]; do
        [ "$(date +%s)" -lt "$last" ] || {{ squeue --noheader --jobs="$job" --format='%T: %r' >&2; exit 1; }}
        sleep 1
    done
}}
waits_for ^RUNNING 40
scontrol requeue "$job" || exit
waits_for ^PENDING 30
waits_for ^RUNNING {seconds}
scancel --quiet "$job"
"""


def jobs_are_requeued(trial: Trial) -> Iterator[Result]:
    """Send a running job back to the queue, and wait until it runs again."""
    subject, way = "a job that is sent back", trial.any_way()
    if way is None or slurm_conf_lines(trial.spec).get("JobRequeue") == "0":
        yield untried("requeue", subject, NO_WAY if way is None else "JobRequeue is 0")
        return
    partition, node = way
    options = (*trial.options(partition, [node]), "--deadline=now+10minutes", "--output=/dev/null")
    submit = shlex.join(("sbatch", "--requeue", "--parsable", *options, "--wrap", "sleep 300"))
    done = trial.place.run(_SCRIPT.format(submit=submit, seconds=_SECONDS), _SECONDS + 100)
    excuse = (trial.excuse(done, partition, [node]) or trial.others(partition, [node])) if done.code else ""
    if excuse:
        yield untried("requeue", subject, excuse, jobs_in(done))
        return
    yield judged(
        "requeue",
        subject,
        done.complaint if done.code else "it ran, waited, and ran again",
        wrong=bool(done.code),
        expected=f"it runs again within {_SECONDS} s",
        fix="See `scontrol show job` of it, and slurmctld's log.",
        jobs=jobs_in(done),
    )
