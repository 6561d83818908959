"""The base of every model in the specification."""

from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import BaseModel, ConfigDict, ValidationError, ValidationInfo, field_validator
from pydantic.alias_generators import to_camel

from pulumi_slurm.errors import SpecError, field_error, from_pydantic

_NUMBERS = (int, int | None)

if TYPE_CHECKING:
    _Meta = type(BaseModel)
else:

    class _Meta(type(BaseModel)):
        """Turns what is wrong with a call such as ``NodeSetSpec(...)`` into the error that users read.

        Models that pydantic makes while it validates an outer one don't come through here, so that it goes on
        collecting what else is wrong.
        """

        def __call__(cls, *args: Any, **fields: Any) -> Any:
            try:
                return super().__call__(*args, **fields)
            except ValidationError as error:
                raise cls._raised_as(from_pydantic(error, cls), cls.__name__) from None


class Model(BaseModel, metaclass=_Meta):  # type: ignore[metaclass]  # what type() returns is no name to mypy
    """A frozen model that refuses unknown fields.

    Python code writes ``snake_case``; stack configuration writes ``camelCase``, as Pulumi and Kubernetes do. Both are
    accepted everywhere, so an example can be carried from one to the other.
    """

    _raised_as: ClassVar[type[SpecError]] = SpecError
    """What a call such as ``NodeSetSpec(...)`` raises; where components are used, an error that Pulumi knows."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        populate_by_name=True,
        use_attribute_docstrings=True,
    )

    @field_validator("*", mode="before")
    @classmethod
    def _true_is_not_one(cls, value: Any, info: ValidationInfo) -> Any:
        if isinstance(value, bool) and cls.model_fields[str(info.field_name)].annotation in _NUMBERS:
            raise field_error("this is not a whole number", "Write a whole number, without quotes.")
        return value
