"""Zones: that they are in the region, and that they offer the machines, for machine types with a list of zones."""

from collections.abc import Iterator

from pydantic_core import PydanticCustomError

from pulumi_slurm.clouds.rules import pools as cloud_pools
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.gke.model.names import is_ai_zone, parent_zone, region_of
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.rules.configured_pools import configured_pools
from pulumi_slurm.machines.gke import GkeMachineTypeSpec
from pulumi_slurm.rules.run import Rule, warns


def zones_are_in_the_region(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse zones of another region."""
    return cloud_pools.zones_are_in_the_region(_zones(plan), plan.spec.region, region_of, f"{plan.spec.region}-b")


def zones_offer_the_machines(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse zones that don't offer the pool's machine type, if `catalogue.zones` lists those that do."""
    for at, planned in configured_pools(plan):
        yield from _zones_offer(planned.machine_type, at, planned.pool.zones, plan)
    try:
        machine_type = plan.spec.catalogue.find(plan.spec.system_pool.machine_type)
    except PydanticCustomError:
        return
    yield from _zones_offer(machine_type, ("system_pool",), plan.spec.system_pool.zones, plan)


@warns
def daemons_run_in_standard_zones(plan: GkePlan) -> Iterator[FieldError]:
    """Warn of Slurm's daemons in AI zones, which are for accelerators, and which lack services of their region.

    Source: https://cloud.google.com/compute/docs/regions-zones/ai-zones.
    """
    pool = plan.spec.system_pool
    ai_zones = [zone for zone in pool.zones or plan.spec.zones if is_ai_zone(zone)]
    if ai_zones and plan.makes_system_pool:
        yield FieldError(
            ("system_pool", "zones"),
            pool.zones or FieldError.ABSENT,
            f"Slurm's daemons and the cluster's first nodes would be in {', '.join(ai_zones)}, and Google recommends "
            "AI zones for accelerators alone: they may have no other machines",
            f'Write standard zones, for example ["{parent_zone(ai_zones[0])}"], and the AI zone in the pools.',
            depends_on_fields=(("zones",),),
        )


def _zones_offer(
    machine_type: GkeMachineTypeSpec, at: Path, pool_zones: list[str], plan: GkePlan
) -> Iterator[FieldError]:
    zones = machine_type.zones
    if not zones:
        return
    zones_in_region = [zone for zone in zones if region_of(zone) == plan.spec.region]
    yield from cloud_pools.zones_are_offered(
        at,
        pool_zones,
        plan.spec.zones,
        zones,
        machines="machine_type",
        problem=f"catalogue.zones says that {machine_type.name} is offered in {', '.join(zones)}",
        fix=(
            f"Write one of: {', '.join(zones_in_region)}."
            if zones_in_region
            else "Choose another machine type, or another region."
        ),
    )


def _zones(plan: GkePlan) -> Iterator[tuple[Path, str]]:
    """Yield path and zone of all zones in the specification."""
    pools, system_pool = plan.spec.pools, plan.spec.system_pool
    yield from cloud_pools.zones_of_nodes(plan.spec.zones, [pool.zones for pool in pools], system_pool.zones)
    for index, storage in enumerate(plan.spec.storage):
        if storage.filestore and storage.filestore.zone:
            yield ("storage", index, "filestore", "zone"), storage.filestore.zone
        if storage.lustre and storage.lustre.zone:
            yield ("storage", index, "lustre", "zone"), storage.lustre.zone


RULES: tuple[Rule, ...] = (
    zones_are_in_the_region,
    zones_offer_the_machines,
    daemons_run_in_standard_zones,
)
