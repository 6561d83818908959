"""The VPC: one to make, whose ranges have fixed defaults, or one that exists."""

from pydantic import Field, field_validator

from pulumi_slurm.clouds.address_ranges import ipv4_range
from pulumi_slurm.errors import field_error
from pulumi_slurm.gke.model.existing import GkeExistingNetworkSpec
from pulumi_slurm.model.base import Model


class GkeNetworkSpec(Model):
    """The VPC: its address ranges in CIDR notation, and access from and to the Internet."""

    existing: GkeExistingNetworkSpec | None = None
    """A VPC that exists, in place of one that is made; then only `controlPlaneRange`, `privateServicesRange` and
    `fabricRange` can be written beside it, and the fields of Cloud NAT with `manage: {nat: true}`."""
    nodes_range: str | None = None
    """The addresses of nodes and of internal load balancers; by default a /18, enough for all nodes GKE can manage. One
    that leaves some of them out replaces the cluster."""
    pods_range: str | None = None
    """The addresses of pods; by default a /12, or more where the pools need more. It can't be changed afterwards."""
    services_range: str | None = None
    """The addresses of Kubernetes Services; a /20 by default."""
    control_plane_range: str = "172.16.0.32/28"
    """The control plane's addresses, a /28. A change replaces the cluster."""
    private_services_range: str | None = None
    """The addresses of Cloud SQL, Filestore and Lustre; a /16 by default, where one of them is used. A VPC that exists
    has no default: without this, its own private services access is used. A change replaces the range that these
    have."""
    fabric_range: str = "192.168.0.0/16"
    """The addresses of the additional VPCs of GPUDirect and RDMA, divided into 32 parts; a /16 has room for 2,044 nodes
    with the same fast network. It can't be changed while such pools exist."""
    mtu: int | None = Field(default=None, ge=1300, le=8896)
    """The VPC's MTU in bytes; by default that of the fastest network among the pools. It stays when that
    pool goes."""
    ssh_from_iap: bool = True
    """Let Google's Identity-Aware Proxy reach port 22 of nodes. Nothing else is allowed in from outside,
    unless a Service asks for a load balancer on the Internet: `internal: false`."""
    nat_log: bool = True
    """Log errors of Cloud NAT."""
    min_ports_per_vm: int = Field(default=1024, ge=32, le=65536)
    """Ports of Cloud NAT for each node; Google's default of 64 is too few for image pulls of a large node set."""

    @field_validator(
        "nodes_range", "pods_range", "services_range", "control_plane_range", "private_services_range", "fabric_range"
    )
    @classmethod
    def _is_a_network(cls, value: str | None) -> str | None:
        return value if value is None else ipv4_range(value, "10.4.0.0/14")

    @field_validator("min_ports_per_vm")
    @classmethod
    def _is_a_power_of_two(cls, value: int) -> int:
        if value & (value - 1):
            raise field_error("Cloud NAT hands out ports in powers of two", f"Write {1 << value.bit_length()}.")
        return value
