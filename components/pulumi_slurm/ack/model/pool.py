"""Node pools: their machines, how many there are, and how they are billed."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, ClassVar

from pydantic import Field, field_validator, model_validator

from pulumi_slurm.ack.model.disk import AckDataDiskSpec, AckDiskSpec
from pulumi_slurm.ack.model.names import zone_names
from pulumi_slurm.clouds.pool import CloudPoolSpec, CloudSystemPoolSpec
from pulumi_slurm.errors import FieldError, check_each_pair, check_unique, field_error, optional, raise_errors
from pulumi_slurm.model import alibaba_ids
from pulumi_slurm.model.one_of import OneOf

MAX_POOL_NAME = 40
"""The name is also the value of a label and of a taint."""
MAX_NODES_IN_A_POOL = 1000
"""The maximum number of nodes in a pool that ACK scales."""
MAX_INSTANCE_TYPES = 10
"""The maximum number of instance types of a pool."""

_SUBSCRIPTION_MONTHS = (1, 2, 3, 6, 12)
"""Source: `period` and `auto_renew_period` in website/docs/r/cs_kubernetes_node_pool.html.markdown of
https://github.com/aliyun/terraform-provider-alicloud at 81c43b6."""
_MOST_USER_DATA = 32 * 1024
"""In bytes. Source: UserData in https://api.alibabacloud.com/document/Ecs/2014-05-26/RunInstances."""
_PASSWORDS = ("password", "kmsEncryptedPassword", "kms_encrypted_password")


class AckCapacity(StrEnum):
    """How machines are billed."""

    ON_DEMAND = "on-demand"
    SPOT = "spot"
    SUBSCRIPTION = "subscription"
    """Paid in advance, by the month."""


class AckImageType(StrEnum):
    """The operating system of nodes; Arm machines get its Arm build."""

    ALIYUN_LINUX_3 = "AliyunLinux3"
    ALIYUN_LINUX_3_CONTAINER_OPTIMIZED = "AliyunLinux3ContainerOptimized"
    ALIYUN_LINUX_4 = "AliyunLinux4"
    ALIYUN_LINUX_4_CONTAINER_OPTIMIZED = "AliyunLinux4ContainerOptimized"
    CONTAINER_OS = "ContainerOS"
    UBUNTU = "Ubuntu"


class AckPoolSpec(CloudPoolSpec):
    """A node pool. Node sets refer to it, and get their CPUs, memory, GPUs, node selectors and tolerations from it."""

    _with_line_breaks = frozenset({"user_data", "pre_user_data"})

    _max_name_length: ClassVar = MAX_POOL_NAME

    instance_types: list[str] = Field(min_length=1, max_length=MAX_INSTANCE_TYPES)
    """The instance types, e.g. ["ecs.gn7i-c8g1.2xlarge"]. With a fixed number of nodes, they are in order of
    preference: ACK uses the next one if a zone has no more of the first. A pool that ACK scales gets any of them,
    those that cost less per vCPU first. Slurm is configured with the smallest CPUs and memory among them, and their
    GPUs must be the same. `catalogue.machineTypes` can add types."""
    nodes: int | None = Field(default=None, ge=0, le=MAX_NODES_IN_A_POOL)
    """A fixed number of nodes, in all zones together; instead of minNodes and maxNodes."""
    min_nodes: int = Field(default=0, ge=0, le=MAX_NODES_IN_A_POOL)
    """The minimum number of nodes in all zones together, if ACK scales the pool to the pods that need nodes."""
    max_nodes: int | None = Field(default=None, ge=0, le=MAX_NODES_IN_A_POOL)
    """The maximum number of nodes in all zones together, if ACK scales the pool; more than minNodes."""
    capacity: OneOf[AckCapacity] = AckCapacity.ON_DEMAND
    """How these machines are billed: "on-demand", "spot" or "subscription". A change to or from "spot" replaces the
    pool."""
    subscription_months: int = 1
    """With "subscription": for how many months each machine is paid in advance, and then again: 1, 2, 3, 6 or 12."""
    subscription_renewed: bool = True
    """With "subscription": pay again when this time ends; otherwise ECS stops the machines then, and jobs with them."""
    private_pool: str | None = None
    """With "on-demand" or "subscription": the id of the private pool of a capacity reservation or an elasticity
    assurance of yours, which machines are taken from: of one instance type in one zone. There are none from elsewhere
    when it has no more. Taken out again, it stays with the pool: make another pool."""
    deployment_set: str | None = None
    """With "on-demand" or "subscription": the id of a deployment set. It puts each machine on another server, so that
    they don't fail together, unless its strategy is low latency, which puts them near to each other in one zone. It has
    20 machines in a zone. Another one replaces the pool."""
    spot_price_limits: dict[str, float] = {}
    """With "spot", by instance type: the maximum price per hour, in the currency of the account. Without limits the
    price follows the market, up to that of on-demand machines. The first limit, or none any more, replaces the pool."""
    on_demand_instead: bool = False
    """With "spot" and a fixed number of nodes: use on-demand machines if no spot machines are available."""
    image_type: OneOf[AckImageType] = AckImageType.ALIYUN_LINUX_3
    """The operating system."""
    image_id: str | None = None
    """The id of an image of yours in place of ACK's, made from one of `imageType`. Taking it out changes nothing on a
    pool that has it."""
    user_data: str | None = Field(default=None, min_length=1)
    """A shell script that each new node runs after ACK has set it up. Whoever may describe the machine can read it."""
    pre_user_data: str | None = Field(default=None, min_length=1)
    """A shell script that each new node runs before ACK sets it up."""
    disk: AckDiskSpec = AckDiskSpec()
    """The system disk."""
    data_disks: list[AckDataDiskSpec] = Field(default=[], max_length=16)
    """Additional disks."""
    key_name: str | None = None
    """The key pair for administrators' SSH access to nodes; a pool made without it has none. Taken out again, it stays
    with the pool."""
    driver_version: str | None = None
    """The version of NVIDIA's driver, e.g. "550.144.03"; ACK's default without it. A change only affects new nodes."""
    erdma: bool = False
    """Give workers the eRDMA devices of their nodes, the resource aliyun/erdma. ACK's component ack-erdma-controller
    has to be there."""
    auto_repair: bool = True
    """Let ACK repair nodes. It restarts what failed of a node's system, such as a kubelet that doesn't respond. A node
    whose machine has a fault, of a GPU for example, it drains and then restarts or has mended: jobs on it are lost, and
    Slurm isn't told before. With false such nodes wait for people, and Slurm goes on to send them jobs."""
    restart_to_repair: bool = False
    """With autoRepair: let ACK also restart nodes whose system it can't repair otherwise. It drains a node before, for
    up to 30 minutes, and restarts it even if pods are left; jobs on the node are lost then."""
    ram_role: str | None = None
    """The RAM role of the machines, with "ecs.aliyuncs.com" as its trusted service; without it, that of ACK's workers.
    All pods on a node can get its credentials, so jobs have its permissions. Another role replaces the pool; taking it
    out changes nothing on one that has it."""
    require_metadata_tokens: bool = True
    """Answer requests for the machine's metadata, from which pods get those credentials, only with a token (IMDSv2).
    It needs Kubernetes 1.28, with Terway 1.30. True replaces a pool that was made without; false changes nothing on one
    that has it."""

    @model_validator(mode="before")
    @classmethod
    def _has_no_password(cls, data: Any) -> Any:
        if isinstance(data, Mapping):
            raise_errors(_password_errors(data))
        return data

    _zones = field_validator("zones")(zone_names)
    _private_pool = field_validator("private_pool")(optional(alibaba_ids.id_of_private_pool))
    _deployment_set = field_validator("deployment_set")(optional(alibaba_ids.id_of_deployment_set))
    _image_id = field_validator("image_id")(optional(alibaba_ids.id_of_image))
    _key_name = field_validator("key_name")(optional(alibaba_ids.key_pair))
    _ram_role = field_validator("ram_role")(optional(alibaba_ids.role))

    @field_validator("instance_types")
    @classmethod
    def _instance_types_are_unique(cls, value: list[str]) -> list[str]:
        check_unique(value, "this type is in the list twice", "Leave it out.")
        return value

    @field_validator("spot_price_limits")
    @classmethod
    def _limits_are_prices(cls, value: dict[str, float]) -> dict[str, float]:
        return check_each_pair(value, value.items(), _check_price)

    @field_validator("user_data", "pre_user_data")
    @classmethod
    def _script_fits(cls, value: str | None) -> str | None:
        size = len((value or "").encode())
        if size > _MOST_USER_DATA:
            raise field_error(
                f"this script has {size} bytes, and ECS takes {_MOST_USER_DATA}",
                "Load the rest of it from OSS, or make an image of your own and write imageId.",
            )
        return value

    @field_validator("subscription_months")
    @classmethod
    def _months_can_be_bought(cls, value: int) -> int:
        if value not in _SUBSCRIPTION_MONTHS:
            months = ", ".join(map(str, _SUBSCRIPTION_MONTHS))
            raise field_error("ACK sells no such time", f"Write one of: {months}.")
        return value

    @field_validator("data_disks")
    @classmethod
    def _disks_have_different_mount_paths(cls, value: list[AckDataDiskSpec]) -> list[AckDataDiskSpec]:
        check_unique(
            [disk.mount_path.rstrip("/") for disk in value],
            "another disk is mounted there",
            "Choose another path.",
            field="mount_path",
        )
        return value

    @property
    def most_nodes(self) -> int:
        """The maximum number of nodes, whether fixed or scaled."""
        return self.nodes if self.nodes is not None else self.max_nodes or 0

    @property
    def least_nodes(self) -> int:
        """The number of nodes that are there whether or not pods need them."""
        return self.nodes if self.nodes is not None else self.min_nodes

    @property
    def is_scaled(self) -> bool:
        """Whether ACK scales the pool."""
        return self.nodes is None

    @property
    def starts_from_nothing(self) -> bool:
        """Whether ACK may have to create the first node when a pod needs one."""
        return self.is_scaled and self.min_nodes == 0


class AckSystemPoolSpec(CloudSystemPoolSpec):
    """The nodes for Slurm's daemons other than slurmd, for login pods and for ACK's pods; they have no taint.

    By default their number is fixed, since ACK keeps some of its components off nodes that it scales."""

    instance_types: list[str] = Field(
        default=["ecs.g8i.xlarge", "ecs.g7.xlarge"], min_length=1, max_length=MAX_INSTANCE_TYPES
    )
    """The instance types in order of preference."""
    min_nodes: int = Field(default=3, ge=1, le=MAX_NODES_IN_A_POOL)
    """The minimum number of nodes in all zones together; the same as maxNodes for a fixed number."""
    max_nodes: int = Field(default=3, ge=1, le=MAX_NODES_IN_A_POOL)
    """The maximum number of nodes in all zones together."""
    image_type: OneOf[AckImageType] = AckImageType.ALIYUN_LINUX_3
    """The operating system."""
    disk: AckDiskSpec = AckDiskSpec()
    """The system disk."""
    key_name: str | None = None
    """The key pair for administrators' SSH access to nodes; a pool made without it has none. Taken out again, it stays
    with the pool."""
    require_metadata_tokens: bool = True
    """Answer requests for the machine's metadata only with a token (IMDSv2). It needs Kubernetes 1.28, with
    Terway 1.30. True replaces a pool that was made without; false changes nothing on one that has it."""

    _zones = field_validator("zones")(zone_names)
    _key_name = field_validator("key_name")(optional(alibaba_ids.key_pair))


def _password_errors(data: Mapping[Any, Any]) -> Iterator[FieldError]:
    for field in _PASSWORDS:
        if field in data:
            # Without the value, which would be shown in logs.
            yield FieldError(
                (field,),
                FieldError.ABSENT,
                "ACK manages these nodes, and such nodes only allow a key pair",
                "Leave it out; write keyName if administrators need SSH access to nodes.",
            )


def _check_price(_: str, price: float) -> None:
    if not 0 < price < float("inf"):
        raise field_error("this is not a price", "Write the maximum price per hour, for example 1.5.")
