"""Reading a cloud's specification, whose required fields may be missing, with every error found in one go."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from pulumi_slurm.errors import FieldError, Path, report
from pulumi_slurm.loading.partial_load import PartialLoad, follows_from
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
    what: str,
) -> S:
    """Return the model that plain data describes; ``what`` is what a refusal calls it: "The ACK specification".

    A model whose required fields can't be read is looked at with those of ``placeholders`` in their places, so that
    ``check`` finds what is wrong between the rest. Of ``region`` and ``zones``, the one that can't be read follows the
    other: ``region_of`` a zone returns its region, and ``zone_in`` a region returns what a zone there may be called.
    ``at`` is where the data stand in the user's file; paths of errors begin there.

    Raises:
        SpecError: with every error: wrong fields are set aside, and the rules run on what is left.
    """
    reading = PartialLoad(data, model)
    spec = reading.read()
    found = reading.found
    absent: set[Path] = set()
    if spec is None and isinstance(data, Mapping):
        unread = {str(error.path[0]) for error in found if error.path} & placeholders.keys()
        if unread:
            absent = {(field,) for field in unread}
            chosen = {field: placeholders[field] for field in unread}
            reading = PartialLoad({**data, **chosen, **_in_one_region(unread, data, region_of, zone_in)}, model)
            spec = reading.read()
            found = [error for error in found if error.path[:1] in absent] + reading.found
    if isinstance(spec, model):
        found = found + [
            reading.as_written(error)
            for error in check(spec)
            if not reading.follows(error) and not follows_from(error, absent)
        ]
    # What can't be set aside, because it is a default, is found in every round.
    once = {str(error): replace(error, path=at + error.path) for error in found}
    report(once.values(), what)
    assert isinstance(spec, model), "what can't be read has an error"
    return spec


def _in_one_region(
    unread: Collection[str], data: Mapping[str, Any], region_of: Callable[[str], str], zone_in: Callable[[str], str]
) -> dict[str, Any]:
    region, zones = data.get("region"), data.get("zones")
    if "zones" in unread and "region" not in unread:
        return {"zones": [zone_in(str(region))]}
    if "region" in unread and "zones" not in unread and isinstance(zones, list) and isinstance(zones[0], str):
        return {"region": region_of(zones[0])}
    return {}
