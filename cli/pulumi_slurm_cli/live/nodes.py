"""Nodes as slurmctld has them in memory."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pulumi_slurm_cli.live.values import moment, words

OPERATORS_REASON = "slurm-operator:"
"""How the operator's reasons begin for drains of its own, which it ends itself.

Source: nodeReasonPrefix in internal/controller/nodeset/slurmcontrol/slurmcontrol.go of slurm-operator, v1.1.2.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveNode:
    """A node."""

    name: str
    states: tuple[str, ...]
    """Its state, such as IDLE or DOWN, and marks such as DRAIN or DYNAMIC_NORM."""
    reason: str
    """Why it is drained or down, "" without a reason."""
    reason_by: str
    """Who wrote the reason, a name or a number; "" without a reason."""
    reason_at: int | None
    """When, in seconds since 1970."""
    comment: str
    partitions: tuple[str, ...]
    features: tuple[str, ...]
    """Those that it can have."""
    active_features: tuple[str, ...]
    """Those that it has now."""
    cpus: int
    """Those that jobs can get, without specialized ones."""
    allocated_cpus: int
    memory: int
    """In MiB, as configured."""
    allocated_memory: int
    gres: str
    """Its generic resources in Slurm's form, such as "gpu:a100:8(S:0-1)"."""
    weight: int
    """Jobs get nodes with lower weights first."""
    reservation: str
    """The reservation that it is in now, "" for none."""
    address: str
    hostname: str
    instance_id: str
    """For slurm-operator's nodes the uid of their pod; "" where nobody has set it."""
    instance_type: str
    extra: str
    topology: str
    """Its place in topology.yaml; "" where there is none, and before Slurm 25.05."""
    version: str
    """The release of its slurmd, "" before it has registered."""
    booted: int | None
    """When its machine started, in seconds since 1970."""

    @property
    def state(self) -> str:
        """Its state without marks."""
        return self.states[0]

    @property
    def is_drained(self) -> bool:
        """Whether no new job starts there because somebody or something drained it."""
        return "DRAIN" in self.states

    @property
    def is_drained_by_hand(self) -> bool:
        """Whether it is drained, and not by the operator."""
        return self.is_drained and not self.reason.startswith(OPERATORS_REASON)


def node_of(data: Mapping[str, Any]) -> LiveNode:
    """Return a node from slurmrestd's JSON."""
    return LiveNode(
        name=data["name"],
        states=words(data["state"]),
        reason=data["reason"],
        reason_by=data["reason_set_by_user"],
        reason_at=moment(data["reason_changed_at"]),
        comment=data["comment"],
        partitions=words(data["partitions"]),
        features=words(data["features"]),
        active_features=words(data["active_features"]),
        cpus=data["effective_cpus"],
        allocated_cpus=data["alloc_cpus"],
        memory=data["real_memory"],
        allocated_memory=data["alloc_memory"],
        gres=data["gres"],
        weight=data["weight"],
        reservation=data["reservation"],
        address=data["address"],
        hostname=data["hostname"],
        instance_id=data["instance_id"],
        instance_type=data["instance_type"],
        extra=data["extra"],
        topology=data.get("topology", ""),
        version=data["version"],
        booted=moment(data["boot_time"]),
    )
