"""A machine type: the one model for built-in types and for those that users add."""

import re
from datetime import date
from enum import StrEnum

from pydantic import Field, field_validator

from pulumi_slurm.errors import field_error
from pulumi_slurm.machines.machine_type import MachineGpuSpec, MachineTypeSpec
from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.base import Model

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)+")


class GkeFabric(StrEnum):
    """The network between nodes in addition to the ordinary one; see `networks` for what each needs."""

    NONE = "none"
    TCPX = "TCPX"
    TCPXO = "TCPXO"
    ROCE = "RoCE"
    FALCON = "Falcon"


class GkeGpuSpec(MachineGpuSpec):
    """The GPUs of a machine, all of one type."""

    google_type: str
    """GKE's name of the GPU, the value of the node label cloud.google.com/gke-accelerator, e.g. "nvidia-l4"."""

    _google_type = field_validator("google_type")(kubernetes_names.label_value)


class GkeMachineLocalSsdSpec(Model):
    """The local SSDs of a machine."""

    counts: list[int] = Field(default=[0], min_length=1)
    """How many disks a node can have. A single number comes with the machine; of several, the pool chooses one."""
    gib_each: int = Field(default=375, ge=1)
    """The size of each disk in GiB."""


class GkePriceSpec(Model):
    """The price of one machine an hour in US dollars, before discounts and taxes."""

    on_demand: float | None = Field(default=None, ge=0)
    """The list price, or none where it is not known."""
    spot: float | None = Field(default=None, ge=0)
    """The price as a spot VM, or none where it is not known. Google changes it as often as daily."""
    region: str
    """The region it is for, e.g. "us-central1"; the same machine costs up to half as much again elsewhere."""
    as_of: date
    """The day it was read."""


class GkeMachineTypeSpec(MachineTypeSpec):
    """A machine type of Compute Engine, as a node of GKE."""

    name: str
    """Its name, e.g. "a3-highgpu-8g"."""
    gpus: GkeGpuSpec | None = None
    """The GPUs that come with it."""
    local_ssd: GkeMachineLocalSsdSpec = GkeMachineLocalSsdSpec()
    """The local SSDs that it has or can have."""
    fabric: GkeFabric = GkeFabric.NONE
    """The fast network that it can use between nodes."""
    compact_placement: bool = False
    """Whether a pool of it can have a compact placement policy."""
    flex_start: bool = False
    """Whether it is offered by flex-start."""
    compact_flex_start: bool = False
    """Whether it is offered by flex-start and compact placement together."""
    spot: bool = True
    """Whether it is offered as spot VMs."""
    on_demand: bool = True
    """Whether it is offered without a reservation, spot or flex-start."""
    price: GkePriceSpec | None = None
    """Its price, if it is known."""

    @field_validator("name")
    @classmethod
    def _name_has_the_form(cls, value: str) -> str:
        if not _NAME.fullmatch(value):
            raise field_error(
                "no machine type of Compute Engine has such a name",
                'Write it as Google does, e.g. "n2-standard-8".',
            )
        return value
