"""States of nodes as `sinfo` writes them, and what each means for jobs.

Source: node_state_string in src/common/slurm_protocol_defs.c of SchedMD/slurm, which appends a mark to a state.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

_MARKS = "$@+-*~#!%^"
_NOT_NOW = frozenset("~#!%^@$")
"""Marks of power saving, of a reboot that is to come, and of a reservation for maintenance.

"-" is of a node that the backfill scheduler has planned for a job, "*" of one without an answer.
"""


class Kind(StrEnum):
    """What a node does for jobs now."""

    IDLE = "idle"
    MIXED = "mixed"
    ALLOCATED = "allocated"
    DRAINED = "drained"
    """Drained or draining: no new job starts there."""
    DOWN = "down"
    """Down, failing, not as configured, or without an answer."""
    AWAY = "away"
    """Off, starting, going, in maintenance or to start anew, which is no defect."""
    OTHER = "other"
    """In a state that isn't known here."""


_STATES: Mapping[str, tuple[Kind, bool]] = MappingProxyType(
    {
        "idle": (Kind.IDLE, True),
        "planned": (Kind.IDLE, True),
        "reserved": (Kind.IDLE, True),
        "mixed": (Kind.MIXED, True),
        "allocated": (Kind.ALLOCATED, True),
        "completing": (Kind.ALLOCATED, True),
        # Another job has the whole segment of the topology that the node is in.
        "blocked": (Kind.ALLOCATED, True),
        "maint": (Kind.AWAY, True),
        "powering_up": (Kind.AWAY, True),
        "powered_down": (Kind.AWAY, True),
        "powering_down": (Kind.AWAY, False),
        "power_up": (Kind.AWAY, False),
        "power_down": (Kind.AWAY, False),
        "reboot": (Kind.AWAY, False),
        "rebooting": (Kind.AWAY, False),
        "drained": (Kind.DRAINED, False),
        "draining": (Kind.DRAINED, False),
        "down": (Kind.DOWN, False),
        "error": (Kind.DOWN, False),
        "fail": (Kind.DOWN, False),
        "failing": (Kind.DOWN, False),
        "inval": (Kind.DOWN, False),
        "unknown": (Kind.DOWN, False),
        "future": (Kind.DOWN, False),
    }
)
"""Of a state without its mark what it is, and whether jobs run there, or could."""
_WITH_JOBS = frozenset((Kind.MIXED, Kind.ALLOCATED))


@dataclass(frozen=True, kw_only=True)
class WithState:
    """What has the state of a node."""

    state: str
    """Such as "idle", "mixed", "drained", with a mark such as "*" for a node that doesn't answer."""

    @property
    def _base(self) -> str:
        return self.state.rstrip(_MARKS)

    @property
    def _of_base(self) -> tuple[Kind, bool]:
        return _STATES.get(self._base, (Kind.OTHER, False))

    @property
    def is_away(self) -> bool:
        """Whether it isn't there now, and that is no defect: it is off, starts, or is to start anew."""
        return self._of_base[0] is Kind.AWAY or bool(_NOT_NOW & {*self.state.removeprefix(self._base)})

    @property
    def is_idle(self) -> bool:
        """Whether it has no job, and can start one at once."""
        return self._base == "idle" and not self.is_away and not self.state.endswith("*")

    @property
    def works(self) -> bool:
        """Whether jobs run there, or could."""
        return self._of_base[1] and not self.state.endswith("*")

    @property
    def kind(self) -> Kind:
        """What it does for jobs now: where somebody has drained it that counts, and next that it has jobs."""
        kind, _ = self._of_base
        if kind is Kind.DRAINED or (kind in _WITH_JOBS and not self.state.endswith("*")):
            return kind
        if self.is_away:
            return Kind.AWAY
        return Kind.DOWN if self.state.endswith("*") else kind
