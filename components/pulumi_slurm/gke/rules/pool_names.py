"""Names of node pools, which are those of pools and of priorities' capacity options."""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.gke.plan.gke_plan import GkePlan

_TAKEN = {
    "system": "the pool of Slurm's daemons has this name",
    "default-pool": "GKE gives this name to the pool with which a cluster is born",
}


def pool_names_are_unique(plan: GkePlan) -> Iterator[FieldError]:
    """Refuse two node pools of one name in GKE."""
    # Pools of unknown machine types have names too, so these are not the planned ones.
    before: dict[str, str] = {}
    for index, pool in enumerate(plan.spec.pools):
        at: Path = ("pools", index)
        named = list(dict.fromkeys(f"{pool.name}-{option.capacity}" for option in pool.priorities)) or [pool.name]
        if not pool.priorities and pool.name in _TAKEN:
            yield FieldError((*at, "name"), pool.name, _TAKEN[pool.name], "Choose another name.")
        for name in named:
            if name in before:
                also = f'"{name}" would be the name of a pool of "{before[name]}" too'
                problem = "this name is used before" if before[name] == pool.name else also
                yield FieldError(
                    (*at, "name"), pool.name, problem, "Choose another name.", depends_on_fields=((*at, "priorities"),)
                )
                break
        if pool.name not in named and pool.name in before:
            yield FieldError((*at, "name"), pool.name, "this name is used before", "Choose another name.")
        before.update(dict.fromkeys([pool.name, *named], pool.name))
        for position, option in enumerate(pool.priorities):
            if option.capacity in [other.capacity for other in pool.priorities[:position]]:
                yield FieldError(
                    (*at, "priorities", position, "capacity"),
                    option.capacity,
                    "the priorities has a capacity option of this kind already, and both would have one name in GKE",
                    "Join them, or make a pool of its own for this one.",
                )
