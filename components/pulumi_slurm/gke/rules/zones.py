"""Zones: that they lie in the region, and offer the machines as far as that is known."""

from collections.abc import Iterator

from pydantic_core import PydanticCustomError

from pulumi_slurm.clouds.rules.pools import zones_are_in_the_region, zones_are_offered, zones_of_nodes
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.gke.model.names import region_of
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.rules.stated_pools import stated_pools


def zones_lie_in_the_region(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse zones of another region."""
    return zones_are_in_the_region(_zones(plan), plan.spec.region, region_of, f"{plan.spec.region}-b")


def zones_offer_the_machines(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse zones that don't offer the pool's machine type, where `catalogue.zones` says which do."""
    for at, planned in stated_pools(plan):
        yield from _offered(at, planned.machine_type.name, planned.machine_type.zones, planned.pool.zones, plan)
    try:
        kind = plan.spec.catalogue.find(plan.spec.system_pool.machine_type)
    except PydanticCustomError:
        return
    yield from _offered(("system_pool",), kind.name, kind.zones, plan.spec.system_pool.zones, plan)


def _offered(at: Path, name: str, offering: list[str], own: list[str], plan: GkePlan) -> Iterator[FieldError]:
    if not offering:
        return
    problem = f"catalogue.zones says that {name} is offered in {', '.join(offering)}"
    here = [zone for zone in offering if region_of(zone) == plan.spec.region]
    fix = f"Write one of: {', '.join(here)}." if here else "Choose another machine type, or another region."
    yield from zones_are_offered(at, own, plan.spec.zones, offering, machines="machine_type", problem=problem, fix=fix)


def _zones(plan: GkePlan) -> Iterator[tuple[Path, str]]:
    yield from zones_of_nodes(plan.spec.zones, [pool.zones for pool in plan.spec.pools], plan.spec.system_pool.zones)
    for index, storage in enumerate(plan.spec.storage):
        if storage.filestore and storage.filestore.zone:
            yield ("storage", index, "filestore", "zone"), storage.filestore.zone
        if storage.lustre and storage.lustre.zone:
            yield ("storage", index, "lustre", "zone"), storage.lustre.zone
