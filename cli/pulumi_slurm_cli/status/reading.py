"""What Slurm says of itself, in one script: daemons, nodes, partitions, waiting jobs and slurmctld's own numbers."""

import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pulumi_slurm_cli.kubectl import KubectlError
from pulumi_slurm_cli.live.values import gpus_of_gres
from pulumi_slurm_cli.proof.node_states import WithState
from pulumi_slurm_cli.proof.pings import Ping, pings_in
from pulumi_slurm_cli.proof.place import Place

_NODE_FIELDS = ("NodeList", "StateLong", "Gres", "GresUsed", "PartitionName", "User", "Timestamp", "Reason")
_SCRIPT = """
export SLURM_TIME_FORMAT=%s TZ=UTC LC_ALL=C
part() {{ printf '\\n{mark} %s\\n' "$1"; }}
part now; date +%s
answer=$(timeout 10 scontrol ping 2>&1)
part slurmctld; printf '%s\\n' "$answer"
part slurmdbd; {database}
case $answer in *' is UP'*) ;; *) exit 0 ;; esac
part partitions; timeout 10 sinfo --noheader --all --format='%R|%a' || exit
part nodes; timeout 10 sinfo --noheader --all --Node --Format='{fields}' || exit
jobs=$(timeout 10 squeue --noheader --all --array --states=PENDING --format='%u|%P|%V|%r') || exit
part jobs; printf '%s\\n' "$jobs" | sort | uniq -c
part numbers; timeout 10 sdiag
part end
"""
"""Prints parts after lines with a mark that nobody could write before.

All tasks of an array are as one line, after how many there are. `%s` is of strftime(3): seconds since 1970.
Source: https://slurm.schedmd.com/sinfo.html#OPT_SLURM_TIME_FORMAT.
"""
_NOBODY = ("Unknown", "N/A", "None")


@dataclass(frozen=True, kw_only=True)
class StatusNode(WithState):
    """A node, with what keeps it from jobs."""

    name: str
    gpus: int
    allocated_gpus: int
    partitions: tuple[str, ...]
    reason: str
    """Why it is drained or down, "" without a reason."""
    reason_by: str
    """Who wrote the reason."""
    reason_at: int | None
    """When, in seconds since 1970."""


@dataclass(frozen=True)
class Waiting:
    """Jobs that wait for the same reason, sent by the same user at the same time; tasks of arrays count each."""

    count: int
    user: str
    partitions: tuple[str, ...]
    since: int | None
    """When they were sent, in seconds since 1970."""
    reason: str
    """As Slurm writes it."""


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What Slurm has said."""

    now: int
    """The time there, in seconds since 1970."""
    slurmctld: tuple[Ping, ...]
    slurmdbd: tuple[Ping, ...]
    """Nothing where it isn't asked."""
    partitions: Mapping[str, str] | None = None
    """Their states, such as "up" or "drain", by name; None where slurmctld doesn't answer."""
    nodes: tuple[StatusNode, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    threads: int | None = None
    """How many threads of slurmctld answer requests."""
    database_queue: int | None = None
    """How many messages to slurmdbd wait."""
    backfill_at: int | None = None
    """When the backfill scheduler ran last, in seconds since 1970."""


def reading_in(place: Place, *, with_database: bool) -> Reading:
    """Read it in a pod.

    Raises:
        KubectlError: if nothing can be run there, or Slurm refuses.
    """
    mark = uuid.uuid4().hex
    database = "timeout 10 sacctmgr ping 2>/dev/null" if with_database else ":"
    done = place.query(_SCRIPT.format(mark=mark, database=database, fields=_fields(mark)))
    if done.code:
        raise KubectlError(f"pod {place.pod}: Slurm doesn't say how it is: {done.complaint}")
    return reading_of(done.output, mark)


def reading_of(text: str, mark: str) -> Reading:
    """Return what the script has printed, by its mark.

    Raises:
        KubectlError: if it is something else.
    """
    parts = dict(part.partition("\n")[::2] for part in text.split(f"\n{mark} ")[1:])
    now = parts.get("now", "").strip()
    if not now.isdecimal():
        raise KubectlError("a script in a pod printed something else than asked for")
    slurmctld, slurmdbd = (pings_in(parts.get(daemon, ""), daemon) for daemon in ("slurmctld", "slurmdbd"))
    daemons = Reading(now=int(now), slurmctld=slurmctld, slurmdbd=slurmdbd)
    if "partitions" not in parts:
        return daemons
    rows = [line.rpartition("|") for line in parts["partitions"].splitlines()]
    numbers = parts.get("numbers", "")
    return replace(
        daemons,
        partitions={name: state for name, _, state in rows if name},
        nodes=nodes_of(parts.get("nodes", "").split(f"@{mark}\n")),
        waiting=waiting_of(parts.get("jobs", "").splitlines()),
        threads=_number(r"Server thread count: +(\d+)", numbers),
        database_queue=_number(r"DBD Agent queue size: +(\d+)", numbers),
        backfill_at=_number(r"Last cycle when:.*\((\d+)\)", numbers),
    )


def _fields(mark: str) -> str:
    """Return the columns of sinfo, of which the last can have anything in it, so that a mark ends it."""
    return ",".join(f"{name}:{f'@{mark}' if name == 'Reason' else '|'}" for name in _NODE_FIELDS)


def nodes_of(rows: Sequence[str]) -> tuple[StatusNode, ...]:
    """Return the nodes of rows by sinfo, of which there is one for each partition of a node."""
    nodes: dict[str, StatusNode] = {}
    for row in rows:
        columns = row.split("|", len(_NODE_FIELDS) - 1)
        if len(columns) < len(_NODE_FIELDS):
            continue
        name, state, gres, used, partition, user, moment, reason = columns
        before = nodes[name].partitions if name in nodes else ()
        nodes[name] = StatusNode(
            name=name,
            state=state.lower(),
            gpus=_gpus(gres),
            allocated_gpus=_gpus(used),
            partitions=(*before, partition),
            reason="" if reason == "none" else reason,
            reason_by="" if user in _NOBODY else user,
            reason_at=int(moment) if moment.isdecimal() else None,
        )
    return tuple(nodes.values())


def waiting_of(rows: Sequence[str]) -> tuple[Waiting, ...]:
    """Return the waiting jobs of rows by squeue, after how often each is there."""
    waiting = []
    for row in rows:
        count, _, job = row.strip().partition(" ")
        columns = job.split("|", 3)
        if count.isdecimal() and len(columns) == 4:
            user, partitions, moment, reason = columns
            since = int(moment) if moment.isdecimal() else None
            waiting.append(Waiting(int(count), user, tuple(partitions.split(",")), since, reason))
    return tuple(waiting)


def _gpus(gres: str) -> int:
    return 0 if gres in ("(null)", "N/A", "") else gpus_of_gres(gres)


def _number(pattern: str, text: str) -> int | None:
    match = re.search(pattern, text, re.MULTILINE)
    return int(match[1]) if match else None
