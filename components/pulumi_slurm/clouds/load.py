"""Reading a cloud's specification, whose required fields may be missing, with every mistake found in one go."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from pulumi_slurm.errors import Mistake, Path, SpecError
from pulumi_slurm.loading.partial_load import Reading, follows
from pulumi_slurm.model.base import Model

S = TypeVar("S", bound=Model)


def load_with_stand_ins(
    model: type[S],
    data: Mapping[str, Any],
    check: Callable[[S], Iterable[Mistake]],
    stand_ins: Mapping[str, Any],
    *,
    region_of: Callable[[str], str],
    zone_in: Callable[[str], str],
    at: Path,
    what: str,
) -> S:
    """Return the model that plain data describes; ``what`` is what a refusal calls it: "The ACK specification".

    A model whose required fields can't be read is looked at with those of ``stand_ins`` in their places, so that
    ``check`` finds what is wrong between the rest. Of ``region`` and ``zones``, the one that can't be read follows the
    other: ``region_of`` a zone returns its region, and ``zone_in`` a region returns what a zone there may be called.
    ``at`` is where the data stand in the user's file; paths of mistakes begin there.

    Raises:
        SpecError: with every mistake: wrong fields are set aside, and the rules run on what is left.
    """
    reading = Reading(data, model)
    spec = reading.read()
    found = reading.found
    absent: set[Path] = set()
    if spec is None and isinstance(data, Mapping):
        unread = {str(mistake.path[0]) for mistake in found if mistake.path} & stand_ins.keys()
        if unread:
            absent = {(field,) for field in unread}
            chosen = {field: stand_ins[field] for field in unread}
            reading = Reading({**data, **chosen, **_in_one_region(unread, data, region_of, zone_in)}, model)
            spec = reading.read()
            found = [mistake for mistake in found if mistake.path[:1] in absent] + reading.found
    if isinstance(spec, model):
        found = found + [
            reading.as_written(mistake)
            for mistake in check(spec)
            if not reading.follows(mistake) and not follows(mistake, absent)
        ]
    if found or not isinstance(spec, model):
        # What can't be set aside, because it is a default, is found in every round.
        once = {str(mistake): replace(mistake, path=at + mistake.path) for mistake in found}
        raise SpecError(once.values(), what)
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
