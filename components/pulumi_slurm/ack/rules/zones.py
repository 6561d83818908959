"""Zones: that they lie in the region, and offer the machines as far as that is known."""

from collections.abc import Iterator

from pydantic_core import PydanticCustomError

from pulumi_slurm.ack.model.names import region_of, zone_in
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.clouds.rules.pools import zones_are_in_the_region, zones_are_offered, zones_of_nodes
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.machines.ack import AckMachineTypeSpec


def zones_lie_in_the_region(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse zones of another region."""
    return zones_are_in_the_region(_zones(plan), plan.spec.region, region_of, zone_in(plan.spec.region))


def zones_offer_the_machines(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse zones that offer none of the pool's instance types, where `catalogue.zones` says which do."""
    for planned in plan.pools:
        yield from _offered(planned.at, planned.machine_types, planned.pool.zones, plan)
    try:
        kinds = tuple(plan.spec.catalogue.find(name) for name in plan.spec.system_pool.instance_types)
    except PydanticCustomError:
        return
    yield from _offered(("system_pool",), kinds, plan.spec.system_pool.zones, plan)


def _offered(at: Path, kinds: tuple[AckMachineTypeSpec, ...], own: list[str], plan: AckPlan) -> Iterator[FieldError]:
    if not all(kind.zones for kind in kinds):
        return  # One of them may be offered everywhere.
    offering = list(dict.fromkeys(zone for kind in kinds for zone in kind.zones))
    names = " or ".join(kind.name for kind in kinds)
    problem = f"catalogue.zones says that {names} is offered in {', '.join(offering)}"
    here = [zone for zone in offering if region_of(zone) == plan.spec.region]
    fix = f"Write one of: {', '.join(here)}." if here else "Choose another instance type, or another region."
    yield from zones_are_offered(
        at, own, plan.spec.zones, offering, machines="instance_types", problem=problem, fix=fix
    )


def _zones(plan: AckPlan) -> Iterator[tuple[Path, str]]:
    yield from zones_of_nodes(plan.spec.zones, [pool.zones for pool in plan.spec.pools], plan.spec.system_pool.zones)
    for index, storage in enumerate(plan.spec.storage):
        if storage.nas.zone:
            yield ("storage", index, "nas", "zone"), storage.nas.zone
