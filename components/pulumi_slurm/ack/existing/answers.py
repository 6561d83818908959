"""What Alibaba Cloud has said of what exists, in the form of its SDK."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from pulumi_slurm.ack.model import AckCapacity


@dataclass(frozen=True)
class NetworkAnswers:
    """What Alibaba Cloud says of a VPC."""

    vpcs: Any
    """The VPC, in a list that is empty if there is none."""
    vswitches: Any
    """Those of the vSwitches that were asked for and exist."""
    groups: Any = ()
    """The security group, in a list that is empty if there is none."""
    rules: Any = ()
    """The group's rules."""
    snat_entries: Any = ()
    """All SNAT entries of the VPC's NAT gateways."""
    is_in_use: bool = False
    """Whether there is a cluster of the name of the one to make, which then has taken some of the addresses."""


@dataclass(frozen=True)
class ClusterAnswers:
    """What Alibaba Cloud says of a cluster."""

    cluster: Any
    """The cluster."""
    connections: Any
    """The addresses of its control plane."""
    addons: Any
    """The components that it has or could have."""
    pools: Any
    """Its node pools."""
    network: NetworkAnswers
    """Its VPC, with the vSwitches of its control plane."""


@dataclass(frozen=True)
class AccountAnswers:
    """What Alibaba Cloud says of an account."""

    roles: Collection[str]
    """The names of its RAM roles."""
    offers: Mapping[AckCapacity, Mapping[str, Collection[str]]]
    """By how machines are billed and by zone: the instance types that are in stock."""
