"""What each component of `GkeSlurm` is told; None where it isn't made."""

from collections.abc import Mapping
from typing import Any

import pulumi

from pulumi_slurm.gke.cluster import GkeClusterArgs
from pulumi_slurm.gke.database import GkeDatabaseArgs
from pulumi_slurm.gke.encryption_key import GkeKeyUsersArgs
from pulumi_slurm.gke.existing.cluster import FoundCluster
from pulumi_slurm.gke.existing_cluster import GkeExistingClusterArgs
from pulumi_slurm.gke.fast_networks import GkePodNetworkArgs
from pulumi_slurm.gke.model import GkeControlPlaneSpec, GkeSpec, GkeStorageSpec
from pulumi_slurm.gke.nccl_plugins import GkeNcclPluginsArgs
from pulumi_slurm.gke.network import GkeNetwork, GkeNetworkArgs
from pulumi_slurm.gke.new_project import GkeNewProjectArgs
from pulumi_slurm.gke.node_pool import GkeNodePoolArgs
from pulumi_slurm.gke.plan.addons import addons
from pulumi_slurm.gke.plan.addresses import GkeAddresses, networks_of
from pulumi_slurm.gke.plan.encryption import key_users as users_of_key, secrets_key
from pulumi_slurm.gke.plan.extra_networks import uses_fabric
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.images import own_repository
from pulumi_slurm.gke.plan.nccl_pools import nccl_pools
from pulumi_slurm.gke.plan.network import fabric_networks, planned_network
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool
from pulumi_slurm.gke.plan.services import google_services
from pulumi_slurm.gke.plan.slurm_spec import storage_account
from pulumi_slurm.gke.pod_networks import GkePodNetworksArgs
from pulumi_slurm.gke.registry import GkeRegistryArgs
from pulumi_slurm.gke.services import GkeServicesArgs
from pulumi_slurm.gke.shared_storage import GkeSharedStorageArgs
from pulumi_slurm.gke.workload_identity import GkeWorkloadIdentityArgs
from pulumi_slurm.machines.gke import GkeFabric
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.with_fields import with_fields

Number = pulumi.Output[str] | None
"""The number of a project that is made."""


def new_project(gke: GkeSpec) -> GkeNewProjectArgs | None:
    """Return the project's arguments, where it is made."""
    if gke.new_project is None:
        return None
    return GkeNewProjectArgs(
        project=gke.project,
        new_project=gke.new_project,
        labels=gke.labels,
        deletion_protection=gke.deletion_protection,
    )


def services(plan: GkePlan) -> GkeServicesArgs:
    """Return the APIs that are used."""
    return GkeServicesArgs(project=plan.spec.project, services=google_services(plan))


def key_users(plan: GkePlan, number: Number) -> GkeKeyUsersArgs | None:
    """Return the services that use the key of all that is made, unless others let them."""
    gke, users = plan.spec, users_of_key(plan)
    if not users or not gke.manage.iam:
        return None
    return GkeKeyUsersArgs(project=gke.project, project_number=number, key=gke.encryption_key or "", services=users)


def registry(plan: GkePlan) -> GkeRegistryArgs | None:
    """Return the registry of images, where one is made."""
    gke = plan.spec
    if gke.registry is None:
        return None
    return GkeRegistryArgs(
        project=gke.project,
        region=gke.region,
        repository_id=own_repository(plan),
        registry=gke.registry,
        encryption_key=gke.encryption_key,
        labels=gke.labels,
    )


def network(
    plan: GkePlan, addresses: GkeAddresses, cluster_facts: FoundCluster | None, number: Number
) -> GkeNetworkArgs:
    """Return the network, or what is added to that of a cluster that was found."""
    gke = plan.spec
    return GkeNetworkArgs(
        project=gke.project,
        project_number=number,
        region=gke.region,
        name=gke.cluster_name,
        network=planned_network(plan, addresses),
        manage=gke.manage,
        webhooks=cluster_facts is None or cluster_facts.control_plane_range is not None,
        for_new_cluster=cluster_facts is None,
        attach_project=gke.new_project is not None,
        private_services=addresses.private_services is not None,
        lustre=any(storage.lustre for storage in gke.storage),
        fabrics=fabric_networks(addresses),
        deletion_protection=gke.deletion_protection,
    )


def existing_cluster(gke: GkeSpec) -> GkeExistingClusterArgs | None:
    """Return where the GKE cluster is, if it exists."""
    existing = gke.existing_cluster
    if existing is None:
        return None
    return GkeExistingClusterArgs(
        project=gke.project,
        location=existing.location,
        name=existing.name,
        application_default_login=gke.application_default_login,
    )


def cluster(plan: GkePlan, attached: GkeNetwork, node_account: pulumi.Input[str], number: Number) -> GkeClusterArgs:
    """Return the GKE cluster that is made."""
    gke = plan.spec
    return GkeClusterArgs(
        project=gke.project,
        project_number=number,
        region=gke.region,
        name=gke.cluster_name,
        # Of the first nodes alone, which are removed at once; AI zones may have none of their machine type.
        zones=gke.system_pool.zones or gke.zones,
        network_id=attached.network_id,
        subnetwork_id=attached.subnetwork_id,
        pods_range_name=attached.pods_range_name,
        services_range_name=attached.services_range_name,
        node_account=node_account,
        control_plane=_control_plane(plan),
        encryption_key=gke.encryption_key,
        control_plane_range=gke.network.control_plane_range,
        addons=addons(plan),
        gpu_metrics=any(pool.machine_type.gpus for pool in plan.pools),
        multi_networking=any(map(uses_fabric, plan.pools)),
        labels=gke.labels,
        application_default_login=gke.application_default_login,
        deletion_protection=gke.deletion_protection,
    )


def _control_plane(plan: GkePlan) -> GkeControlPlaneSpec:
    """Return the control plane with its key; GKE is granted that of all else before, and none where others grant."""
    gke, key = plan.spec, secrets_key(plan)
    if key is None or (gke.manage.iam and key == gke.control_plane.secrets_encryption_key):
        return gke.control_plane
    return with_fields(gke.control_plane, secrets_encryption_key=key, grant_encryption_key=False)


def get_credentials(gke: GkeSpec, *, by_name: bool) -> str:
    """Return the command after which kubectl talks to the cluster, by its DNS name or by its address."""
    existing = gke.existing_cluster
    place = f"--location {existing.location}" if existing else f"--region {gke.region}"
    words = [existing.name if existing else gke.cluster_name, place, f"--project {gke.project}"]
    return " ".join(["gcloud container clusters get-credentials", *words, *(["--dns-endpoint"] if by_name else [])])


def of_all_pools(gke: GkeSpec, gke_cluster: pulumi.Input[str], node_account: pulumi.Input[str]) -> dict[str, Any]:
    """Return the arguments that all node pools have in common."""
    return {
        "project": gke.project,
        "location": gke.existing_cluster.location if gke.existing_cluster else gke.region,
        "gke_cluster": gke_cluster,
        "node_account": node_account,
        "zones": gke.zones,
        "encryption_key": gke.encryption_key,
        "labels": gke.labels,
        "catalogue": gke.catalogue,
    }


def node_pool(
    planned: GkePlannedPool, attached: GkeNetwork, addresses: GkeAddresses, shared: Mapping[str, Any]
) -> GkeNodePoolArgs:
    """Return a node pool of node sets, on the networks that its pods know."""
    return GkeNodePoolArgs(
        **shared,
        pool=planned.pool,
        capacity_option=planned.capacity_option if planned.pool.priorities else None,
        interfaces=[
            attached.interface(subnet.name) for extra in networks_of(planned, addresses) for subnet in extra.subnets
        ],
    )


def pod_networks(attached: GkeNetwork, addresses: GkeAddresses) -> GkePodNetworksArgs:
    """Return the fast networks as pods name them."""
    return GkePodNetworksArgs(
        subnetworks=[
            GkePodNetworkArgs(name=subnet.name, device_mode=extra.device_mode, **dict(attached.interface(subnet.name)))
            for extra in addresses.fabric
            for subnet in extra.subnets
        ]
    )


def nccl_plugins(plan: GkePlan) -> GkeNcclPluginsArgs | None:
    """Return what installs NCCL and its plugins, where a pool has a network for them."""
    names = nccl_pools(plan)
    if not names:
        return None
    return GkeNcclPluginsArgs(
        nccl=plan.spec.nccl,
        tcpx_pools=names.get(GkeFabric.TCPX, []),
        tcpxo_pools=names.get(GkeFabric.TCPXO, []),
        rdma_pools=names.get(GkeFabric.ROCE, []),
    )


def shared_storage(
    gke: GkeSpec, ref: ClusterRef, storage: GkeStorageSpec, attached: GkeNetwork
) -> GkeSharedStorageArgs:
    """Return one shared storage of the cluster ``ref``."""
    return GkeSharedStorageArgs(
        project=gke.project,
        region=gke.region,
        zone=gke.zones[0],
        gke_cluster=gke.cluster_name,
        cluster=ref,
        storage=storage,
        network_id=attached.network_id,
        encryption_key=gke.encryption_key,
        labels=gke.labels,
        deletion_protection=gke.deletion_protection,
    )


def workload_identity(
    gke: GkeSpec, ref: ClusterRef, buckets: Mapping[bool, Mapping[str, pulumi.Input[str]]]
) -> GkeWorkloadIdentityArgs:
    """Return what pods may do with ``buckets``, by whether they only read them; nothing where others grant it."""
    granted: Mapping[bool, Mapping[str, pulumi.Input[str]]] = buckets if gke.manage.iam else {True: {}, False: {}}
    return GkeWorkloadIdentityArgs(
        project=gke.project,
        namespace=ref.namespace,
        service_account=storage_account(ref.name),
        buckets=granted[False],
        read_only_buckets=granted[True],
    )


def database(
    gke: GkeSpec, ref: ClusterRef, attached: GkeNetwork, root_key: pulumi.Input[str] | None
) -> GkeDatabaseArgs | None:
    """Return the database of slurmdbd, where Cloud SQL has it."""
    if gke.database is None:
        return None
    return GkeDatabaseArgs(
        project=gke.project,
        region=gke.region,
        cluster=ref,
        database=gke.database,
        network_id=attached.network_id,
        root_key=root_key,
        encryption_key=gke.encryption_key,
        labels=gke.labels,
        deletion_protection=gke.deletion_protection,
    )
