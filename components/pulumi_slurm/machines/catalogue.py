"""The base of the catalogues of all clouds: the machine types that can be used, with prices and zones."""

import difflib
from collections.abc import Mapping
from typing import Any, ClassVar, Generic, Self, TypeVar

from pydantic import field_validator, model_validator

from pulumi_slurm.errors import FieldError, check_unique, field_error, field_errors
from pulumi_slurm.machines.machine_type import MachineTypeSpec
from pulumi_slurm.model.base import Model

MachineT = TypeVar("MachineT", bound=MachineTypeSpec)
PriceT = TypeVar("PriceT", bound=Model)


class CatalogueSpec(Model, Generic[MachineT, PriceT]):
    """Machine types, prices and zones as the user states them, on top of the built-in types."""

    machine_types: list[MachineT] = []
    """Further types; one with the name of a built-in type replaces that as a whole."""
    prices: dict[str, PriceT] = {}
    """Prices by machine type, in place of the built-in ones: your region, your discounts, today."""
    zones: dict[str, list[str]] = {}
    """Zones by machine type: where it is offered to you. What is not stated is not checked."""

    _unknown_type: ClassVar[str]
    """The problem with a name that no type has."""
    _example: ClassVar[str]
    """A type to write where no name is close."""

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Annotate the fields with the types of the cloud, which Pulumi's analyser of components reads here."""
        annotations = cls.__annotations__
        cls.__annotations__ = {name: field.annotation for name, field in cls.model_fields.items()} | annotations

    @classmethod
    def built_in_types(cls) -> Mapping[str, MachineT]:
        """Return the cloud's types by name, without those that users add."""
        raise NotImplementedError

    @field_validator("machine_types")
    @classmethod
    def _names_are_unique(cls, value: list[MachineT]) -> list[MachineT]:
        names = [machine_type.name for machine_type in value]
        check_unique(names, "this type is defined before", "Keep one of them.", field="name")
        return value

    @model_validator(mode="after")
    def _names_exist(self) -> Self:
        if errors := self._unknown_names():
            raise field_errors(errors)
        return self

    def _unknown_names(self) -> list[FieldError]:
        """Return the errors of all fields that state something by name."""
        types = self._types
        return [
            FieldError((field, name), value, *self._issue_with(name))
            for field, values in (("prices", self.prices), ("zones", self.zones))
            for name, value in values.items()
            if name not in types
        ]

    @property
    def _types(self) -> dict[str, MachineT]:
        return {**self.built_in_types(), **{machine_type.name: machine_type for machine_type in self.machine_types}}

    def names(self) -> list[str]:
        """Return the names of all types, sorted."""
        return sorted(self._types)

    def find(self, name: str) -> MachineT:
        """Return a type with the price and the zones that the user states; raise the field's error if there is none."""
        machine_type = self._types.get(name)
        if machine_type is None:
            raise field_error(*self._issue_with(name))
        update: dict[str, Any] = {}
        if name in self.prices:
            update["price"] = self.prices[name]
        if name in self.zones:
            update["zones"] = self.zones[name]
        return machine_type.model_copy(update=update)

    def _issue_with(self, name: str) -> tuple[str, str]:
        """Return problem and fix of a name that the catalogue doesn't have."""
        names = " or ".join(f'"{close}"' for close in difflib.get_close_matches(name, self._types, n=3))
        other = f'Write one such as "{self._example}", or add it to machineTypes.'
        return self._unknown_type, f"Did you mean {names}? Else add it to machineTypes." if names else other
