"""What one part of a change means for jobs."""

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """What a change means for jobs, the least first."""

    NOTHING = "nothing for jobs"
    RECONFIGURE = "reconfigure"
    """slurmctld reads its files anew; what runs goes on."""
    RESTART = "daemons restart"
    """Jobs go on; commands wait or fail meanwhile."""
    UNJUDGED = "not judged"
    """Nobody has looked at what it means."""
    DRAINS = "drains first"
    """It waits until the jobs in its way have ended."""
    ENDS = "ends jobs"
    LOSES = "loses data"
    """Slurm goes on without its queue, its accounts or files that it had; the old store may still have them."""


SEVERE = frozenset({Verdict.ENDS, Verdict.LOSES})
"""The verdicts for which `pulumi-slurm review` has an exit code of its own, and of which nothing stands in a fold."""
NOBODY_KNOWS = "Nobody has judged what that means for jobs."
"""What an effect means that is not judged, where nothing more is to say."""


@dataclass(frozen=True)
class Effect:
    """One change in the terms of Slurm, and what it means for jobs."""

    verdict: Verdict
    subject: str
    """What changes: "node set cpu", "partition gpu"."""
    change: str
    """What becomes of it: "2 of 6 workers go"."""
    meaning: str = ""
    """What that means for jobs, as a sentence; "" where the verdict says it all."""

    @property
    def line(self) -> str:
        """The effect as one line."""
        return f"{self.subject}: {self.change}" + (f". {self.meaning}" if self.meaning else "")


def worst(effects: list[Effect]) -> Verdict:
    """Return the verdict of a change with these effects."""
    order = list(Verdict)
    return max((effect.verdict for effect in effects), key=order.index, default=Verdict.NOTHING)
