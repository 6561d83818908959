"""Reading an ACK specification from plain data, with every mistake found in one go."""

from collections.abc import Iterable, Mapping
from typing import Any

from ...spec.load_with_stand_ins import load_with_stand_ins
from ...spec.mistakes import Path
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
    return load_with_stand_ins(
        AckSpec,
        data,
        check_ack,
        _STAND_INS,
        lambda unread: _stand_ins(unread, data),
        at=at,
        what="The ACK specification",
    )


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
