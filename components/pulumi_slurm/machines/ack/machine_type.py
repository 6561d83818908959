"""An instance type: the one model for built-in types and for those that users add."""

import re
from datetime import date
from enum import StrEnum

from pydantic import Field, field_validator

from pulumi_slurm.errors import field_error
from pulumi_slurm.machines.machine_type import MachineGpuSpec, MachineTypeSpec
from pulumi_slurm.model.base import Model

_NAME = re.compile(r"ecs\.[a-z][a-z0-9]*(-[a-z0-9]+)*\.(nano|tiny|small|medium|large|([1-9][0-9]*)?xlarge)")
_CURRENCY = re.compile(r"[A-Z]{3}")


class AckFabric(StrEnum):
    """The network between nodes in addition to the ordinary one."""

    NONE = "none"
    ERDMA = "eRDMA"
    """Alibaba's RDMA over the VPC. ACK needs the component ack-erdma-controller; pods ask for aliyun/erdma."""


class AckGpuSpec(MachineGpuSpec):
    """The GPUs of a machine, all of one type."""

    nvidia_name: str = Field(min_length=1)
    """NVIDIA's name of the GPU, e.g. "A100"."""
    memory_gb: float = Field(gt=0)
    """The memory of each in GB, as Alibaba states it."""


class AckLocalDisksSpec(Model):
    """The NVMe disks that come with a machine; what is on them is lost with it."""

    count: int = Field(default=0, ge=0, le=64)
    """How many there are."""
    gib_each: int = Field(default=0, ge=0)
    """The size of each in GiB."""


class AckEnisSpec(Model):
    """The elastic network interfaces that a machine can have: Terway's pods get their addresses from them."""

    count: int = Field(ge=1, le=256)
    """How many interfaces, with the machine's own."""
    addresses: int = Field(ge=1, le=256)
    """How many private IPv4 addresses each can have."""


class AckPriceSpec(Model):
    """The price of one machine an hour, before discounts and taxes."""

    on_demand: float | None = Field(default=None, ge=0)
    """The list price of pay-as-you-go, or none where it is not known."""
    spot: float | None = Field(default=None, ge=0)
    """The price as a preemptible instance, or none where it is not known. It follows the market."""
    currency: str
    """The currency, e.g. "CNY" (aliyun.com) or "USD" (alibabacloud.com): the two sites have different lists."""
    region: str
    """The region it is for, e.g. "cn-beijing"; the same machine costs up to twice as much elsewhere."""
    as_of: date
    """The day it was read."""

    @field_validator("currency")
    @classmethod
    def _currency_is_a_code(cls, value: str) -> str:
        if not _CURRENCY.fullmatch(value):
            raise field_error("this is not the code of a currency", 'Write three capital letters, e.g. "CNY".')
        return value


class AckMachineTypeSpec(MachineTypeSpec):
    """An instance type of ECS, as a node of ACK."""

    name: str
    """Its name, e.g. "ecs.gn7e-c16g1.4xlarge"."""
    bare_metal: bool = False
    """Whether it is a whole server without a hypervisor."""
    gpus: AckGpuSpec | None = None
    """The GPUs that come with it."""
    local_disks: AckLocalDisksSpec = AckLocalDisksSpec()
    """The disks that come with it."""
    fabric: AckFabric = AckFabric.NONE
    """The fast network that it can use between nodes."""
    enis: AckEnisSpec | None = None
    """The network interfaces that it can have, or none where that is not known."""
    by_request: bool = False
    """Whether Alibaba wants to be asked (a ticket, or sales) before an account can have it."""
    price: AckPriceSpec | None = None
    """Its price, if it is known."""

    @field_validator("name")
    @classmethod
    def _name_has_the_form(cls, value: str) -> str:
        if not _NAME.fullmatch(value):
            raise field_error(
                "no instance type of ECS has such a name", 'Write it as Alibaba does, e.g. "ecs.g8i.4xlarge".'
            )
        return value

    @property
    def family(self) -> str:
        """The family, without what follows a dash: "gn7" of "ecs.gn7-c13g1.26xlarge"."""
        return self.name.split(".")[1].split("-")[0]
