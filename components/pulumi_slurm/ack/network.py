"""AckNetwork: the VPC of the cluster."""

from typing import Any, Self, Unpack, overload

import pulumi
from pulumi_alicloud import ecs, vpc
from pydantic import model_validator

from pulumi_slurm.ack.dicts import AckNetworkArgsDict
from pulumi_slurm.ack.model import AckControlPlaneSpec, AckNetworkSpec, AckSpec, Cni, SecurityGroupType
from pulumi_slurm.ack.model.names import region_of
from pulumi_slurm.ack.part_rules import check_part
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.addresses import AckAddresses, plan_addresses
from pulumi_slurm.ack.plan.range_placement import place_ranges
from pulumi_slurm.errors import raise_errors
from pulumi_slurm.kube.component import Args, Component, Options, protection
from pulumi_slurm.model.one_of import OneOf

_ALIBABA_SERVICES = "100.64.0.0/10"
"""From where Alibaba Cloud's own services connect to nodes and load balancers check them: "ensure inbound access",
https://www.alibabacloud.com/help/en/ack/ack-managed-and-ack-dedicated/user-guide/create-an-ack-managed-cluster-2."""
_EVERYWHERE = "0.0.0.0/0"


class AckNetworkArgs(Args):
    """Arguments of `AckNetwork`."""

    name: str
    """The name of the ACK cluster and of the VPC, and the prefix of other names."""
    zones: list[str]
    """The zones with nodes; the NAT gateway is in the first one."""
    cni: OneOf[Cni] = Cni.TERWAY
    """The network plugin of the cluster: with "terway" there are also vSwitches of pods."""
    network: AckNetworkSpec = AckNetworkSpec()
    """The ranges of the VPC and of its vSwitches, and its access to the Internet. Ranges that aren't set are those of
    an ACK cluster with a few nodes."""
    tags: dict[str, str] = {}
    """Tags of all resources that support tags."""
    deletion_protection: bool = True
    """Make Pulumi refuse to delete or replace the VPC and its vSwitches."""

    @model_validator(mode="after")
    def _rules_hold(self) -> Self:
        check_part(
            {
                "name": self.name,
                "zones": self.zones,
                "control_plane": {"cni": self.cni},
                "network": self.network,
                "tags": self.tags,
            },
            {
                ("name",): ("name",),
                ("zones",): ("zones",),
                ("control_plane", "cni"): ("cni",),
                ("network",): ("network",),
                ("tags",): ("tags",),
            },
        )
        _, errors = place_ranges(AckPlan.of(self._spec))
        raise_errors(errors)
        return self

    @property
    def addresses(self) -> AckAddresses:
        """The ranges of the VPC and of its vSwitches."""
        return plan_addresses(AckPlan.of(self._spec))

    @property
    def _spec(self) -> AckSpec:
        control_plane = AckControlPlaneSpec(cni=self.cni)
        region = region_of(self.zones[0])
        return AckSpec(region=region, zones=self.zones, network=self.network, control_plane=control_plane)


class AckNetwork(Component[AckNetworkArgs]):
    """A VPC that accepts no connections from outside, with the ranges of `pulumi_slurm.ack.plan.addresses`.

    Nodes and pods have no public addresses, and reach the Internet through a NAT gateway. The security group allows all
    connections within the VPC, which Slurm needs: srun and slurmd use arbitrary ports. It also allows all outbound
    connections, which an enterprise security group denies without a rule, and those of Alibaba Cloud's own services;
    ACK adds no rules to a security group that it didn't create
    (https://www.alibabacloud.com/help/en/container-service-for-kubernetes/latest/configure-security-group-rules-to-enforce-access-control-on-ack-clusters).
    With `deletion_protection` the
    preview fails for a change that would replace the VPC or a vSwitch, and the cluster with them.

    Example::

        network = AckNetwork("hpc", {"name": "hpc", "zones": ["cn-hangzhou-i"]})
        after_network = pulumi.ResourceOptions(depends_on=[network])
    """

    vpc_id: pulumi.Output[str]
    """The VPC's id."""
    node_vswitches: pulumi.Output[dict[str, str]]
    """By zone: the id of the vSwitch of nodes."""
    pod_vswitches: pulumi.Output[dict[str, str]]
    """By zone: the id of the vSwitch of Terway's pods; empty with Flannel."""
    security_group_id: pulumi.Output[str]
    """The id of the nodes' security group."""
    egress_address: pulumi.Output[str | None]
    """The public address from which nodes and pods connect to the Internet; None without NAT."""

    @overload
    def __init__(self, resource_name: str, args: AckNetworkArgs | AckNetworkArgsDict, opts: Options = None) -> None: ...
    @overload
    def __init__(self, resource_name: str, *, opts: Options = None, **fields: Unpack[AckNetworkArgsDict]) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        super().__init__(resource_name, args, opts, fields)
        self._tags = self._args.tags or None
        addresses = self._args.addresses
        network = vpc.Network(
            f"{self._name}-vpc",
            vpc_name=self._args.name,
            cidr_block=addresses.vpc,
            tags=self._tags,
            opts=self._protected(),
        )
        nodes = {zone: self._vswitch(network, "nodes", zone, cidr) for zone, cidr in addresses.nodes.items()}
        pods = {zone: self._vswitch(network, "pods", zone, cidr) for zone, cidr in addresses.pods.items()}
        group = self._security_group(network)
        sources = {"vpc": addresses.vpc, "pods": addresses.flannel_pods, "services": _ALIBABA_SERVICES}
        rules = [
            *(self._rule(f"from-{role}", group, "ingress", cidr) for role, cidr in sources.items() if cidr),
            self._rule("to-everywhere", group, "egress", _EVERYWHERE),
        ]

        self.vpc_id = network.id
        self.node_vswitches = _ids(nodes)
        self.pod_vswitches = _ids(pods)
        self.security_group_id = group.id
        # Other resources wait for the NAT gateway too, because nodes pull their images through it.
        self.egress_address, snat_entries = self._nat(network, nodes, pods)
        self.finish(*rules, *(snat_entries or [*nodes.values(), *pods.values()]))

    def _vswitch(self, network: vpc.Network, role: str, zone: str, cidr: str) -> vpc.Switch:
        return vpc.Switch(
            f"{self._name}-{role}-{zone}",
            vswitch_name=f"{self._args.name}-{role}-{zone}",
            vpc_id=network.id,
            zone_id=zone,
            cidr_block=cidr,
            tags=self._tags,
            opts=self._protected(),
        )

    def _security_group(self, network: vpc.Network) -> ecs.SecurityGroup:
        group_type = self._args.network.security_group
        return ecs.SecurityGroup(
            f"{self._name}-security-group",
            security_group_name=f"{self._args.name}-nodes",
            vpc_id=network.id,
            security_group_type=str(group_type),
            # Enterprise security groups have no such policy: their members need rules to connect to each other.
            inner_access_policy="Accept" if group_type is SecurityGroupType.NORMAL else None,
            tags=self._tags,
            opts=self.child(),
        )

    def _rule(self, name: str, group: ecs.SecurityGroup, direction: str, cidr: str) -> pulumi.Resource:
        """Allow all connections from or to a range."""
        return ecs.SecurityGroupRule(
            f"{self._name}-{name}",
            type=direction,
            ip_protocol="all",
            port_range="-1/-1",
            nic_type="intranet",
            policy="accept",
            priority=1,
            cidr_ip=cidr,
            security_group_id=group.id,
            opts=self.child(),
        )

    def _nat(
        self, network: vpc.Network, nodes: dict[str, vpc.Switch], pods: dict[str, vpc.Switch]
    ) -> tuple[pulumi.Output[str | None], list[pulumi.Resource]]:
        """Create the NAT gateway; return its address and the SNAT entries of the vSwitches."""
        if not self._args.network.nat:
            return pulumi.Output.from_input(None), []
        nat_name = f"{self._args.name}-nat"
        gateway = vpc.NatGateway(
            f"{self._name}-nat",
            nat_gateway_name=nat_name,
            vpc_id=network.id,
            vswitch_id=next(iter(nodes.values())).id,
            nat_type="Enhanced",
            network_type="internet",
            payment_type="PayAsYouGo",
            internet_charge_type="PayByLcu",
            tags=self._tags,
            opts=self.child(),
        )
        address = ecs.EipAddress(
            f"{self._name}-address",
            address_name=nat_name,
            bandwidth=str(self._args.network.nat_bandwidth_mbps),
            internet_charge_type="PayByTraffic",
            payment_type="PayAsYouGo",
            tags=self._tags,
            opts=self.child(),
        )
        association = ecs.EipAssociation(
            f"{self._name}-address",
            allocation_id=address.id,
            instance_id=gateway.id,
            instance_type="Nat",
            opts=self.child(),
        )
        entries: list[pulumi.Resource] = [
            vpc.SnatEntry(
                f"{self._name}-{role}-{zone}",
                snat_entry_name=f"{self._args.name}-{role}-{zone}",
                # A single id, in spite of its name.
                snat_table_id=gateway.snat_table_ids,
                snat_ip=address.ip_address,
                source_vswitch_id=vswitch.id,
                # Refused until the address is associated with the gateway.
                opts=self.child(association),
            )
            for role, vswitches in (("nodes", nodes), ("pods", pods))
            for zone, vswitch in vswitches.items()
        ]
        return address.ip_address.apply(lambda value: value), entries

    def _protected(self) -> pulumi.ResourceOptions:
        return self.child(protect=protection(self._args.deletion_protection))


def _ids(vswitches: dict[str, vpc.Switch]) -> pulumi.Output[dict[str, str]]:
    ids: dict[str, Any] = {zone: vswitch.id for zone, vswitch in vswitches.items()}
    return pulumi.Output.all(**ids).apply(dict)
