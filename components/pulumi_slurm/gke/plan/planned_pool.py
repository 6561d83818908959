"""The node pools: one for each pool, one for each capacity option of a pool with priorities, and those that exist."""

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic_core import PydanticCustomError

from pulumi_slurm.clouds.pool import PlannedPool
from pulumi_slurm.errors import Path
from pulumi_slurm.gke.model.cluster import GkeSpec
from pulumi_slurm.gke.model.pool import GkeCapacityOptionSpec, GkePoolSpec
from pulumi_slurm.machines.gke import GkeMachineTypeSpec


@dataclass(frozen=True, kw_only=True)
class GkePlannedPool(PlannedPool[GkePoolSpec]):
    """A node pool in GKE; with priorities, ``at`` is ("pools", 0, "priorities", 1)."""

    capacity_option: GkeCapacityOptionSpec
    """How to get machines, and how many."""
    machine_type: GkeMachineTypeSpec
    """The machine type, with attached GPUs."""
    switches_threads_off: bool = False
    """Whether the cores of its machines have a second thread, which the pool does without."""
    exists: bool = False
    """Whether it exists already, so that nothing of it is made; ``at`` is then ("existing_pools", 0)."""

    @property
    def is_compact(self) -> bool:
        """Whether a policy places the nodes close to each other."""
        return self.pool.compact_placement or self.capacity_option.placement_policy is not None

    @property
    def needs_workload_policy(self) -> bool:
        """Whether its placement needs a policy of its own, since GKE's is not for flex-start.

        Source: examples/gke-consumption-options/dws-flex-start-compact-placement of
        https://github.com/GoogleCloudPlatform/cluster-toolkit, commit 1047080.
        """
        option = self.capacity_option
        return self.pool.compact_placement and option.is_flex_start and option.placement_policy is None

    @property
    def local_ssds(self) -> int:
        """How many local SSDs each node has: the configured number, or those that the machine type includes."""
        if self.pool.local_ssd.count is not None:
            return self.pool.local_ssd.count
        choices = self.machine_type.local_ssd.counts
        return choices[0] if len(choices) == 1 else 0


def planned_pools(spec: GkeSpec) -> list[GkePlannedPool]:
    """Return the node pools in the order of the specification, then those that exist.

    Without those of unknown machine types, and without existing ones that the program has not read.
    """
    return [*_planned(spec), *_existing(spec)]


def machine_type_of(spec: GkeSpec, pool: GkePoolSpec) -> GkeMachineTypeSpec:
    """Return a pool's machine type with attached GPUs; raise the field's error if it isn't in the catalogue."""
    if pool.accelerator:
        machine_type = spec.catalogue.with_gpus(pool.machine_type, pool.accelerator.type, pool.accelerator.count)
    else:
        machine_type = spec.catalogue.find(pool.machine_type)
    if not _switches_threads_off(spec, pool):
        return machine_type
    return machine_type.model_copy(
        update={"vcpus": machine_type.vcpus // machine_type.threads_per_core, "threads_per_core": 1}
    )


def _switches_threads_off(spec: GkeSpec, pool: GkePoolSpec) -> bool:
    return pool.threads_per_core is not None and spec.catalogue.find(pool.machine_type).threads_per_core > 1


def _planned(spec: GkeSpec) -> Iterator[GkePlannedPool]:
    for index, pool in enumerate(spec.pools):
        try:
            machine_type = machine_type_of(spec, pool)
        except PydanticCustomError:
            continue
        at: Path = ("pools", index)
        options: list[tuple[str, GkeCapacityOptionSpec, Path]] = [(pool.name, pool, at)]
        if pool.priorities:
            options = [
                (f"{pool.name}-{option.capacity}", option, (*at, "priorities", position))
                for position, option in enumerate(pool.priorities)
            ]
        for name, option, option_at in options:
            yield GkePlannedPool(
                name=name,
                pool=pool,
                capacity_option=option,
                machine_type=machine_type,
                switches_threads_off=_switches_threads_off(spec, pool),
                zones=tuple(pool.zones or spec.zones),
                at=option_at,
            )


def _existing(spec: GkeSpec) -> Iterator[GkePlannedPool]:
    for index, existing in enumerate(spec.existing_pools):
        pool = existing.found
        if pool is None:
            continue
        try:
            machine_type = machine_type_of(spec, pool)
        except PydanticCustomError:
            continue
        yield GkePlannedPool(
            name=pool.name,
            pool=pool,
            capacity_option=pool,
            machine_type=machine_type,
            zones=tuple(pool.zones),
            at=("existing_pools", index),
            exists=True,
        )
