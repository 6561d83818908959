"""Compact placement. Source: https://cloud.google.com/kubernetes-engine/docs/how-to/compact-placement."""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.gke.model.pool import GkeCapacity
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool
from pulumi_slurm.rules.run import Rule

MAX_COMPACT_NODES = 1500
"""How many nodes can be placed close to each other."""


def compact_pools_fit(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse compact placement where GKE doesn't support it."""
    for planned in plan.new_pools:
        if planned.is_compact:
            yield from _errors_of(planned)


def _errors_of(planned: GkePlannedPool) -> Iterator[FieldError]:
    machine_type, option, pool = planned.machine_type, planned.capacity_option, planned.pool
    at: Path = planned.at[:2]
    field: Path = (*at, "compact_placement") if pool.compact_placement else (*planned.at, "placement_policy")
    name = "compactPlacement" if pool.compact_placement else "placementPolicy"
    value = pool.compact_placement or option.placement_policy
    by_type: tuple[Path, ...] = ((*at, "machine_type"),)
    by_capacity: tuple[Path, ...] = (*by_type, (*planned.at, "capacity"))
    # Errors of all capacity options together are reported once.
    is_first = not pool.compact_placement or planned.at in (at, (*at, "priorities", 0))
    if not machine_type.compact_placement:
        if is_first:
            problem = f"{machine_type.name} has no compact placement"
            yield FieldError(field, value, problem, "Leave it out.", depends_on_fields=by_type)
        return
    if len(planned.zones) > 1 and is_first:
        yield FieldError(
            (*at, "zones"),
            pool.zones or FieldError.ABSENT,
            f"nodes in {', '.join(planned.zones)} can't be close to each other",
            f"Write one zone, or leave {name} out.",
            depends_on_fields=(field, ("zones",)),
        )
    if option.capacity is GkeCapacity.RESERVATION and option.placement_policy is None:
        yield FieldError(
            field,
            True,
            "the placement policy of a reservation places its machines, and no other policy can",
            'Set placementPolicy to the name that `gcloud compute reservations describe` shows in "resourcePolicies";'
            " if there is none, leave compactPlacement out.",
            depends_on_fields=(*by_capacity, (*planned.at, "placement_policy")),
        )
    if option.capacity is GkeCapacity.QUEUED:
        yield FieldError(
            field, value, "capacity queued has no compact placement", "Leave it out, or write flex-start.", by_capacity
        )
    elif option.capacity is GkeCapacity.FLEX_START and not machine_type.compact_flex_start:
        yield FieldError(
            field,
            value,
            f"{machine_type.name} by flex-start has no compact placement",
            "Leave it out, or choose another capacity.",
            depends_on_fields=by_capacity,
        )
    if option.most_nodes > MAX_COMPACT_NODES:
        yield FieldError(
            (*planned.at, "nodes" if option.nodes is not None else "max_nodes"),
            option.most_nodes,
            f"no more than {MAX_COMPACT_NODES} nodes can be placed close to each other",
            f"Write {MAX_COMPACT_NODES} or less, or leave {name} out.",
            depends_on_fields=(field,),
        )


RULES: tuple[Rule, ...] = (compact_pools_fit,)
