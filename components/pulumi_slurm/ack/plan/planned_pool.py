"""The node pools that ACK gets, with what the catalogue knows of their machines."""

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic_core import PydanticCustomError

from pulumi_slurm.ack.model.cluster import AckSpec
from pulumi_slurm.ack.model.pool import AckPoolSpec
from pulumi_slurm.errors import Path
from pulumi_slurm.machines.ack import AckMachineTypeSpec


@dataclass(frozen=True)
class AckPlannedPool:
    """A node pool as ACK gets it."""

    name: str
    """Its name in ACK, which is also the name of the Slurm specification's node pool."""
    pool: AckPoolSpec
    """The pool as it was stated."""
    machine_types: tuple[AckMachineTypeSpec, ...]
    """The instance types that its nodes may have, best first; at least one."""
    zones: tuple[str, ...]
    """The zones of its nodes."""
    at: Path
    """Where the pool stands in the specification: ("pools", 0)."""

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
            kinds = tuple(spec.catalogue.find(name) for name in pool.instance_types)
        except PydanticCustomError:
            continue
        yield AckPlannedPool(pool.name, pool, kinds, tuple(pool.zones or spec.zones), ("pools", index))
