"""The node pools to create in ACK, with the instance types of their nodes from the catalogue."""

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic_core import PydanticCustomError

from pulumi_slurm.ack.model.cluster import AckSpec
from pulumi_slurm.ack.model.pool import AckPoolSpec
from pulumi_slurm.clouds.pool import PlannedPool
from pulumi_slurm.machines.ack import AckMachineTypeSpec


@dataclass(frozen=True, kw_only=True)
class AckPlannedPool(PlannedPool[AckPoolSpec]):
    """A node pool to create in ACK."""

    machine_types: tuple[AckMachineTypeSpec, ...]
    """The instance types of its nodes in order of preference; at least one."""

    @property
    def machine_type(self) -> AckMachineTypeSpec:
        """The first instance type; only properties that all types have in common may be read from it."""
        return self.machine_types[0]


def planned_pools(spec: AckSpec) -> list[AckPlannedPool]:
    """Return the node pools in the order of the specification, without those with an unknown instance type."""
    return list(_planned(spec))


def all_zones(spec: AckSpec) -> list[str]:
    """Return all zones with nodes: first those of the cluster, then those that only pools have."""
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
