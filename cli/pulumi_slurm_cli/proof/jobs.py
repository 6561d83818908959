"""Steps that run small jobs: on all idle nodes of a partition at once, and from the queue."""

import shlex
import time
from collections.abc import Iterator

from pulumi_slurm.derived.partitions import partitions_of
from pulumi_slurm.model import PartitionOptionsSpec
from pulumi_slurm_cli.proof.nodes import SeenNode
from pulumi_slurm_cli.proof.result import Result, Verdict
from pulumi_slurm_cli.proof.trial import Trial, jobs_in, why_not

_GOES = 5
"""Within how many seconds a job that has ended is gone from nodes that answer."""
_CLOCKS = 5
"""How many seconds clocks may differ: Slurm refuses what is older than its credentials, and files' times mislead."""


def partitions_run_jobs(trial: Trial) -> Iterator[Result]:
    """Run a job on all idle nodes of each partition at once."""
    for name, options in trial.partitions().items():
        yield _of_partition(trial, name, options)


def _of_partition(trial: Trial, name: str, options: PartitionOptionsSpec) -> Result:
    subject = f"partition {name}"
    nodes = trial.in_partition(name)
    idle = trial.idle(nodes)[: options.max_nodes]
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
    if untried := _why_untried(options, nodes, idle):
        return Result(step="srun", subject=subject, verdict=Verdict.SKIP, observed=untried)
    before = trial.place.query("date +%s").output.strip()
    done = trial.srun(name, idle, 'echo "node $SLURMD_NODENAME $(date +%s)"')
    after = trial.place.query("date +%s").output.strip()
    if done.code and (excuse := trial.excuse(done, idle)):
        return Result(step="srun", subject=subject, verdict=Verdict.SKIP, observed=excuse)
    answers = [line.split() for line in done.lines if line.startswith("node ")]
    times = {answer[1]: int(answer[2]) for answer in answers if answer[2:] and answer[2].isdecimal()}
    jobs = jobs_in(done)
    if done.code or len(times) < len(idle):
        missing = _who_is_missing(trial, idle, {*times})
        trial.silent |= {*missing}
        logs = f"slurmd's log on {', '.join(missing[:5])}, and slurmctld's" if missing else "slurmctld's log"
        return Result(
            step="srun",
            subject=subject,
            verdict=Verdict.FAIL,
            observed=f"{len(times)} of {len(idle)} nodes answered: {done.complaint}",
            expected=f"a job on {len(idle)} idle nodes at once starts in 30 s and ends well",
            fix=f"See {logs}, and `scontrol show job` of it.",
            jobs=jobs,
        )
    off = [
        node
        for node, at in times.items()
        if before.isdecimal() and after.isdecimal() and not int(before) - _CLOCKS <= at <= int(after) + _CLOCKS
    ]
    if off:
        return Result(
            step="srun",
            subject=subject,
            verdict=Verdict.FAIL,
            observed=f"the clock of {', '.join(off[:5])} differs from that of {trial.place.pod}",
            expected=f"by {_CLOCKS} s at most",
            fix="Let the machines' clocks be set by NTP.",
            jobs=jobs,
        )
    trial.ended_well = trial.ended_well or (jobs[0] if jobs else None)
    observed = f"{len(times)} of {len(nodes)} nodes ran a job at once"
    return Result(step="srun", subject=subject, verdict=Verdict.PASS, observed=observed, jobs=jobs)


def _why_untried(options: PartitionOptionsSpec, nodes: list[SeenNode], idle: list[SeenNode]) -> str:
    if idle:
        return why_not(options, len(idle))
    return "none of its nodes is idle" if nodes else "it has no node now"


def _who_is_missing(trial: Trial, nodes: list[SeenNode], answered: set[str]) -> list[str]:
    """Return the nodes on which a job that failed has not run; where none answered, those that don't get rid of it."""
    names = {node.name for node in nodes}
    if answered:
        return sorted(names - answered)
    time.sleep(_GOES)
    trial.look()
    return sorted(node.name for node in trial.nodes if node.name in names and not node.is_idle)


def queue_takes_jobs(trial: Trial) -> Iterator[Result]:
    """Send an array, and a job that depends on it."""
    subject = "an array, and a job after it"
    way = trial.any_way()
    if way is None:
        yield Result(step="sbatch", subject=subject, verdict=Verdict.SKIP, observed="no node is idle")
        return
    partition, node = way
    # A job whose turn doesn't come, or whose dependency failed, goes by itself, whatever becomes of us.
    common = ("--output=/dev/null", "--parsable", "--deadline=now+3minutes", "--kill-on-invalid-dep=yes")
    options = shlex.join((*trial.options(partition, [node]), *common))
    script = f"""
first=$(sbatch {options} --array=0-1 --wrap true) || exit
first=${{first%%;*}}
echo job "$first"
last=$(timeout 60 sbatch {options} --dependency=afterok:"$first" --wait --wrap true)
code=$?
echo job "${{last%%;*}}"
[ $code = 0 ] || squeue --noheader --name={trial.job_name} --format='%i is %T: %r' >&2
exit $code
"""
    done = trial.place.run(script)
    jobs = jobs_in(done)
    if done.code == 0:
        yield Result(step="sbatch", subject=subject, verdict=Verdict.PASS, observed="both ended well", jobs=jobs)
        return
    excuse = trial.excuse(done, [node]) or ("others' jobs come first" if "(Priority)" in done.errors else "")
    yield Result(
        step="sbatch",
        subject=subject,
        verdict=Verdict.SKIP if excuse else Verdict.FAIL,
        observed=excuse or done.complaint,
        expected="" if excuse else "both end well within a minute",
        fix="" if excuse else "See `scontrol show job` of them, and slurmctld's log.",
        jobs=jobs,
    )
