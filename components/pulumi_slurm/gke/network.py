"""GkeNetwork: the VPC of the cluster, and those of its fast networks."""

from collections.abc import Iterator, Mapping, Sequence
from ipaddress import IPv4Network
from typing import Any, Self, Unpack, overload

import pulumi
import pulumi_gcp as gcp
from pydantic import field_validator, model_validator
from pydantic.alias_generators import to_camel

from pulumi_slurm.errors import FieldError, Path, raise_errors
from pulumi_slurm.gke.arguments import GkeArgs, check_part, cluster_name, spec_of, when_known
from pulumi_slurm.gke.dicts import GkeNetworkArgsDict
from pulumi_slurm.gke.fast_networks import GkeNetworkInterfaceArgs
from pulumi_slurm.gke.model import CloudSqlSpec, GkeNetworkSpec, GkeSpec, names
from pulumi_slurm.gke.plan.addresses import plan_addresses
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.network import GkeFabricNetworkSpec, GkeFabricSubnetworkSpec
from pulumi_slurm.kube.component import Component, Options, protection

PODS = "pods"
"""The name of the subnetwork's secondary range of pods."""
SERVICES = "services"
"""The name of the subnetwork's secondary range of Services."""

_IAP = "35.235.240.0/20"
"""The addresses of Identity-Aware Proxy: https://cloud.google.com/iap/docs/using-tcp-forwarding."""
_EVERYTHING = tuple(gcp.compute.FirewallAllowArgs(protocol=protocol) for protocol in ("tcp", "udp", "icmp"))
_WEBHOOK_PORTS = ("6443", "9443")
"""Ports of webhooks (slurm-operator, mariadb-operator, KEDA) and of KEDA's metrics. GKE lets the control plane reach
443 and 10250 by itself, which suffice for cert-manager."""
_LUSTRE_PORTS = ("988", "6988")
"""Ports on which Lustre's servers call their clients back (https://cloud.google.com/managed-lustre/docs/vpc); the
second is for instances with `gke_support_enabled`."""
_MAX_PORTS = 65536
"""The maximum number of ports that Cloud NAT assigns to a node."""


class GkeNetworkArgs(GkeArgs):
    """Arguments of `GkeNetwork`."""

    region: pulumi.Input[str]
    """The region of the subnetworks."""
    name: str
    """The VPC's name, which is the prefix of all other names: that of the GKE cluster."""
    network: GkeNetworkSpec = GkeNetworkSpec()
    """The VPC's ranges, and access from and to the Internet."""
    private_services: bool = False
    """Whether the VPC needs private services access, to reach Cloud SQL, Filestore or Managed Lustre."""
    lustre: bool = False
    """Whether Managed Lustre is one of these services; its servers connect to nodes."""
    fabrics: list[GkeFabricNetworkSpec] = []
    """The VPCs of fast networks. Their names start with that of the cluster's VPC."""
    deletion_protection: bool = True
    """Make Pulumi refuse to delete or to replace the VPC and its subnetwork."""

    _region = field_validator("region")(when_known(names.region))
    _name = field_validator("name")(cluster_name)

    @model_validator(mode="after")
    def _ranges_fit(self) -> Self:
        check_part(self._spec, {("network",): ("network",)})
        raise_errors(self._fabrics_are_apart())
        return self

    @property
    def _spec(self) -> GkeSpec:
        database = CloudSqlSpec() if self.private_services or self.lustre else None
        return spec_of(None, [], name=self.name, network=self.network, database=database)

    def _fabrics_are_apart(self) -> Iterator[FieldError]:
        """Yield an error for each range of a fast network that overlaps with one of the cluster's VPC."""
        addresses = plan_addresses(GkePlan.of(self._spec))
        fields = ("nodes", "pods", "services", "private_services", "control_plane")
        ranges = {f"{field}_range": value for field in fields if (value := getattr(addresses, field))}
        for position, network in enumerate(self.fabrics):
            for index, subnetwork in enumerate(network.subnetworks):
                at: Path = ("fabrics", position, "subnetworks", index, "ip_cidr_range")
                yield from _is_apart(at, subnetwork.ip_cidr_range, ranges)


class GkeNetwork(Component[GkeNetworkArgs]):
    """A VPC that is closed from outside, with the ranges of `pulumi_slurm.gke.plan.addresses`.

    Nodes have no public addresses and reach the Internet through Cloud NAT. A change that would replace the VPC or its
    subnetwork, and the cluster with them, is refused in the preview while `deletionProtection` is on. A new MTU is a
    change in place, according to the provider's source; nodes use it once they are replaced.

    Each fast network (GPUDirect, RDMA) has its own VPCs, which are used for nothing else.

    Example::

        network = GkeNetwork("hpc", {"project": "my-project", "region": "us-central1", "name": "hpc"})
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
    """For each subnetwork of a fast network, by its name: `network_name` and `subnetwork_name`."""

    @overload
    def __init__(self, resource_name: str, args: GkeNetworkArgs | GkeNetworkArgsDict, opts: Options = None) -> None: ...
    @overload
    def __init__(self, resource_name: str, *, opts: Options = None, **fields: Unpack[GkeNetworkArgsDict]) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        super().__init__(resource_name, args, opts, fields)
        self._addresses = plan_addresses(GkePlan.of(self._args._spec))
        network = self._network()
        subnetwork = self._subnetwork(network)
        nat = self._nat(network)
        firewalls = self._firewalls(network)
        self._private_services = self._connect_private_services(network)
        self._fabric: list[pulumi.Resource] = []
        interfaces: dict[str, Any] = {}
        for fabric_network in self._args.fabrics:
            interfaces.update(self._fabric_network(fabric_network))

        self.network_id = network.id
        self.network_name = network.name
        self.subnetwork_id = subnetwork.id
        self.subnetwork_name = subnetwork.name
        self.fabric_networks = pulumi.Output.from_input(interfaces)
        self.finish(subnetwork, nat, *firewalls, *self._private_services, *self._fabric)

    def private_services(self) -> list[pulumi.Resource]:
        """Return what Cloud SQL, Filestore and Lustre depend on; nothing if none of them is used."""
        return self._private_services

    def interface(self, subnetwork: str) -> GkeNetworkInterfaceArgs:
        """Return the interface of nodes in a subnetwork of a fast network, for `GkeNodePool` and `GkePodNetworks`."""
        return GkeNetworkInterfaceArgs(
            network_name=self.fabric_networks.apply(lambda networks: networks[subnetwork]["network_name"]),
            subnetwork_name=self.fabric_networks.apply(lambda networks: networks[subnetwork]["subnetwork_name"]),
        )

    def _network(self) -> gcp.compute.Network:
        return gcp.compute.Network(
            f"{self._name}-network",
            name=self._args.name,
            project=self._args.project,
            auto_create_subnetworks=False,
            routing_mode="REGIONAL",
            mtu=self._args.network.mtu,
            opts=self.child(protect=protection(self._args.deletion_protection)),
        )

    def _subnetwork(self, network: gcp.compute.Network) -> gcp.compute.Subnetwork:
        secondary = ((PODS, self._addresses.pods), (SERVICES, self._addresses.services))
        return gcp.compute.Subnetwork(
            f"{self._name}-subnetwork",
            name=f"{self._args.name}-nodes",
            project=self._args.project,
            region=self._args.region,
            network=network.id,
            ip_cidr_range=self._addresses.nodes,
            secondary_ip_ranges=[
                gcp.compute.SubnetworkSecondaryIpRangeArgs(range_name=role, ip_cidr_range=addresses)
                for role, addresses in secondary
            ],
            # Nodes reach Google's APIs, and images in Artifact Registry, without Cloud NAT.
            private_ip_google_access=True,
            opts=self.child(network, protect=protection(self._args.deletion_protection)),
        )

    def _nat(self, network: gcp.compute.Network) -> gcp.compute.RouterNat:
        options = self._args.network
        router = gcp.compute.Router(
            f"{self._name}-router",
            name=f"{self._args.name}-router",
            project=self._args.project,
            region=self._args.region,
            network=network.id,
            opts=self.child(network),
        )
        return gcp.compute.RouterNat(
            f"{self._name}-nat",
            name=f"{self._args.name}-nat",
            project=self._args.project,
            region=self._args.region,
            router=router.name,
            nat_ip_allocate_option="AUTO_ONLY",
            source_subnetwork_ip_ranges_to_nat="ALL_SUBNETWORKS_ALL_IP_RANGES",
            min_ports_per_vm=options.min_ports_per_vm,
            # A node gets more ports while it needs them. Google requires the maximum to be larger than the minimum, and
            # refuses this together with endpoint-independent mapping.
            enable_dynamic_port_allocation=options.min_ports_per_vm < _MAX_PORTS,
            enable_endpoint_independent_mapping=False,
            log_config=gcp.compute.RouterNatLogConfigArgs(enable=options.nat_log, filter="ERRORS_ONLY"),
            opts=self.child(router),
        )

    def _firewalls(self, network: gcp.compute.Network) -> list[pulumi.Resource]:
        addresses = self._addresses
        name = self._args.name
        pod_ranges = [addresses.nodes, addresses.pods]
        webhooks = _tcp(_WEBHOOK_PORTS)
        firewalls: list[pulumi.Resource] = [
            self._allow("internal", f"{name}-internal", network, pod_ranges, _EVERYTHING),
            self._allow("webhooks", f"{name}-webhooks", network, [addresses.control_plane], webhooks),
        ]
        if self._args.network.ssh_from_iap:
            firewalls.append(self._allow("ssh-from-iap", f"{name}-ssh-from-iap", network, [_IAP], _tcp(("22",))))
        if self._args.lustre and addresses.private_services:
            sources = [addresses.private_services]
            firewalls.append(self._allow("lustre", f"{name}-lustre", network, sources, _tcp(_LUSTRE_PORTS)))
        return firewalls

    def _allow(
        self,
        role: str,
        name: str,
        network: gcp.compute.Network,
        sources: Sequence[str],
        protocols: Sequence[gcp.compute.FirewallAllowArgs],
    ) -> gcp.compute.Firewall:
        return gcp.compute.Firewall(
            f"{self._name}-{role}",
            name=name,
            project=self._args.project,
            network=network.name,
            direction="INGRESS",
            source_ranges=sources,
            allows=protocols,
            opts=self.child(network),
        )

    def _connect_private_services(self, network: gcp.compute.Network) -> list[pulumi.Resource]:
        addresses = self._addresses.private_services
        if addresses is None:
            self.private_services_range_name = pulumi.Output.from_input(None)
            return []
        first, _, prefix_length = addresses.partition("/")
        reserved = gcp.compute.GlobalAddress(
            f"{self._name}-private-services",
            name=f"{self._args.name}-private-services",
            project=self._args.project,
            network=network.id,
            purpose="VPC_PEERING",
            address_type="INTERNAL",
            address=first,
            prefix_length=int(prefix_length),
            opts=self.child(network),
        )
        connection = gcp.servicenetworking.Connection(
            f"{self._name}-private-services",
            network=network.id,
            service="servicenetworking.googleapis.com",
            reserved_peering_ranges=[reserved.name],
            # Cloud SQL keeps its side for days after an instance is deleted, and meanwhile Google refuses to delete the
            # connection. ABANDON would leave the peering behind, and with it a VPC that can't be deleted.
            deletion_policy="REMOVE_PEERING",
            # A connection to this VPC that a destroyed stack has left behind is taken over.
            update_on_creation_fail=True,
            opts=self.child(reserved),
        )
        self.private_services_range_name = reserved.name.apply(lambda value: value)
        return [connection]

    def _fabric_network(self, fabric: GkeFabricNetworkSpec) -> dict[str, pulumi.Output[dict[str, str]]]:
        role = fabric.name.removeprefix(f"{self._args.name}-")
        profile = fabric.network_profile
        network = gcp.compute.Network(
            f"{self._name}-{role}",
            name=fabric.name,
            project=self._args.project,
            auto_create_subnetworks=False,
            routing_mode="REGIONAL",
            mtu=fabric.mtu,
            network_profile=(
                pulumi.Output.concat("projects/", self._args.project, "/global/networkProfiles/", profile)
                if profile
                else None
            ),
            opts=self.child(),
        )
        if not profile:
            # VPCs with an RDMA profile support no such rules and allow traffic between all of their nodes:
            # https://cloud.google.com/vpc/docs/rdma-network-profiles.
            ranges = [subnetwork.ip_cidr_range for subnetwork in fabric.subnetworks]
            self._fabric.append(
                self._allow(f"{role}-internal", f"{fabric.name}-internal", network, ranges, _EVERYTHING)
            )
        subnetworks = {subnet.name: self._fabric_subnetwork(network, subnet) for subnet in fabric.subnetworks}
        self._fabric += subnetworks.values()
        return {
            name: pulumi.Output.all(network_name=network.name, subnetwork_name=subnetwork.name).apply(dict)
            for name, subnetwork in subnetworks.items()
        }

    def _fabric_subnetwork(
        self, network: gcp.compute.Network, subnetwork: GkeFabricSubnetworkSpec
    ) -> gcp.compute.Subnetwork:
        return gcp.compute.Subnetwork(
            f"{self._name}-{subnetwork.name.removeprefix(f'{self._args.name}-')}-subnetwork",
            name=subnetwork.name,
            project=self._args.project,
            region=self._args.region,
            network=network.id,
            ip_cidr_range=subnetwork.ip_cidr_range,
            opts=self.child(network),
        )


def _tcp(ports: Sequence[str]) -> list[gcp.compute.FirewallAllowArgs]:
    return [gcp.compute.FirewallAllowArgs(protocol="tcp", ports=list(ports))]


def _is_apart(at: Path, cidr: str, ranges: Mapping[str, str]) -> Iterator[FieldError]:
    """Yield an error where a range overlaps with one of ``ranges``, those of the cluster's VPC by their fields."""
    network = IPv4Network(cidr)
    for field, other in ranges.items():
        if network.overlaps(IPv4Network(other)):
            yield FieldError(
                at,
                cidr,
                f"it overlaps with {to_camel(field)}, {other}",
                "Write a range that doesn't overlap with it.",
                depends_on_fields=(("network", field),),
            )
