"""A GKE specification and its node pools, which are computed once and passed on."""

from dataclasses import dataclass

from pulumi_slurm.gke.model.cluster import GkeSpec
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool, planned_pools


@dataclass(frozen=True)
class GkePlan:
    """A specification with its node pools: the argument of rules, of the other modules of the plan, and of stacks."""

    spec: GkeSpec
    """The specification."""
    pools: tuple[GkePlannedPool, ...]
    """The node pools, without those of unknown machine types."""

    @classmethod
    def of(cls, spec: GkeSpec) -> "GkePlan":
        """Return the plan of a specification, which may have errors."""
        return cls(spec, tuple(planned_pools(spec)))
