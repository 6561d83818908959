"""Arguments of components, derived from a specification as the stack does it."""

from typing import Any

from pulumi_slurm.gke import GkeClusterArgs, GkeNetworkArgs, GkeNetworkInterfaceArgs, GkeNodePoolArgs
from pulumi_slurm.gke.model import GkeSpec
from pulumi_slurm.gke.plan.addons import addons
from pulumi_slurm.gke.plan.addresses import networks_of, plan_addresses
from pulumi_slurm.gke.plan.extra_networks import uses_fabric
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.network import fabric_networks, planned_network
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool, planned_pools


def network_args(spec: GkeSpec) -> GkeNetworkArgs:
    addresses = plan_addresses(GkePlan.of(spec))
    return GkeNetworkArgs(
        project=spec.project,
        region=spec.region,
        name=spec.cluster_name,
        network=planned_network(GkePlan.of(spec), addresses),
        private_services=addresses.private_services is not None,
        lustre=any(storage.lustre for storage in spec.storage),
        fabrics=fabric_networks(addresses),
        deletion_protection=spec.deletion_protection,
    )


def cluster_args(spec: GkeSpec) -> GkeClusterArgs:
    pools = planned_pools(spec)
    return GkeClusterArgs(
        project=spec.project,
        region=spec.region,
        name=spec.cluster_name,
        zones=spec.zones,
        network_id="vpc",
        subnetwork_id="nodes",
        node_account="nodes@my-project",
        control_plane=spec.control_plane,
        control_plane_range=spec.network.control_plane_range,
        addons=addons(GkePlan.of(spec)),
        gpu_metrics=any(pool.machine_type.gpus for pool in pools),
        multi_networking=any(map(uses_fabric, pools)),
        labels=spec.labels,
        deletion_protection=spec.deletion_protection,
    )


def node_pool_args(spec: GkeSpec, name: str) -> GkeNodePoolArgs:
    planned = next(pool for pool in planned_pools(spec) if pool.name == name)
    return GkeNodePoolArgs(
        **common_pool_args(spec),
        pool=planned.pool,
        capacity_option=planned.capacity_option if planned.pool.priorities else None,
        interfaces=interfaces(spec, planned),
    )


def common_pool_args(spec: GkeSpec) -> dict[str, Any]:
    """Return the arguments that all node pools of a cluster share."""
    return {
        "project": spec.project,
        "location": spec.region,
        "gke_cluster": "hpc",
        "node_account": "nodes@my-project",
        "zones": spec.zones,
        "labels": spec.labels,
        "catalogue": spec.catalogue,
    }


def interfaces(spec: GkeSpec, planned: GkePlannedPool) -> list[GkeNetworkInterfaceArgs]:
    return [
        GkeNetworkInterfaceArgs(network_name=network.name, subnetwork_name=subnet.name)
        for network in networks_of(planned, plan_addresses(GkePlan.of(spec)))
        for subnet in network.subnets
    ]
