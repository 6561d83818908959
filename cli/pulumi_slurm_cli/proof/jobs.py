"""Steps that run small jobs: on all nodes of a partition at once, and from the queue."""

from collections import Counter
from collections.abc import Iterator

from pulumi_slurm.derived.partitions import all_partitions, partitions_of
from pulumi_slurm_cli.proof.result import Result, Verdict
from pulumi_slurm_cli.proof.trial import SeenNode, Trial, is_busy, jobs_in, last_words

_CLOCKS = 5
"""How many seconds clocks may differ: Slurm refuses what is older than its credentials, and files' times mislead."""


def partitions_run_jobs(trial: Trial) -> Iterator[Result]:
    """Run a job on all free nodes of each partition at once."""
    for _, name, _ in all_partitions(trial.spec):
        if trial.only in (None, name):
            yield _of_partition(trial, name)


def _of_partition(trial: Trial, name: str) -> Result:
    subject = f"partition {name}"
    nodes = trial.in_partition(name)
    free = trial.free(nodes)
    missing = [one.name for one in trial.spec.node_sets if name in partitions_of(trial.spec, one) and trial.of(one)]
    if not nodes and missing:
        return Result(
            step="srun",
            subject=subject,
            verdict=Verdict.FAIL,
            observed=f"slurmctld has no such partition, or no node in it, though {' and '.join(missing)} have some",
            expected="it is there, by partitions",
            fix="See `scontrol show partition`, and whether `pulumi up` has applied the file.",
        )
    if not free:
        why = "all of its nodes are taken" if nodes else "it has no node now"
        return Result(step="srun", subject=subject, verdict=Verdict.SKIP, observed=why)
    done = trial.srun(name, 'echo "node $SLURMD_NODENAME $(date +%s)"', nodes=len(free))
    if is_busy(done, nodes):
        return Result(step="srun", subject=subject, verdict=Verdict.SKIP, observed="others took its nodes meanwhile")
    answers = [line.split() for line in done.lines if line.startswith("node ")]
    times = [int(answer[2]) for answer in answers]
    jobs = jobs_in(done)
    if done.code or len(answers) < len(free):
        trial.silent |= {node.name for node in free} - {answer[1] for answer in answers} if answers else set()
        return Result(
            step="srun",
            subject=subject,
            verdict=Verdict.FAIL,
            observed=f"{len(answers)} of {len(free)} nodes answered: {last_words(done)}",
            expected=f"a job on {len(free)} free nodes at once starts in 30 s and ends well",
            fix=_who_is_missing(free, {answer[1] for answer in answers}),
            jobs=jobs,
        )
    if max(times) - min(times) > _CLOCKS:
        late = f"the clocks of nodes are {max(times) - min(times)} s apart"
        fix = "Let the machines' clocks be set by NTP."
        return Result(
            step="srun",
            subject=subject,
            verdict=Verdict.FAIL,
            observed=late,
            expected=f"at most {_CLOCKS} s",
            fix=fix,
            jobs=jobs,
        )
    observed = f"{len(answers)} of {len(nodes)} nodes ran a job at once"
    return Result(step="srun", subject=subject, verdict=Verdict.PASS, observed=observed, jobs=jobs)


def _who_is_missing(nodes: list[SeenNode], answered: set[str]) -> str:
    missing = [node.name for node in nodes if node.name not in answered]
    return (
        f"See slurmd's log on {', '.join(missing[:5])}, and slurmctld's."
        if answered and missing
        else ("See slurmctld's log, and `scontrol show job` of it.")
    )


def queue_takes_jobs(trial: Trial) -> Iterator[Result]:
    """Send an array, and a job that depends on it."""
    sizes = Counter(name for node in trial.free(trial.nodes) for name in node.partitions)
    names = [name for _, name, _ in all_partitions(trial.spec) if trial.only in (None, name) and sizes[name]]
    if not names:
        yield Result(step="sbatch", subject="an array", verdict=Verdict.SKIP, observed="no node is free")
        return
    options = " ".join((*trial.options(names[0]), "--output=/dev/null", "--parsable"))
    script = f"""
first=$(sbatch {options} --array=0-1 --wrap true) || exit
echo job "$first"
last=$(timeout 60 sbatch {options} --dependency=afterok:"$first" --wait --wrap true)
code=$?
echo job "$last"
[ $code = 0 ] || squeue --noheader --name={trial.job_name} --format='%i is %T: %r'
exit $code
"""
    done = trial.place.run(script)
    jobs = jobs_in(done)
    trial.job_ids += jobs
    subject = "an array, and a job after it"
    if done.code == 0:
        yield Result(step="sbatch", subject=subject, verdict=Verdict.PASS, observed="both ended well", jobs=jobs)
        return
    waits = any(word in done.output for word in ("Priority", "Resources"))
    yield Result(
        step="sbatch",
        subject=subject,
        verdict=Verdict.SKIP if waits else Verdict.FAIL,
        observed="others' jobs come first" if waits else last_words(done),
        expected="" if waits else "both end well within a minute",
        fix="" if waits else "See `scontrol show job` of them, and slurmctld's log.",
        jobs=jobs,
    )
