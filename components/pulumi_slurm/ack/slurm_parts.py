"""What each component of `AckSlurm` is told; None where it isn't made."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pulumi

from pulumi_slurm.ack.cluster import AckClusterArgs
from pulumi_slurm.ack.database import AckDatabaseArgs
from pulumi_slurm.ack.model import AckSpec, AckStorageSpec
from pulumi_slurm.ack.network import AckNetworkArgs
from pulumi_slurm.ack.node_pool import AckNodePoolArgs
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.addresses import AckAddresses
from pulumi_slurm.ack.plan.parts import changed_types, flannel_pods_per_node, key_roles, planned_network
from pulumi_slurm.ack.plan.planned_pool import AckPlannedPool
from pulumi_slurm.ack.service_roles import AckServiceRolesArgs
from pulumi_slurm.ack.shared_storage import AckSharedStorageArgs
from pulumi_slurm.ack.system_pool import AckSystemPoolArgs
from pulumi_slurm.model.cluster_ref import ClusterRef


@dataclass(frozen=True)
class Network:
    """The VPC that is made or that exists."""

    vpc_id: pulumi.Input[str]
    node_vswitches: pulumi.Input[Mapping[str, pulumi.Input[str]]]
    pod_vswitches: pulumi.Input[Mapping[str, pulumi.Input[str]]]
    security_group_id: pulumi.Input[str]
    resources: tuple[pulumi.Resource, ...] = ()
    """What comes before all that is in it; nothing if it exists."""


def existing_network(plan: AckPlan) -> Network | None:
    """Return the VPC that exists, as far as anybody has looked at it."""
    existing, vpc = plan.spec.network.existing, plan.found_network
    if not existing or not vpc:
        return None
    return Network(existing.vpc_id, vpc.node_vswitches, vpc.pod_vswitches, existing.security_group_id)


def network(plan: AckPlan, addresses: AckAddresses) -> AckNetworkArgs:
    """Return the VPC that is made."""
    ack = plan.spec
    return AckNetworkArgs(
        name=ack.cluster_name,
        zones=list(addresses.nodes),
        cni=ack.control_plane.cni,
        network=planned_network(plan, addresses),
        tags=ack.tags,
        deletion_protection=ack.deletion_protection,
    )


def service_roles(ack: AckSpec) -> AckServiceRolesArgs | None:
    """Return the roles of Alibaba Cloud's services, where they are made."""
    if not ack.create_service_roles:
        return None
    return AckServiceRolesArgs(existing=ack.existing_service_roles, for_encryption=list(key_roles(ack)))


def cluster(plan: AckPlan, addresses: AckAddresses, attached: Network) -> AckClusterArgs:
    """Return the ACK cluster that is made."""
    ack = plan.spec
    return AckClusterArgs(
        region=ack.region,
        name=ack.cluster_name,
        zones=ack.zones,
        node_vswitches=attached.node_vswitches,
        pod_vswitches=attached.pod_vswitches,
        security_group_id=attached.security_group_id,
        control_plane=ack.control_plane,
        pods_range=addresses.flannel_pods,
        pods_per_node=flannel_pods_per_node(plan),
        services_range=addresses.services,
        tags=ack.tags,
        deletion_protection=ack.deletion_protection,
    )


def system_pool(plan: AckPlan, cluster_id: pulumi.Input[str], attached: Network) -> AckSystemPoolArgs:
    """Return the pool of Slurm's daemons."""
    ack, pool = plan.spec, plan.spec.system_pool
    return AckSystemPoolArgs(
        **_of_all_pools(plan, cluster_id, attached),
        zones=pool.zones or ack.zones,
        pool=pool,
        catalogue=changed_types(ack.catalogue, pool.instance_types),
    )


def node_pool(
    plan: AckPlan, planned: AckPlannedPool, cluster_id: pulumi.Input[str], attached: Network
) -> AckNodePoolArgs:
    """Return a pool of node sets."""
    return AckNodePoolArgs(
        **_of_all_pools(plan, cluster_id, attached),
        zones=list(planned.zones),
        pool=planned.pool,
        catalogue=changed_types(plan.spec.catalogue, planned.pool.instance_types),
    )


def _of_all_pools(plan: AckPlan, cluster_id: pulumi.Input[str], attached: Network) -> dict[str, Any]:
    """Return the arguments that all node pools have in common."""
    ack = plan.spec
    return {
        "cluster_id": cluster_id,
        "node_vswitches": attached.node_vswitches,
        "security_group_id": attached.security_group_id,
        "pods_per_node": flannel_pods_per_node(plan),
        "auto_upgrade": ack.control_plane.upgrade_channel is not None,
        "registry_mirrors": ack.registry_mirrors,
        "tags": ack.tags,
    }


def shared_storage(
    ack: AckSpec, ref: ClusterRef, storage: AckStorageSpec, attached: Network, addresses: AckAddresses
) -> AckSharedStorageArgs:
    """Return one shared storage of the cluster ``ref``."""
    return AckSharedStorageArgs(
        cluster=ref,
        storage=storage,
        ack_cluster=ack.cluster_name,
        zone=ack.zones[0],
        vpc_id=attached.vpc_id,
        node_vswitches=attached.node_vswitches,
        node_ranges=addresses.nodes,
        tags=ack.tags,
        deletion_protection=ack.deletion_protection,
    )


def database(
    ack: AckSpec,
    ref: ClusterRef,
    attached: Network,
    addresses: AckAddresses,
    root_key: pulumi.Input[str] | None,
) -> AckDatabaseArgs | None:
    """Return the database of slurmdbd, where RDS has it."""
    if ack.database is None:
        return None
    return AckDatabaseArgs(
        cluster=ref,
        database=ack.database,
        ack_cluster=ack.cluster_name,
        zones=ack.zones,
        node_vswitches=attached.node_vswitches,
        security_ips=addresses.clients,
        root_key=root_key,
        tags=ack.tags,
        deletion_protection=ack.deletion_protection,
    )
