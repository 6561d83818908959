"""Reading a ACK specification from plain data, with every mistake found in one go."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from ...spec.mistakes import Path, SpecError
from ...spec.reading import Reading, follows
from .cluster import AckSpec
from .names import region_of, zone_in
from .rules import check_ack

_STAND_INS = {"region": "cn-hangzhou", "zones": ["cn-hangzhou-h"]}
"""What is taken for a required field that can't be read, so that the rules run on the rest."""


def load_ack(data: Mapping[str, Any], *, at: Path = ()) -> AckSpec:
    """Return the specification that plain data describes.

    ``at`` is where it stands in the user's file; paths of mistakes begin there.

    Raises:
        SpecError: with every mistake: wrong fields are set aside, and the rules run on what is left.
    """
    reading = Reading(data, AckSpec)
    spec = reading.read()
    found = reading.found
    absent: set[Path] = set()
    if spec is None and isinstance(data, Mapping):
        unread = {str(mistake.path[0]) for mistake in found if mistake.path} & _STAND_INS.keys()
        if unread:
            absent = {(field,) for field in unread}
            reading = Reading({**data, **_stand_ins(unread, data)}, AckSpec)
            spec = reading.read()
            found = [mistake for mistake in found if mistake.path[:1] in absent] + reading.found
    if isinstance(spec, AckSpec):
        found = found + [
            reading.as_written(mistake)
            for mistake in check_ack(spec)
            if not reading.follows(mistake) and not follows(mistake, absent)
        ]
    if found or not isinstance(spec, AckSpec):
        # What can't be set aside, because it is a default, is found in every round.
        once = {str(mistake): replace(mistake, path=at + mistake.path) for mistake in found}
        raise SpecError(once.values(), "The ACK specification")
    return spec


def _stand_ins(unread: Iterable[str], data: Mapping[str, Any]) -> dict[str, Any]:
    """Return values for fields that can't be read, in the region that the others tell of."""
    chosen = {field: _STAND_INS[field] for field in unread}
    region = data.get("region")
    zones = data.get("zones")
    if "zones" in chosen and "region" not in chosen:
        chosen["zones"] = [zone_in(str(region))]
    elif "region" in chosen and "zones" not in chosen and isinstance(zones, list) and isinstance(zones[0], str):
        chosen["region"] = region_of(zones[0])
    return chosen
