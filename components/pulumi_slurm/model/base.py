"""The base class of all models of a specification."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import BaseModel, ConfigDict, ValidationError, ValidationInfo, field_validator
from pydantic.alias_generators import to_camel

from pulumi_slurm.errors import SpecError, field_error, from_pydantic

_INTEGER_TYPES = (int, int | None)

if TYPE_CHECKING:
    _Meta = type(BaseModel)
else:

    class _Meta(type(BaseModel)):
        """Converts the ValidationError of a call such as ``NodeSetSpec(...)`` to a SpecError.

        pydantic doesn't call the classes of nested models while it validates the outer one, so it still collects all
        of their errors.
        """

        def __call__(cls, *args: Any, **fields: Any) -> Any:
            try:
                return super().__call__(*args, **fields)
            except ValidationError as error:
                raise cls._raised_as(from_pydantic(error, cls), cls.__name__) from None


class Model(BaseModel, metaclass=_Meta):  # type: ignore[metaclass]  # what type() returns is no name to mypy
    """A frozen model that refuses unknown fields.

    Fields are in ``snake_case`` in Python and in ``camelCase`` in stack configuration, as in Pulumi and Kubernetes.
    Both are accepted everywhere, so that examples can be copied from one to the other.
    """

    _raised_as: ClassVar[type[SpecError]] = SpecError
    """The exception of a call such as ``NodeSetSpec(...)``; once components are loaded, one that Pulumi recognizes."""

    _renamed_fields: ClassVar[Mapping[str, str]] = {}
    """Names that fields had in stack configuration before, with those that they have now, for the error message."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        populate_by_name=True,
        use_attribute_docstrings=True,
        defer_build=True,
    )

    @field_validator("*", mode="before")
    @classmethod
    def _integers_are_not_booleans(cls, value: Any, info: ValidationInfo) -> Any:
        if isinstance(value, bool) and cls.model_fields[str(info.field_name)].annotation in _INTEGER_TYPES:
            raise field_error("this is not a whole number", "Write a whole number, without quotes.")
        return value
