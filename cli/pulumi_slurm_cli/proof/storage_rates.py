"""A step for the rates of shared volumes: from all idle nodes of a partition at once."""

import re
import shlex
from collections.abc import Iterator

from pulumi_slurm_cli.proof.rates import Rate, rated
from pulumi_slurm_cli.proof.result import Result, untried
from pulumi_slurm_cli.proof.storage import folder_of, most_varied
from pulumi_slurm_cli.proof.trial import Trial, jobs_in

_MIB = 256
_SCRIPT = """
file=$1/.pulumi-slurm-prove-$SLURM_JOB_ID-$SLURM_PROCID
trap 'rm -f "$file"' EXIT
trap 'exit 1' TERM INT
began=$(date +%s%N)
dd if=/dev/zero of="$file" bs=1M count={mib} conv=fsync 2>/dev/null || exit 79
echo "wrote $SLURMD_NODENAME $began $(date +%s%N)"
"""
_WROTE = re.compile(r"^wrote \S+ (?P<began>\d+) (?P<ended>\d+)$", re.M)


def volumes_are_fast(trial: Trial) -> Iterator[Result]:
    """Write on each shared volume from all nodes at once, and tell how much of it a second takes."""
    for volume in trial.spec.shared_volumes:
        yield _of_volume(trial, volume.name, volume.mount_path.rstrip("/"))


def _of_volume(trial: Trial, name: str, mount_path: str) -> Result:
    subject = f"shared volume {mount_path}"
    partition, nodes = most_varied(trial)
    if not nodes:
        return untried("rates", subject, "no idle node runs jobs")
    folder = folder_of(trial, mount_path)
    script = f"set -- {shlex.quote(folder)}\n{_SCRIPT.format(mib=_MIB)}"
    done = trial.srun(partition, nodes, script, "--mem=512M", seconds=110)
    jobs, times = jobs_in(done), [(int(match["began"]), int(match["ended"])) for match in _WROTE.finditer(done.output)]
    if done.code or len(times) < len(nodes):
        why = trial.excuse(done, partition, nodes) or done.complaint
        return untried("rates", subject, f"nothing was written in {folder}: {why}", jobs)
    # Clocks of nodes differ, so each is held to its own.
    seconds = max(ended - began for began, ended in times) / 1e9
    rate = len(nodes) * _MIB * 1024**2 / 1e6 / seconds
    of = f"written by {len(nodes)} nodes at once, {_MIB} MiB each"
    return rated(trial, "rates", Rate(subject=subject, value=rate, unit="MB/s", name=f"volume.{name}", of=of), jobs)
