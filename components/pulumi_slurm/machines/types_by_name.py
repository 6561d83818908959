"""A cloud's machine types by their names, and what is said of a name that is none."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pulumi_slurm.errors import FieldError, field_error
from pulumi_slurm.model.base import Model

T = TypeVar("T", bound=Model)


@dataclass(frozen=True)
class TypesByName(Generic[T]):
    """The machine types that can be used."""

    types: Mapping[str, T]
    """The types by their names."""
    problem: str
    """What is wrong with any other name: "there is no such machine type"."""
    example: str
    """A name to write where no other is close."""

    def find(self, name: str, prices: Mapping[str, Model], zones: Mapping[str, list[str]]) -> T:
        """Return a type with its price and its zones, where these are stated; raise the field's error without one."""
        found = self.types.get(name)
        if found is None:
            raise field_error(self.problem, self._remedy(name))
        stated: dict[str, Any] = {}
        if name in prices:
            stated["price"] = prices[name]
        if name in zones:
            stated["zones"] = zones[name]
        return found.model_copy(update=stated)

    def unknown(self, field: str, stated: Mapping[str, Any]) -> list[FieldError]:
        """Return the errors of a field that states something by the names of types."""
        return [
            FieldError((field, name), value, self.problem, self._remedy(name))
            for name, value in stated.items()
            if name not in self.types
        ]

    def _remedy(self, name: str) -> str:
        close = " or ".join(f'"{each}"' for each in difflib.get_close_matches(name, self.types, n=3))
        return f"Did you mean {close}?" if close else f'Write one such as "{self.example}", or add it to machineTypes.'
