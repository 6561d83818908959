"""A step for shared volumes: written on each node, and read on the others."""

import shlex
from collections.abc import Iterator

from pulumi_slurm_cli.proof.result import Result, Verdict
from pulumi_slurm_cli.proof.trial import Trial, is_busy, jobs_in, last_words

_MANY = 32
"""How many nodes take part at most: each reads what all others have written."""
_DENIED = 77
_SCRIPT = """
grep -q " $2 " /proc/self/mounts || exit 81
base=$1
folder=$base/.pulumi-slurm-prove-$SLURM_JOB_ID
[ "$SLURM_PROCID" != 0 ] || mkdir "$folder" 2>/dev/null || exit 77
wait_for() { until [ -e "$1" ]; do seconds=$((seconds + 1)); [ $seconds -lt 30 ] || exit 78; sleep 1; done; }
seconds=0; wait_for "$folder"
dd if=/dev/zero of="$folder/$SLURM_PROCID.data" bs=1M count=4 conv=fsync 2>/dev/null || exit 79
id -u >"$folder/$SLURM_PROCID.uid"
task=0
while [ $task -lt "$SLURM_NTASKS" ]; do
    wait_for "$folder/$task.uid"
    until [ -s "$folder/$task.uid" ]; do sleep 0.2; done
    [ "$(stat -c %u "$folder/$task.data")" = "$(id -u)" ] || { echo "uid of $task on $SLURMD_NODENAME"; exit 80; }
    [ "$(cat "$folder/$task.uid")" = "$(id -u)" ] || { echo "id of $task on $SLURMD_NODENAME"; exit 80; }
    task=$((task + 1))
done
: >"$folder/$SLURM_PROCID.done"
[ "$SLURM_PROCID" = 0 ] || exit 0
task=0
while [ $task -lt "$SLURM_NTASKS" ]; do wait_for "$folder/$task.done"; task=$((task + 1)); done
rm -r "$folder"
"""
_MEANS = {
    78: "a node doesn't see within 30 s what another has written: it isn't the same volume, or it isn't mounted",
    79: "a file can't be written",
    81: "a node has nothing mounted there",
    80: "a user has not the same number on all nodes",
}


def volumes_are_shared(trial: Trial) -> Iterator[Result]:
    """Write on each shared volume from all free nodes at once, and read what the others wrote."""
    for volume in trial.spec.shared_volumes:
        yield _of_volume(trial, volume.mount_path)


def _of_volume(trial: Trial, mount_path: str) -> Result:
    subject = f"shared volume {mount_path}"
    sizes = {
        name: trial.free(trial.in_partition(name))
        for name in {name for node in trial.nodes for name in node.partitions}
        if trial.only in (None, name)
    }
    partition, free = max(sizes.items(), key=lambda item: len(item[1]), default=("", []))
    if not free:
        return Result(step="storage", subject=subject, verdict=Verdict.SKIP, observed="no node is free")
    count = min(len(free), _MANY)
    base = _folder(trial, mount_path)
    done = trial.srun(partition, f"set -- {shlex.join((base, mount_path.rstrip(chr(47))))}\n{_SCRIPT}", nodes=count)
    if is_busy(done, trial.nodes):
        return Result(step="storage", subject=subject, verdict=Verdict.SKIP, observed="others took its nodes meanwhile")
    if f"task 0: Exited with exit code {_DENIED}" in done.output or done.code == _DENIED:
        observed = f"{trial.place.user} can't write in {base}. Name a user who can with --user"
        return Result(step="storage", subject=subject, verdict=Verdict.SKIP, observed=observed, jobs=jobs_in(done))
    if done.code:
        return Result(
            step="storage",
            subject=subject,
            verdict=Verdict.FAIL,
            observed=_MEANS.get(done.code, last_words(done)),
            expected=f"{count} nodes write at once, and each reads what the others wrote",
            fix="See that each worker mounts the same volume, and that it takes writes.",
            jobs=jobs_in(done),
        )
    observed = f"{count} nodes wrote at once, and each read what the others wrote"
    return Result(step="storage", subject=subject, verdict=Verdict.PASS, observed=observed, jobs=jobs_in(done))


def _folder(trial: Trial, mount_path: str) -> str:
    """Return where the user writes: the home directory if it is on the volume, else the volume's root."""
    home = trial.place.run(f"getent passwd {shlex.quote(trial.place.user)} | cut -d: -f6").output.strip()
    return home if home.startswith(f"{mount_path.rstrip('/')}/") else mount_path
