"""The rules of an ACK specification for components, which have a part of one."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from pulumi_slurm.ack.model.cluster import AckSpec
from pulumi_slurm.ack.model.names import region_of
from pulumi_slurm.ack.rules import check_ack
from pulumi_slurm.errors import FieldError, Path, field_text, from_pydantic, raise_errors

_REGION: Path = ("region",)


def check_part(fields: Mapping[str, Any], arguments: Mapping[Path, Path]) -> None:
    """Raise what the rules find wrong with the arguments of a component, as errors of these.

    ``fields`` are the fields of an ACK specification that the component knows; without a region, it is that of the
    first zone. ``arguments`` has the path of each argument by that of its field. An error of another field, or one
    that depends on another field, is about a default and not about the arguments, so it is left out.
    """
    passed = set(map(_camel, arguments))
    if "region" not in fields:
        fields = {"region": _region(fields["zones"]), **fields}
        passed.add(_REGION)
    raise_errors(_of_arguments(_errors(fields), {_camel(path): arguments[path] for path in arguments}, passed))


def _errors(fields: Mapping[str, Any]) -> Iterable[FieldError]:
    try:
        spec = AckSpec.model_validate(fields)
    except ValidationError as error:
        return from_pydantic(error, AckSpec)
    return check_ack(spec)


def _of_arguments(
    errors: Iterable[FieldError], arguments: Mapping[Path, Path], passed: Iterable[Path]
) -> Iterator[FieldError]:
    reported: list[FieldError] = []
    for error in errors:
        path = _argument(error.path, arguments)
        if path is not None and all(_within_any(field, passed) for field in error.depends_on_fields):
            of_argument = replace(error, path=path, depends_on_fields=())
            # Of two fields with one argument, both may be wrong for the same reason.
            if of_argument not in reported:
                reported.append(of_argument)
                yield of_argument


def _argument(path: Path, arguments: Mapping[Path, Path]) -> Path | None:
    for field, argument in arguments.items():
        if _camel(path[: len(field)]) == field:
            return (*argument, *path[len(field) :])
    return None


def _within_any(path: Path, fields: Iterable[Path]) -> bool:
    return any(_camel(path[: len(field)]) == field for field in fields)


def _camel(path: Path) -> Path:
    """Return a path as pydantic has it, by aliases; rules have it by the names of fields."""
    return tuple(field_text(step) if isinstance(step, str) else step for step in path)


def _region(zones: list[str]) -> str:
    # A zone that isn't one is refused for itself, and no rule runs then.
    return region_of(zones[0]) if zones else ""
