"""What follows from a GKE specification, computed once and passed on."""

from dataclasses import dataclass

from pulumi_slurm.gke.model.cluster import GkeSpec
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool, planned_pools


@dataclass(frozen=True)
class GkePlan:
    """A specification with its node pools. Rules, the rest of the plan, and stacks take it in place of the former."""

    spec: GkeSpec
    """The specification."""
    pools: tuple[GkePlannedPool, ...]
    """The node pools, without those of unknown machine types."""

    @classmethod
    def of(cls, spec: GkeSpec) -> "GkePlan":
        """Return the plan of a specification, which may have errors."""
        return cls(spec, tuple(planned_pools(spec)))
