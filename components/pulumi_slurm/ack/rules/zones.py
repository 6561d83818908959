"""Zones, which have to be in the region and to offer the pool's instance types."""

from collections.abc import Iterator

from pydantic_core import PydanticCustomError

from pulumi_slurm.ack.model.names import region_of, zone_in
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.clouds.rules import pools
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.machines.ack import AckMachineTypeSpec
from pulumi_slurm.rules.run import Rule

_MAX_ZONES = 5
"""How many vSwitches a cluster's control plane can have: vswitch_ids in resource_alicloud_cs_managed_kubernetes.go of
Terraform's provider alicloud."""


def zones_are_in_the_region(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse zones of another region."""
    return pools.zones_are_in_the_region(_zones(plan), plan.spec.region, region_of, zone_in(plan.spec.region))


def control_plane_has_few_zones(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse more zones than those in which ACK makes network interfaces of the control plane."""
    if len(plan.spec.zones) > _MAX_ZONES:
        yield FieldError(
            ("zones",),
            plan.spec.zones,
            f"these are {len(plan.spec.zones)} zones, and ACK's control plane is in {_MAX_ZONES} at most",
            "Write fewer here, and others in the zones of pools.",
            depends_on_fields=(("control_plane",),),
        )


def zones_offer_the_machines(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse zones that offer none of the pool's instance types, according to `catalogue.zones`."""
    for planned in plan.new_pools:
        yield from _offered(planned.at, planned.machine_types, planned.pool.zones, plan)
    try:
        machine_types = tuple(plan.spec.catalogue.find(name) for name in plan.spec.system_pool.instance_types)
    except PydanticCustomError:
        return
    yield from _offered(("system_pool",), machine_types, plan.spec.system_pool.zones, plan)


def _offered(
    at: Path, machine_types: tuple[AckMachineTypeSpec, ...], pool_zones: list[str], plan: AckPlan
) -> Iterator[FieldError]:
    if not all(machine_type.zones for machine_type in machine_types):
        return  # One of them may be offered in all zones.
    offering = list(dict.fromkeys(zone for machine_type in machine_types for zone in machine_type.zones))
    names = " or ".join(machine_type.name for machine_type in machine_types)
    problem = f"catalogue.zones says that {names} is offered in {', '.join(offering)}"
    choices = [zone for zone in offering if region_of(zone) == plan.spec.region]
    fix = f"Write one of: {', '.join(choices)}." if choices else "Choose another instance type, or another region."
    yield from pools.zones_are_offered(
        at, pool_zones, plan.spec.zones, offering, machines="instance_types", problem=problem, fix=fix
    )


def _zones(plan: AckPlan) -> Iterator[tuple[Path, str]]:
    zones_of_pools = [pool.zones for pool in plan.spec.pools]
    yield from pools.zones_of_nodes(plan.spec.zones, zones_of_pools, plan.spec.system_pool.zones)
    for index, storage in enumerate(plan.spec.storage):
        if storage.nas.zone:
            yield ("storage", index, "nas", "zone"), storage.nas.zone


RULES: tuple[Rule, ...] = (
    zones_are_in_the_region,
    control_plane_has_few_zones,
    zones_offer_the_machines,
)
