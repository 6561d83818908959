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
    """The node pools, without those of unknown machine types; at the end those that exist, as far as they were read."""

    @property
    def new_pools(self) -> tuple[GkePlannedPool, ...]:
        """The node pools to make."""
        return tuple(planned for planned in self.pools if not planned.exists)

    @property
    def makes_network(self) -> bool:
        """Whether the VPC is made."""
        return self.spec.network.existing is None and self.spec.existing_cluster is None

    @property
    def host_project(self) -> str | None:
        """The project that has the VPC, where that is a Shared VPC of another one."""
        project = self.spec.network.existing.project if self.spec.network.existing else None
        return None if project == self.spec.project else project

    @property
    def makes_system_pool(self) -> bool:
        """Whether the system pool is made; in a cluster that exists only if it is written."""
        return self.spec.existing_cluster is None or "system_pool" in self.spec.model_fields_set

    @property
    def makes_firewall(self) -> bool:
        """Whether rules of the firewall of the cluster's VPC are made."""
        manages = self.spec.manage.firewall
        return self.host_project is None if manages is None else manages

    @property
    def makes_nat(self) -> bool:
        """Whether Cloud NAT is made."""
        return self.makes_network if self.spec.manage.nat is None else self.spec.manage.nat

    @classmethod
    def of(cls, spec: GkeSpec) -> "GkePlan":
        """Return the plan of a specification, which may have errors."""
        return cls(spec, tuple(planned_pools(spec)))
