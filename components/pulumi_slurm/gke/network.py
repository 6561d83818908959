"""GkeNetwork: the VPC of the cluster, and those of its fast networks."""

from collections.abc import Mapping, Sequence
from typing import Any

import pulumi
import pulumi_gcp as gcp

from pulumi_slurm.gke.inputs import PLACE, inputs
from pulumi_slurm.gke.model import GkeSpec
from pulumi_slurm.gke.plan.addresses import plan_addresses
from pulumi_slurm.gke.plan.extra_networks import ExtraNetwork, ExtraSubnet, uses_fabric
from pulumi_slurm.gke.plan.planned_pool import planned_pools
from pulumi_slurm.gke.rules import CheckedGkeSpec
from pulumi_slurm.kube.component import Args, Component, child_options, parse_args, protection
from pulumi_slurm.machines.gke import primary_mtu

PODS = "pods"
"""The name of the subnetwork's secondary range of pods."""
SERVICES = "services"
"""The name of the subnetwork's secondary range of Services."""

_IAP = "35.235.240.0/20"
"""Where Identity-Aware Proxy comes from: https://cloud.google.com/iap/docs/using-tcp-forwarding."""
_WEBHOOK_PORTS = ("6443", "9443")
"""Where webhooks (slurm-operator, mariadb-operator, KEDA) and KEDA's metrics listen. GKE lets the control plane reach
443 and 10250 by itself, which do for cert-manager."""
_LUSTRE_PORTS = ("988", "6988")
"""Where Lustre's servers call their clients back (https://cloud.google.com/managed-lustre/docs/vpc); the second is for
instances with `gke_support_enabled`."""
_MOST_PORTS = 65536
"""The most ports that Cloud NAT gives a node."""


class GkeNetworkArgs(Args):
    """Arguments of `GkeNetwork`."""

    spec: CheckedGkeSpec
    """The GKE cluster."""


class GkeNetwork(Component[GkeNetworkArgs]):
    """A VPC that lets nothing in from outside, with the ranges of `pulumi_slurm.gke.plan.addresses`.

    Nodes have no addresses of their own on the Internet and reach it by Cloud NAT. What would replace the VPC or its
    subnetwork, and the cluster with them, is refused in the preview as long as `deletionProtection` is on. A new MTU is
    a change in place, by the provider's source; nodes take it when they are made anew. Not checked on a real project.

    Each kind of fast network (GPUDirect, RDMA) among the pools has VPCs of its own, which serve nothing else.
    """

    network_id: pulumi.Output[str]
    """The VPC as projects/P/global/networks/N."""
    network_name: pulumi.Output[str]
    """The VPC's name."""
    subnetwork_id: pulumi.Output[str]
    """The nodes' subnetwork as projects/P/regions/R/subnetworks/N."""
    subnetwork_name: pulumi.Output[str]
    """The nodes' subnetwork's name."""
    private_services_range_name: pulumi.Output[str | None]
    """The name of the range of Cloud SQL, Filestore and Lustre, where one of them is used."""
    fabric_networks: pulumi.Output[dict[str, dict[str, str]]]
    """For each subnetwork of a fast network, by its name: the names of `network` and `subnetwork`."""
    private_services: list[pulumi.Resource]
    """What Cloud SQL, Filestore and Lustre come after; empty where none of them is used."""

    def __init__(
        self, name: str, args: GkeNetworkArgs | Mapping[str, Any], opts: pulumi.ResourceOptions | None = None
    ) -> None:
        args = parse_args(GkeNetworkArgs, args)
        shown = inputs(args.spec, (*PLACE, "network", "deletion_protection"))
        super().__init__(name, args, opts, inputs=shown)
        self._name, self._spec, self._opts = name, args.spec, opts
        self._cluster = args.spec.cluster_name
        self._addresses = plan_addresses(args.spec)

        network = self._network()
        subnetwork = self._subnetwork(network)
        nat = self._nat(network)
        firewalls = self._firewalls(network)
        self.private_services = self._private_services(network)
        self._last = [subnetwork, nat, *firewalls, *self.private_services]
        made: dict[str, Any] = {}
        for extra in self._addresses.fabric:
            made.update(self._fabric(extra))

        self.network_id = network.id
        self.network_name = network.name
        self.subnetwork_id = subnetwork.id
        self.subnetwork_name = subnetwork.name
        self.fabric_networks = pulumi.Output.from_input(made)
        self.finish(*self._last)

    def _network(self) -> gcp.compute.Network:
        return gcp.compute.Network(
            f"{self._name}-network",
            name=self._cluster,
            project=self._spec.project,
            auto_create_subnetworks=False,
            routing_mode="REGIONAL",
            mtu=_mtu(self._spec),
            opts=child_options(self, self._opts, protect=protection(self._spec.deletion_protection)),
        )

    def _subnetwork(self, network: gcp.compute.Network) -> gcp.compute.Subnetwork:
        secondary = ((PODS, self._addresses.pods), (SERVICES, self._addresses.services))
        return gcp.compute.Subnetwork(
            f"{self._name}-subnetwork",
            name=f"{self._cluster}-nodes",
            project=self._spec.project,
            region=self._spec.region,
            network=network.id,
            ip_cidr_range=self._addresses.nodes,
            secondary_ip_ranges=[
                gcp.compute.SubnetworkSecondaryIpRangeArgs(range_name=role, ip_cidr_range=addresses)
                for role, addresses in secondary
            ],
            # Nodes reach Google's APIs, and images in Artifact Registry, without Cloud NAT.
            private_ip_google_access=True,
            opts=child_options(self, self._opts, [network], protect=protection(self._spec.deletion_protection)),
        )

    def _nat(self, network: gcp.compute.Network) -> gcp.compute.RouterNat:
        stated = self._spec.network
        router = gcp.compute.Router(
            f"{self._name}-router",
            name=f"{self._cluster}-router",
            project=self._spec.project,
            region=self._spec.region,
            network=network.id,
            opts=child_options(self, self._opts, [network]),
        )
        return gcp.compute.RouterNat(
            f"{self._name}-nat",
            name=f"{self._cluster}-nat",
            project=self._spec.project,
            region=self._spec.region,
            router=router.name,
            nat_ip_allocate_option="AUTO_ONLY",
            source_subnetwork_ip_ranges_to_nat="ALL_SUBNETWORKS_ALL_IP_RANGES",
            min_ports_per_vm=stated.min_ports_per_vm,
            # A node gets more ports while it needs them. Google wants more at most than at least, and refuses this
            # together with endpoint-independent mapping.
            enable_dynamic_port_allocation=stated.min_ports_per_vm < _MOST_PORTS,
            enable_endpoint_independent_mapping=False,
            log_config=gcp.compute.RouterNatLogConfigArgs(enable=stated.nat_log, filter="ERRORS_ONLY"),
            opts=child_options(self, self._opts, [router]),
        )

    def _firewalls(self, network: gcp.compute.Network) -> list[pulumi.Resource]:
        found = self._addresses
        made: list[pulumi.Resource] = [
            self._allow_all("internal", network, self._cluster, [found.nodes, found.pods]),
            self._allow("webhooks", network, found.control_plane, _WEBHOOK_PORTS),
        ]
        if self._spec.network.ssh_from_iap:
            made.append(self._allow("ssh-from-iap", network, _IAP, ("22",)))
        if found.private_services and any(item.lustre for item in self._spec.storage):
            made.append(self._allow("lustre", network, found.private_services, _LUSTRE_PORTS))
        return made

    def _allow(
        self, role: str, network: gcp.compute.Network, source: str, ports: Sequence[str]
    ) -> gcp.compute.Firewall:
        return gcp.compute.Firewall(
            f"{self._name}-{role}",
            name=f"{self._cluster}-{role}",
            project=self._spec.project,
            network=network.name,
            direction="INGRESS",
            source_ranges=[source],
            allows=[gcp.compute.FirewallAllowArgs(protocol="tcp", ports=list(ports))],
            opts=child_options(self, self._opts, [network]),
        )

    def _allow_all(
        self, role: str, network: gcp.compute.Network, owner: str, sources: Sequence[str]
    ) -> gcp.compute.Firewall:
        return gcp.compute.Firewall(
            f"{self._name}-{role}",
            name=f"{owner}-internal",
            project=self._spec.project,
            network=network.name,
            direction="INGRESS",
            source_ranges=list(sources),
            allows=[gcp.compute.FirewallAllowArgs(protocol=protocol) for protocol in ("tcp", "udp", "icmp")],
            opts=child_options(self, self._opts, [network]),
        )

    def _private_services(self, network: gcp.compute.Network) -> list[pulumi.Resource]:
        addresses = self._addresses.private_services
        if addresses is None:
            self.private_services_range_name = pulumi.Output.from_input(None)
            return []
        first, _, length = addresses.partition("/")
        reserved = gcp.compute.GlobalAddress(
            f"{self._name}-private-services",
            name=f"{self._cluster}-private-services",
            project=self._spec.project,
            network=network.id,
            purpose="VPC_PEERING",
            address_type="INTERNAL",
            address=first,
            prefix_length=int(length),
            opts=child_options(self, self._opts, [network]),
        )
        connection = gcp.servicenetworking.Connection(
            f"{self._name}-private-services",
            network=network.id,
            service="servicenetworking.googleapis.com",
            reserved_peering_ranges=[reserved.name],
            # Cloud SQL keeps its side for days after an instance is gone, and Google refuses to delete the connection
            # while it does. ABANDON would leave the peering, and with it a VPC that can't be deleted.
            deletion_policy="REMOVE_PEERING",
            # A connection to this VPC that a destroyed stack has left is taken over.
            update_on_creation_fail=True,
            opts=child_options(self, self._opts, [reserved]),
        )
        self.private_services_range_name = reserved.name.apply(lambda value: value)
        return [connection]

    def _fabric(self, extra: ExtraNetwork) -> dict[str, pulumi.Output[dict[str, str]]]:
        role = extra.name.removeprefix(f"{self._cluster}-")
        profile = f"projects/{self._spec.project}/global/networkProfiles/{extra.profile}" if extra.profile else None
        network = gcp.compute.Network(
            f"{self._name}-{role}",
            name=extra.name,
            project=self._spec.project,
            auto_create_subnetworks=False,
            routing_mode="REGIONAL",
            mtu=extra.mtu,
            network_profile=profile,
            opts=child_options(self, self._opts),
        )
        if not profile:
            # VPCs with an RDMA profile take no such rules and let all of their own nodes in:
            # https://cloud.google.com/vpc/docs/rdma-network-profiles.
            ranges = [subnet.range for subnet in extra.subnets]
            self._last.append(self._allow_all(f"{role}-internal", network, extra.name, ranges))
        subnetworks = {subnet.name: self._fabric_subnetwork(network, subnet) for subnet in extra.subnets}
        self._last += subnetworks.values()
        return {
            name: pulumi.Output.all(network=network.name, subnetwork=subnetwork.name).apply(dict)
            for name, subnetwork in subnetworks.items()
        }

    def _fabric_subnetwork(self, network: gcp.compute.Network, subnet: ExtraSubnet) -> gcp.compute.Subnetwork:
        return gcp.compute.Subnetwork(
            f"{self._name}-{subnet.name.removeprefix(f'{self._cluster}-')}-subnetwork",
            name=subnet.name,
            project=self._spec.project,
            region=self._spec.region,
            network=network.id,
            ip_cidr_range=subnet.range,
            opts=child_options(self, self._opts, [network]),
        )


def _mtu(spec: GkeSpec) -> int | None:
    """Return the VPC's MTU: the stated one, or what the fastest network among the pools wants."""
    wanted = [primary_mtu(planned.machine_type) for planned in planned_pools(spec) if uses_fabric(planned)]
    return spec.network.mtu or max((mtu for mtu in wanted if mtu), default=None)
