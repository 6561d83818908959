"""A step for users: what one must not do with the jobs of another."""

import shlex
from collections.abc import Iterator

from pulumi_slurm_cli.proof.result import Result, judged, untried
from pulumi_slurm_cli.proof.trial import ANOTHER_USER, NO_WAY, Trial, jobs_in

_SCRIPT = """
set -- {words}
{another_user}
user=$1; shift
job=$(runuser -u "$user" -- "$@") || exit
job=${{job%%;*}}
echo job "$job"
echo other "$other"
script=$(runuser -u "$other" -- scontrol write batch_script "$job" - 2>/dev/null)
case $script in *secret-of-a-script*) echo reads ;; esac
runuser -u "$other" -- scontrol update JobId="$job" Comment=changed 2>/dev/null && echo changes
runuser -u "$other" -- scancel "$job" 2>/dev/null
case $(squeue --noheader --jobs="$job" --states=all --format=%T) in CANCELLED*) echo cancels ;; esac
runuser -u "$user" -- scancel "$job"
runuser -u "$other" -- scontrol ping >/dev/null && echo tried
"""
"""Another user tries to read, change and cancel a job that is held."""


def jobs_are_out_of_others_reach(trial: Trial) -> Iterator[Result]:
    """Let another user try to read, change and cancel a job, which waits and takes nothing."""
    subject, way = "others' jobs", trial.any_way()
    if way is None or not trial.place.becomes:
        why = NO_WAY if way is None else f"in pod {trial.place.pod} there is one user alone"
        yield untried("isolation", subject, why)
        return
    partition, node = way
    held = ("--hold", "--deadline=now+10minutes", "--parsable", "--output=/dev/null")
    sent = ("sbatch", *held, *trial.options(partition, [node]))
    words = shlex.join((trial.place.user, *sent, "--wrap", ": secret-of-a-script"))
    done = trial.place.query(_SCRIPT.format(words=words, another_user=ANOTHER_USER))
    other = next((line.split()[1] for line in done.lines if line.startswith("other ")), "")
    if not other or "tried" not in done.lines:
        yield untried("isolation", subject, f"no job could be sent, or nobody else could try: {done.complaint}")
        return
    does = [line for line in done.lines if line in ("reads", "changes", "cancels")]
    yield judged(
        "isolation",
        subject,
        f"{other} {' and '.join(does) or 'neither reads nor changes nor cancels'} a job of {trial.place.user}",
        wrong=bool(does),
        expected="only its user, operators and coordinators do",
        fix=f"See whether {other} is an operator: sacctmgr show user {other} withassoc",
        jobs=jobs_in(done),
    )
