"""What a change of a stack's file would do, from the file before and after alone: no engine, no state, no secrets."""

import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from typing import Any

from pulumi_slurm.clouds.replacements import replaced_for, replaced_with_others
from pulumi_slurm.clouds.unread import known_at
from pulumi_slurm.manifests.immutable import OF_KUBERNETES, changed_paths
from pulumi_slurm_cli.engine_yaml import EngineYamlError, read
from pulumi_slurm_cli.importing.source import Source
from pulumi_slurm_cli.offline.recorded_file import record_file
from pulumi_slurm_cli.offline.recording import RecordedResource
from pulumi_slurm_cli.review.cluster_change import COMPONENTS
from pulumi_slurm_cli.review.engine_events import Preview
from pulumi_slurm_cli.review.resource_change import Operation, ResourceChange

_PROJECT_FILES = ("Pulumi.yaml", "Pulumi.yml", "Pulumi.json")
"""ProjectFile and Exts in sdk/go/common/workspace/paths.go and sdk/go/common/encoding/marshal.go of pulumi."""
_NAMED_BY = ("apiVersion", "kind")
"""Inputs of a Kubernetes object that are its identity, besides its name and namespace."""

_TRIGGER = "replacementTrigger"


def offline_preview(base: Source, head: Source) -> Preview:
    """Return what is made, changed and deleted between two files; an empty one is a stack that isn't there.

    What an engine would replace is known of Kubernetes objects, by their names, of inputs of which the program says so,
    and of those of clouds' resources: see `replacements` for what isn't known of these.

    Raises:
        UnreadableFileError: with all that is wrong with the settings in one, or what only a run of the stack can know.
    """
    project, stack = _project_of(head, base), _stack_of(head.name)
    before, after = (_recorded(source, project, stack) for source in (base, head))
    return Preview(project, stack, tuple(_changes(before, after)))


def _project_of(*sources: Source) -> str:
    """Return the name in the first project's file beside one of the stack's; "slurm" without one that can be read."""
    for source in sources:
        # The engine follows links too, and of what is there only the name is taken.
        for text in filter(None, (source.beside(name, anywhere=True) for name in _PROJECT_FILES)):
            with suppress(EngineYamlError):
                project = read(text).value
                if isinstance(project, dict) and isinstance(name := project.get("name"), str) and name:
                    return name
    return "slurm"


def _stack_of(name: str) -> str:
    """Return the name of the stack whose file has a name such as Pulumi.hpc.yaml."""
    parts = name.rpartition("/")[2].split(".")
    return parts[1] if len(parts) == 3 and parts[0] == "Pulumi" else "stack"


def _recorded(source: Source, project: str, stack: str) -> dict[str, RecordedResource]:
    text = source.text_or_nothing()
    if not text.strip():
        return {}
    _, recording = record_file(text, source.name, project=project, stack=stack)
    return {
        resource.urn: _without_pools(resource, recording.unread_pools) if resource.type in COMPONENTS else resource
        for resource in recording.resources
    }


def _without_pools(cluster: RecordedResource, names: Collection[str]) -> RecordedResource:
    """Return a cluster without pools of whose machines nothing is known here, so that nobody counts them."""
    pools = [pool for pool in cluster.inputs.get("pools") or () if pool["name"] not in names]
    return replace(cluster, inputs={**cluster.inputs, "pools": pools})


def _changes(before: Mapping[str, RecordedResource], after: Mapping[str, RecordedResource]) -> Iterator[ResourceChange]:
    after = {
        urn: replace(new, inputs=_with_ignored(before[urn].inputs, new.inputs, new.ignore_changes))
        if urn in before
        else new
        for urn, new in after.items()
    }
    reasons = _replacements(before, after)
    for urn in dict.fromkeys([*before, *after]):
        old, new = before.get(urn), after.get(urn)
        one = new or old
        assert one is not None
        yield ResourceChange(
            urn=urn,
            type=one.type,
            name=one.name,
            operation=_operation(old, new, reasons.get(urn, ())),
            old=old.inputs if old else None,
            new=new.inputs if new else None,
            # The engine names no property for the trigger.
            replaced_for=tuple(path for path in reasons.get(urn, ()) if path != _TRIGGER),
            protected=bool(old and old.protect),
            retained=one.retain_on_delete,
        )


def _with_ignored(old: Mapping[str, Any], new: Mapping[str, Any], ignored: Collection[str]) -> dict[str, Any]:
    """Return the new inputs with the old ones at paths whose changes are ignored, such as "spec.replicas"."""
    if not ignored:
        return dict(new)
    result = deepcopy(dict(new))
    for path in ignored:
        *outer, last = (int(step) if step.isdecimal() else step for step in re.findall(r"[^.\[\]]+", path))
        before, after = known_at(old, *outer), known_at(result, *outer)
        if isinstance(before, Mapping) and isinstance(after, dict):
            if last in before:
                after[last] = before[last]
            else:
                after.pop(last, None)
    return result


def _replacements(
    before: Mapping[str, RecordedResource], after: Mapping[str, RecordedResource]
) -> dict[str, tuple[str, ...]]:
    """Return for which inputs resources are made anew, by URN: also for those that come from another one made anew."""
    both = {urn: (before[urn], new) for urn, new in after.items() if urn in before}
    reasons = {urn: inputs for urn, sides in both.items() if (inputs := tuple(_replaced_for(*sides)))}
    grows = True
    while grows:
        followers = {
            urn: inputs
            for urn, (_, new) in both.items()
            if urn not in reasons and (inputs := tuple(_following(new, reasons)))
        }
        reasons |= followers
        grows = bool(followers)
    return reasons


def _following(new: RecordedResource, anew: Collection[str]) -> Iterator[str]:
    """Yield the inputs that aren't known before others are made anew, and for which a cloud makes this one anew too."""
    names = {name for name, urns in new.property_dependencies.items() if any(urn in anew for urn in urns)}
    yield from replaced_with_others(new.type, new.inputs, names)


def _operation(old: RecordedResource | None, new: RecordedResource | None, reasons: Collection[str]) -> Operation:
    if old is None:
        return Operation.CREATE
    if new is None:
        return Operation.DELETE
    if reasons:
        return Operation.REPLACE
    return Operation.SAME if old.inputs == new.inputs else Operation.UPDATE


def _replaced_for(old: RecordedResource, new: RecordedResource) -> Iterator[str]:
    """Yield the inputs for which a resource becomes another: as the program says, or Kubernetes, or a cloud does."""
    yield from _identity(old, new)
    if old.replacement_trigger and new.replacement_trigger and old.replacement_trigger != new.replacement_trigger:
        yield _TRIGGER
    yield from changed_paths(old.inputs, new.inputs, new.replace_on_changes)
    yield from replaced_for(new.type, old.inputs, new.inputs)


def _identity(old: RecordedResource, new: RecordedResource) -> Iterator[str]:
    """Yield the inputs for which an object of Kubernetes becomes another."""
    if not new.type.startswith("kubernetes:"):
        return
    for key in _NAMED_BY:
        if old.inputs.get(key) != new.inputs.get(key):
            yield key
    yield from changed_paths(old.inputs, new.inputs, OF_KUBERNETES.get(new.type.rpartition(":")[2], ()))
    metadata = [side.inputs.get("metadata") or {} for side in (old, new)]
    for key in ("name", "namespace"):
        if metadata[0].get(key) != metadata[1].get(key):
            yield f"metadata.{key}"
