"""Node pools of a cloud: the number of their nodes, and their zones.

All clouds share these rules, and the rules of each cloud call them; they are not among those of `check_cluster`.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.base import Model


def number_is_missing(at: Path) -> FieldError:
    """Return the error of a pool with neither ``nodes`` nor ``max_nodes``."""
    return FieldError(
        (*at, "max_nodes"),
        FieldError.ABSENT,
        "nothing says how many nodes there can be",
        "Add maxNodes, or nodes for a fixed number.",
        depends_on_fields=((*at, "nodes"),),
    )


def a_fixed_number_has_no_bounds(at: Path, pool: Model) -> Iterator[FieldError]:
    """Refuse ``min_nodes`` and ``max_nodes`` in a pool with ``nodes``."""
    for field in ("min_nodes", "max_nodes"):
        if field in pool.model_fields_set and getattr(pool, field) is not None:
            yield FieldError(
                (*at, field),
                getattr(pool, field),
                "a fixed number of nodes has no bounds",
                "Keep nodes, or minNodes and maxNodes.",
                depends_on_fields=((*at, "nodes"),),
            )


def bounds_agree(at: Path, min_nodes: int, max_nodes: int) -> Iterator[FieldError]:
    """Refuse a ``min_nodes`` above ``max_nodes``."""
    if min_nodes > max_nodes:
        yield FieldError(
            (*at, "min_nodes"),
            min_nodes,
            f"it is above maxNodes, {max_nodes}",
            f"Write {max_nodes} or less.",
            depends_on_fields=((*at, "max_nodes"),),
        )


def zones_of_nodes(
    cluster_zones: Sequence[str], pools: Iterable[Sequence[str]], system_pool: Sequence[str]
) -> Iterator[tuple[Path, str]]:
    """Yield path and zone of all zones of the cluster and its pools."""
    zone_lists: list[tuple[Path, Sequence[str]]] = [
        (("zones",), cluster_zones),
        *((("pools", index, "zones"), pool_zones) for index, pool_zones in enumerate(pools)),
        (("system_pool", "zones"), system_pool),
    ]
    for at, zones in zone_lists:
        for index, zone in enumerate(zones):
            yield (*at, index), zone


def zones_are_in_the_region(
    zones: Iterable[tuple[Path, str]], region: str, region_of: Callable[[str], str], example: str
) -> Iterator[FieldError]:
    """Refuse zones of another region; ``example`` is a zone of this region."""
    for path, zone in zones:
        if region_of(zone) != region:
            yield FieldError(
                path,
                zone,
                f"this zone is not in {region}, the region of the cluster",
                f'Write a zone such as "{example}", or another region.',
                depends_on_fields=(("region",),),
            )


def zones_are_offered(
    at: Path,
    pool_zones: Sequence[str],
    cluster_zones: Sequence[str],
    offering: Collection[str],
    *,
    machines: str,
    problem: str,
    fix: str,
) -> Iterator[FieldError]:
    """Refuse zones of a pool that don't offer its machines.

    ``pool_zones`` are the pool's own; without them it has those of the cluster, ``cluster_zones``. ``offering`` are the
    zones that offer the machines, and ``machines`` is the pool's field that names them. ``problem`` says where they
    are offered, ``fix`` what to write.
    """
    machines_path: Path = (*at, machines)
    for index, zone in enumerate(pool_zones):
        if zone not in offering:
            yield FieldError((*at, "zones", index), zone, problem, fix, depends_on_fields=(machines_path,))
    unsuitable = [zone for zone in cluster_zones if zone not in offering]
    if not pool_zones and unsuitable:
        yield FieldError(
            (*at, "zones"),
            FieldError.ABSENT,
            f"{problem}, not in {', '.join(unsuitable)}, where the cluster's nodes are",
            fix,
            depends_on_fields=(machines_path, (*at, "zones"), ("zones",)),
        )
