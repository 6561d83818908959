"""The vSwitches of nodes: an argument of components that has them by zone."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pulumi

from pulumi_slurm.errors import FieldError, respelled

_FIX = "Pass the id of one, for example of an AckNetwork with this zone."


def missing_vswitches(zones: Sequence[str], vswitches: Any) -> Iterator[FieldError]:
    """Yield an error in the argument ``node_vswitches`` for each zone without a vSwitch, unless it is an Output."""
    if isinstance(vswitches, Mapping):
        for zone in zones:
            if zone not in vswitches:
                yield FieldError(
                    ("node_vswitches", zone), FieldError.ABSENT, "there is no vSwitch for nodes in this zone", _FIX
                )


def vswitches_of(zones: Sequence[str], vswitches: Any) -> pulumi.Output[list[str]]:
    """Return the ids of the vSwitches of zones; ``vswitches`` has them by zone, and may be an Output.

    A `pulumi.RunError` is raised for a zone without one, once the value of an Output is known.
    """
    return pulumi.Output.from_input(vswitches).apply(lambda ids: [vswitch_of(zone, ids) for zone in zones])


def vswitch_of(zone: str, ids: Mapping[str, Any]) -> str:
    """Return the id of the vSwitch of a zone.

    Raises:
        pulumi.RunError: when there is none.
    """
    if zone not in ids:
        raise pulumi.RunError(respelled(f"nodeVswitches: there is no vSwitch in {zone}. {_FIX}"))
    return str(ids[zone])
