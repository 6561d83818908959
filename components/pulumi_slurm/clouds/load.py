"""Parsing of a cloud's specification; all errors are reported at once, even if required fields are missing."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, TypeVar

from pulumi_slurm.errors import FieldError, Path, report
from pulumi_slurm.loading.partial_load import PartialLoad
from pulumi_slurm.loading.removed_paths import RemovedPaths
from pulumi_slurm.model.base import Model

S = TypeVar("S", bound=Model)


def load_cloud(
    model: type[S],
    data: Mapping[str, Any],
    check: Callable[[S], Iterable[FieldError]],
    placeholders: Mapping[str, Any],
    *,
    region_of: Callable[[str], str],
    zone_in: Callable[[str], str],
    at: Path,
    subject: str,
) -> S:
    """Parse a cloud's specification from plain data; ``subject`` is its name in errors: "The ACK specification".

    Required fields that can't be parsed are replaced by ``placeholders``, so that ``check`` can check the other ones.
    Of ``region`` and ``zones``, the one that can't be parsed is derived from the other: ``region_of`` returns the
    region of a zone, ``zone_in`` the name of some zone in a region. ``at`` is the path of the data in the user's file;
    paths of errors start with it.

    Raises:
        SpecError: with all errors: wrong fields are removed, and the rules run on the remaining ones.
    """
    partial = PartialLoad(data, model)
    spec = partial.read()
    errors = partial.errors
    absent: set[Path] = set()
    if spec is None and isinstance(data, Mapping):
        missing = {str(error.path[0]) for error in errors if error.path} & placeholders.keys()
        if missing:
            absent = {(field,) for field in missing}
            substitutes = {field: placeholders[field] for field in missing}
            partial = PartialLoad(
                {**data, **substitutes, **_matching_location(missing, data, region_of, zone_in)}, model
            )
            spec = partial.read()
            errors = [error for error in errors if error.path[:1] in absent] + partial.errors
    if isinstance(spec, model):
        removed = RemovedPaths(absent)
        errors = errors + [
            partial.with_original_paths(error)
            for error in check(spec)
            if not partial.is_consequence(error) and not removed.explain(error)
        ]
    # A default value can't be removed, so an error in it is reported in every pass.
    unique = {str(error): error.below(*at) for error in errors}
    report(unique.values(), subject)
    assert isinstance(spec, model), "data that can't be parsed has an error"
    return spec


def _matching_location(
    missing: Collection[str],
    data: Mapping[str, Any],
    region_of: Callable[[str], str],
    zone_in: Callable[[str], str],
) -> dict[str, Any]:
    region, zones = data.get("region"), data.get("zones")
    if "zones" in missing and "region" not in missing:
        return {"zones": [zone_in(str(region))]}
    if "region" in missing and "zones" not in missing and isinstance(zones, list) and isinstance(zones[0], str):
        return {"region": region_of(zones[0])}
    return {}
