"""Where the specification of a workload holds templates of pods."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pulumi_slurm.bridge.pods import PodReader, metadata_errors, not_plain, pod_errors, pod_template
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.bridge_work import BridgedGpusSpec

EACH = "*"
"""A step of a pattern: each item of a list."""
Pattern = tuple[str, ...]
"""The way to a template; a last step that ends with "?" may be missing."""


def template_errors(spec: Any, patterns: Sequence[Pattern], reader: PodReader) -> Iterator[FieldError]:
    """Yield errors in the templates, and in the metadata of what is on the way to them, each once."""
    errors: list[FieldError] = []
    for pattern in patterns:
        for error in _errors(spec, (), pattern, reader):
            if error not in errors:
                errors.append(error)
                yield error


def _errors(value: Any, path: Path, pattern: Pattern, reader: PodReader) -> Iterator[FieldError]:
    if not pattern:
        yield from pod_errors(value, path, reader)
        return
    step, remaining = pattern[0], pattern[1:]
    if step == EACH:
        if not isinstance(value, list):
            yield not_plain(path, value, "list")
            return
        for index, item in enumerate(value):
            yield from _errors(item, (*path, index), remaining, reader)
        return
    if not isinstance(value, Mapping):
        yield not_plain(path, value, "mapping")
        return
    if path and value.get("metadata"):
        yield from metadata_errors(value["metadata"], (*path, "metadata"), root=False)
    name = step.removesuffix("?")
    if name in value or name == step:
        yield from _errors(value.get(name), (*path, name), remaining, reader)


def with_templates(value: Any, patterns: Sequence[Pattern], scheduler: str, gpus: BridgedGpusSpec | None) -> Any:
    """Return a specification whose templates are for the bridge."""
    for pattern in patterns:
        value = _placed(value, pattern, scheduler, gpus)
    return value


def _placed(value: Any, pattern: Pattern, scheduler: str, gpus: BridgedGpusSpec | None) -> Any:
    if not pattern:
        return pod_template(value, scheduler, gpus)
    step, remaining = pattern[0], pattern[1:]
    if step == EACH:
        return [_placed(item, remaining, scheduler, gpus) for item in value]
    name = step.removesuffix("?")
    return {**value, name: _placed(value[name], remaining, scheduler, gpus)} if name in value else value
