"""An ACK specification with its node pools, computed once and passed on."""

from dataclasses import dataclass

from pulumi_slurm.ack.model.cluster import AckSpec
from pulumi_slurm.ack.model.existing import AckFoundNetwork
from pulumi_slurm.ack.plan.planned_pool import AckPlannedPool, planned_pools


@dataclass(frozen=True)
class AckPlan:
    """A specification with its node pools; rules, other parts of the plan and stacks take it as their argument."""

    spec: AckSpec
    """The specification."""
    pools: tuple[AckPlannedPool, ...]
    """The node pools, without those with unknown instance types; at the end those that exist, as far as they were
    read."""

    @property
    def new_pools(self) -> tuple[AckPlannedPool, ...]:
        """The node pools to make."""
        return tuple(planned for planned in self.pools if not planned.exists)

    @property
    def makes_network(self) -> bool:
        """Whether the VPC is made."""
        return self.spec.network.existing is None and self.spec.existing_cluster is None

    @property
    def makes_system_pool(self) -> bool:
        """Whether the system pool is made; in a cluster that exists only if it is written."""
        return self.spec.existing_cluster is None or "system_pool" in self.spec.model_fields_set

    @property
    def found_network(self) -> AckFoundNetwork | None:
        """What is known of a VPC that exists, once the program has read it."""
        return self.spec.network.existing.found if self.spec.network.existing else None

    @property
    def awaits_the_cluster(self) -> bool:
        """Whether the cluster exists and nobody has read yet what it is."""
        return self.spec.existing_cluster is not None and self.found_network is None

    @classmethod
    def of(cls, spec: AckSpec) -> "AckPlan":
        """Return the plan of a specification, which may have errors."""
        return cls(spec, tuple(planned_pools(spec)))
