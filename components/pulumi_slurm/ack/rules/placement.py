"""Where the machines of a pool come from and lie: private pools and deployment sets.

Sources: for private pools `instance_type` and `zone_ids` in website/docs/r/ecs_capacity_reservation.html.markdown and
website/docs/r/ecs_elasticity_assurance.html.markdown of https://github.com/aliyun/terraform-provider-alicloud at
81c43b6; for deployment sets
https://help.aliyun.com/en/ack/ack-managed-and-ack-dedicated/developer-reference/use-terraform-to-associate-a-deployment-set-with-a-node-pool.
"""

from collections.abc import Iterator, Sequence

from pulumi_slurm.ack.model.pool import AckCapacity
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.planned_pool import AckPlannedPool
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.rules.run import Rule

_MACHINES_OF_A_SET = 20
"""How many machines a deployment set has in one zone; nobody can have it raised."""


def spot_machines_have_no_place(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse private pools and deployment sets for spot machines."""
    for index, pool in enumerate(plan.spec.pools):
        for field, problem in (
            ("private_pool", "spot machines come from no private pool"),
            ("deployment_set", "a deployment set takes no spot machines"),
        ):
            if pool.capacity is AckCapacity.SPOT and (value := getattr(pool, field)):
                yield FieldError(
                    ("pools", index, field),
                    value,
                    problem,
                    'Leave it out, or write capacity "on-demand".',
                    depends_on_fields=(("pools", index, "capacity"),),
                )


def private_pools_have_one_type_in_one_zone(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse several instance types or zones for a private pool, of which ACK would get machines of one alone."""
    for planned in plan.new_pools:
        pool = planned.pool
        if not pool.private_pool:
            continue
        if len(pool.instance_types) > 1:
            yield FieldError(
                (*planned.at, "instance_types"),
                pool.instance_types,
                "a private pool holds machines of one type, and of the others there are none",
                "Write that type alone, or leave privatePool out.",
                depends_on_fields=((*planned.at, "private_pool"),),
            )
        if len(planned.zones) > 1:
            yield FieldError(
                (*planned.at, "zones"),
                pool.zones or FieldError.ABSENT,
                f"a private pool holds machines in one zone, and this pool is in {' and '.join(planned.zones)}",
                "Write that zone alone, or leave privatePool out.",
                depends_on_fields=(("zones",), (*planned.at, "private_pool")),
            )


def deployment_sets_have_room(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse more machines than a deployment set has in the zones of its pools."""
    by_set: dict[str, list[AckPlannedPool]] = {}
    for planned in plan.new_pools:
        pool = planned.pool
        if not pool.deployment_set:
            continue
        pools = by_set.setdefault(pool.deployment_set, [])
        if _have_room([planned]) and _have_room(pools) and not _have_room([*pools, planned]):
            others = " and ".join(f'"{other.pool.name}"' for other in pools)
            yield _too_many(planned, f"with {others} the set has {_machines([*pools, planned])} machines", pools)
        elif not _have_room([planned]):
            yield _too_many(planned, f"the pool has up to {pool.most_nodes} machines", [])
        pools.append(planned)


def _machines(pools: Sequence[AckPlannedPool]) -> int:
    return sum(planned.pool.most_nodes for planned in pools)


def _room(pools: Sequence[AckPlannedPool]) -> int:
    return _MACHINES_OF_A_SET * len({zone for planned in pools for zone in planned.zones})


def _have_room(pools: Sequence[AckPlannedPool]) -> bool:
    return _machines(pools) <= _room(pools)


def _too_many(planned: AckPlannedPool, machines: str, others: Sequence[AckPlannedPool]) -> FieldError:
    at, pool = planned.at, planned.pool
    field = "nodes" if pool.nodes is not None else "max_nodes"
    zones = len({zone for one in [planned, *others] for zone in one.zones})
    depends_on: tuple[Path, ...] = (
        ("zones",),
        (*at, "deployment_set"),
        *((*one.at, "deployment_set") for one in others),
    )
    where = "in its zone" if zones == 1 else f"in each of {zones} zones"
    return FieldError(
        (*at, field),
        getattr(pool, field),
        f"{machines}, and a deployment set has {_MACHINES_OF_A_SET} {where}",
        "Write fewer, add zones, or make another pool with another set.",
        depends_on_fields=depends_on,
    )


RULES: tuple[Rule, ...] = (
    spot_machines_have_no_place,
    private_pools_have_one_type_in_one_zone,
    deployment_sets_have_room,
)
