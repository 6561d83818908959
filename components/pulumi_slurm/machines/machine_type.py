"""The base of the machine types of all clouds."""

from pydantic import Field, field_validator

from pulumi_slurm.machines.architecture import Architecture
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.names import slurm_name


class MachineGpuSpec(Model):
    """The GPUs of a machine, all of one type."""

    count: int = Field(ge=1, le=64)
    """How many GPUs each machine has."""
    gres_type: str
    """Slurm's GRES type. A short form such as "h100": Slurm takes any part of the name that the driver reports."""

    _gres_type_is_a_word = field_validator("gres_type")(slurm_name)


class MachineTypeSpec(Model):
    """A machine type of a cloud, as a Kubernetes node."""

    name: str
    """Its name, as the cloud writes it."""
    vcpus: int = Field(ge=1, le=4096)
    """How many virtual CPUs it has; what the kernel of a node counts."""
    memory_gib: float = Field(ge=0.5)
    """Its memory in GiB, before the kernel and the cloud take their part."""
    architecture: Architecture = Architecture.AMD64
    """The instruction set; images have to be built for it."""
    threads_per_core: int = Field(default=2, ge=1, le=2)
    """How many of its virtual CPUs share a core."""
    zones: list[str] = []
    """The zones that offer it, as far as you state them; none stated means not known."""
