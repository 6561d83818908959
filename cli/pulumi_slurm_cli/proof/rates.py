"""Verdicts on rates: by a floor that somebody states, or else by a baseline of the same cluster."""

from dataclasses import dataclass

from pulumi_slurm_cli.proof.floors import Floor
from pulumi_slurm_cli.proof.result import Result, Verdict
from pulumi_slurm_cli.proof.trial import Trial

_WRONG = 0.25
"""Below which part of what is expected a rate is so low that it goes another way than it should."""


SLOW = 0.9
"""Below which part of what is expected a rate is slow, where nobody else uses what is measured."""


@dataclass(frozen=True, kw_only=True)
class Rate:
    """A rate that was measured."""

    subject: str
    value: float = 0
    unit: str
    name: str
    """Its name in the baseline."""
    of: str
    """What was measured, and where."""
    floor: Floor | None = None
    slow: float = SLOW
    """Below which part of what is expected it is slow."""

    def wanted(self, trial: Trial) -> tuple[float | None, str]:
        """Return what is expected, and by whom; None where nobody says."""
        return self.floor or (trial.baseline.get(self.name), "the baseline of this cluster")


def rated(trial: Trial, step: str, rate: Rate, jobs: tuple[int, ...]) -> Result:
    """Return what a rate comes to, and keep it."""
    wanted, source = rate.wanted(trial)
    observed = f"{rate.value:.1f} {rate.unit}, {rate.of}"
    subject = rate.subject
    if wanted is None:
        trial.measured[rate.name] = round(rate.value, 1)
        observed = f"{observed}. No floor and no baseline is there to compare it with"
        fix = "Keep it with --save-baseline where it is right."
        return Result(step=step, subject=subject, verdict=Verdict.SKIP, observed=observed, fix=fix, jobs=jobs)
    low = Verdict.FAIL if rate.value < _WRONG * wanted else Verdict.SLOW
    verdict = low if rate.value < rate.slow * wanted else Verdict.PASS
    if verdict is Verdict.PASS:
        trial.measured[rate.name] = round(rate.value, 1)
    expected = f"at least {wanted:g} {rate.unit}, by {source}"
    if verdict is Verdict.PASS:
        return Result(step=step, subject=subject, verdict=verdict, observed=f"{observed}; {expected}", jobs=jobs)
    fix = (
        "It is so low that it takes another way than it should."
        if verdict is Verdict.FAIL
        else "Compare it with other nodes, and prove it again while nothing else runs."
    )
    return Result(step=step, subject=subject, verdict=verdict, observed=observed, expected=expected, fix=fix, jobs=jobs)
