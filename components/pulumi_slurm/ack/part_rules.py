"""The rules of an ACK specification, applied to the arguments of a component."""

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
    """Raise the errors of the rules as errors in the arguments of a component.

    ``fields`` are the fields of an ACK specification that the component has; without a region, it is that of the first
    zone. ``arguments`` has the path of each argument by the path of its field. An error in another field, or one that
    depends on another field, comes from a default and not from the arguments, so it is left out.
    """
    passed_fields = set(map(_camel, arguments))
    if "region" not in fields:
        fields = {"region": _region(fields["zones"]), **fields}
        passed_fields.add(_REGION)
    argument_paths = {_camel(field): argument for field, argument in arguments.items()}
    raise_errors(_argument_errors(_errors(fields), argument_paths, passed_fields))


def _errors(fields: Mapping[str, Any]) -> Iterable[FieldError]:
    try:
        spec = AckSpec.model_validate(fields)
    except ValidationError as error:
        return from_pydantic(error, AckSpec)
    return check_ack(spec)


def _argument_errors(
    errors: Iterable[FieldError], arguments: Mapping[Path, Path], passed_fields: Iterable[Path]
) -> Iterator[FieldError]:
    reported: list[FieldError] = []
    for error in errors:
        path = _argument(error.path, arguments)
        if path is not None and all(_within_any(field, passed_fields) for field in error.depends_on_fields):
            argument_error = replace(error, path=path, depends_on_fields=())
            # Two fields that come from the same argument can have the same error.
            if argument_error not in reported:
                reported.append(argument_error)
                yield argument_error


def _argument(path: Path, arguments: Mapping[Path, Path]) -> Path | None:
    for field, argument in arguments.items():
        if _camel(path[: len(field)]) == field:
            return (*argument, *path[len(field) :])
    return None


def _within_any(path: Path, fields: Iterable[Path]) -> bool:
    return any(_camel(path[: len(field)]) == field for field in fields)


def _camel(path: Path) -> Path:
    """Return a path with pydantic's aliases instead of the names of fields, which rules use."""
    return tuple(field_text(step) if isinstance(step, str) else step for step in path)


def _region(zones: list[str]) -> str:
    # If this isn't a zone, the model refuses it and no rule runs.
    return region_of(zones[0]) if zones else ""
