"""GkeNetwork: the VPC of the cluster, made or as it exists, and those of its fast networks."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network
from typing import Any, Self, Unpack, overload

import pulumi
import pulumi_gcp as gcp
from pydantic import field_validator, model_validator
from pydantic.alias_generators import to_camel

from pulumi_slurm.errors import FieldError, Path, raise_errors
from pulumi_slurm.gke.arguments import GkeArgsWithNumber, check_part, cluster_name, number_of, spec_of, when_known
from pulumi_slurm.gke.dicts import GkeNetworkArgsDict
from pulumi_slurm.gke.fast_networks import GkeNetworkInterfaceArgs
from pulumi_slurm.gke.model import CloudSqlSpec, GkeExistingNetworkSpec, GkeManageSpec, GkeNetworkSpec, GkeSpec, names
from pulumi_slurm.gke.plan.addresses import plan_addresses
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.network import GkeFabricNetworkSpec, GkeFabricSubnetworkSpec
from pulumi_slurm.gke.plan.shared_vpc import GRANTS, Grant
from pulumi_slurm.kube.component import Component, Options, protection

PODS = "pods"
"""The name of the secondary range of pods in a subnetwork that is made."""
SERVICES = "services"
"""The name of its secondary range of Services."""

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


class GkeNetworkArgs(GkeArgsWithNumber):
    """Arguments of `GkeNetwork`."""

    region: pulumi.Input[str]
    """The region of the subnetworks."""
    name: str
    """The VPC's name, which is the prefix of all other names: that of the GKE cluster."""
    network: GkeNetworkSpec = GkeNetworkSpec()
    """The VPC's ranges, and access from and to the Internet; or the VPC that exists."""
    manage: GkeManageSpec = GkeManageSpec()
    """Whether Cloud NAT and rules of the firewall are made; the rest of it concerns other components."""
    private_services: bool = False
    """Whether the VPC needs private services access, to reach Cloud SQL, Filestore or Managed Lustre."""
    webhooks: bool = True
    """Let the control plane, `controlPlaneRange`, reach the operators' webhooks; not every cluster has one."""
    for_new_cluster: bool = True
    """Whether a cluster is made in it; one that exists has what a Shared VPC needs."""
    attach_project: bool = False
    """Attach the project to the host project of the Shared VPC, as one that is new isn't yet."""
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
        project = {"project": self.project} if isinstance(self.project, str) else {}
        return spec_of(None, [], name=self.name, network=self.network, manage=self.manage, database=database, **project)

    def _fabrics_are_apart(self) -> Iterator[FieldError]:
        """Yield an error for each range of a fast network that overlaps with one of the cluster's VPC."""
        addresses = plan_addresses(GkePlan.of(self._spec))
        fields = ("nodes", "pods", "services", "private_services", "control_plane")
        ranges = {f"{field}_range": value for field in fields if (value := getattr(addresses, field))}
        for position, network in enumerate(self.fabrics):
            for index, subnetwork in enumerate(network.subnetworks):
                at: Path = ("fabrics", position, "subnetworks", index, "ip_cidr_range")
                yield from _is_apart(at, subnetwork.ip_cidr_range, ranges)


@dataclass(frozen=True)
class _Vpc:
    """The cluster's VPC and its subnetwork."""

    project: pulumi.Input[str]
    id: pulumi.Output[str]
    name: pulumi.Output[str]
    subnetwork_id: pulumi.Output[str]
    subnetwork_name: pulumi.Output[str]
    resources: tuple[pulumi.Resource, ...]
    """VPC and subnetwork, if they are made here; what depends on the VPC comes after the first."""


class GkeNetwork(Component[GkeNetworkArgs]):
    """A VPC that is closed from outside, with the ranges of `pulumi_slurm.gke.plan.addresses`.

    Of one that exists, also of the host project of a Shared VPC, nothing is changed: what is made in it are rules of
    the firewall for webhooks and Lustre, and, if asked for, Cloud NAT for the subnetwork, private services access and
    the grants of a Shared VPC. Source: https://cloud.google.com/kubernetes-engine/docs/how-to/cluster-shared-vpc.

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
    pods_range_name: pulumi.Output[str]
    """The name of its secondary range of pods."""
    services_range_name: pulumi.Output[str]
    """The name of its secondary range of Services."""
    shared_vpc_grants: pulumi.Output[list[dict[str, str]]]
    """What Google's service agents of the project need in the host project of a Shared VPC: member, role and on what.
    Empty in a VPC of the project's own."""
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
        self._plan = GkePlan.of(self._args._spec)
        self._addresses = plan_addresses(self._plan)
        existing = self._args.network.existing
        vpc = self._existing_vpc(existing) if existing else self._new_vpc()
        attachment = self._attachment()
        grants = self._grants(existing)
        nat = self._nat(vpc) if self._plan.makes_nat else []
        firewalls = self._firewalls(vpc) if self._plan.makes_firewall else []
        self._private_services = self._connect_private_services(vpc)
        self._fabric: list[pulumi.Resource] = []
        interfaces: dict[str, Any] = {}
        for fabric_network in self._args.fabrics:
            interfaces.update(self._fabric_network(fabric_network))

        self.network_id = vpc.id
        self.network_name = vpc.name
        self.subnetwork_id = vpc.subnetwork_id
        self.subnetwork_name = vpc.subnetwork_name
        self.pods_range_name = pulumi.Output.from_input(existing.pods_range if existing else PODS)
        self.services_range_name = pulumi.Output.from_input(existing.services_range if existing else SERVICES)
        self.fabric_networks = pulumi.Output.from_input(interfaces)
        self.finish(*vpc.resources[1:], *attachment, *grants, *nat, *firewalls, *self._private_services, *self._fabric)

    def private_services(self) -> list[pulumi.Resource]:
        """Return what Cloud SQL, Filestore and Lustre depend on; nothing if none of them is used."""
        return self._private_services

    def interface(self, subnetwork: str) -> GkeNetworkInterfaceArgs:
        """Return the interface of nodes in a subnetwork of a fast network, for `GkeNodePool`."""
        return GkeNetworkInterfaceArgs(
            network_name=self.fabric_networks.apply(lambda networks: networks[subnetwork]["network_name"]),
            subnetwork_name=self.fabric_networks.apply(lambda networks: networks[subnetwork]["subnetwork_name"]),
        )

    def _new_vpc(self) -> _Vpc:
        network = self._network()
        subnetwork = self._subnetwork(network)
        return _Vpc(self._args.project, network.id, network.name, subnetwork.id, subnetwork.name, (network, subnetwork))

    def _existing_vpc(self, existing: GkeExistingNetworkSpec) -> _Vpc:
        project = existing.project or self._args.project
        concat = pulumi.Output.concat
        return _Vpc(
            project,
            concat("projects/", project, "/global/networks/", existing.network),
            pulumi.Output.from_input(existing.network),
            concat("projects/", project, "/regions/", self._args.region, "/subnetworks/", existing.subnetwork),
            pulumi.Output.from_input(existing.subnetwork),
            (),
        )

    def _attachment(self) -> list[pulumi.Resource]:
        """Attach the project to the host project, for which who runs Pulumi needs roles/compute.xpnAdmin.

        Source: https://cloud.google.com/vpc/docs/provisioning-shared-vpc#create-shared.
        """
        host = self._plan.host_project
        if host is None or not self._args.attach_project:
            return []
        return [
            gcp.compute.SharedVPCServiceProject(
                f"{self._name}-shared-vpc",
                host_project=host,
                service_project=self._args.project,
                opts=self.child(),
            )
        ]

    def _grants(self, existing: GkeExistingNetworkSpec | None) -> list[pulumi.Resource]:
        """Let Google's service agents use the subnetwork of a Shared VPC, if asked for; say what they need.

        All clusters of the project have these agents in common, so what they were granted stays when one is destroyed.
        """
        host = self._plan.host_project
        if existing is None or host is None or not self._args.for_new_cluster:
            self.shared_vpc_grants = pulumi.Output.from_input([])
            return []
        number = number_of(self._args.project, self._args.project_number, self)
        self.shared_vpc_grants = pulumi.Output.all(number, self._args.region).apply(
            lambda values: [grant.stated(values[0], host, values[1], existing.subnetwork) for grant in GRANTS]
        )
        if not existing.grant_access:
            return []
        return [self._grant(grant, host, existing.subnetwork, number) for grant in GRANTS]

    def _grant(self, grant: Grant, host: str, subnetwork: str, number: pulumi.Output[str]) -> pulumi.Resource:
        name = f"{self._name}-{grant.agent.value}-{grant.role.rpartition('.')[2]}"
        member = number.apply(grant.agent.member)
        options = self.child(retain_on_delete=True)
        if grant.of_the_subnetwork:
            return gcp.compute.SubnetworkIAMMember(
                name,
                project=host,
                region=self._args.region,
                subnetwork=subnetwork,
                role=grant.role,
                member=member,
                opts=options,
            )
        return gcp.projects.IAMMember(name, project=host, role=grant.role, member=member, opts=options)

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

    def _nat(self, vpc: _Vpc) -> list[pulumi.Resource]:
        options = self._args.network
        router = gcp.compute.Router(
            f"{self._name}-router",
            name=f"{self._args.name}-router",
            project=vpc.project,
            region=self._args.region,
            network=vpc.id,
            opts=self.child(*vpc.resources[:1]),
        )
        nat = gcp.compute.RouterNat(
            f"{self._name}-nat",
            name=f"{self._args.name}-nat",
            project=vpc.project,
            region=self._args.region,
            router=router.name,
            nat_ip_allocate_option="AUTO_ONLY",
            **_translated(vpc),
            min_ports_per_vm=options.min_ports_per_vm,
            # A node gets more ports while it needs them. Google requires the maximum to be larger than the minimum, and
            # refuses this together with endpoint-independent mapping.
            enable_dynamic_port_allocation=options.min_ports_per_vm < _MAX_PORTS,
            enable_endpoint_independent_mapping=False,
            log_config=gcp.compute.RouterNatLogConfigArgs(enable=options.nat_log, filter="ERRORS_ONLY"),
            opts=self.child(router),
        )
        return [nat]

    def _firewalls(self, vpc: _Vpc) -> list[pulumi.Resource]:
        addresses = self._addresses
        rules: dict[str, tuple[list[str], Sequence[gcp.compute.FirewallAllowArgs]]] = {}
        # In a VPC that exists GKE's own rules let nodes and pods reach each other:
        # https://cloud.google.com/kubernetes-engine/docs/concepts/firewall-rules#cluster-fws.
        if addresses.nodes and addresses.pods:
            rules["internal"] = ([addresses.nodes, addresses.pods], _EVERYTHING)
        if self._args.webhooks:
            rules["webhooks"] = ([addresses.control_plane], _tcp(_WEBHOOK_PORTS))
        if vpc.resources and self._args.network.ssh_from_iap:
            rules["ssh-from-iap"] = ([_IAP], _tcp(("22",)))
        if self._args.lustre and addresses.private_services:
            rules["lustre"] = ([addresses.private_services], _tcp(_LUSTRE_PORTS))
        return [
            self._allow(role, vpc.project, vpc.name, *rule, self.child(*vpc.resources[:1]))
            for role, rule in rules.items()
        ]

    def _allow(
        self,
        role: str,
        project: pulumi.Input[str],
        network: pulumi.Input[str],
        sources: Sequence[str],
        protocols: Sequence[gcp.compute.FirewallAllowArgs],
        opts: pulumi.ResourceOptions,
    ) -> gcp.compute.Firewall:
        return gcp.compute.Firewall(
            f"{self._name}-{role}",
            name=f"{self._args.name}-{role}",
            project=project,
            network=network,
            direction="INGRESS",
            source_ranges=sources,
            allows=protocols,
            opts=opts,
        )

    def _connect_private_services(self, vpc: _Vpc) -> list[pulumi.Resource]:
        addresses = self._addresses.private_services
        if addresses is None:
            self.private_services_range_name = pulumi.Output.from_input(None)
            return []
        first, _, prefix_length = addresses.partition("/")
        reserved = gcp.compute.GlobalAddress(
            f"{self._name}-private-services",
            name=f"{self._args.name}-private-services",
            project=vpc.project,
            network=vpc.id,
            purpose="VPC_PEERING",
            address_type="INTERNAL",
            address=first,
            prefix_length=int(prefix_length),
            opts=self.child(*vpc.resources[:1], retain_on_delete=not vpc.resources),
        )
        connection = gcp.servicenetworking.Connection(
            f"{self._name}-private-services",
            network=vpc.id,
            service="servicenetworking.googleapis.com",
            reserved_peering_ranges=[reserved.name],
            # Cloud SQL keeps its side for days after an instance is deleted, and meanwhile Google refuses to delete the
            # connection. ABANDON would leave the peering behind, and with it a VPC that can't be deleted. A VPC has one
            # connection, so in one that exists others may use it by then, and one that is there is not taken over.
            deletion_policy="REMOVE_PEERING" if vpc.resources else "ABANDON",
            # A connection to this VPC that a destroyed stack has left behind is taken over.
            update_on_creation_fail=bool(vpc.resources),
            opts=self.child(reserved, retain_on_delete=not vpc.resources),
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
        if not profile and self._args.manage.firewall is not False:
            # VPCs with an RDMA profile support no such rules and allow traffic between all of their nodes:
            # https://cloud.google.com/vpc/docs/rdma-network-profiles.
            ranges = [subnetwork.ip_cidr_range for subnetwork in fabric.subnetworks]
            self._fabric.append(
                self._allow(
                    f"{role}-internal", self._args.project, network.name, ranges, _EVERYTHING, self.child(network)
                )
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


def _translated(vpc: _Vpc) -> dict[str, Any]:
    """Return whose addresses Cloud NAT translates: those of all subnetworks, or in a VPC that exists of ours alone."""
    if vpc.resources:
        return {"source_subnetwork_ip_ranges_to_nat": "ALL_SUBNETWORKS_ALL_IP_RANGES"}
    subnetwork = gcp.compute.RouterNatSubnetworkArgs(name=vpc.subnetwork_id, source_ip_ranges_to_nats=["ALL_IP_RANGES"])
    return {"source_subnetwork_ip_ranges_to_nat": "LIST_OF_SUBNETWORKS", "subnetworks": [subnetwork]}


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
