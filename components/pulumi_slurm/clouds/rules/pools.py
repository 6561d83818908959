"""Node pools of a cloud: how many nodes they have, and in which zones.

These rules are the same for every cloud, whose own ones call them; they are not among those of `check_cluster`.
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


def bounds_agree(at: Path, least: int, most: int) -> Iterator[FieldError]:
    """Refuse a ``min_nodes`` above ``max_nodes``."""
    if least > most:
        yield FieldError(
            (*at, "min_nodes"),
            least,
            f"it is above maxNodes, {most}",
            f"Write {most} or less.",
            depends_on_fields=((*at, "max_nodes"),),
        )


def zones_of_nodes(
    inherited: Sequence[str], pools: Iterable[Sequence[str]], system_pool: Sequence[str]
) -> Iterator[tuple[Path, str]]:
    """Yield path and zone of all that the cluster and its pools state; ``inherited`` are those of the cluster."""
    stated: list[tuple[Path, Sequence[str]]] = [
        (("zones",), inherited),
        *((("pools", index, "zones"), own) for index, own in enumerate(pools)),
        (("system_pool", "zones"), system_pool),
    ]
    for at, zones in stated:
        for index, zone in enumerate(zones):
            yield (*at, index), zone


def zones_are_in_the_region(
    zones: Iterable[tuple[Path, str]], region: str, region_of: Callable[[str], str], example: str
) -> Iterator[FieldError]:
    """Refuse zones of another region; ``example`` is one of this region."""
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
    own: Sequence[str],
    inherited: Sequence[str],
    offering: Collection[str],
    *,
    machines: str,
    problem: str,
    fix: str,
) -> Iterator[FieldError]:
    """Refuse zones of a pool that aren't among those ``offering`` its machines.

    ``own`` are the pool's zones; without them it has those of the cluster, ``inherited``. ``machines`` is the pool's
    field with its machines; ``problem`` tells where these are offered, ``fix`` what to write.
    """
    of_the_machines: Path = (*at, machines)
    for index, zone in enumerate(own):
        if zone not in offering:
            yield FieldError((*at, "zones", index), zone, problem, fix, depends_on_fields=(of_the_machines,))
    elsewhere = [zone for zone in inherited if zone not in offering]
    if not own and elsewhere:
        yield FieldError(
            (*at, "zones"),
            FieldError.ABSENT,
            f"{problem}, not in {', '.join(elsewhere)}, where the cluster's nodes are",
            fix,
            depends_on_fields=(of_the_machines, (*at, "zones"), ("zones",)),
        )
