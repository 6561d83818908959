"""GPUs that a pool attaches to N1 machines, which come without any.

Source: https://cloud.google.com/compute/docs/gpus#n1-gpus. Which GPUs there are is from `gcloud compute
accelerator-types list` as of 2026-02-28.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from pulumi_slurm.errors import field_error, nearest
from pulumi_slurm.errors.counts import counted
from pulumi_slurm.machines.gke import prices
from pulumi_slurm.machines.gke.machine_type import GkeGpuSpec, GkeMachineTypeSpec, GkePriceSpec


class _Size(NamedTuple):
    vcpus: int
    gib: int


class _Attachable(NamedTuple):
    gres_type: str
    largest_by_count: Mapping[int, _Size]
    """The largest machine for each number of GPUs."""


_ATTACHABLE = MappingProxyType(
    {
        "nvidia-tesla-t4": _Attachable(
            "t4", MappingProxyType({1: _Size(48, 312), 2: _Size(48, 312), 4: _Size(96, 624)})
        ),
        "nvidia-tesla-p4": _Attachable(
            "p4", MappingProxyType({1: _Size(24, 156), 2: _Size(48, 312), 4: _Size(96, 624)})
        ),
        "nvidia-tesla-p100": _Attachable(
            "p100", MappingProxyType({1: _Size(16, 104), 2: _Size(32, 208), 4: _Size(96, 624)})
        ),
        "nvidia-tesla-v100": _Attachable(
            "v100", MappingProxyType({1: _Size(12, 78), 2: _Size(24, 156), 4: _Size(48, 312), 8: _Size(96, 624)})
        ),
    }
)

ATTACHABLE = tuple(_ATTACHABLE)
"""GKE's names of the GPUs that can be attached."""


def attach(
    machine_type: GkeMachineTypeSpec, google_type: str, count: int, price: GkePriceSpec | None
) -> GkeMachineTypeSpec:
    """Return the type with ``count`` GPUs attached; raise the field's error where Google refuses that.

    ``price`` is that of one GPU.
    """
    if machine_type.gpus:
        raise field_error(
            f"{machine_type.name} comes with {machine_type.gpus.count} x {machine_type.gpus.google_type}",
            "Leave the accelerator out.",
        )
    if not machine_type.name.startswith("n1-"):
        raise field_error(
            f"GPUs can be attached to N1 machines only, and this is {machine_type.name}",
            'Choose a type such as "n1-standard-8", or one that comes with GPUs.',
        )
    if google_type not in _ATTACHABLE:
        raise field_error(f'there is no GPU "{google_type}" to attach', nearest(google_type, _ATTACHABLE))
    gres_type, largest_by_count = _ATTACHABLE[google_type]
    if count not in largest_by_count:
        counts = ", ".join(map(str, largest_by_count))
        raise field_error(f"{google_type} can't be attached {counted(count, 'time')}", f"Write one of: {counts}.")
    largest = largest_by_count[count]
    if machine_type.vcpus > largest.vcpus or machine_type.memory_gib > largest.gib:
        raise field_error(
            f"{count} x {google_type} go with {largest.vcpus} vCPUs and {largest.gib} GiB at most, and "
            f"{machine_type.name} has {machine_type.vcpus} and {machine_type.memory_gib:g}",
            "Attach more GPUs, or choose a smaller machine type.",
        )
    return machine_type.model_copy(
        update={
            "gpus": GkeGpuSpec(google_type=google_type, count=count, gres_type=gres_type),
            "flex_start": True,
            "price": prices.together(machine_type.price, price, count),
        }
    )
