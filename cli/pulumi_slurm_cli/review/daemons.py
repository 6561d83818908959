"""Pods of slurmctld, slurmdbd and slurmrestd that a change replaces, and whether slurmctld has its queue after it."""

from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType

from pulumi_slurm.configuration.slinky import slinky_texts
from pulumi_slurm.derived.state_volume import state_claim
from pulumi_slurm.manifests.files import reconfigures_in_place
from pulumi_slurm.manifests.immutable import made_anew_for
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm_cli.review.cluster_change import ClusterChange
from pulumi_slurm_cli.review.cluster_side import ClusterSide
from pulumi_slurm_cli.review.effect import Effect, Verdict
from pulumi_slurm_cli.review.pod_fields import pod_fields
from pulumi_slurm_cli.review.stores import WITHOUT_QUEUE, has_another_state

_DAEMONS = MappingProxyType(
    {
        "Controller": ("slurmctld", "Jobs and queue stay; commands wait meanwhile."),
        "Accounting": ("slurmdbd", "slurmctld keeps what it has to say until then."),
        "RestApi": ("slurmrestd", "The operator, the autoscaler's queries and REST clients wait for it."),
    }
)
_WITHOUT_STATE = f"Its state is on no volume, so {WITHOUT_QUEUE}."
_TOLD = frozenset({"spec.clusterName", "spec.external"})
"""Fields for which a Controller is made anew, and of which another effect says what that means."""


@dataclass(frozen=True)
class _Replacement:
    """Why the pod of a daemon is replaced."""

    kind: str
    fields: tuple[str, ...]
    """Fields of its object that are in the pod."""
    made_anew_for: tuple[str, ...]
    """Paths for which the object itself is made anew."""


def daemon_effects(change: ClusterChange) -> Iterator[Effect]:
    """Yield which pods are replaced; whoever asks sees to it that the cluster is there before and after."""
    replacements = [*_replacements(change)]
    for replacement in replacements:
        daemon, meaning = _DAEMONS[replacement.kind]
        verdict, becomes = Verdict.RESTART, f"its pod is replaced ({', '.join(replacement.fields)})"
        if replacement.made_anew_for:
            paths = ", ".join(path.removeprefix("spec.") for path in replacement.made_anew_for)
            becomes = f"its {replacement.kind} is made anew ({paths})"
        if replacement.kind == "Controller" and _is_without_state(change):
            verdict, meaning = Verdict.LOSES, _WITHOUT_STATE
        yield Effect(verdict, daemon, becomes, meaning)
    is_told = any(replacement.kind == "Controller" for replacement in replacements)
    if _of_another_operator(change) and _is_without_state(change) and not is_told:
        yield Effect(Verdict.LOSES, "slurmctld", "its pod may be replaced by the other slurm-operator", _WITHOUT_STATE)


def loses_the_queue(change: ClusterChange) -> bool:
    """Return whether slurmctld doesn't find its jobs; False unless the cluster is there before and after."""
    if change.before is None or change.after is None:
        return False
    if has_another_state(change.before.spec, change.after.spec):
        return True
    replaced = _of_another_operator(change) or any(item.kind == "Controller" for item in _replacements(change))
    return _is_without_state(change) and replaced


def _of_another_operator(change: ClusterChange) -> bool:
    """Return whether another release of slurm-operator may replace slurmctld's pod: see `releases`."""
    assert change.before
    assert change.after
    return change.before.spec.operator_version != change.after.spec.operator_version


def _is_without_state(change: ClusterChange) -> bool:
    """Return whether slurmctld runs here with no volume on either side; that it gets one is an effect of its own."""
    specs = [side.spec for side in (change.before, change.after) if side]
    return not any(spec.controller.external or state_claim(spec, spec.controller) for spec in specs)


def _replacements(change: ClusterChange) -> Iterator[_Replacement]:
    assert change.before
    assert change.after
    old_spec, new_spec = change.before.spec, change.after.spec
    for (kind, name), new in change.after.objects.items():
        old = change.before.objects.get((kind, name))
        # Of a slurmctld that runs elsewhere the operator makes no pod.
        if old is None or kind not in _DAEMONS or (kind == "Controller" and new_spec.controller.external):
            continue
        fields = pod_fields(old, new, new_spec.operator)
        if kind == "Accounting" and not fields and old_spec.keys != new_spec.keys:
            # By a hash of both: getAccountingHashes in internal/builder/accountingbuilder of slurm-operator, v1.1.0.
            fields = ["key"]
        if kind == "Controller":
            fields += _without_reconfigure(change.before, change.after)
        anew = [] if new_spec.adopted else [path for path in made_anew_for(old, new) if path not in _TOLD]
        if has_another_state(old_spec, new_spec):
            anew = [path for path in anew if not path.startswith("spec.persistence.")]
        if fields or anew:
            yield _Replacement(kind, tuple(dict.fromkeys(fields)), tuple(anew))


def _without_reconfigure(before: ClusterSide, after: ClusterSide) -> list[str]:
    """Return why slurmctld's pod is replaced where nothing reconfigures it in place, or no longer does.

    Of other files than slurm.conf its pod has an annotation of ours. Source: controllerPodTemplate in
    internal/builder/controllerbuilder/controller_app.go of slurm-operator, v1.2.0 and v1.2.1.
    """
    in_place = [reconfigures_in_place(ClusterRef.of(side.spec), side.spec.controller) for side in (before, after)]
    if in_place[0] != in_place[1]:
        return ["inplaceReconfigure"]
    if in_place[1]:
        return []
    old, new = (slinky_texts(side.spec, side.pools)[File.SLURM.value] for side in (before, after))
    return [] if old == new else [File.SLURM.value]
