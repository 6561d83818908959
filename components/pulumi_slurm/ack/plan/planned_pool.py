"""The node pools in ACK, with the instance types of their nodes: those to make, and those that exist."""

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic_core import PydanticCustomError

from pulumi_slurm.ack.model.cluster import AckSpec
from pulumi_slurm.ack.model.pool import AckPoolSpec
from pulumi_slurm.clouds.pool import PlannedPool
from pulumi_slurm.errors import Path
from pulumi_slurm.machines.ack import AckMachineTypeSpec


@dataclass(frozen=True, kw_only=True)
class AckPlannedPool(PlannedPool[AckPoolSpec]):
    """A node pool in ACK."""

    machine_types: tuple[AckMachineTypeSpec, ...]
    """The instance types of its nodes in order of preference; at least one."""

    exists: bool = False
    """Whether it exists already, so that nothing of it is made; ``at`` is then ("existing_pools", 0)."""

    @property
    def machine_type(self) -> AckMachineTypeSpec:
        """The first instance type; only properties that all types have in common may be read from it."""
        return self.machine_types[0]


def planned_pools(spec: AckSpec) -> list[AckPlannedPool]:
    """Return the node pools in the order of the specification, then those that exist.

    Without those with an unknown instance type, and without existing ones that the program has not read.
    """
    return [*_planned(spec), *_existing(spec)]


def all_zones(spec: AckSpec) -> list[str]:
    """Return all zones with new nodes: first those of the cluster, then those that only pools have."""
    zones = [*spec.zones, *spec.system_pool.zones, *(zone for pool in spec.pools for zone in pool.zones)]
    return list(dict.fromkeys(zones))


def _planned(spec: AckSpec) -> Iterator[AckPlannedPool]:
    for index, pool in enumerate(spec.pools):
        try:
            machine_types = tuple(spec.catalogue.find(name) for name in pool.instance_types)
        except PydanticCustomError:
            continue
        zones = tuple(pool.zones or spec.zones)
        yield AckPlannedPool(name=pool.name, pool=pool, machine_types=machine_types, zones=zones, at=("pools", index))


def _existing(spec: AckSpec) -> Iterator[AckPlannedPool]:
    for index, existing in enumerate(spec.existing_pools):
        pool = existing.found
        if pool is None:
            continue
        try:
            machine_types = tuple(spec.catalogue.find(name) for name in pool.instance_types)
        except PydanticCustomError:
            continue
        at: Path = ("existing_pools", index)
        yield AckPlannedPool(name=pool.name, pool=pool, machine_types=machine_types, zones=(), at=at, exists=True)
