"""The instance types that can be used: ours, and what users add to them or state otherwise."""

from functools import cache

from pydantic import field_validator, model_validator

from pulumi_slurm.errors import check_unique, field_errors
from pulumi_slurm.machines.ack.cpu_types import cpu_types
from pulumi_slurm.machines.ack.gpu_types import gpu_types
from pulumi_slurm.machines.ack.machine_type import AckMachineTypeSpec, AckPriceSpec
from pulumi_slurm.machines.types_by_name import TypesByName
from pulumi_slurm.model.base import Model


@cache
def _ours() -> dict[str, AckMachineTypeSpec]:
    return {each.name: each for each in (*cpu_types(), *gpu_types())}


class AckCatalogueSpec(Model):
    """Instance types, prices and zones as the user states them, on top of those that we know.

    For example, in stack configuration:

        machineTypes:
          - { name: ecs.c9ae.32xlarge, vcpus: 128, memoryGib: 256, enis: { count: 15, addresses: 30 } }
        prices:
          ecs.gn7i-c8g1.2xlarge: { onDemand: 1.26, currency: USD, region: ap-southeast-1, asOf: 2026-11-01 }
        zones:
          ecs.gn7i-c8g1.2xlarge: [ap-southeast-1a, ap-southeast-1c]
    """

    machine_types: list[AckMachineTypeSpec] = []
    """Further types; one with a name that we know replaces ours as a whole."""
    prices: dict[str, AckPriceSpec] = {}
    """Prices by instance type, in place of ours: your region, your discounts, today."""
    zones: dict[str, list[str]] = {}
    """Zones by instance type: where it is offered to you. What is not stated is not checked."""

    @field_validator("machine_types")
    @classmethod
    def _names_once(cls, value: list[AckMachineTypeSpec]) -> list[AckMachineTypeSpec]:
        check_unique([each.name for each in value], "this type is defined before", "Keep one of them.", field="name")
        return value

    @model_validator(mode="after")
    def _names_are_known(self) -> "AckCatalogueSpec":
        known = self._known
        found = known.unknown("prices", self.prices) + known.unknown("zones", self.zones)
        if found:
            raise field_errors(found)
        return self

    @property
    def _known(self) -> TypesByName[AckMachineTypeSpec]:
        types = {**_ours(), **{each.name: each for each in self.machine_types}}
        return TypesByName(types, problem="there is no such instance type", example="ecs.g8i.4xlarge")

    def names(self) -> list[str]:
        """Return the names of all types, sorted."""
        return sorted(self._known.types)

    def find(self, name: str) -> AckMachineTypeSpec:
        """Return a type with the price and the zones that the user states; raise the field's error without one."""
        return self._known.find(name, self.prices, self.zones)
