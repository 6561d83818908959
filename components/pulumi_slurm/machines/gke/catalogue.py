"""The machine types that can be used: ours, and what users add to them or state otherwise."""

from functools import cache

from pydantic import field_validator, model_validator

from pulumi_slurm.errors import FieldError, check_unique, field_errors, nearest
from pulumi_slurm.machines.gke.attached_gpus import ATTACHABLE, attach
from pulumi_slurm.machines.gke.cpu_types import cpu_types
from pulumi_slurm.machines.gke.gpu_types import gpu_types
from pulumi_slurm.machines.gke.machine_type import GkeMachineTypeSpec, GkePriceSpec
from pulumi_slurm.machines.gke.prices import of_attached_gpu
from pulumi_slurm.machines.types_by_name import TypesByName
from pulumi_slurm.model.base import Model


@cache
def _ours() -> dict[str, GkeMachineTypeSpec]:
    return {**cpu_types(), **gpu_types()}


class GkeCatalogueSpec(Model):
    """Machine types, prices and zones as the user states them, on top of those that we know.

    For example, in stack configuration:

        machineTypes:
          - { name: c4n-standard-48, vcpus: 48, memoryGib: 180 }
        prices:
          g2-standard-4: { onDemand: 0.78, spot: 0.31, region: europe-west4, asOf: 2026-08-01 }
        zones:
          g2-standard-4: [europe-west4-a, europe-west4-c]
    """

    machine_types: list[GkeMachineTypeSpec] = []
    """Further types; one with a name that we know replaces ours as a whole."""
    prices: dict[str, GkePriceSpec] = {}
    """Prices by machine type, in place of ours: your region, your discounts, today."""
    gpu_prices: dict[str, GkePriceSpec] = {}
    """Prices of one GPU that is attached to an N1, by GKE's name of it, e.g. "nvidia-tesla-t4"."""
    zones: dict[str, list[str]] = {}
    """Zones by machine type: where it is offered to you. What is not stated is not checked."""

    @field_validator("machine_types")
    @classmethod
    def _names_once(cls, value: list[GkeMachineTypeSpec]) -> list[GkeMachineTypeSpec]:
        check_unique([each.name for each in value], "this type is defined before", "Keep one of them.", field="name")
        return value

    @model_validator(mode="after")
    def _names_are_known(self) -> "GkeCatalogueSpec":
        known = self._known
        found = known.unknown("prices", self.prices) + known.unknown("zones", self.zones)
        found += [
            FieldError(
                ("gpu_prices", name), value, "no such GPU can be attached to a machine", nearest(name, ATTACHABLE)
            )
            for name, value in self.gpu_prices.items()
            if name not in ATTACHABLE
        ]
        if found:
            raise field_errors(found)
        return self

    @property
    def _known(self) -> TypesByName[GkeMachineTypeSpec]:
        types = {**_ours(), **{each.name: each for each in self.machine_types}}
        return TypesByName(types, problem="there is no such machine type", example="n2-standard-8")

    def names(self) -> list[str]:
        """Return the names of all types, sorted."""
        return sorted(self._known.types)

    def find(self, name: str) -> GkeMachineTypeSpec:
        """Return a type with the price and the zones that the user states; raise the field's error without one."""
        return self._known.find(name, self.prices, self.zones)

    def with_gpus(self, name: str, accelerator: str, count: int) -> GkeMachineTypeSpec:
        """Return an N1 type with GPUs attached to it; raise the field's error where Google refuses that."""
        price = self.gpu_prices.get(accelerator) or of_attached_gpu(accelerator)
        return attach(self.find(name), accelerator, count, price)
