"""Why nodes are kept from jobs, and who wrote that."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pulumi_slurm.configuration.drain import REASON
from pulumi_slurm_cli.live.nodes import OPERATORS_REASON
from pulumi_slurm_cli.proof.node_states import Kind
from pulumi_slurm_cli.status.reading import StatusNode

KEPT = frozenset((Kind.DRAINED, Kind.DOWN, Kind.OTHER))
"""What nodes are that somebody has to look after before jobs start there."""
_OF_SLURM = (
    *("Not responding", "Node unexpectedly rebooted", "ResumeTimeout reached", "reboot timed out"),
    *("Prolog error", "Epilog error", "Prolog/Epilog failure", "Job env setup error"),
    *("Kill task failed", "batch job complete failure", "Duplicate jobid"),
    *("Low ", "gres/", "CoreSpec differ", "Could not unpack gres data", "Reported active features"),
    *("Failed to parse dynamic_conf nodeline", "Failed to set topology"),
)
"""How reasons begin that Slurm's daemons write.

Source: node_mgr.c, ping_nodes.c, power_save.c, proc_req.c, job_mgr.c and agent.c in src/slurmctld,
src/interfaces/gres.c and, of "Kill task failed", src/common/slurm_errno.c, of SchedMD/slurm at slurm-26-05-3-1.
"""


class Writer(StrEnum):
    """Who wrote a reason."""

    OPERATOR = "slurm-operator"
    CHECK = "check"
    """A check or a Job of this library."""
    SLURM = "Slurm"
    PERSON = "person"
    """An administrator, or a program of theirs."""


@dataclass(frozen=True)
class Kept:
    """Nodes that are kept from jobs for one reason."""

    writer: Writer
    name: str
    """The name of the check, or of the user who wrote it; "" where there is none."""
    reason: str
    """That of the first node, without what says whose it is."""
    nodes: tuple[str, ...]
    kinds: frozenset[Kind]
    since: int | None
    """Since when the first of them is, in seconds since 1970; None where Slurm doesn't say."""


def kept_from_jobs(nodes: Iterable[StatusNode]) -> list[Kept]:
    """Return why nodes are kept from jobs, with those first that are the most nodes."""
    groups: dict[tuple[Writer, str, str], list[StatusNode]] = {}
    for node in nodes:
        if node.kind in KEPT:
            writer, name, text = _parts(node)
            # The operator names the node, and a check its values.
            same = "" if writer is Writer.OPERATOR or (writer is Writer.CHECK and name) else text
            groups.setdefault((writer, name, same), []).append(node)
    kept = [_group(writer, name, group) for (writer, name, _), group in groups.items()]
    return sorted(kept, key=lambda group: -len(group.nodes))


def _group(writer: Writer, name: str, nodes: Sequence[StatusNode]) -> Kept:
    return Kept(
        writer=writer,
        name=name,
        reason=_parts(nodes[0])[2],
        nodes=tuple(node.name for node in nodes),
        kinds=frozenset(node.kind for node in nodes),
        since=min((node.reason_at for node in nodes if node.reason_at), default=None),
    )


def _parts(node: StatusNode) -> tuple[Writer, str, str]:
    """Return who wrote a node's reason, the name of the check or the user, and the text."""
    reason = node.reason.strip()
    if reason.startswith(OPERATORS_REASON):
        return Writer.OPERATOR, "", reason.removeprefix(OPERATORS_REASON).strip()
    if reason.startswith(REASON):
        text = reason.removeprefix(REASON).strip()
        check, colon, facts = text.partition(":")
        return (Writer.CHECK, check, facts.strip()) if colon and " " not in check else (Writer.CHECK, "", text)
    if not reason:
        silent = node.state.endswith("*")
        return Writer.SLURM, "", "no answer from slurmd" if silent else "no reason is given"
    if reason.startswith(_OF_SLURM):
        return Writer.SLURM, "", reason
    return Writer.PERSON, node.reason_by, reason
