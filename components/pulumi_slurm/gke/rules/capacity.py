"""How many machines a pool has, and how Google provides them.

Sources: https://cloud.google.com/kubernetes-engine/docs/concepts/dws, the preconditions in Cluster Toolkit's
modules/compute/gke-node-pool; for what is sold of a machine type, where its row is in the catalogue.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from pulumi_slurm.clouds.rules.pools import a_fixed_number_has_no_bounds, bounds_agree, number_is_missing
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.gke.model.pool import GkeCapacity, GkeCapacityOptionSpec
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool
from pulumi_slurm.machines.gke import GkeMachineTypeSpec
from pulumi_slurm.rules.run import Rule


def numbers_agree(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse numbers of nodes that contradict each other, or that are missing."""
    for at, option, zones in _options(plan):
        if option.nodes is not None:
            yield from _fixed_number(at, option, zones)
        elif option.max_nodes is None:
            yield number_is_missing(at)
        else:
            yield from bounds_agree(at, option.min_nodes, option.max_nodes)


def capacity_fields_agree(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse fields that belong to another capacity, and numbers of nodes that this capacity can't have."""
    for at, option, _ in _options(plan):
        depends_on_fields = ((*at, "capacity"),)
        if option.capacity is GkeCapacity.RESERVATION and option.reservation is None:
            yield FieldError(
                (*at, "reservation"),
                FieldError.ABSENT,
                "nothing says which reservation the machines come from",
                "Add its name.",
                depends_on_fields=depends_on_fields,
            )
        if option.capacity is not GkeCapacity.RESERVATION and option.reservation is not None:
            yield FieldError(
                (*at, "reservation"),
                option.reservation,
                f"with capacity {option.capacity} no reservation is used",
                'Leave it out, or write capacity "reservation".',
                depends_on_fields=depends_on_fields,
            )
        if not option.is_flex_start and option.max_run_duration is not None:
            yield FieldError(
                (*at, "max_run_duration"),
                option.max_run_duration,
                f"nodes of capacity {option.capacity} have no end",
                'Leave it out, or write capacity "flex-start".',
                depends_on_fields=depends_on_fields,
            )
        if option.is_flex_start and option.nodes is not None:
            yield FieldError(
                (*at, "nodes"),
                option.nodes,
                f"with capacity {option.capacity} nodes come and go, so GKE keeps no fixed number",
                "Write maxNodes instead.",
                depends_on_fields=depends_on_fields,
            )
        elif option.is_flex_start and option.min_nodes:
            yield FieldError(
                (*at, "min_nodes"),
                option.min_nodes,
                f"with capacity {option.capacity} a pool starts and ends with no nodes",
                "Leave it out.",
                depends_on_fields=depends_on_fields,
            )


def machine_types_support_the_capacity(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse a capacity that the machine type or the zones don't offer."""
    for planned in plan.new_pools:
        option, machine_type, at = planned.capacity_option, planned.machine_type, planned.at
        depends_on_fields: tuple[Path, ...] = ((*at[:2], "machine_type"), (*at[:2], "accelerator"))
        capacity = option.capacity if "capacity" in option.model_fields_set else FieldError.ABSENT
        way = GkeCapacity.FLEX_START if option.is_flex_start else option.capacity
        if way not in _sold(machine_type):
            yield FieldError(
                (*at, "capacity"),
                capacity,
                f"{machine_type.name} is not available {_HOW[way]}",
                f"Write {_one_of(_sold(machine_type))}.",
                depends_on_fields,
            )
        if option.capacity is GkeCapacity.RESERVATION and len(planned.zones) > 1:
            yield _reservation_in_several_zones(planned)


def _fixed_number(at: Path, option: GkeCapacityOptionSpec, zones: int) -> Iterator[FieldError]:
    assert option.nodes is not None
    yield from a_fixed_number_has_no_bounds(at, option)
    if option.nodes % zones:
        below = option.nodes // zones * zones
        yield FieldError(
            (*at, "nodes"),
            option.nodes,
            f"GKE keeps the same number of nodes in each of {zones} zones",
            f"Write {below} or {below + zones}, or fewer zones.",
            depends_on_fields=((*at[:2], "zones"), ("zones",)),
        )


def _reservation_in_several_zones(planned: GkePlannedPool) -> FieldError:
    return FieldError(
        (*planned.at[:2], "zones"),
        planned.pool.zones or FieldError.ABSENT,
        f"a reservation is in one zone, and the nodes in {', '.join(planned.zones)} could not all use it",
        "Write the one zone of the reservation.",
        depends_on_fields=((*planned.at, "capacity"), ("zones",)),
    )


_HOW: Mapping[str, str] = MappingProxyType(
    {
        GkeCapacity.ON_DEMAND: "on demand",
        GkeCapacity.RESERVATION: "in reservations",
        GkeCapacity.SPOT: "as spot VMs",
        GkeCapacity.FLEX_START: "by flex-start, queued or not",
    }
)


def _sold(machine_type: GkeMachineTypeSpec) -> list[GkeCapacity]:
    """Return the ways in which Google sells a machine type; machines of "queued" are those of flex-start."""
    ways = {
        GkeCapacity.RESERVATION: True,
        GkeCapacity.SPOT: machine_type.spot,
        GkeCapacity.FLEX_START: machine_type.flex_start,
        GkeCapacity.ON_DEMAND: machine_type.on_demand,
    }
    return [capacity for capacity, is_sold in ways.items() if is_sold]


def _one_of(capacities: Sequence[GkeCapacity]) -> str:
    if len(capacities) == 1:
        return f'"{capacities[0]}", the only way to get it'
    return f"one of: {', '.join(capacities)}"


def _options(plan: GkePlan) -> Iterator[tuple[Path, GkeCapacityOptionSpec, int]]:
    """Yield path, capacity option and number of zones, including those of pools with unknown machine types."""
    for index, pool in enumerate(plan.spec.pools):
        zones = len(pool.zones or plan.spec.zones)
        if not pool.priorities:
            yield ("pools", index), pool, zones
        for position, option in enumerate(pool.priorities):
            yield ("pools", index, "priorities", position), option, zones


RULES: tuple[Rule, ...] = (
    numbers_agree,
    capacity_fields_agree,
    machine_types_support_the_capacity,
)
