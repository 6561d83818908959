"""A specification in the making: plain data, the origin of each part, and what did not go in."""

from dataclasses import dataclass, field
from typing import Any

from pulumi_slurm.slurmconf.conf_error import Location
from pulumi_slurm_cli.importing.result import LeftOut


@dataclass
class Draft:
    """Data in the form of stack configuration, being filled."""

    cluster: dict[str, Any]
    left_out: list[LeftOut] = field(default_factory=list)
    to_do: list[str] = field(default_factory=list)
    _origins: dict[tuple[str, ...], tuple[Location, str]] = field(default_factory=dict)

    def set_origin(self, path: tuple[str, ...], location: Location, text: str) -> None:
        """Record what a field was made from; items of lists are in the path by their names."""
        self._origins[path] = (location, text)

    def leave_out(self, location: Location, text: str, reason: str, *, routine: bool = False) -> None:
        """Record something that does not go in; see `LeftOut` for what is routine."""
        self.left_out.append(LeftOut(location, text, reason, routine))

    def origin(self, path: tuple[str, ...]) -> tuple[Location, str]:
        """Return the location and text that a field was made from, or those of the nearest field around it."""
        for length in range(len(path), 0, -1):
            if path[:length] in self._origins:
                return self._origins[path[:length]]
        return self._origins[()]
