"""Errors in a specification that was derived from the arguments of a component, as errors in these arguments."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from pulumi_slurm.errors.field_error import FieldError
from pulumi_slurm.errors.path import Path, in_camel_case


def in_arguments(
    errors: Iterable[FieldError], arguments: Mapping[Path, Path], *, derived_fields: Iterable[Path] = ()
) -> Iterator[FieldError]:
    """Yield the errors with the paths of arguments; ``arguments`` has them by the paths of fields.

    An error in another field comes from a default or a placeholder and not from the arguments, so it is left out. So is
    one that depends on another field, unless that is among ``derived_fields``, which follow from arguments. Two fields
    of the same argument can have the same error, which is yielded once.
    """
    by_field = {in_camel_case(field): argument for field, argument in arguments.items()}
    passed = {**by_field, **{in_camel_case(field): () for field in derived_fields}}
    yielded: list[FieldError] = []
    for error in errors:
        path = _argument(error.path, by_field)
        others = [_argument(other, passed) for other in error.depends_on_fields]
        if path is not None and None not in others:
            error_in_argument = replace(error, path=path, depends_on_fields=())
            if error_in_argument not in yielded:
                yielded.append(error_in_argument)
                yield error_in_argument


def _argument(path: Path, by_field: Mapping[Path, Path]) -> Path | None:
    for field, argument in by_field.items():
        if in_camel_case(path[: len(field)]) == field:
            return (*argument, *path[len(field) :])
    return None
