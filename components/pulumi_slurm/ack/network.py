"""AckNetwork: the VPC of the cluster."""

from collections.abc import Mapping
from typing import Any

import pulumi
from pulumi_alicloud import ecs, vpc

from pulumi_slurm.ack.model import SecurityGroupType
from pulumi_slurm.ack.plan.addresses import plan_addresses
from pulumi_slurm.ack.rules import CheckedAckSpec
from pulumi_slurm.kube.component import Args, Component, child_options, parse_args, protection


class AckNetworkArgs(Args):
    """Arguments of `AckNetwork`."""

    spec: CheckedAckSpec
    """The ACK cluster."""


class AckNetwork(Component[AckNetworkArgs]):
    """A VPC that lets nothing in from outside, with the ranges of `pulumi_slurm.ack.plan.addresses`.

    Nodes and pods have no addresses of their own on the Internet and reach it by a NAT gateway. Its security group lets
    everything through between nodes, pods and what else is in the VPC, which Slurm needs: srun and slurmd talk over any
    free port. With `deletionProtection` what would replace the VPC or a vSwitch, and the cluster with them, is refused
    in the preview. Not checked on a real account; nor that Flannel's pods leave the VPC by their nodes' addresses,
    which alone the NAT gateway translates.
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
    """The address by which the Internet sees nodes and pods; None without NAT."""
    egress: list[pulumi.Resource]
    """What lets nodes reach the Internet, to come before them; empty without NAT."""

    def __init__(
        self, name: str, args: AckNetworkArgs | Mapping[str, Any], opts: pulumi.ResourceOptions | None = None
    ) -> None:
        args = parse_args(AckNetworkArgs, args)
        super().__init__(name, args, opts)
        self._name, self._spec, self._opts = name, args.spec, opts
        self._cluster = args.spec.cluster_name
        self._addresses = plan_addresses(args.spec)

        network = vpc.Network(
            f"{name}-vpc",
            vpc_name=self._cluster,
            cidr_block=self._addresses.vpc,
            tags=args.spec.tags or None,
            opts=self._protected(),
        )
        nodes = {zone: self._vswitch(network, "nodes", zone, cidr) for zone, cidr in self._addresses.nodes.items()}
        pods = {zone: self._vswitch(network, "pods", zone, cidr) for zone, cidr in self._addresses.pods.items()}
        group = self._security_group(network)
        rules = self._rules(group)

        self.vpc_id = network.id
        self.node_vswitches = _ids(nodes)
        self.pod_vswitches = _ids(pods)
        self.security_group_id = group.id
        self.egress_address, self.egress = self._nat(network, nodes, pods)
        self._last = [*rules, *(self.egress or [*nodes.values(), *pods.values()])]
        self.finish(*self._last)

    def _vswitch(self, network: vpc.Network, role: str, zone: str, cidr: str) -> vpc.Switch:
        return vpc.Switch(
            f"{self._name}-{role}-{zone}",
            vswitch_name=f"{self._cluster}-{role}-{zone}",
            vpc_id=network.id,
            zone_id=zone,
            cidr_block=cidr,
            tags=self._spec.tags or None,
            opts=self._protected(),
        )

    def _security_group(self, network: vpc.Network) -> ecs.SecurityGroup:
        kind = self._spec.network.security_group
        return ecs.SecurityGroup(
            f"{self._name}-security-group",
            security_group_name=f"{self._cluster}-nodes",
            vpc_id=network.id,
            security_group_type=kind.value,
            # Enterprise security groups have no such policy: their members are as strange to each other as others.
            inner_access_policy="Accept" if kind is SecurityGroupType.NORMAL else None,
            tags=self._spec.tags or None,
            opts=child_options(self, self._opts),
        )

    def _rules(self, group: ecs.SecurityGroup) -> list[pulumi.Resource]:
        outside = self._addresses.flannel_pods
        return [
            ecs.SecurityGroupRule(
                f"{self._name}-from-{role}",
                type="ingress",
                ip_protocol="all",
                port_range="-1/-1",
                nic_type="intranet",
                policy="accept",
                priority=1,
                cidr_ip=source,
                security_group_id=group.id,
                opts=child_options(self, self._opts),
            )
            for role, source in (("vpc", self._addresses.vpc), ("pods", outside))
            if source
        ]

    def _nat(
        self, network: vpc.Network, nodes: dict[str, vpc.Switch], pods: dict[str, vpc.Switch]
    ) -> tuple[pulumi.Output[str | None], list[pulumi.Resource]]:
        stated = self._spec.network
        if not stated.nat:
            return pulumi.Output.from_input(None), []
        tags = self._spec.tags or None
        gateway = vpc.NatGateway(
            f"{self._name}-nat",
            nat_gateway_name=f"{self._cluster}-nat",
            vpc_id=network.id,
            vswitch_id=next(iter(nodes.values())).id,
            nat_type="Enhanced",
            network_type="internet",
            payment_type="PayAsYouGo",
            internet_charge_type="PayByLcu",
            tags=tags,
            opts=child_options(self, self._opts),
        )
        address = ecs.EipAddress(
            f"{self._name}-address",
            address_name=f"{self._cluster}-nat",
            bandwidth=str(stated.nat_bandwidth_mbps),
            internet_charge_type="PayByTraffic",
            payment_type="PayAsYouGo",
            tags=tags,
            opts=child_options(self, self._opts),
        )
        association = ecs.EipAssociation(
            f"{self._name}-address",
            allocation_id=address.id,
            instance_id=gateway.id,
            instance_type="Nat",
            opts=child_options(self, self._opts),
        )
        entries: list[pulumi.Resource] = [
            vpc.SnatEntry(
                f"{self._name}-{role}-{zone}",
                snat_entry_name=f"{self._cluster}-{role}-{zone}",
                # One id, in spite of its name.
                snat_table_id=gateway.snat_table_ids,
                snat_ip=address.ip_address,
                source_vswitch_id=vswitch.id,
                # An address that isn't the gateway's yet is refused.
                opts=child_options(self, self._opts, [association]),
            )
            for role, vswitches in (("nodes", nodes), ("pods", pods))
            for zone, vswitch in vswitches.items()
        ]
        return address.ip_address.apply(lambda value: value), entries

    def _protected(self) -> pulumi.ResourceOptions:
        return child_options(self, self._opts, protect=protection(self._spec.deletion_protection))


def _ids(vswitches: dict[str, vpc.Switch]) -> pulumi.Output[dict[str, str]]:
    ids: dict[str, Any] = {zone: vswitch.id for zone, vswitch in vswitches.items()}
    return pulumi.Output.all(**ids).apply(dict)
