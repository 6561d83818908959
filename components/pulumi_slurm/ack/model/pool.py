"""Node pools: which machines, how many, and how they are paid."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, ClassVar

from pydantic import Field, field_validator, model_validator

from pulumi_slurm.ack.model.disk import AckDataDiskSpec, AckDiskSpec
from pulumi_slurm.ack.model.names import zone_names
from pulumi_slurm.clouds.pool import CloudPoolSpec, CloudSystemPoolSpec
from pulumi_slurm.errors import FieldError, check_each_pair, check_unique, field_error, field_errors

LONGEST_POOL_NAME = 40
"""The name is also the value of a label and of a taint."""
MOST_IN_A_POOL = 1000
"""How many nodes a pool that ACK scales can have."""
MOST_TYPES = 10
"""How many instance types a pool can choose from."""

_PASSWORDS = ("password", "kmsEncryptedPassword", "kms_encrypted_password")


class AckCapacity(StrEnum):
    """How Alibaba Cloud gives machines."""

    ON_DEMAND = "on-demand"
    SPOT = "spot"


class AckImageType(StrEnum):
    """The operating system of nodes; for Arm machines its Arm build is taken."""

    ALIYUN_LINUX_3 = "AliyunLinux3"
    ALIYUN_LINUX_3_CONTAINER_OPTIMIZED = "AliyunLinux3ContainerOptimized"
    ALIYUN_LINUX_4 = "AliyunLinux4"
    ALIYUN_LINUX_4_CONTAINER_OPTIMIZED = "AliyunLinux4ContainerOptimized"
    CONTAINER_OS = "ContainerOS"
    UBUNTU = "Ubuntu"


class AckPoolSpec(CloudPoolSpec):
    """A node pool. Node sets name it, and their CPUs, memory, GPUs, node selectors and tolerations follow."""

    _max_name_length: ClassVar = LONGEST_POOL_NAME

    instance_types: list[str] = Field(min_length=1, max_length=MOST_TYPES)
    """The instance types, best first, e.g. ["ecs.gn7i-c8g1.2xlarge"]: ACK takes the next one where a zone has none
    left. Slurm reckons with the least of their CPUs and memory, and their GPUs have to be the same;
    `catalogue.machineTypes` can add one."""
    nodes: int | None = Field(default=None, ge=0, le=MOST_IN_A_POOL)
    """How many nodes there always are, in all zones together; in place of minNodes and maxNodes."""
    min_nodes: int = Field(default=0, ge=0, le=MOST_IN_A_POOL)
    """Fewest nodes in all zones together, when ACK adds and removes them."""
    max_nodes: int | None = Field(default=None, ge=0, le=MOST_IN_A_POOL)
    """Most nodes in all zones together, when ACK adds and removes them as pods need; more than minNodes."""
    capacity: AckCapacity = AckCapacity.ON_DEMAND
    """How Alibaba Cloud gives these machines."""
    spot_price_limits: dict[str, float] = {}
    """With "spot", by instance type: the most that one may cost an hour, in the currency of the account. Without limits
    the price follows the market, up to that of on-demand machines."""
    on_demand_instead: bool = False
    """With "spot": take on-demand machines where there are no spot ones."""
    image_type: AckImageType = AckImageType.ALIYUN_LINUX_3
    """The operating system."""
    disk: AckDiskSpec = AckDiskSpec()
    """The system disk."""
    data_disks: list[AckDataDiskSpec] = Field(default=[], max_length=16)
    """Further disks."""
    key_name: str | None = Field(default=None, min_length=1)
    """The key pair with which administrators get on to nodes by SSH; nobody does without it."""
    driver_version: str | None = None
    """The version of NVIDIA's driver, e.g. "550.144.03"; ACK's default if unstated. Only new nodes get another one."""
    auto_repair: bool = True
    """Let ACK repair nodes that don't answer."""

    @model_validator(mode="before")
    @classmethod
    def _has_no_password(cls, data: Any) -> Any:
        if isinstance(data, Mapping):
            # The value is left out, since it would stand in a log.
            found = [
                FieldError(
                    (field,),
                    FieldError.ABSENT,
                    "ACK manages these nodes, and such nodes take a key pair alone",
                    "Leave it out; write keyName where somebody has to get on to nodes.",
                )
                for field in _PASSWORDS
                if field in data
            ]
            if found:
                raise field_errors(found)
        return data

    _zones = field_validator("zones")(zone_names)

    @field_validator("instance_types")
    @classmethod
    def _types_once(cls, value: list[str]) -> list[str]:
        check_unique(value, "this type is named before", "Leave it out.")
        return value

    @field_validator("spot_price_limits")
    @classmethod
    def _limits_are_prices(cls, value: dict[str, float]) -> dict[str, float]:
        return check_each_pair(value, value.items(), lambda _, price: _is_a_price(price))

    @field_validator("data_disks")
    @classmethod
    def _disks_have_places_of_their_own(cls, value: list[AckDataDiskSpec]) -> list[AckDataDiskSpec]:
        check_unique(
            [disk.mount_path.rstrip("/") for disk in value],
            "another disk is mounted there",
            "Choose another path.",
            field="mount_path",
        )
        return value

    @property
    def most_nodes(self) -> int:
        """The most nodes that there can be."""
        return self.nodes if self.nodes is not None else self.max_nodes or 0

    @property
    def starts_from_nothing(self) -> bool:
        """Whether there may be no node yet when a pod needs one."""
        return self.nodes is None and self.min_nodes == 0


class AckSystemPoolSpec(CloudSystemPoolSpec):
    """The nodes of Slurm's own daemons, login pods and ACK's pods; they carry no taint."""

    instance_types: list[str] = Field(default=["ecs.g8i.xlarge", "ecs.g7.xlarge"], min_length=1, max_length=MOST_TYPES)
    """The instance types, best first."""
    image_type: AckImageType = AckImageType.ALIYUN_LINUX_3
    """The operating system."""
    disk: AckDiskSpec = AckDiskSpec()
    """The system disk."""
    key_name: str | None = Field(default=None, min_length=1)
    """The key pair with which administrators get on to nodes by SSH; nobody does without it."""

    _zones = field_validator("zones")(zone_names)


def _is_a_price(price: float) -> None:
    if not 0 < price < float("inf"):
        raise field_error("this is not a price", "Write what an hour may cost, for example 1.5.")
