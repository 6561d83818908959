"""A step for shared volumes: written on each node, and read on the others."""

import re
import shlex
from collections.abc import Iterator

from pulumi_slurm_cli.proof.nodes import SeenNode
from pulumi_slurm_cli.proof.result import Result, judged, untried
from pulumi_slurm_cli.proof.trial import ANOTHER_USER, SMALL, Needs, Trial, jobs_in, why_not

_MANY = 32
"""How many nodes take part at most: each reads what all others have written."""
_SCRIPT = """
folder=$1/.pulumi-slurm-prove-$SLURM_JOB_ID
fails() { echo "why $1 $SLURMD_NODENAME"; exit "$1"; }
last=$(($(date +%s) + 70))
grep -q " $2 " /proc/self/mounts || fails 81
if [ "$SLURM_PROCID" = 0 ]; then
    if ! complaint=$(LC_ALL=C mkdir "$folder" 2>&1); then
        case $complaint in *"ermission denied"*) fails 77 ;; *) fails 79 ;; esac
    fi
    trap 'rm -rf "$folder"' EXIT
    trap 'exit 1' TERM INT
fi
wait_for() {
    until [ -s "$1" ]; do
        [ "$(date +%s)" -lt "$last" ] || fails 78
        sleep 0.2
        ls "$folder" >/dev/null 2>&1
    done
}
until [ -d "$folder" ]; do [ "$(date +%s)" -lt "$last" ] || fails 78; sleep 0.2; ls "$1" >/dev/null; done
yes "$SLURM_PROCID" | head -c 4M | dd of="$folder/$SLURM_PROCID.data" bs=64K iflag=fullblock conv=fsync 2>/dev/null &&
    [ "$(stat -c %s "$folder/$SLURM_PROCID.data")" = 4194304 ] || fails 79
id -u >"$folder/$SLURM_PROCID.uid"
task=0
while [ $task -lt "$SLURM_NTASKS" ]; do
    wait_for "$folder/$task.uid"
    [ "$(stat -c %u "$folder/$task.data")" = "$(id -u)" ] && [ "$(cat "$folder/$task.uid")" = "$(id -u)" ] || fails 80
    [ "$(cksum <"$folder/$task.data")" = "$(yes $task | head -c 4M | cksum)" ] || fails 82
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
    78: "doesn't see within 70 s what another node has written: it isn't the same volume",
    79: "can't write a file",
    80: "sees files of the user as somebody else's",
    81: "has nothing mounted there",
    82: "reads something else than another node has written",
}
_WHY = re.compile(r"^why (?P<code>\d+) (?P<node>\S+)$", re.M)
_OTHER = """
set -- {words}
{another_user}
file=$(runuser -u "$1" -- sh -c 'umask 077; mktemp -- "$1/.pulumi-slurm-prove-XXXXXX"' sh "$2" 2>/dev/null) || exit 3
runuser -u "$1" -- sh -c 'echo mine >"$1"' sh "$file"
[ "$(runuser -u "$1" -- cat "$file")" = mine ] && runuser -u "$other" -- true &&
    echo "other $other $(runuser -u "$other" -- cat "$file" 2>/dev/null)"
runuser -u "$1" -- rm -f "$file"
"""
"""Writes a file that only its owner may read, and reads it as another user."""


def volumes_are_shared(trial: Trial) -> Iterator[Result]:
    """Write on each shared volume from several nodes at once, and read what the others wrote; nobody else reads it."""
    for volume in trial.spec.shared_volumes:
        mount_path = volume.mount_path.rstrip("/")
        base = folder_of(trial, mount_path)
        yield _of_volume(trial, mount_path, base)
        if trial.place.becomes:
            yield from _of_others(trial, mount_path, base)


def _of_volume(trial: Trial, mount_path: str, base: str) -> Result:
    subject = f"shared volume {mount_path}"
    partition, nodes = most_varied(trial)
    if len(nodes) < 2:
        return untried("storage", subject, f"{'one node is' if nodes else 'no node is'} idle, and two are needed")
    script = f"set -- {shlex.join((base, mount_path))}\n{_SCRIPT}"
    done = trial.srun(partition, nodes, script, Needs(others=("--kill-on-bad-exit=1",)), seconds=110)
    jobs = jobs_in(done)
    if done.code and (excuse := trial.excuse(done, partition, nodes)):
        return untried("storage", subject, excuse)
    # Others are ended then, so the exit code of the job is not the first that failed.
    why = _WHY.search(done.output)
    if why and int(why["code"]) == _DENIED:
        observed = f"{trial.place.user} may not write in {base}. Name a user who may with --user"
        return untried("storage", subject, observed, jobs)
    trouble = f"{why['node']} {_MEANS[int(why['code'])]}" if why else done.complaint
    return judged(
        "storage",
        subject,
        trouble if done.code else f"{len(nodes)} nodes of partition {partition} wrote at once, and each read all of it",
        wrong=bool(done.code),
        expected=f"{len(nodes)} nodes of partition {partition} write at once, and each reads what the others wrote",
        fix="See that each worker mounts the same volume, and that it takes writes.",
        jobs=jobs,
    )


def _of_others(trial: Trial, mount_path: str, base: str) -> Iterator[Result]:
    asked = trial.place.query(_OTHER.format(words=shlex.join((trial.place.user, base)), another_user=ANOTHER_USER))
    line = next((line.split() for line in asked.lines if line.startswith("other ")), None)
    # Where the user may not write, the result before has said so.
    if line:
        yield judged(
            "isolation",
            f"shared volume {mount_path}, others' files",
            f"{line[1]} {'reads' if line[2:] else 'does not read'} a file of {trial.place.user} with mode 600",
            wrong=bool(line[2:]),
            expected="nobody else reads it",
            fix="See the server's options: with all_squash, NFS takes all users for one.",
        )


def most_varied(trial: Trial, needs: Needs = SMALL) -> tuple[str, list[SeenNode]]:
    """Return the partition with idle nodes of most node sets, then with most of them, and those, the sets in turn."""
    trial.look_again()
    best: tuple[str, list[SeenNode]] = ("", [])
    best_size = (0, 0)
    for name, options in trial.willing().items():
        idle = trial.idle(trial.in_partition(name))
        sets = [[node for node in trial.of(one) if node in idle] for one in trial.spec.node_sets]
        sets = [nodes for nodes in sets if nodes]
        in_turn = [nodes[turn] for turn in range(max(map(len, sets), default=0)) for nodes in sets if turn < len(nodes)]
        nodes = in_turn[: min(_MANY, options.max_nodes or _MANY)]
        if (len(sets), len(nodes)) > best_size and not why_not(options, len(nodes), needs):
            best, best_size = (name, nodes), (len(sets), len(nodes))
    return best


def folder_of(trial: Trial, mount_path: str) -> str:
    """Return where the user writes: the home directory if it is on the volume, else the volume's root."""
    home = trial.place.query(f"getent passwd {shlex.quote(trial.place.user)} | cut -d: -f6").output.strip()
    return home if home.startswith(f"{mount_path}/") else mount_path
