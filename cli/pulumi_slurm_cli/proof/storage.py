"""A step for shared volumes: written on each node, and read on the others."""

import shlex
from collections.abc import Iterator

from pulumi_slurm_cli.proof.nodes import SeenNode
from pulumi_slurm_cli.proof.result import Result, Verdict
from pulumi_slurm_cli.proof.trial import Trial, jobs_in, why_not

_MANY = 32
"""How many nodes take part at most: each reads what all others have written."""
_SCRIPT = """
folder=$1/.pulumi-slurm-prove-$SLURM_JOB_ID
grep -q " $2 " /proc/self/mounts || exit 81
if [ "$SLURM_PROCID" = 0 ]; then
    mkdir "$folder" 2>/dev/null || exit 77
    trap 'rm -rf "$folder"' EXIT
    trap 'exit 1' TERM INT
fi
wait_for() {
    seconds=0
    until [ -s "$1" ]; do
        seconds=$((seconds + 1)); [ $seconds -lt 70 ] || exit 78
        sleep 1
        ls "$folder" >/dev/null 2>&1
    done
}
seconds=0
until [ -d "$folder" ]; do seconds=$((seconds + 1)); [ $seconds -lt 70 ] || exit 78; sleep 1; ls "$1" >/dev/null; done
dd if=/dev/zero of="$folder/$SLURM_PROCID.data" bs=1M count=4 conv=fsync 2>/dev/null || exit 79
id -u >"$folder/$SLURM_PROCID.uid"
task=0
while [ $task -lt "$SLURM_NTASKS" ]; do
    wait_for "$folder/$task.uid"
    [ "$(stat -c %u "$folder/$task.data")" = "$(id -u)" ] && [ "$(cat "$folder/$task.uid")" = "$(id -u)" ] || exit 80
    task=$((task + 1))
done
echo done >"$folder/$SLURM_PROCID.done"
[ "$SLURM_PROCID" = 0 ] || exit 0
task=0
while [ $task -lt "$SLURM_NTASKS" ]; do wait_for "$folder/$task.done"; task=$((task + 1)); done
"""
"""Writes in a folder of its own, which the first task makes and removes.

A folder is listed before each look: a client of NFS may believe for a minute that a file isn't there, and asks the
server when it opens the folder. See "Directory entry caching" in nfs(5).
"""
_DENIED = 77
_MEANS = {
    78: "a node doesn't see within 70 s what another has written: it isn't the same volume",
    79: "a file can't be written",
    80: "a user has not the same number on all nodes",
    81: "a node has nothing mounted there",
}


def volumes_are_shared(trial: Trial) -> Iterator[Result]:
    """Write on each shared volume from several nodes at once, and read what the others wrote."""
    for volume in trial.spec.shared_volumes:
        yield _of_volume(trial, volume.mount_path.rstrip("/"))


def _of_volume(trial: Trial, mount_path: str) -> Result:
    subject = f"shared volume {mount_path}"
    partition, nodes = _most_varied(trial)
    if len(nodes) < 2:
        why = f"{'one node is' if nodes else 'no node is'} idle, and two are needed"
        return Result(step="storage", subject=subject, verdict=Verdict.SKIP, observed=why)
    base = _folder(trial, mount_path)
    done = trial.srun(partition, nodes, f"set -- {shlex.join((base, mount_path))}\n{_SCRIPT}", seconds=110)
    jobs = jobs_in(done)
    if done.code and (excuse := trial.excuse(done, nodes)):
        return Result(step="storage", subject=subject, verdict=Verdict.SKIP, observed=excuse)
    if done.code == _DENIED:
        observed = f"{trial.place.user} can't write in {base}. Name a user who can with --user"
        return Result(step="storage", subject=subject, verdict=Verdict.SKIP, observed=observed, jobs=jobs)
    if done.code:
        return Result(
            step="storage",
            subject=subject,
            verdict=Verdict.FAIL,
            observed=_MEANS.get(done.code, done.complaint),
            expected=f"{len(nodes)} nodes of partition {partition} write at once, and each reads what the others wrote",
            fix="See that each worker mounts the same volume, and that it takes writes.",
            jobs=jobs,
        )
    observed = f"{len(nodes)} nodes of partition {partition} wrote at once, and each read what the others wrote"
    return Result(step="storage", subject=subject, verdict=Verdict.PASS, observed=observed, jobs=jobs)


def _most_varied(trial: Trial) -> tuple[str, list[SeenNode]]:
    """Return the partition with idle nodes of most node sets, then with most of them, and those, the sets in turn."""
    best: tuple[str, list[SeenNode]] = ("", [])
    best_size = (0, 0)
    for name, options in trial.partitions().items():
        idle = trial.idle(trial.in_partition(name))
        sets = [[node for node in trial.of(one) if node in idle] for one in trial.spec.node_sets]
        sets = [nodes for nodes in sets if nodes]
        in_turn = [nodes[turn] for turn in range(max(map(len, sets), default=0)) for nodes in sets if turn < len(nodes)]
        nodes = in_turn[: min(_MANY, options.max_nodes or _MANY)]
        if (len(sets), len(nodes)) > best_size and not why_not(options, len(nodes)):
            best, best_size = (name, nodes), (len(sets), len(nodes))
    return best


def _folder(trial: Trial, mount_path: str) -> str:
    """Return where the user writes: the home directory if it is on the volume, else the volume's root."""
    home = trial.place.query(f"getent passwd {shlex.quote(trial.place.user)} | cut -d: -f6").output.strip()
    return home if home.startswith(f"{mount_path}/") else mount_path
