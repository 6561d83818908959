"""What a change of a cluster's specification means for jobs."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime

from pulumi_slurm.derived.state_volume import finds_state_of_another
from pulumi_slurm.errors.counts import counted
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.autoscaling import AutoscalingSpec
from pulumi_slurm.model.keys import KeySpec
from pulumi_slurm.model.node_set import UpdateStrategySpec
from pulumi_slurm.model.releases.operator_defects import OperatorDefect
from pulumi_slurm.model.releases.operator_version import OperatorVersion
from pulumi_slurm_cli.review.account_effects import account_effects
from pulumi_slurm_cli.review.cluster_change import ClusterChange
from pulumi_slurm_cli.review.daemons import daemon_effects
from pulumi_slurm_cli.review.effect import Effect, Verdict
from pulumi_slurm_cli.review.line_effects import line_effects
from pulumi_slurm_cli.review.login_sets import login_sets_that_end
from pulumi_slurm_cli.review.other_objects import other_effects
from pulumi_slurm_cli.review.partition_effects import partition_effects
from pulumi_slurm_cli.review.releases import release_effects
from pulumi_slurm_cli.review.stores import store_effects
from pulumi_slurm_cli.review.whole_cluster import cluster_is_made_anew, whole_cluster_effects
from pulumi_slurm_cli.review.worker_fates import Fate, WorkerFate, key_is_rotated, worker_fates

_DAEMON_NAME = re.compile(r"slurm\w*\b")


def cluster_effects(change: ClusterChange, now: datetime) -> Iterator[Effect]:
    """Yield what the change means, in the order in which a reviewer asks; ``now`` says what has passed."""
    yield from whole_cluster_effects(change)
    if change.before and change.after:
        yield from _of_the_name(change.before.spec, change.after.spec)
    if change.before and change.after and not cluster_is_made_anew(change):
        yield from store_effects(change.before.spec, change.after.spec)
        yield from release_effects(change.before.spec, change.after.spec)
        yield from _of_keys(change.before.spec, change.after.spec)
    # Of a cluster that goes, one line says what becomes of all its workers.
    if change.after and not cluster_is_made_anew(change):
        for fate in worker_fates(change):
            yield from _of_workers(fate, change.after.spec.operator, now)
    if change.before and change.after and not cluster_is_made_anew(change):
        drained = not change.before.spec.controller.external
        yield from partition_effects(change.before, change.after, drained=drained)
        yield from _of_removals_unasked(change)
        yield from daemon_effects(change)
        yield from _of_sessions_and_external_nodes(change)
        yield from line_effects(change)
        yield from account_effects(change.before.spec, change.after.spec)
        yield from other_effects(change)


def _of_the_name(old: SlurmSpec, new: SlurmSpec) -> Iterator[Effect]:
    if finds_state_of_another((old, old.controller), (new, new.controller)):
        meaning = f"slurmctld does not start on the state of {old.slurm_name}"
        # Of a cluster that is made anew, no part knows which one had its claim before.
        meaning += ", so the preview refuses it." if old.name == new.name else ", which the claim has."
        yield Effect(Verdict.ENDS, "ClusterName", f"{old.slurm_name} → {new.slurm_name}", meaning)


def _of_workers(fate: WorkerFate, operator: OperatorVersion, now: datetime) -> Iterator[Effect]:
    subject = f"node set {fate.name}"
    before, after = fate.before, fate.after
    if before is None:
        yield Effect(
            Verdict.NOTHING, subject, "is new" + (f", with {counted(fate.more, 'worker')}" if fate.more else "")
        )
        return
    if fate.fate is Fate.END:
        yield Effect(Verdict.ENDS, subject, "its workers end with their jobs", f"{_sentence(fate.reason)}.")
    elif fate.fate is Fate.GO:
        renamed = after is not None
        yield Effect(
            Verdict.DRAINS,
            subject,
            f"its nodes are called {after.slurm_name}, not {before.slurm_name}" if after and renamed else "goes",
            "The update drains its nodes first, and fails as long as they have jobs.",
        )
    elif fate.fate is not Fate.STAY:
        yield from _of_replaced(fate, subject, operator, now)
    if fate.fate in (Fate.END, Fate.GO) or after is None:
        return
    if fate.fewer:
        count = f"{fate.fewer} of {counted(before.fixed_replicas, 'worker')}"
        meaning = "Idle ones first, then those whose jobs end first; each goes when its jobs have ended."
        if after.awaited_pods:
            meaning += _AWAITED.format("it" if fate.fewer == 1 else "them")
        yield Effect(Verdict.DRAINS, subject, f"{count} go{'es' if fate.fewer == 1 else ''}", meaning)
    if fate.more:
        yield Effect(Verdict.NOTHING, subject, f"{counted(fate.more, 'worker')} more")
    if _bounds(before.autoscaling) != _bounds(after.autoscaling):
        change = f"autoscaling {_bounds(before.autoscaling)}, then {_bounds(after.autoscaling)}"
        if (after.max_replicas or 0) < (before.max_replicas or 0):
            yield Effect(Verdict.DRAINS, subject, change, "Workers beyond the bound go when their jobs have ended.")
        else:
            yield Effect(Verdict.NOTHING, subject, change)


_AWAITED = " The update waits for {}, an hour at most, and then fails."


def _of_replaced(fate: WorkerFate, subject: str, operator: OperatorVersion, now: datetime) -> Iterator[Effect]:
    verdict = Verdict.NOTHING if fate.fate is Fate.REPLACED_BY_HAND else Verdict.DRAINS
    assert fate.after is not None
    max_unavailable = fate.after.strategy_in_use.max_unavailable
    if "scalingMode" in fate.fields:
        change = f"its workers {fate.fate} ({_list([*fate.fields])})"
        awaited = _AWAITED.format("them") if fate.after.awaits_new_pods else ""
        yield Effect(verdict, subject, change, f"All are drained at once; their nodes have other names then.{awaited}")
        return
    if OperatorDefect.ROLLING_UPDATE_DRAINS_ALL in operator.defects:
        at_once = f"{max_unavailable} of them at once, or all where new ones aren't ready"
        at_once += f", by slurm-operator {operator.version}"
    else:
        at_once = f"at most {max_unavailable} of them at once"
    meaning = {
        Fate.REPLACED: f"Each is drained first, {at_once}; no job starts there meanwhile.",
        Fate.REPLACED_BY_HAND: "Nothing happens until somebody deletes their pods.",
        Fate.REPLACED_IN_RESERVATION: "No job starts that would run into the reservation.",
    }[fate.fate]
    if fate.fate is Fate.REPLACED_IN_RESERVATION and _has_passed(fate.after.strategy_in_use, now):
        verdict = Verdict.UNJUDGED
        meaning = "Its startTime has passed, for which the operator makes no reservation: nothing is ever replaced."
    if fate.fate is Fate.REPLACED and fate.after.awaits_new_pods:
        meaning += _AWAITED.format("them")
    yield Effect(verdict, subject, f"its workers {fate.fate} ({_list([*fate.fields])})", meaning)


def _has_passed(strategy: UpdateStrategySpec, now: datetime) -> bool:
    """Return whether a reservation would begin in the past, and so isn't made without FORCE_START.

    Source: internal/controller/nodeset/slurmcontrol/slurmcontrol.go of slurm-operator, v1.2.1.
    """
    if strategy.start_time is None or "FORCE_START" in strategy.flags:
        return False
    start = datetime.fromisoformat(strategy.start_time)
    return start.replace(tzinfo=start.tzinfo or UTC) < now


def _of_removals_unasked(change: ClusterChange) -> Iterator[Effect]:
    assert change.before
    assert change.after
    goes = [f"partition {name}" for name in change.before.partitions if name not in change.after.partitions]
    goes += [f"node set {fate.name}" for fate in worker_fates(change) if fate.fate is Fate.GO]
    if goes and change.after.spec.controller.assume_no_jobs:
        meaning = f"Then jobs end with what goes: {_list(goes)}."
        yield Effect(Verdict.ENDS, "slurmctld", "need not say whether there are jobs (assumeNoJobs)", meaning)


def _of_sessions_and_external_nodes(change: ClusterChange) -> Iterator[Effect]:
    assert change.before
    for name, becomes in login_sets_that_end(change).items():
        meaning = "Its sessions end, and with them jobs that srun or salloc started there."
        yield Effect(Verdict.ENDS, f"login set {name}", becomes, meaning)
    if key_is_rotated(change):
        for group in change.before.spec.external_nodes:
            meaning = "slurmctld doesn't hear of their jobs until they have the new one."
            yield Effect(Verdict.ENDS, f"external nodes {group.name}", "their slurmds have the old key", meaning)


def _of_keys(old: SlurmSpec, new: SlurmSpec) -> Iterator[Effect]:
    if old.keys.slurm != new.keys.slurm:
        yield Effect(Verdict.RESTART, "key of Slurm", _key(old.keys.slurm, new.keys.slurm), "All pods are replaced.")
    if old.keys.jwt != new.keys.jwt:
        meaning = "Tokens of the old one are refused from then on; those of the specification are made anew."
        yield Effect(Verdict.RESTART, "key of tokens", _key(old.keys.jwt, new.keys.jwt), meaning)


def _key(old: KeySpec, new: KeySpec) -> str:
    if old.generation != new.generation:
        return f"generation {old.generation} → {new.generation}"
    return "another Secret has it"


def _bounds(autoscaling: AutoscalingSpec | None) -> str:
    if autoscaling is None:
        return "off"
    return f"{autoscaling.min_replicas} to {autoscaling.max_replicas}"


def _list(words: list[str]) -> str:
    return ", ".join(dict.fromkeys(words))


def _sentence(text: str) -> str:
    """Return a text as a sentence begins; daemons are written in small letters."""
    return text if _DAEMON_NAME.match(text) else text[:1].upper() + text[1:]
