"""The machine types that can be used: the built-in ones, and what users add to them or state otherwise."""

import re
from collections.abc import Mapping
from functools import cache
from typing import ClassVar

from pulumi_slurm.errors import FieldError, nearest
from pulumi_slurm.machines.catalogue import CatalogueSpec
from pulumi_slurm.machines.gke.attached_gpus import ATTACHABLE, attach
from pulumi_slurm.machines.gke.cpu_types import cpu_types
from pulumi_slurm.machines.gke.gpu_types import gpu_types
from pulumi_slurm.machines.gke.machine_type import GkeMachineTypeSpec, GkePriceSpec
from pulumi_slurm.machines.gke.prices import of_attached_gpu


@cache
def _built_in_types() -> dict[str, GkeMachineTypeSpec]:
    return {**cpu_types(), **gpu_types()}


class GkeCatalogueSpec(CatalogueSpec[GkeMachineTypeSpec, GkePriceSpec]):
    """Machine types, prices and zones as the user states them, on top of the built-in types.

    For example, in stack configuration:

        machineTypes:
          - { name: z3-highmem-88, vcpus: 88, memoryGib: 704 }
        prices:
          g2-standard-4: { onDemand: 0.78, spot: 0.31, region: europe-west4, asOf: 2026-08-01 }
        zones:
          g2-standard-4: [europe-west4-a, europe-west4-c]
    """

    gpu_prices: dict[str, GkePriceSpec] = {}
    """Prices of one GPU that is attached to an N1, by GKE's name of it, e.g. "nvidia-tesla-t4"."""

    _unknown_type: ClassVar = "the catalogue has no such machine type"
    _example: ClassVar = "n2-standard-8"

    @classmethod
    def built_in_types(cls) -> Mapping[str, GkeMachineTypeSpec]:
        """Return Google's types by name, without those that users add."""
        return _built_in_types()

    def _issue_with(self, name: str) -> tuple[str, str]:
        if name in _SHARED_CORES:
            problem = "its cores are shared with other machines, so slurmd has no whole CPU there"
            return problem, 'Write for example "e2-standard-2".'
        if custom := _CUSTOM.fullmatch(name):
            vcpus, mib = int(custom[1]), int(custom[2])
            machine = f"{{name: {name}, vcpus: {vcpus}, memoryGib: {mib / 1024:g}}}"
            return "custom machine types are not built in", f"Add {machine} to machineTypes."
        if name.partition("-")[0] in _SERIES_LEFT_OUT or name.endswith("-metal"):
            subject = (
                "bare metal machines are" if name.endswith("-metal") else f"the series {name.partition('-')[0]} is"
            )
            return f"{subject} not built in", "Add it to machineTypes, with its vcpus and memoryGib."
        return super()._issue_with(name)

    def _unknown_names(self) -> list[FieldError]:
        problem = "no such GPU can be attached to a machine"
        return super()._unknown_names() + [
            FieldError(("gpu_prices", name), value, problem, nearest(name, ATTACHABLE))
            for name, value in self.gpu_prices.items()
            if name not in ATTACHABLE
        ]

    def with_gpus(self, name: str, google_type: str, count: int) -> GkeMachineTypeSpec:
        """Return an N1 type with GPUs attached to it; raise the field's error where Google refuses that."""
        price = self.gpu_prices.get(google_type) or of_attached_gpu(google_type)
        return attach(self.find(name), google_type, count, price)


_SHARED_CORES = frozenset({"e2-medium", "e2-micro", "e2-small", "f1-micro", "g1-small"})
_CUSTOM = re.compile(r"(?:[a-z]+[0-9]+[a-z]?-)?custom-([0-9]{1,4})-([0-9]{1,8})(?:-ext)?", re.ASCII)
_SERIES_LEFT_OUT = frozenset(
    {
        *("ct3", "ct3p", "ct4l", "ct4p", "ct5l", "ct5lp", "ct5p", "ct6e", "tpu7", "tpu7x"),
        *("e4", "e4a", "m1", "m2", "m4", "m4n", "x4", "z3", "z4d"),
    }
)
"""Names that Google has and the catalogue lacks: https://cloud.google.com/compute/docs/machine-resource, also for the
form of custom types, whose last number is MiB; pkg/cloudprovider/gke/machinetypes of
https://github.com/GoogleCloudPlatform/cluster-autoscaler, commit 7d25050."""
