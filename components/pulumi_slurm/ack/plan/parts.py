"""Parts of a specification, completed from the plan, so that a component needs no other part."""

from collections.abc import Collection, Iterator
from typing import Any

from pulumi_slurm.ack.model.cluster import AckSpec
from pulumi_slurm.ack.model.control_plane import Cni
from pulumi_slurm.ack.model.network import AckNetworkSpec
from pulumi_slurm.ack.model.service_roles import ROLE_FOR_DATABASES, ROLE_FOR_DISKS, ROLE_FOR_SECRETS
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.addresses import AckAddresses
from pulumi_slurm.machines.ack import AckCatalogueSpec


def planned_network(plan: AckPlan, addresses: AckAddresses) -> AckNetworkSpec:
    """Return the network with all ranges of the VPC and Flannel's pods, without fields that only the cluster uses."""
    network = plan.spec.network
    return AckNetworkSpec(
        vpc_range=addresses.vpc,
        node_ranges=addresses.nodes,
        pod_ranges=addresses.pods,
        pods_range=addresses.flannel_pods,
        nat=network.nat,
        nat_bandwidth_mbps=network.nat_bandwidth_mbps,
        security_group=network.security_group,
    )


def key_roles(spec: AckSpec) -> Iterator[str]:
    """Yield the roles by which services use the keys of KMS that a specification names."""
    if spec.control_plane.secrets_encryption_key:
        yield ROLE_FOR_SECRETS
    if spec.disk_class.encryption_key:
        yield ROLE_FOR_DISKS
    if spec.database and spec.database.encryption_key:
        yield ROLE_FOR_DATABASES


def changed_types(catalogue: AckCatalogueSpec, instance_types: Collection[str]) -> AckCatalogueSpec:
    """Return what a catalogue adds or changes of these instance types.

    Prices are left out, since no resource depends on them.
    """
    changed_names = {*(machine_type.name for machine_type in catalogue.machine_types), *catalogue.zones}
    changed = [catalogue.find(name) for name in instance_types if name in changed_names]
    return AckCatalogueSpec(machine_types=[machine_type.model_copy(update={"price": None}) for machine_type in changed])


def cni_fields(pods_per_node: int | None) -> dict[str, Any]:
    """Return the fields of a specification for a cluster with Flannel and this many addresses for the pods of a node.

    None means Terway, which is the default, so no fields are needed.
    """
    if pods_per_node is None:
        return {}
    return {"control_plane": {"cni": Cni.FLANNEL}, "network": {"pods_per_node": pods_per_node}}


def flannel_pods_per_node(plan: AckPlan) -> int | None:
    """Return how many addresses each node has for its pods by Flannel; None with Terway."""
    return plan.spec.network.pods_per_node if plan.spec.control_plane.cni is Cni.FLANNEL else None
