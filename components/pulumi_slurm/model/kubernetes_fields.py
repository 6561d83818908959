"""What users write in the form of the Kubernetes API: every field of it exists there, and has a value of its type.

Kubernetes drops unknown fields without a word: of a volume with a misspelt source it makes an emptyDir.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path as FilePath
from types import MappingProxyType
from typing import Any, TypeVar

from pulumi_slurm.choices import closest, listed
from pulumi_slurm.errors import AsWritten, FieldError, FreeKey, Path, raise_errors
from pulumi_slurm.model.kubernetes_rules import errors_between_fields, errors_between_items
from pulumi_slurm.model.one_line import line_break_errors

FILE = FilePath(__file__).with_name("kubernetes.fields")
_SCALARS: Mapping[str, tuple[tuple[type, ...], str]] = MappingProxyType(
    {
        "string": ((str,), "text"),
        "integer": ((int,), "an integer"),
        "number": ((int, float), "a number"),
        "boolean": ((bool,), "true or false"),
        "quantity": ((str, int, float), "a quantity"),
    }
)
_QUANTITIES = frozenset({"divisor", "limits", "overhead", "requests", "sizeLimit", "tolerance"})
"""Fields of text, or of texts, that Kubernetes also reads as numbers."""
_WORDS: Mapping[tuple[str, str], tuple[str, ...]] = MappingProxyType(
    {
        ("HPAScalingPolicy", "type"): ("Pods", "Percent"),
        ("HPAScalingRules", "selectPolicy"): ("Max", "Min", "Disabled"),
        ("HostPathVolumeSource", "type"): (
            *("DirectoryOrCreate", "Directory", "FileOrCreate", "File", "Socket", "CharDevice", "BlockDevice"),
        ),
        ("LabelSelectorRequirement", "operator"): ("In", "NotIn", "Exists", "DoesNotExist"),
        ("NodeSelectorRequirement", "operator"): ("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"),
        ("TopologySpreadConstraint", "nodeAffinityPolicy"): ("Honor", "Ignore"),
        ("TopologySpreadConstraint", "nodeTaintsPolicy"): ("Honor", "Ignore"),
        ("TopologySpreadConstraint", "whenUnsatisfiable"): ("DoNotSchedule", "ScheduleAnyway"),
        ("Toleration", "effect"): ("NoSchedule", "PreferNoSchedule", "NoExecute"),
        ("Toleration", "operator"): ("Exists", "Equal", "Gt", "Lt"),
        ("VolumeMount", "mountPropagation"): ("None", "HostToContainer", "Bidirectional"),
        ("VolumeMount", "recursiveReadOnly"): ("Disabled", "IfPossible", "Enabled"),
    }
)
"""All values of fields of which Kubernetes takes no other: k8s.io/api/core/v1, autoscaling/v2 and meta/v1, types.go."""
T = TypeVar("T")


@cache
def types() -> Mapping[str, Mapping[str, str]]:
    """Return the types of Kubernetes in the table, such as "Volume", each as its fields with the type of each."""
    rows = (line.split() for line in FILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
    return MappingProxyType(
        {name: MappingProxyType(dict(field.split(":", 1) for field in fields)) for name, *fields in rows}
    )


def form_errors(of_type: str, value: Any, path: Path = ()) -> Iterator[FieldError]:
    """Yield the errors of a value in the form of a type, such as "Volume", "[Volume]" for a list or "{string}"."""
    if of_type == "any" or value is None:
        return
    if of_type in _SCALARS:
        accepted, noun = _SCALARS[of_type]
        if not isinstance(value, accepted) or (isinstance(value, bool) and bool not in accepted):
            yield FieldError(path, FieldError.ABSENT, f"Kubernetes takes {noun} here", f"Write {noun}.")
    elif of_type.startswith("["):
        if isinstance(value, list):
            for index, item in enumerate(value):
                yield from form_errors(of_type[1:-1], item, (*path, index))
            yield from errors_between_items(of_type[1:-1], value, path)
        else:
            yield FieldError(path, FieldError.ABSENT, "this is not a list", "Write a list.")
    elif not isinstance(value, Mapping):
        yield FieldError(path, FieldError.ABSENT, "this is not a mapping", "Write a mapping of names to values.")
    elif of_type.startswith("{"):
        for name, item in value.items():
            yield from form_errors(of_type[1:-1], item, (*path, FreeKey(str(name))))
    else:
        errors = [*_field_errors(of_type, value, path)]
        yield from errors
        yield from _word_errors(of_type, value, path)
        # With wrong types in it, and not only in what is further below, nothing can be said of it as a whole.
        if all(len(error.path) > len(path) + 2 for error in errors):
            yield from errors_between_fields(of_type, value, path)


def _field_errors(name: str, value: Mapping[str, Any], path: Path) -> Iterator[FieldError]:
    fields = types()[name]
    for field, item in value.items():
        if not isinstance(field, str):
            problem = "the name of a field has to be text"
            yield FieldError(
                (*path, FreeKey(str(field))), FieldError.ABSENT, problem, "Leave it out, or put it in quotes."
            )
        elif field not in fields:
            lower = {spelling.lower(): spelling for spelling in fields}
            near = closest(str(field).lower(), lower)
            fix = f"Write {lower[near]}, if you mean that." if near else f"Write one of: {listed(str(field), fields)}."
            problem = "Kubernetes has no such field here, and drops it"
            yield FieldError((*path, FreeKey(field)), FieldError.ABSENT, problem, AsWritten(fix))
        else:
            of_type = fields[field].replace("string", "quantity") if field in _QUANTITIES else fields[field]
            yield from form_errors(of_type, item, (*path, field))


def _word_errors(name: str, value: Mapping[str, Any], path: Path) -> Iterator[FieldError]:
    for field, item in value.items():
        words = _WORDS.get((name, field))
        if words and isinstance(item, str) and item and item not in words:
            fix = f"Write one of: {listed(item, words)}."
            yield FieldError((*path, field), item, "Kubernetes has no such word here", fix)


def in_form_of(of_type: str) -> Callable[[T], T]:
    """Return a validator of a field that is written in the form of a type of Kubernetes, without line breaks."""

    def check(value: T) -> T:
        raise_errors(form_errors(of_type, value))
        raise_errors(line_break_errors(value))
        return value

    return check
