"""How many machines a pool has, and by which of Google's ways it gets them.

Sources: https://cloud.google.com/kubernetes-engine/docs/concepts/dws, the preconditions in Cluster Toolkit's
modules/compute/gke-node-pool.
"""

from collections.abc import Iterator

from pulumi_slurm.clouds.rules.pools import a_fixed_number_has_no_bounds, bounds_agree, number_is_missing
from pulumi_slurm.errors import Mistake, Path
from pulumi_slurm.gke.model.cluster import GkeSpec
from pulumi_slurm.gke.model.pool import Capacity, Rung
from pulumi_slurm.gke.plan.planned_pool import PlannedPool, planned_pools
from pulumi_slurm.machines.gke import MachineType


def numbers_agree(spec: GkeSpec) -> Iterator[Mistake]:
    """Refuse numbers of nodes that contradict each other, or that are not there."""
    for at, rung, zones in _rungs(spec):
        if rung.nodes is not None:
            yield from _fixed_number(at, rung, zones)
        elif rung.max_nodes is None:
            yield number_is_missing(at)
        else:
            yield from bounds_agree(at, rung.min_nodes, rung.max_nodes)


def capacity_fields_agree(spec: GkeSpec) -> Iterator[Mistake]:
    """Refuse fields of another kind of capacity, and numbers that this kind can't have."""
    for at, rung, _ in _rungs(spec):
        rests_on = ((*at, "capacity"),)
        if rung.capacity is Capacity.RESERVATION and rung.reservation is None:
            yield Mistake(
                (*at, "reservation"),
                Mistake.ABSENT,
                "nothing says which reservation the machines come from",
                "Add its name.",
                rests_on=rests_on,
            )
        if rung.capacity is not Capacity.RESERVATION and rung.reservation is not None:
            yield Mistake(
                (*at, "reservation"),
                rung.reservation,
                f"with capacity {rung.capacity} no reservation is used",
                'Leave it out, or write capacity "reservation".',
                rests_on=rests_on,
            )
        if not rung.capacity.is_flex_start and rung.max_run_duration is not None:
            yield Mistake(
                (*at, "max_run_duration"),
                rung.max_run_duration,
                f"nodes of capacity {rung.capacity} have no end",
                'Leave it out, or write capacity "flex-start".',
                rests_on=rests_on,
            )
        if rung.capacity.is_flex_start and rung.nodes is not None:
            yield Mistake(
                (*at, "nodes"),
                rung.nodes,
                f"with capacity {rung.capacity} nodes come and go, so GKE keeps no fixed number",
                "Write maxNodes instead.",
                rests_on=rests_on,
            )
        elif rung.capacity.is_flex_start and rung.min_nodes:
            yield Mistake(
                (*at, "min_nodes"),
                rung.min_nodes,
                f"with capacity {rung.capacity} a pool begins and ends at no nodes",
                "Leave it out.",
                rests_on=rests_on,
            )


def machines_can_be_had(spec: GkeSpec) -> Iterator[Mistake]:
    """Refuse ways to get machines that this machine type or these zones don't have."""
    for planned in planned_pools(spec):
        rung, kind, at = planned.rung, planned.machine_type, planned.at
        rests_on: tuple[Path, ...] = ((*at[:2], "machine_type"), (*at[:2], "accelerator"))
        stated = rung.capacity if "capacity" in rung.model_fields_set else Mistake.ABSENT
        if rung.capacity is Capacity.ON_DEMAND and not kind.on_demand:
            yield Mistake(
                (*at, "capacity"),
                stated,
                f"{kind.name} can't be had on demand",
                f"Write {_other_ways(kind)}.",
                rests_on,
            )
        if rung.capacity.is_flex_start and not kind.flex_start:
            yield Mistake(
                (*at, "capacity"),
                stated,
                f"{kind.name} can't be had by flex-start",
                f"Write {_other_ways(kind)}.",
                rests_on,
            )
        if rung.capacity is Capacity.RESERVATION and len(planned.zones) > 1:
            yield _in_one_zone(planned)


def _fixed_number(at: Path, rung: Rung, zones: int) -> Iterator[Mistake]:
    assert rung.nodes is not None
    yield from a_fixed_number_has_no_bounds(at, rung)
    if rung.nodes % zones:
        below = rung.nodes // zones * zones
        yield Mistake(
            (*at, "nodes"),
            rung.nodes,
            f"GKE keeps as many nodes in each of {zones} zones",
            f"Write {below} or {below + zones}, or fewer zones.",
            rests_on=((*at[:2], "zones"), ("zones",)),
        )


def _in_one_zone(planned: PlannedPool) -> Mistake:
    own = planned.pool.zones
    return Mistake(
        (*planned.at[:2], "zones"),
        own or Mistake.ABSENT,
        f"a reservation lies in one zone, and the nodes in {', '.join(planned.zones)} could not all use it",
        "Write the one zone of the reservation.",
        rests_on=((*planned.at, "capacity"), ("zones",)),
    )


def _other_ways(kind: MachineType) -> str:
    ways = ["reservation", "spot"]
    if kind.flex_start:
        ways.append("flex-start")
    elif kind.on_demand:
        ways.append("on-demand")
    return f"one of: {', '.join(ways)}"


def _rungs(spec: GkeSpec) -> Iterator[tuple[Path, Rung, int]]:
    """Yield path, rung and number of zones, for pools of unknown machine types too."""
    for index, pool in enumerate(spec.pools):
        zones = len(pool.zones or spec.zones)
        if not pool.ladder:
            yield ("pools", index), pool, zones
        for position, rung in enumerate(pool.ladder):
            yield ("pools", index, "ladder", position), rung, zones
