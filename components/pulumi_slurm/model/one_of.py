"""The type of a field that takes a member of an enum or its text."""

from enum import Enum
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

if TYPE_CHECKING:
    E = TypeVar("E", bound=Enum)
    OneOf: TypeAlias = E | str
    """As in Pulumi's SDKs: ``scaling_mode="daemonset"`` is right to type checkers too."""
else:

    class OneOf:
        """pydantic makes the member of the text, so that a field of ``OneOf[ScalingMode]`` has a ScalingMode."""

        def __class_getitem__(cls, enum: type[Enum]) -> Any:
            return enum
