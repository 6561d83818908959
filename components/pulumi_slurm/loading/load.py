"""Reading a specification from plain data, with every mistake found in one go."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from pulumi_slurm.errors import Mistake, Path, SpecError, from_validation_error
from pulumi_slurm.loading.partial_load import Reading, follows
from pulumi_slurm.model.machine import NodePool
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules import check_cluster, check_pool_list, check_pools

M = TypeVar("M", bound=BaseModel)


def load(
    cluster: Mapping[str, Any],
    pools: Sequence[Mapping[str, Any] | NodePool] = (),
    *,
    at: Path = (),
    pools_at: Path = ("pools",),
) -> tuple[SlurmSpec, list[NodePool]]:
    """Return the specification and the node pools that plain data describes; pools may be models already.

    ``at`` and ``pools_at`` are where the two stand in the user's file; paths of mistakes begin there.

    Raises:
        SpecError: with every mistake. pydantic alone stops at the first kind: it doesn't run rules between fields
            while a field is wrong. Here wrong fields are set aside, and the rules run on what is left.
    """
    found: list[Mistake] = []
    read_pools, unread_pools, wrong_pools = _read_pools(pools, pools_at)
    reading = Reading(cluster, SlurmSpec)
    spec = reading.read()
    found += [_under(at, mistake) for mistake in reading.found]
    found += wrong_pools
    if isinstance(spec, SlurmSpec):
        between = [*check_cluster(spec), *check_pools(spec, read_pools)]
        # What refers to something that was set aside is not a mistake of its own.
        gone = reading.names_set_aside | (unread_pools or set())
        found += [
            _under(at, reading.as_written(mistake))
            for mistake in between
            if not reading.follows(mistake)
            and not (isinstance(mistake.value, str) and mistake.value in gone)
            and not (unread_pools is None and mistake.path[-1] == "pool")
        ]
    if found or not isinstance(spec, SlurmSpec):
        raise SpecError(found)
    return spec, read_pools


def load_model(model: type[M], data: Any, what: str, at: Path = ()) -> M:
    """Return a model made of plain data; raise SpecError, which calls it ``what``, when that fails."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise SpecError(from_validation_error(error, model, at), what) from None


def _read_pools(pools: Any, at: Path) -> tuple[list[NodePool], set[str] | None, list[Mistake]]:
    """Return the pools that can be read, the names of the others, and what is wrong.

    The names are None when any name could be meant.
    """
    if isinstance(pools, str | bytes | Mapping) or not isinstance(pools, Sequence):
        return [], None, [Mistake(at, pools, "this is not a list of node pools", "Write a list.")]
    found: list[Mistake] = []
    read: list[NodePool] = []
    positions: list[int] = []
    gone: list[Path] = []
    unread: set[str] | None = set()
    for index, item in enumerate(pools):
        if isinstance(item, NodePool):
            read.append(item)
            positions.append(index)
            continue
        reading = Reading(item, NodePool)
        pool = reading.read()
        found += [_under((*at, index), mistake) for mistake in reading.found]
        if isinstance(pool, NodePool) and not reading.lacks_a_name:
            gone += [(len(read), *path) for path in reading.set_aside]
            read.append(pool)
            positions.append(index)
        elif isinstance(item, Mapping) and isinstance(item.get("name"), str):
            unread = unread if unread is None else {*unread, item["name"]}
        else:
            unread = None
    for mistake in check_pool_list(read):
        if not follows(mistake, gone):
            step = mistake.path[0]
            assert isinstance(step, int)
            found.append(replace(mistake, path=(*at, positions[step], *mistake.path[1:])))
    return read, unread, found


def _under(at: Path, mistake: Mistake) -> Mistake:
    return replace(mistake, path=at + mistake.path)
