"""Names of node pools in GKE, which come from pools and from the capacity options in their priorities."""

from collections.abc import Iterator
from types import MappingProxyType

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.rules.run import Rule

_RESERVED = MappingProxyType(
    {
        "system": "the pool of Slurm's daemons has this name",
        "default-pool": "GKE uses this name for the first pool of every cluster",
    }
)


def pool_names_are_unique(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse two node pools with the same name in GKE."""
    # Not the planned pools, because those with unknown machine types have names as well.
    pool_by_name: dict[str, str] = {}
    for index, pool in enumerate(plan.spec.pools):
        at: Path = ("pools", index)
        names = list(dict.fromkeys(f"{pool.name}-{option.capacity}" for option in pool.priorities)) or [pool.name]
        if not pool.priorities and pool.name in _RESERVED:
            yield FieldError((*at, "name"), pool.name, _RESERVED[pool.name], "Choose another name.")
        for name in names:
            if name in pool_by_name:
                other_pool = (
                    f'in GKE its node pool "{name}" would have the same name as one of the pool "{pool_by_name[name]}"'
                )
                problem = "this name is already used" if pool_by_name[name] == pool.name else other_pool
                yield FieldError(
                    (*at, "name"), pool.name, problem, "Choose another name.", depends_on_fields=((*at, "priorities"),)
                )
                break
        if pool.name not in names and pool.name in pool_by_name:
            yield FieldError((*at, "name"), pool.name, "this name is already used", "Choose another name.")
        pool_by_name.update(dict.fromkeys([pool.name, *names], pool.name))
        for position, option in enumerate(pool.priorities):
            if option.capacity in [previous.capacity for previous in pool.priorities[:position]]:
                yield FieldError(
                    (*at, "priorities", position, "capacity"),
                    option.capacity,
                    "the priorities have a capacity option with this capacity already, and both would have the same "
                    "name in GKE",
                    "Join them, or add another pool for this one.",
                )


RULES: tuple[Rule, ...] = (pool_names_are_unique,)
