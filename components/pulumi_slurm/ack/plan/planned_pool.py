"""The node pools that ACK gets, with what the catalogue knows of their machines."""

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic_core import PydanticCustomError

from pulumi_slurm.ack.model.cluster import AckSpec
from pulumi_slurm.ack.model.pool import AckPoolSpec
from pulumi_slurm.clouds.pool import PlannedPool
from pulumi_slurm.machines.ack import AckMachineTypeSpec


@dataclass(frozen=True, kw_only=True)
class AckPlannedPool(PlannedPool[AckPoolSpec]):
    """A node pool as ACK gets it."""

    machine_types: tuple[AckMachineTypeSpec, ...]
    """The instance types that its nodes may have, best first; at least one."""

    @property
    def machine_type(self) -> AckMachineTypeSpec:
        """The instance type that comes first; what all of them have in common is read from it."""
        return self.machine_types[0]


def planned_pools(spec: AckSpec) -> list[AckPlannedPool]:
    """Return the node pools, in the order in which they are stated, without those with an unknown instance type."""
    return list(_planned(spec))


def all_zones(spec: AckSpec) -> list[str]:
    """Return every zone that has nodes: those of the cluster first, then those that only pools have."""
    stated = [*spec.zones, *spec.system_pool.zones, *(zone for pool in spec.pools for zone in pool.zones)]
    return list(dict.fromkeys(stated))


def _planned(spec: AckSpec) -> Iterator[AckPlannedPool]:
    for index, pool in enumerate(spec.pools):
        try:
            machine_types = tuple(spec.catalogue.find(name) for name in pool.instance_types)
        except PydanticCustomError:
            continue
        zones = tuple(pool.zones or spec.zones)
        yield AckPlannedPool(name=pool.name, pool=pool, machine_types=machine_types, zones=zones, at=("pools", index))
