"""An ACK specification with its node pools, computed once and passed on."""

from dataclasses import dataclass

from pulumi_slurm.ack.model.cluster import AckSpec
from pulumi_slurm.ack.plan.planned_pool import AckPlannedPool, planned_pools


@dataclass(frozen=True)
class AckPlan:
    """A specification with its node pools; rules, other parts of the plan and stacks take it as their argument."""

    spec: AckSpec
    """The specification."""
    pools: tuple[AckPlannedPool, ...]
    """The node pools, without those with unknown instance types."""

    @classmethod
    def of(cls, spec: AckSpec) -> "AckPlan":
        """Return the plan of a specification, which may have errors."""
        return cls(spec, tuple(planned_pools(spec)))
