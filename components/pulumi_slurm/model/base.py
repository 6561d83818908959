"""The base class of all models of a specification."""

import inspect
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, get_args

from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler, ValidationError, ValidationInfo, field_validator
from pydantic.alias_generators import to_camel
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from pulumi_slurm.docstrings import docstrings
from pulumi_slurm.errors import (
    FieldError,
    Path,
    SpecError,
    field_error,
    from_pydantic,
    has_both_spellings,
    raise_errors,
)
from pulumi_slurm.model.one_line import line_break_errors

_INTEGER_TYPES = (int, int | None)
_FREE_FORM_TYPES = (dict[str, Any], list[dict[str, Any]])

if TYPE_CHECKING:
    _Meta = type(BaseModel)
else:

    class _Meta(type(BaseModel)):
        """Converts the ValidationError of a call such as ``NodeSetSpec(...)`` to a SpecError; registers the fields.

        pydantic doesn't call the classes of nested models while it validates the outer one, so it still collects all
        of their errors.
        """

        def __init__(cls, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            has_both_spellings(cls)

        def __call__(cls, *args: Any, **fields: Any) -> Any:
            try:
                return super().__call__(*args, **fields)
            except ValidationError as error:
                errors = from_pydantic(error, cls)
            # Outside the block, so that pydantic's error, which has all values, is not its context.
            raise cls._raised_as(errors, cls.__name__)

        @property
        def __signature__(cls) -> inspect.Signature:
            """What `help` and notebooks show: the fields by their names in Python.

            pydantic's own, which it sets when the model is first used, has the names of stack configuration.
            """
            return inspect.Signature([*keywords(cls)])

        @__signature__.setter
        def __signature__(cls, value: object) -> None:
            del value


class Model(BaseModel, metaclass=_Meta):  # type: ignore[metaclass]  # what type() returns is no name to mypy
    """A frozen model that refuses unknown fields.

    Fields are in ``snake_case`` in Python and in ``camelCase`` in stack configuration, as in Pulumi and Kubernetes.
    Both are accepted everywhere, so that examples can be copied from one to the other.
    """

    _raised_as: ClassVar[type[SpecError]] = SpecError
    """The exception of a call such as ``NodeSetSpec(...)``; once components are loaded, one that Pulumi recognizes."""

    _with_line_breaks: ClassVar[frozenset[str]] = frozenset()
    """Fields whose texts may have line breaks, such as files and scripts, in addition to those of its bases."""

    @classmethod
    def _meant_elsewhere(cls, name: str) -> str | None:
        """Return what to write in place of a field that this model does not have, where that is known."""
        del name
        return None

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        populate_by_name=True,
        defer_build=True,
        # pydantic's own error, which `model_validate` raises, would show each value.
        hide_input_in_errors=True,
    )

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Describe each field by its docstring."""
        described = handler(core_schema)
        properties = handler.resolve_ref_schema(described).get("properties", {})
        for name, text in docstrings(cls).items():
            for written in {name, cls.model_fields[name].alias} & properties.keys():
                properties[written]["description"] = text
        return described

    @field_validator("*", mode="before")
    @classmethod
    def _value_has_the_shape_of_the_field(cls, value: Any, info: ValidationInfo) -> Any:
        """Refuse what pydantic would take: booleans as integers, and objects of Python in free-form fields."""
        annotation = cls.model_fields[str(info.field_name)].annotation
        if isinstance(value, bool) and annotation in _INTEGER_TYPES:
            raise field_error("this is not a whole number", "Write a whole number, without quotes.")
        if annotation in _FREE_FORM_TYPES:
            raise_errors(_not_plain(value, ()))
        return value

    @field_validator("*")
    @classmethod
    def _texts_are_of_one_line(cls, value: Any, info: ValidationInfo) -> Any:
        if str(info.field_name) in _fields_of_one_line(cls):
            raise_errors(line_break_errors(value))
        return value


@cache
def _fields_of_one_line(model: type[Model]) -> frozenset[str]:
    """Return the fields of a model whose texts have no line breaks: all but those that it and its bases name.

    Secrets have checks that don't repeat them. Fields that hold anything are in the form of Kubernetes or of a chart,
    which have theirs.
    """
    named = frozenset[str]().union(*(vars(base).get("_with_line_breaks", ()) for base in model.__mro__))
    return frozenset(
        name
        for name, field in model.model_fields.items()
        if name not in named and field.repr and not _holds_anything(field.annotation)
    )


def _holds_anything(annotation: Any) -> bool:
    return annotation is Any or any(map(_holds_anything, get_args(annotation)))


def keywords(model: type[BaseModel]) -> Iterator[inspect.Parameter]:
    """Yield the fields of a model as the parameters that one passes by name."""
    for name, field in model.model_fields.items():
        default = inspect.Parameter.empty if field.is_required() else field.get_default(call_default_factory=True)
        yield inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=field.annotation)


def _not_plain(value: Any, path: Path) -> Iterator[FieldError]:
    """Yield an error for each value that neither JSON nor a Kubernetes object can have, such as an Output or a date."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _not_plain(item, (*path, str(key)))
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _not_plain(item, (*path, index))
    elif path and not isinstance(value, str | int | float | bool | None):
        problem = f"this is {_with_article(type(value).__name__)}, and only plain data is accepted here"
        yield FieldError(path, FieldError.ABSENT, problem, "Write text, a number, true, false, a list or a mapping.")


def _with_article(noun: str) -> str:
    return f"{'an' if noun[0] in 'AEIOUaeiou' else 'a'} {noun}"
