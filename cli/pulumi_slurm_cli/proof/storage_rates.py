"""A step for the rates of shared volumes: from all idle nodes of a partition at once."""

import re
import shlex
from collections.abc import Iterator

from pulumi_slurm_cli.proof.floors import Floor
from pulumi_slurm_cli.proof.rates import Rate, rated
from pulumi_slurm_cli.proof.result import Result, judged, untried
from pulumi_slurm_cli.proof.storage import folder_of, most_varied
from pulumi_slurm_cli.proof.trial import NO_WAY, Needs, Trial, jobs_in

_MIB, _SECONDS = 256, 110
_NEEDS = Needs(mib=2 * _MIB)
_NO_END = (124, 137, 143)
"""The exit codes of timeout(1), and of what Slurm ends at its limit."""
_SCRIPT = """
file=$1/.pulumi-slurm-prove-$SLURM_JOB_ID-$SLURM_PROCID
trap 'rm -f "$file"' EXIT
trap 'exit 1' TERM INT
began=$(date +%s%N)
dd if=/dev/zero of="$file" bs=1M count={mib} conv=fsync 2>/dev/null || exit 79
echo "wrote $SLURMD_NODENAME $began $(date +%s%N)"
"""
_SLOW = 0.5
"""Others use a shared file system too."""
_PART = 0.7
"""What is reached of what a tier promises, which is a mean of longer and larger writes."""
_BY_NODE = 100.0
"""How many MB/s a node writes by one connection at least."""
_WROTE = re.compile(r"^wrote \S+ (?P<began>\d+) (?P<ended>\d+)$", re.M)


def volumes_are_fast(trial: Trial) -> Iterator[Result]:
    """Write on each shared volume from all nodes at once, and tell how much of it a second takes."""
    for volume in trial.spec.shared_volumes:
        yield _of_volume(trial, volume.name, volume.mount_path.rstrip("/"))


def _of_volume(trial: Trial, name: str, mount_path: str) -> Result:
    subject = f"shared volume {mount_path}"
    partition, nodes = most_varied(trial, _NEEDS)
    if not nodes:
        return untried("rates", subject, NO_WAY)
    folder = folder_of(trial, mount_path)
    script = f"set -- {shlex.quote(folder)}\n{_SCRIPT.format(mib=_MIB)}"
    done = trial.srun(partition, nodes, script, _NEEDS, seconds=_SECONDS)
    jobs, times = jobs_in(done), [(int(match["began"]), int(match["ended"])) for match in _WROTE.finditer(done.output)]
    if done.code in _NO_END and jobs:
        wanted = len(nodes) * _MIB * 1024**2 / 1e6 / _SECONDS
        return judged(
            *("rates", subject, f"{len(nodes)} nodes have not written {_MIB} MiB each within {_SECONDS} s"),
            wrong=True,
            expected=f"at least {wanted:.0f} MB/s",
            fix="See the server's load, and what its tier promises.",
            jobs=jobs,
        )
    if done.code or len(times) < len(nodes):
        why = trial.excuse(done, partition, nodes) or done.complaint
        return untried("rates", subject, f"nothing was written in {folder}: {why}", jobs)
    # Clocks of nodes differ, so each is held to its own.
    seconds = max(ended - began for began, ended in times) / 1e9
    rate = len(nodes) * _MIB * 1024**2 / 1e6 / seconds
    measured = Rate(
        subject=subject,
        value=rate,
        unit="MB/s",
        name=f"volume.{name}.{len(nodes)}",
        of=f"written by {len(nodes)} nodes at once, {_MIB} MiB each",
        floor=_floor(trial.written.get(name), len(nodes)),
        slow=_SLOW,
    )
    return rated(trial, "rates", measured, jobs)


def _floor(promised: float | None, nodes: int) -> Floor | None:
    """Return what nodes have to reach together of what a tier promises, or of what each of them can send."""
    if promised is None:
        return None
    reached = _PART * min(promised, nodes * _BY_NODE)
    source = f"{_PART:.0%} of the {promised:.0f} MB/s of its tier, or of {_BY_NODE:.0f} MB/s for each of {nodes} nodes"
    return Floor(round(reached), source)
