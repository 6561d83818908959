"""Steps that run small jobs: on all idle nodes of a partition at once, and from the queue."""

import re
import shlex
import time
from collections.abc import Iterator
from dataclasses import dataclass

from pulumi_slurm.derived.operator_lines import slurmctld_addresses
from pulumi_slurm.derived.partitions import partitions_of
from pulumi_slurm.model import PartitionOptionsSpec
from pulumi_slurm_cli.few import few
from pulumi_slurm_cli.proof.nodes import SeenNode
from pulumi_slurm_cli.proof.place import Done
from pulumi_slurm_cli.proof.pods import trouble_of
from pulumi_slurm_cli.proof.result import Result, Verdict, judged, untried
from pulumi_slurm_cli.proof.trial import NO_WAY, WAIT, Trial, jobs_in, why_not

_GOES = 5
"""Within how many seconds a job that has ended is gone from nodes that answer."""
_SLOW = 15
"""After how many seconds a job on idle nodes that has run was slow."""
_FEW = 5
"""How many nodes are named."""
_LOOKED_AT = 3
"""How many nodes that didn't answer are looked into."""
_CLOCKS = 5
"""How many seconds clocks may differ: Slurm refuses what is older than its credentials, and files' times mislead."""
_ANSWER = """
resolves=yes; user=same
! command -v getent >/dev/null || timeout 10 getent hosts "$2" >/dev/null || resolves=no
name=$(id -un 2>/dev/null) || name=$1
number=$(id -u -- "$1" 2>/dev/null) || number=$(id -u)
[ "$name" = "$1" ] && [ "$number" = "$(id -u)" ] || user=other
echo "node $SLURMD_NODENAME $(date +%s) $resolves $user"
"""
"""Prints of a node its time, whether it resolves a host, and whether it gives the user the same number as the cluster.

A worker whose image knows no users has none of that name and number, and is right too."""
_NODE = re.compile(r"^node (?P<name>\S+) (?P<time>\d+) (?P<resolves>yes|no) (?P<user>same|other)$", re.M)

_WAITS = re.compile(r"is PENDING: (?:Priority|Resources)\b")
_ENDS = re.compile(r"is COMPLETING")
_TIMES = re.compile(r"^(?:began|ended) (\d+)$", re.M)


@dataclass(frozen=True)
class _Answer:
    """What a node says of itself in a job."""

    name: str
    time: int
    resolves: bool
    has_user: bool


def partitions_run_jobs(trial: Trial) -> Iterator[Result]:
    """Run a job on all idle nodes of each partition at once."""
    for name, options in trial.partitions().items():
        yield _of_partition(trial, name, options)


def _of_partition(trial: Trial, name: str, options: PartitionOptionsSpec) -> Result:
    subject = f"partition {name}"
    trial.look_again()
    nodes = trial.in_partition(name)
    idle = trial.idle(nodes)[: options.max_nodes]
    missing = [one.name for one in trial.spec.node_sets if name in partitions_of(trial.spec, one) and trial.of(one)]
    if not nodes and missing:
        return judged(
            "srun",
            subject,
            f"slurmctld has no such partition, or no node in it, though {' and '.join(missing)} have some",
            wrong=True,
            expected="it is there, by partitions",
            fix="See `scontrol show partition`, and whether `pulumi up` has applied the file.",
        )
    if why := _why_untried(options, nodes, idle):
        return untried("srun", subject, why)
    host = slurmctld_addresses(trial.spec)[0]
    done = trial.srun(name, idle, f"set -- {shlex.join((trial.place.user, host))}\n{_ANSWER}")
    if done.code and (excuse := trial.excuse(done, name, idle)):
        trial.refusing.add(name)
        return untried("srun", subject, excuse)
    answers = [
        _Answer(match["name"], int(match["time"]), match["resolves"] == "yes", match["user"] == "same")
        for match in _NODE.finditer(done.output)
    ]
    jobs = jobs_in(done)
    if done.code or len(answers) < len(idle):
        return _failed(trial, name, idle, answers, done, host)
    trial.ended_well = trial.ended_well or (jobs[0] if jobs else None)
    observed = f"{len(answers)} of {len(nodes)} nodes ran a job at once"
    began, *_, ended = (int(time) for time in _TIMES.findall(done.output))
    times = range(began - _CLOCKS, ended + _CLOCKS + 1)
    seconds = ended - began
    if seconds <= _SLOW or _is_wrong(trial, answers, times, host):
        wrong, expected, fix = _is_wrong(trial, answers, times, host) or ("", "", "")
        return judged("srun", subject, wrong or observed, wrong=bool(wrong), expected=expected, fix=fix, jobs=jobs)
    return Result(
        step="srun",
        subject=subject,
        verdict=Verdict.SLOW,
        observed=f"{observed}, after {seconds} s",
        expected=f"within {_SLOW} s",
        fix="See slurmd's log on its nodes for the one that the others wait for, and `sdiag`.",
        jobs=jobs,
    )


def _is_wrong(trial: Trial, answers: list[_Answer], times: range, host: str) -> tuple[str, str, str] | None:
    """Return what nodes have otherwise than they should, what that is, and what to do."""
    user = trial.place.user
    if off := [answer.name for answer in answers if answer.time not in times]:
        observed = f"the clock of {few(off, _FEW)} differs from that of {trial.place.pod}"
        return observed, f"by {_CLOCKS} s at most", "Let the machines' clocks be set by NTP."
    if lost := [answer.name for answer in answers if not answer.resolves]:
        fix = "See /etc/resolv.conf of slurmd's pod, and the cluster's DNS."
        return f"{few(lost, _FEW)} can't resolve {host}", "each node does, to find slurmctld", fix
    if others := [answer.name for answer in answers if not answer.has_user]:
        observed = f"on {few(others, _FEW)} {user} has another number, or its number is somebody else's"
        return observed, f"the same as in {trial.place.pod}", "Let all pods have their users from one directory."
    return None


def _failed(trial: Trial, name: str, idle: list[SeenNode], answers: list[_Answer], done: Done, host: str) -> Result:
    missing = _who_is_missing(trial, idle, {answer.name for answer in answers})
    trial.silent |= {*missing}
    if not missing:
        trial.refusing.add(name)
    troubles = [trouble for node in missing[:_LOOKED_AT] if (trouble := trouble_of(trial, node, host))]
    logs = f"slurmd's log on {few(missing, _FEW)}, and slurmctld's" if missing else "slurmctld's log"
    return judged(
        "srun",
        f"partition {name}",
        "; ".join((f"{len(answers)} of {len(idle)} nodes answered: {done.complaint}", *troubles)),
        wrong=True,
        expected=f"a job on {len(idle)} idle nodes at once starts in {WAIT} s and ends well",
        fix=f"See {logs}, `scontrol show job` of it, and `scontrol show partition {name}`.",
        jobs=jobs_in(done),
    )


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
    trial.look(patiently=False)
    return sorted(node.name for node in trial.nodes if node.name in names and not node.is_idle)


def queue_takes_jobs(trial: Trial) -> Iterator[Result]:
    """Send an array, and a job that depends on it."""
    subject = "an array, and a job after it"
    way = trial.any_way()
    if way is None:
        yield untried("sbatch", subject, NO_WAY)
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
    excuse = ""
    if done.code:
        excuse = trial.excuse(done, partition, [node])
        if not excuse and _WAITS.search(done.errors):
            excuse = trial.others(partition, [node])
        if not excuse and _ENDS.search(done.errors):
            excuse = f"after a minute a job of it still ends on {node.name}, as with an Epilog that takes as long"
        # Whatever it was, it has to do with this node or this partition.
        trial.cancel()
        trial.look()
        trial.silent.add(node.name)
    if excuse:
        yield untried("sbatch", subject, excuse, jobs)
        return
    yield judged(
        "sbatch",
        subject,
        f"on {node.name}: {done.complaint}" if done.code else "both ended well",
        wrong=bool(done.code),
        expected="both end well within a minute",
        fix="See `scontrol show job` of them, and slurmctld's log.",
        jobs=jobs,
    )
