"""Reading a specification from plain data, with every error found in one go."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from pulumi_slurm.errors import FieldError, Path, SpecError, from_pydantic, report
from pulumi_slurm.loading.partial_load import PartialLoad, follows_from
from pulumi_slurm.model.machine import NodePoolSpec
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules import check_cluster, check_pool_list, check_pools

M = TypeVar("M", bound=BaseModel)


def load(
    cluster: Mapping[str, Any],
    pools: Sequence[Mapping[str, Any] | NodePoolSpec] = (),
    *,
    at: Path = (),
    pools_at: Path = ("pools",),
) -> tuple[SlurmSpec, list[NodePoolSpec]]:
    """Return the specification and the node pools that plain data describes; pools may be models already.

    ``at`` and ``pools_at`` are where the two stand in the user's file; paths of errors begin there.

    Raises:
        SpecError: with every error. pydantic alone stops at the first kind: it doesn't run rules between fields
            while a field is wrong. Here wrong fields are set aside, and the rules run on what is left.
    """
    found: list[FieldError] = []
    read_pools, unread_pools, wrong_pools = _read_pools(pools, pools_at)
    reading = PartialLoad(cluster, SlurmSpec)
    spec = reading.read()
    found += [_under(at, error) for error in reading.found]
    found += wrong_pools
    if isinstance(spec, SlurmSpec):
        between = [*check_cluster(spec), *check_pools(spec, read_pools)]
        # What refers to something that was set aside is not an error of its own.
        gone = reading.names_set_aside | (unread_pools or set())
        found += [
            _under(at, reading.as_written(error))
            for error in between
            if not reading.follows(error)
            and not (isinstance(error.value, str) and error.value in gone)
            and not (unread_pools is None and error.path[-1] == "pool")
        ]
    report(found)
    assert isinstance(spec, SlurmSpec), "what can't be read has an error"
    return spec, read_pools


def load_model(model: type[M], data: Any, what: str, at: Path = ()) -> M:
    """Return a model made of plain data; raise SpecError, which calls it ``what``, when that fails."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise SpecError(from_pydantic(error, model, at), what) from None


def _read_pools(pools: Any, at: Path) -> tuple[list[NodePoolSpec], set[str] | None, list[FieldError]]:
    """Return the pools that can be read, the names of the others, and what is wrong.

    The names are None when any name could be meant.
    """
    if isinstance(pools, str | bytes | Mapping) or not isinstance(pools, Sequence):
        return [], None, [FieldError(at, pools, "this is not a list of node pools", "Write a list.")]
    found: list[FieldError] = []
    read: list[NodePoolSpec] = []
    positions: list[int] = []
    gone: list[Path] = []
    unread: set[str] | None = set()
    for index, item in enumerate(pools):
        if isinstance(item, NodePoolSpec):
            read.append(item)
            positions.append(index)
            continue
        reading = PartialLoad(item, NodePoolSpec)
        pool = reading.read()
        found += [_under((*at, index), error) for error in reading.found]
        if isinstance(pool, NodePoolSpec) and not reading.lacks_a_name:
            gone += [(len(read), *path) for path in reading.set_aside]
            read.append(pool)
            positions.append(index)
        elif isinstance(item, Mapping) and isinstance(item.get("name"), str):
            unread = unread if unread is None else {*unread, item["name"]}
        else:
            unread = None
    for error in check_pool_list(read):
        if not follows_from(error, gone):
            step = error.path[0]
            assert isinstance(step, int)
            found.append(replace(error, path=(*at, positions[step], *error.path[1:])))
    return read, unread, found


def _under(at: Path, error: FieldError) -> FieldError:
    return replace(error, path=at + error.path)
