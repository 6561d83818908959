"""The VPC: one to make, whose ranges are sized from the pools unless they are configured, or one that exists."""

from enum import StrEnum

from pydantic import Field, field_validator

from pulumi_slurm.ack.model.existing import AckExistingNetworkSpec
from pulumi_slurm.ack.model.names import zone_name
from pulumi_slurm.clouds.address_ranges import ipv4_range
from pulumi_slurm.errors import check_each_pair, field_error
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.one_of import OneOf

DEFAULT_VPC = "10.0.0.0/8"


class SecurityGroupType(StrEnum):
    """Alibaba Cloud's types of security groups."""

    NORMAL = "normal"
    ENTERPRISE = "enterprise"


class AckNetworkSpec(Model):
    """The VPC and its address ranges, in CIDR notation.

    `pulumi_slurm.ack.plan.addresses` documents the defaults of ranges that aren't configured."""

    existing: AckExistingNetworkSpec | None = None
    """A VPC that exists, in place of one that is made; then only `podsRange`, `podsPerNode`, `servicesRange` and `nat`
    can be written beside it."""
    vpc_range: str = DEFAULT_VPC
    """The addresses of the whole VPC, a /8 to /28."""
    node_ranges: dict[str, str] = {}
    """By zone: the addresses of its vSwitch of nodes and load balancers, within the VPC; a /18 or more by default. A
    change replaces the vSwitch, NAS's mount target in it, and RDS if it is in this zone: RDS is empty then."""
    pod_ranges: dict[str, str] = {}
    """With Terway, by zone: the addresses of its vSwitch of pods, within the VPC; a /16 by default. A change replaces
    the vSwitch."""
    pods_range: str | None = None
    """With Flannel: the addresses of all pods, outside of the VPC; "172.20.0.0/16" by default, or more. A change
    replaces the cluster."""
    services_range: str | None = None
    """The addresses of Kubernetes Services, outside of the VPC; "172.16.0.0/20" by default. A change replaces the
    cluster."""
    pods_per_node: int = Field(default=64, ge=16, le=256)
    """With Flannel: how many addresses each node gets for its pods; a power of two. A change replaces the cluster."""
    nat: bool = True
    """Let nodes and pods reach the Internet through a NAT gateway with a public address. Without it, images have to
    come from a registry that can be reached from the VPC. One that exists has to have such a gateway, with SNAT entries
    for its vSwitches; with false, it isn't looked for."""
    nat_bandwidth_mbps: int = Field(default=100, ge=1, le=200)
    """The bandwidth limit of the NAT gateway in Mbit/s; traffic is billed, not bandwidth."""
    security_group: OneOf[SecurityGroupType] = SecurityGroupType.ENTERPRISE
    """The type of the nodes' security group; an enterprise one can contain more addresses than a normal one. A change
    replaces the group, and with it all pools."""

    @field_validator("node_ranges", "pod_ranges")
    @classmethod
    def _are_zones(cls, value: dict[str, str]) -> dict[str, str]:
        return check_each_pair(value, value.items(), _check_zone_range)

    @field_validator("vpc_range", "pods_range", "services_range")
    @classmethod
    def _is_a_network(cls, value: str | None) -> str | None:
        return value if value is None else cidr(value)

    @field_validator("pods_per_node")
    @classmethod
    def _is_a_power_of_two(cls, value: int) -> int:
        if value & (value - 1):
            raise field_error("Flannel hands out addresses in powers of two", f"Write {1 << value.bit_length()}.")
        return value


def cidr(value: str) -> str:
    """Return the value if it is an IPv4 range in CIDR notation."""
    return ipv4_range(value, "10.0.64.0/18")


def _check_zone_range(zone: str, value: str) -> None:
    zone_name(zone)
    cidr(value)
