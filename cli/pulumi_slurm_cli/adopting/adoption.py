"""From a release and live objects to the settings of a stack, step by step."""

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pulumi_slurm.errors import FieldError, SpecError, SpecWarning, field_text, format_path
from pulumi_slurm.loading import load
from pulumi_slurm.manifests.cluster import render
from pulumi_slurm.manifests.files import reconfigures_in_place
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm_cli.adopting import slurm_conf
from pulumi_slurm_cli.adopting.differences import FieldDifference, differences, without_effect
from pulumi_slurm_cli.adopting.draft import Draft, Place, draft_of
from pulumi_slurm_cli.adopting.live import CONFIG_MAP, KINDS, LiveObjects, Object, is_slinky, title
from pulumi_slurm_cli.adopting.refusal import IN_THE_CHART, Refusal, path_of
from pulumi_slurm_cli.adopting.release import AdoptionError, Release
from pulumi_slurm_cli.adopting.shapes import wrong_shapes

_MOVABLE = frozenset(
    {"extraSshdConfig", "extraVolumeMounts", "extraVolumes", "image", "pod", "resources", "state", "updateStrategy"}
)
"""Fields of a part that overrides can have in their place."""
_ROUNDS = 10
"""How often overrides are added at most. Two do: the second has what the rules have sent there from fields."""


@dataclass(frozen=True, slots=True)
class Adoption:
    """A cluster of the chart as a specification, and notes on it."""

    data: Mapping[str, Any]
    """The specification in the form of stack configuration; of no use where something is refused."""
    refused: list[Refusal] = field(default_factory=list)
    """What keeps the cluster from being taken over."""
    notes: list[str] = field(default_factory=list)
    """What to know before the first `pulumi up`; sentences."""
    stays: list[str] = field(default_factory=list)
    """Objects of the release that no stack takes over, such as "Secret/slurm-auth-slurm"."""


def adopt(release: Release, live: LiveObjects) -> Adoption:
    """Return what a release comes to; raise AdoptionError where it has no cluster, or where objects of it are gone."""
    live_objects = {
        title(item): live.find(item["kind"], item["metadata"]["name"]) for item in release.objects if _is_ours(item)
    }
    gone = [name for name, item in live_objects.items() if item is None]
    if gone:
        problem = f"{', '.join(gone)} is not there any more"
        raise AdoptionError(f"release {release.name}: {problem}. Make it again by `helm upgrade --reuse-values`.")
    if refused := wrong_shapes(live):
        return Adoption({}, refused)
    objects = [item for item in live_objects.values() if item is not None]
    controllers = [item for item in objects if item["kind"] == "Controller"]
    if len(controllers) != 1:
        problem = f"its manifest has {len(controllers)} Controllers, and a stack has one"
        raise AdoptionError(f"release {release.name}: {problem}. Name a release of Slinky's chart slurm.")
    draft = draft_of(release, controllers[0], objects, live)
    spec = _fit(draft, objects)
    if spec is None:
        return Adoption(draft.cluster, draft.refused)
    config_maps = {CONFIG_MAP + "/" + name for name in draft.config_maps}
    stays = [title(item) for item in release.objects if title(item) not in {*config_maps, *live_objects}]
    others = [title(item) for kind in KINDS for item in live.of(kind) if title(item) not in live_objects]
    notes = [
        *_notes(draft, spec, objects),
        *(f"{name} is no part of the release, and stays as it is." for name in others),
    ]
    return Adoption(_without_empty(draft.cluster), [], notes, stays)


def _is_ours(item: Object) -> bool:
    return is_slinky(item) and item["kind"] in KINDS


def _fit(draft: Draft, objects: list[Object]) -> SlurmSpec | None:
    """Add overrides until the draft's objects are the live ones; note in the draft what can't be."""
    if draft.refused:
        return None
    for last in (*[False] * _ROUNDS, True):
        spec = _load(draft)
        if spec is None:
            return None
        rendered = {title(item): item for item in render(spec)}
        unequal = [
            (item, difference)
            for item in objects
            for difference in differences(item, rendered[title(item)], spec.operator)
            if difference.live is not None or (difference.is_of_pods and not item["spec"].get("external"))
        ]
        if not unequal:
            return spec
        draft.refused += [
            _refusal(item, one) for item, one in unequal if last or not draft.override(item, one.steps, one.live)
        ]
        if draft.refused:
            return None
    return None


def _refusal(item: Object, difference: FieldDifference) -> Refusal:
    at = path_of(title(item), "spec", *difference.steps)
    if difference.live is None:
        problem = f"a stack would add {difference.rendered!r}, which replaces pods"
        return Refusal(at, problem, "Add it by `helm upgrade` first.")
    return Refusal(at, f"a stack has no place for {difference.live!r}", IN_THE_CHART)


def _load(draft: Draft) -> SlurmSpec | None:
    """Load the draft; what overrides can have instead of its fields is left to them, and the rest is refused."""
    while True:
        try:
            # What a rule warns of, each preview of the stack shows.
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", SpecWarning)
                return load(_without_empty(draft.cluster))[0]
        except SpecError as error:
            errors = error.errors
        moved = [_move(draft, one) for one in errors]
        if not any(moved):
            draft.refused += [_of_error(draft, one) for one in errors]
            return None


def _move(draft: Draft, error: FieldError) -> bool:
    """Take the field out that an error is about, where overrides can have it."""
    path = _camel(error)
    for length in range(2, len(path) + 1):
        *holder, name = path[:length]
        if name == "overrides":
            return False
        if name in _MOVABLE:
            return draft.value_at(tuple(holder)).pop(name, None) is not None
    return False


def _of_error(draft: Draft, error: FieldError) -> Refusal:
    """Return an error of a field of ours as one of the object that it is of."""
    path = _camel(error)
    place = max((place for place in draft.places if path[: len(place)] == place), key=len, default=())
    item, inner_path = draft.places.get(place), path[len(place) :]
    if item and inner_path[:1] == ("overrides",):
        return Refusal(path_of(title(item), "spec", *inner_path[1:]), error.problem, IN_THE_CHART)
    where = f"{title(item)}, as " if item else ""
    fix = f"{error.fix} {IN_THE_CHART}"
    return Refusal(f"{where}slurm:cluster.{format_path(error.path)}", error.problem, fix)


def _camel(error: FieldError) -> Place:
    return tuple(field_text(step) if isinstance(step, str) else step for step in error.path)


_MEAN_SOMETHING = frozenset({"adopted", "partition", "ssh"})
"""Fields that mean something even where there is nothing in them."""
IN_KUBERNETES_FORM = frozenset(
    {"affinity", "extraVolumeMounts", "extraVolumes", "overrides", "topologySpreadConstraints"}
)
"""Fields whose values are as in Kubernetes, to which an empty object such as ``emptyDir`` says something."""


def _without_empty(data: Any) -> Any:
    """Return data without empty fields of ours, except those that mean something."""
    if isinstance(data, dict):
        values = {key: value if key in IN_KUBERNETES_FORM else _without_empty(value) for key, value in data.items()}
        return {key: value for key, value in values.items() if value not in ({}, []) or key in _MEAN_SOMETHING}
    return [_without_empty(item) for item in data] if isinstance(data, list) else data


def _notes(draft: Draft, spec: SlurmSpec, objects: list[Object]) -> Iterator[str]:
    changes = slurm_conf.changes(spec, draft.lines, draft.own_partitions, draft.series)
    yield from (f"`up` changes {change}." for change in changes)
    if _replaces_slurmctld(spec, objects):
        yield (
            "slurmctld restarts once: controller.inplaceReconfigure is false, so the operator replaces its pod where "
            "slurm.conf changes. Jobs go on."
        )
    for item in objects:
        for steps in without_effect(item):
            at = path_of(title(item), "spec", *steps)
            yield f"{at} is left out: it has no effect."
        manager = _scaled_by(item)
        if manager:
            yield (
                f"{title(item)}: {manager} sets its replicas. If that is an autoscaler, write `autoscaling` in place "
                "of `replicas`, or each `up` sets them back."
            )
    if "confine" in draft.cluster:
        yield "Jobs are confined to nothing, as by the chart; without `confine` they are, and slurmctld restarts."


def _replaces_slurmctld(spec: SlurmSpec, objects: list[Object]) -> bool:
    """Return whether another text of slurm.conf replaces the pod of slurmctld.

    Source: getHashes in internal/builder/controllerbuilder/controller_app.go of slurm-operator, v1.2.1.
    """
    if spec.controller.external or reconfigures_in_place(ClusterRef.of(spec), spec.controller):
        return False
    texts = [item["spec"].get("extraConf") for item in [*objects, *render(spec)] if item["kind"] == "Controller"]
    return len({*texts}) > 1


def _scaled_by(item: Object) -> str | None:
    """Return who has set replicas by the scale subresource, as autoscalers and `kubectl scale` do."""
    for entry in item["metadata"].get("managedFields") or []:
        if entry.get("subresource") == "scale" and "f:replicas" in ((entry.get("fieldsV1") or {}).get("f:spec") or {}):
            return str(entry.get("manager"))
    return None
