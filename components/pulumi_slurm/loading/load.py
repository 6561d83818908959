"""Parsing of a specification from plain data; all errors are reported at once."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from pulumi_slurm.errors import FieldError, Path, Severity, SpecError, from_pydantic, report, spelled_like
from pulumi_slurm.loading.partial_load import PartialLoad
from pulumi_slurm.loading.removed_paths import RemovedPaths
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
    other_release: str | None = None,
) -> tuple[SlurmSpec, list[NodePoolSpec]]:
    """Parse a specification and its node pools from plain data; pools may also be passed as models.

    ``at`` and ``pools_at`` are the paths of the two in the user's file; paths of errors start with them, and spell
    fields as the data does. ``other_release`` is the release of Slurm that ack-slurm-operator runs, where it does.

    Raises:
        SpecError: with all errors. pydantic alone doesn't run validators between fields while a field is wrong. Here
            wrong fields are removed, and the rules run on the remaining ones.
    """
    with spelled_like([cluster, pools]):
        spec, parsed_pools, errors = _read(cluster, pools, at, pools_at, other_release)
        report(errors)
    assert isinstance(spec, SlurmSpec), "data that can't be parsed has an error"
    return spec, parsed_pools


def _read(
    cluster: Mapping[str, Any], pools: Any, at: Path, pools_at: Path, other_release: str | None
) -> tuple[BaseModel | None, list[NodePoolSpec], list[FieldError]]:
    """Return what can be read of the data, and all errors in it."""
    errors: list[FieldError] = []
    parsed_pools, unread_names, pool_errors = _parse_pools(pools, pools_at)
    partial = PartialLoad(cluster, SlurmSpec)
    spec = partial.read()
    errors += [error.below(*at) for error in partial.errors]
    errors += pool_errors
    if isinstance(spec, SlurmSpec):
        errors += [error.below(*at) for error in _empty_sections(cluster)]
        rule_errors = [
            *check_cluster(spec, other_release=other_release),
            *check_pools(spec, parsed_pools, other_release=other_release),
        ]
        # A reference to an item that was removed is not an error of its own.
        missing_names = partial.removed_names | (unread_names or set())
        errors += [
            partial.with_original_paths(error).below(*at)
            for error in rule_errors
            if not partial.is_consequence(error)
            and not (isinstance(error.value, str) and error.value in missing_names)
            and not (unread_names is None and error.path[-1] == "pool")
        ]
    return spec, parsed_pools, errors


def _empty_sections(cluster: Mapping[str, Any]) -> Iterator[FieldError]:
    """Warn of sections such as ``accounting:`` with nothing behind, which is nothing rather than the defaults."""
    for name, field in SlurmSpec.model_fields.items():
        key = field.alias or name
        if field.default is None and key in cluster and cluster[key] is None:
            problem = "this section is empty, which is the same as leaving it out"
            fix = "Write {} for its defaults, or remove the line."
            yield FieldError((key,), None, problem, fix, severity=Severity.WARNING)


def load_model(model: type[M], data: Any, subject: str, at: Path = ()) -> M:
    """Parse a model from plain data; raise a SpecError that calls it ``subject`` if that fails."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        errors = from_pydantic(error, model, at)
    # Outside the block, so that pydantic's error, which has all values, is not its context.
    raise SpecError(errors, subject)


def _parse_pools(pools: Any, at: Path) -> tuple[list[NodePoolSpec], set[str] | None, list[FieldError]]:
    """Return the pools that can be parsed, the names of those that can't, and the errors.

    The names are None if a pool that can't be parsed has no name either, so that it could have any.
    """
    if isinstance(pools, str | bytes | Mapping) or not isinstance(pools, Sequence):
        return [], None, [FieldError(at, pools, "this is not a list of node pools", "Write a list.")]
    errors: list[FieldError] = []
    parsed: list[NodePoolSpec] = []
    positions: list[int] = []
    removed = RemovedPaths()
    unread_names: set[str] | None = set()
    for index, item in enumerate(pools):
        if isinstance(item, NodePoolSpec):
            parsed.append(item)
            positions.append(index)
            continue
        partial = PartialLoad(item, NodePoolSpec)
        pool = partial.read()
        errors += [error.below(*at, index) for error in partial.errors]
        if isinstance(pool, NodePoolSpec) and not partial.name_is_placeholder:
            for path in partial.removed:
                removed.add((len(parsed), *path))
            parsed.append(pool)
            positions.append(index)
        elif isinstance(item, Mapping) and isinstance(item.get("name"), str):
            unread_names = unread_names if unread_names is None else {*unread_names, item["name"]}
        else:
            unread_names = None
    for error in check_pool_list(parsed):
        if not removed.explain(error):
            step = error.path[0]
            assert isinstance(step, int)
            errors.append(replace(error, path=(*at, positions[step], *error.path[1:])))
    return parsed, unread_names, errors
