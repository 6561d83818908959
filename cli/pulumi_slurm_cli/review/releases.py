"""What another release of slurm-operator or of Slurm means for jobs, and what a release's errors mean for a change."""

from collections.abc import Iterator
from types import MappingProxyType

from pulumi_slurm.derived.state_volume import state_claim
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.releases.operator_defects import OperatorDefect
from pulumi_slurm.model.releases.operator_version import release_order
from pulumi_slurm.slurmconf.version import Series
from pulumi_slurm_cli.review.effect import Effect, Verdict

_STEPS = MappingProxyType(
    {
        (1, 1): (Verdict.DRAINS, "slurmctld and slurmrestd are replaced at once, workers when their jobs have ended."),
        (1, 2): (
            Verdict.DRAINS,
            "slurmctld and slurmdbd are replaced at once, workers when their jobs have ended.",
        ),
        (1, 3): (Verdict.RESTART, "slurmctld restarts on its claim, and workers stay."),
    }
)
"""What the operator of a minor release does to pods that the one before has made. 1.1 was run from 1.0.1, 1.2 from
1.1.2; of 1.3 it is read: syncStatefulSet in internal/controller/controller/controller_sync.go of slurm-operator, commit
f2ed3fc53252."""


def release_effects(old: SlurmSpec, new: SlurmSpec) -> Iterator[Effect]:
    """Yield what other releases mean, and errors of the operator's release that concern the change."""
    if (
        bool(old.accounting) != bool(new.accounting)
        and OperatorDefect.CRASHES_WITHOUT_ACCOUNTING in new.operator.defects
    ):
        yield _of_crash(old, new)
    before, after = _of_daemons(old), _of_daemons(new)
    if old.slurm_version != new.slurm_version:
        together = all(before[daemon] != after[daemon] for daemon in before if daemon in after)
        yield slurm_release_effect("Slurm", old.slurm_version, new.slurm_version, together=together)
    else:
        for daemon, release in before.items():
            if after.get(daemon, release) != release:
                yield slurm_release_effect(daemon, release, after[daemon], together=False)
    if old.operator_version != new.operator_version:
        yield from _of_operator(old, new)


def _of_crash(old: SlurmSpec, new: SlurmSpec) -> Effect:
    if old.accounting:
        meaning = "It crashes once, and Kubernetes starts it again."
    else:
        meaning = "It crashes at each start, and the update waits in vain: take a later release first."
    return Effect(Verdict.RESTART, f"slurm-operator {new.operator.version}", "can't do that", meaning)


def _of_daemons(spec: SlurmSpec) -> dict[str, str]:
    """Return the releases of the daemons that convert what they have stored."""
    accounting = {"slurmdbd": spec.accounting.slurm_version or spec.slurm_version} if spec.accounting else {}
    return {**accounting, "slurmctld": spec.controller.slurm_version or spec.slurm_version}


def slurm_release_effect(subject: str, old: str, new: str, *, together: bool) -> Effect:
    """Return what another release of daemons means that convert what they have stored."""
    change = f"{old} → {new}"
    before, after = Series.of(old), Series.of(new)
    stores, convert = ("slurmdbd and slurmctld", "convert") if subject == "Slurm" else (subject, "converts")
    if after < before:
        # https://slurm.schedmd.com/upgrades.html: a downgrade loses jobs, and slurmdbd refuses the database.
        meaning = f"{stores} can't read what a newer release has written: put a backup of it back first."
        return Effect(Verdict.LOSES, subject, change, meaning)
    has = "they have" if subject == "Slurm" else "it has"
    meaning = f"{stores} {convert} what {has} stored; there is no way back but a backup."
    if before < after and together:
        meaning += " All daemons change at once: raise accounting.slurmVersion and controller.slurmVersion before."
    return Effect(Verdict.RESTART, subject, change, meaning)


def _of_operator(old: SlurmSpec, new: SlurmSpec) -> Iterator[Effect]:
    subject, change = "slurm-operator", f"{old.operator_version} → {new.operator_version}"
    before, after = old.operator.minor, new.operator.minor
    if release_order(new.operator_version) < release_order(old.operator_version):
        meaning = "An earlier release: nobody has tried what it does to objects and pods of the later one."
        yield Effect(Verdict.UNJUDGED, subject, change, meaning)
    elif before == after:
        # Run from 1.1.0 to 1.1.2, which replaced it.
        stay = "; jobs and queue stay" if state_claim(new, new.controller) else ""
        yield Effect(Verdict.RESTART, subject, change, f"It may replace slurmctld's pod{stay}.")
    for minor, (verdict, meaning) in _STEPS.items():
        if before < minor <= after:
            yield Effect(verdict, subject, f"{change}, by what is new in {'.'.join(map(str, minor))}", meaning)
