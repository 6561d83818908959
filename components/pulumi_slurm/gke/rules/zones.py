"""Zones: that they lie in the region, and offer the machines as far as that is known."""

from collections.abc import Iterator

from pydantic_core import PydanticCustomError

from pulumi_slurm.clouds.rules.pools import zones_are_in_the_region, zones_are_offered, zones_of_nodes
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.gke.model.cluster import GkeSpec
from pulumi_slurm.gke.model.names import region_of
from pulumi_slurm.gke.rules.stated_pools import stated_pools


def zones_lie_in_the_region(spec: GkeSpec) -> Iterator[FieldError]:
    """Refuse zones of another region."""
    return zones_are_in_the_region(_zones(spec), spec.region, region_of, f"{spec.region}-b")


def zones_offer_the_machines(spec: GkeSpec) -> Iterator[FieldError]:
    """Refuse zones that don't offer the pool's machine type, where `catalogue.zones` says which do."""
    for at, planned in stated_pools(spec):
        yield from _offered(at, planned.machine_type.name, planned.machine_type.zones, planned.pool.zones, spec)
    try:
        kind = spec.catalogue.find(spec.system_pool.machine_type)
    except PydanticCustomError:
        return
    yield from _offered(("system_pool",), kind.name, kind.zones, spec.system_pool.zones, spec)


def _offered(at: Path, name: str, offering: list[str], own: list[str], spec: GkeSpec) -> Iterator[FieldError]:
    if not offering:
        return
    problem = f"catalogue.zones says that {name} is offered in {', '.join(offering)}"
    here = [zone for zone in offering if region_of(zone) == spec.region]
    fix = f"Write one of: {', '.join(here)}." if here else "Choose another machine type, or another region."
    yield from zones_are_offered(at, own, spec.zones, offering, machines="machine_type", problem=problem, fix=fix)


def _zones(spec: GkeSpec) -> Iterator[tuple[Path, str]]:
    yield from zones_of_nodes(spec.zones, [pool.zones for pool in spec.pools], spec.system_pool.zones)
    for index, storage in enumerate(spec.storage):
        if storage.filestore and storage.filestore.zone:
            yield ("storage", index, "filestore", "zone"), storage.filestore.zone
        if storage.lustre and storage.lustre.zone:
            yield ("storage", index, "lustre", "zone"), storage.lustre.zone
