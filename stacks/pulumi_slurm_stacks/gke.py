"""A Slurm cluster on Google Cloud, with everything under it: network, GKE cluster, node pools, storage, database."""

from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_gcp as gcp

from pulumi_slurm import ClusterRef, SlurmCluster
from pulumi_slurm.clouds.rules.bridge import kubernetes_runs_the_bridge
from pulumi_slurm.gke import (
    GkeCluster,
    GkeClusterArgs,
    GkeDatabase,
    GkeDatabaseArgs,
    GkeExistingCluster,
    GkeExistingClusterArgs,
    GkeKeyUsers,
    GkeKeyUsersArgs,
    GkeNcclPlugins,
    GkeNcclPluginsArgs,
    GkeNetwork,
    GkeNetworkArgs,
    GkeNodeAccount,
    GkeNodeAccountArgs,
    GkeNodePool,
    GkeNodePoolArgs,
    GkePodNetworkArgs,
    GkePodNetworks,
    GkePodNetworksArgs,
    GkeRegistry,
    GkeRegistryArgs,
    GkeSharedStorage,
    GkeSharedStorageArgs,
    GkeSystemPool,
    GkeSystemPoolArgs,
    GkeWorkloadIdentity,
    GkeWorkloadIdentityArgs,
)
from pulumi_slurm.gke.existing.cluster import UNREAD_CLUSTER, FoundCluster, cluster_will_do, found_cluster
from pulumi_slurm.gke.existing.network import ranges_are_free, subnetwork_will_do
from pulumi_slurm.gke.existing.pools import with_found_pools
from pulumi_slurm.gke.existing.questions import find_cluster, find_subnetwork
from pulumi_slurm.gke.model import GkeControlPlaneSpec, GkeExistingNetworkSpec, GkeOperator, GkeSpec
from pulumi_slurm.gke.model.versions import is_before
from pulumi_slurm.gke.plan.addons import addons
from pulumi_slurm.gke.plan.addresses import GkeAddresses, networks_of, plan_addresses
from pulumi_slurm.gke.plan.encryption import key_users, secrets_key
from pulumi_slurm.gke.plan.extra_networks import uses_fabric
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.images import own_repository
from pulumi_slurm.gke.plan.metrics import pod_monitorings
from pulumi_slurm.gke.plan.nccl_pools import nccl_pools
from pulumi_slurm.gke.plan.network import fabric_networks, planned_network
from pulumi_slurm.gke.plan.services import google_services
from pulumi_slurm.gke.plan.slurm_spec import storage_account
from pulumi_slurm.gke.services import GkeServices, GkeServicesArgs
from pulumi_slurm.kube.component import after_all
from pulumi_slurm.kube.resources import create
from pulumi_slurm.machines.gke import GkeFabric
from pulumi_slurm.model.with_fields import with_fields
from pulumi_slurm_stacks.config import StackSecrets
from pulumi_slurm_stacks.gke_config import GkeConfig
from pulumi_slurm_stacks.gke_grants import needed_grants
from pulumi_slurm_stacks.gke_project import look_at_project, new_project
from pulumi_slurm_stacks.gke_provider import google_provider
from pulumi_slurm_stacks.running import answer, refuse, with_found
from pulumi_slurm_stacks.slurm import keda, options_after, slurm_cluster, slurm_namespace, slurm_operator

_Cluster = GkeCluster | GkeExistingCluster
_Number = pulumi.Output[str] | None
"""The number of a project that is made."""


def build(config: GkeConfig, secrets: StackSecrets) -> SlurmCluster:
    """Build all of it; export what a user needs next.

    Whatever Slurm's pods need comes before them and goes after them, the nodes too, so that a destroy can end them in
    order. Each names only what comes right before it; see `after_all`.
    """
    google = google_provider(config.gke)
    config, found = _with_what_exists(config, google)
    gke, slurm, name = config.gke, config.slurm, config.name
    addresses = plan_addresses(config.plan)
    ref = ClusterRef.of(slurm)
    look_at_project(config, google)
    project = new_project(config, google)
    number = project.number if project else None
    services = GkeServices(
        name,
        GkeServicesArgs(project=gke.project, services=google_services(config.plan)),
        options_after(google, *([project] if project else [])),
    )
    after_services = options_after(google, services)
    key_users = _key_users(config, number, after_services)
    registry = _registry(config, options_after(google, *(key_users or [services])))
    network = _network(config, addresses, found, number, after_services)
    account = _node_account(config, after_services)
    before_cluster = options_after(google, network, *account.made, *key_users)
    cluster = _cluster(config, addresses, network, account, number, before_cluster)
    pulumi.export("kubernetesCluster", cluster.name)
    pulumi.export("kubeconfig", cluster.kubeconfig)
    pulumi.export("getCredentials", f"{config.get_credentials}{' --dns-endpoint' if found and found.by_name else ''}")

    kubernetes = cluster.provider
    system_pool = _system_pool(config, cluster, account, google)
    before_pools = [*system_pool, *_fast_networks(config, addresses, network, kubernetes)]
    nodes = (
        _node_pools(config, addresses, cluster, network, account, options_after(google, *before_pools)) or before_pools
    )
    operator: list[pulumi.Resource] = []
    if gke.slurm_operator is GkeOperator.SLINKY:
        operator = slurm_operator(config.operator, slurm.operator_version, options_after(kubernetes, *nodes))
    autoscaler = keda(config.keda, options_after(kubernetes, *nodes))
    namespace = [slurm_namespace(name, slurm, kubernetes, nodes)] if config.create_namespace else nodes
    both = pulumi.ResourceOptions(
        providers=[google, kubernetes],
        depends_on=[*network.private_services(), *namespace],
    )
    storage = _storage(config, ref, network, number, google, both)
    database = _database(config, ref, network, secrets, both)
    for manifest in pod_monitorings(slurm):
        create(manifest["metadata"]["name"], manifest, options_after(kubernetes, *namespace))
    return slurm_cluster(
        slurm,
        config.pools,
        secrets,
        options_after(kubernetes, *operator, *autoscaler, *namespace, *registry, *storage, *database),
        create_namespace=False,
    )


@dataclass(frozen=True)
class _Account:
    """The service account of nodes."""

    email: pulumi.Input[str]
    made: tuple[pulumi.Resource, ...]
    """What comes before the nodes; nothing if it exists already."""


def _with_what_exists(config: GkeConfig, google: gcp.Provider) -> tuple[GkeConfig, FoundCluster | None]:
    """Return the configuration with what Google says of a cluster, its pools, or a subnetwork; and the cluster itself.

    Raises:
        SpecRunError: if they can't be read, or won't do.
    """
    gke, plan = config.gke, config.plan
    if there := gke.existing_cluster:
        cluster = answer(config, lambda: find_cluster(gke.project, there, google))
        if cluster is None:
            return with_found(config, _in_its_network(gke, UNREAD_CLUSTER)), UNREAD_CLUSTER
        spec, unusable = with_found_pools(gke, cluster)
        problems = [*cluster_will_do(GkePlan.of(spec), cluster), *unusable]
        on_its_version = kubernetes_runs_the_bridge(
            config.cluster, cluster.master_version, is_before, "the cluster's version"
        )
        refuse(
            config, [*(error.below("gke") for error in problems), *(error.below("cluster") for error in on_its_version)]
        )
        found = found_cluster(cluster)
        config = with_found(config, _in_its_network(spec, found))
        _compare_ranges(config, found.network, google)
        return config, found
    if existing := gke.network.existing:
        subnetwork = answer(config, lambda: find_subnetwork(gke.project, gke.region, existing, google))
        if subnetwork:
            lacking = subnetwork_will_do(plan, plan_addresses(plan), existing, subnetwork)
            refuse(config, (error.below("gke") for error in lacking))
    return config, None


def _compare_ranges(config: GkeConfig, existing: GkeExistingNetworkSpec, google: gcp.Provider) -> None:
    """Refuse ranges of what is made beside a cluster that exists if they overlap with those of its subnetwork."""
    gke, addresses = config.gke, plan_addresses(config.plan)
    if addresses.fabric or addresses.private_services:
        subnetwork = answer(config, lambda: find_subnetwork(gke.project, gke.region, existing, google))
        if subnetwork:
            refuse(config, (error.below("gke") for error in ranges_are_free(config.plan, addresses, subnetwork)))


def _in_its_network(gke: GkeSpec, found: FoundCluster) -> GkeSpec:
    """Return the specification with the VPC of the cluster that exists."""
    ranges = {"control_plane_range": found.control_plane_range} if found.control_plane_range else {}
    return gke.model_copy(update={"network": with_fields(gke.network, existing=found.network, **ranges)})


def _key_users(config: GkeConfig, number: _Number, opts: pulumi.ResourceOptions) -> list[pulumi.Resource]:
    """Let Google's services use the key of all that is made; return what comes before that."""
    gke, users = config.gke, key_users(config.plan)
    if not users or not gke.manage.iam:
        return []
    args = GkeKeyUsersArgs(project=gke.project, project_number=number, key=gke.encryption_key or "", services=users)
    return after_all(GkeKeyUsers(config.name, args, opts))


def _node_account(config: GkeConfig, opts: pulumi.ResourceOptions) -> _Account:
    gke = config.gke
    if gke.node_account:
        return _Account(gke.node_account, ())
    if not config.plan.new_pools and not config.plan.makes_system_pool:
        return _Account("", ())
    account = GkeNodeAccount(config.name, GkeNodeAccountArgs(project=gke.project, gke_cluster=config.name), opts)
    return _Account(account.email, (account,))


def _system_pool(
    config: GkeConfig, cluster: _Cluster, account: _Account, google: gcp.Provider
) -> list[pulumi.Resource]:
    """Create the system pool, unless the cluster exists and none is asked for; return what comes before other pools."""
    gke = config.gke
    # A cluster that is made comes after the account itself.
    before = [cluster, *(account.made if gke.existing_cluster else ())]
    if not config.plan.makes_system_pool:
        return after_all(*before)
    args = GkeSystemPoolArgs(
        **_of_all_pools(gke, cluster, account),
        pool=gke.system_pool,
    )
    return after_all(GkeSystemPool(f"{config.name}-system", args, options_after(google, *before)))


def _of_all_pools(gke: GkeSpec, cluster: _Cluster, account: _Account) -> dict[str, Any]:
    """Return the arguments that all node pools have in common."""
    return {
        "project": gke.project,
        "location": gke.existing_cluster.location if gke.existing_cluster else gke.region,
        "gke_cluster": cluster.name,
        "node_account": account.email,
        "zones": gke.zones,
        "encryption_key": gke.encryption_key,
        "labels": gke.labels,
        "catalogue": gke.catalogue,
    }


def _network(
    config: GkeConfig,
    addresses: GkeAddresses,
    found: FoundCluster | None,
    number: _Number,
    opts: pulumi.ResourceOptions,
) -> GkeNetwork:
    gke = config.gke
    args = GkeNetworkArgs(
        project=gke.project,
        project_number=number,
        region=gke.region,
        name=config.name,
        network=planned_network(config.plan, addresses),
        manage=gke.manage,
        webhooks=found is None or found.control_plane_range is not None,
        for_new_cluster=found is None,
        attach_project=gke.new_project is not None,
        private_services=addresses.private_services is not None,
        lustre=any(storage.lustre for storage in gke.storage),
        fabrics=fabric_networks(addresses),
        deletion_protection=gke.deletion_protection,
    )
    network = GkeNetwork(config.name, args, opts)
    if found is None and config.plan.host_project:
        pulumi.export("sharedVpcGrants", network.shared_vpc_grants)
    return network


def _cluster(
    config: GkeConfig,
    addresses: GkeAddresses,
    network: GkeNetwork,
    account: _Account,
    number: _Number,
    opts: pulumi.ResourceOptions,
) -> _Cluster:
    gke = config.gke
    if existing := gke.existing_cluster:
        place = GkeExistingClusterArgs(
            project=gke.project,
            location=existing.location,
            name=existing.name,
            application_default_login=gke.application_default_login,
        )
        return GkeExistingCluster(config.name, place, opts)
    args = GkeClusterArgs(
        project=gke.project,
        project_number=number,
        region=gke.region,
        name=config.name,
        # Of the first nodes alone, which are removed at once; AI zones may have none of their machine type.
        zones=gke.system_pool.zones or gke.zones,
        network_id=network.network_id,
        subnetwork_id=network.subnetwork_id,
        pods_range_name=network.pods_range_name,
        services_range_name=network.services_range_name,
        node_account=account.email,
        control_plane=_control_plane(config),
        encryption_key=gke.encryption_key,
        control_plane_range=gke.network.control_plane_range,
        addons=addons(config.plan),
        gpu_metrics=any(pool.machine_type.gpus for pool in config.plan.pools),
        multi_networking=any(map(uses_fabric, config.plan.pools)),
        labels=gke.labels,
        application_default_login=gke.application_default_login,
        deletion_protection=gke.deletion_protection,
    )
    return GkeCluster(config.name, args, opts)


def _control_plane(config: GkeConfig) -> GkeControlPlaneSpec:
    """Return the control plane with its key; GKE is granted that of all else before, and none where others grant."""
    gke, key = config.gke, secrets_key(config.plan)
    if key is None or (gke.manage.iam and key == gke.control_plane.secrets_encryption_key):
        return gke.control_plane
    return with_fields(gke.control_plane, secrets_encryption_key=key, grant_encryption_key=False)


def _fast_networks(
    config: GkeConfig,
    addresses: GkeAddresses,
    network: GkeNetwork,
    kubernetes: pulumi.ProviderResource,
) -> list[pulumi.Resource]:
    """Create what pods and NCCL need to use the fast networks of pools, before there are nodes.

    What the cluster's own provider makes comes after the cluster anyway, as a provider is a dependency too.
    """
    parts: list[pulumi.Resource] = []
    if addresses.fabric:
        pod_networks = [
            GkePodNetworkArgs(name=subnet.name, device_mode=extra.device_mode, **dict(network.interface(subnet.name)))
            for extra in addresses.fabric
            for subnet in extra.subnets
        ]
        parts.append(
            GkePodNetworks(config.name, GkePodNetworksArgs(subnetworks=pod_networks), options_after(kubernetes))
        )
    if names := nccl_pools(config.plan):
        plugins = GkeNcclPluginsArgs(
            nccl=config.gke.nccl,
            tcpx_pools=names.get(GkeFabric.TCPX, []),
            tcpxo_pools=names.get(GkeFabric.TCPXO, []),
            rdma_pools=names.get(GkeFabric.ROCE, []),
        )
        parts.append(GkeNcclPlugins(config.name, plugins, options_after(kubernetes)))
    return after_all(*parts)


def _node_pools(
    config: GkeConfig,
    addresses: GkeAddresses,
    cluster: _Cluster,
    network: GkeNetwork,
    account: _Account,
    opts: pulumi.ResourceOptions,
) -> list[pulumi.Resource]:
    """Create the node pools of node sets, on the networks that pods know."""
    gke = config.gke
    node_pools = [
        GkeNodePool(
            f"{config.name}-{planned.name}",
            GkeNodePoolArgs(
                **_of_all_pools(gke, cluster, account),
                pool=planned.pool,
                capacity_option=planned.capacity_option if planned.pool.priorities else None,
                interfaces=[
                    network.interface(subnet.name)
                    for extra in networks_of(planned, addresses)
                    for subnet in extra.subnets
                ],
            ),
            opts,
        )
        for planned in config.plan.new_pools
    ]
    return after_all(*node_pools)


def _registry(config: GkeConfig, opts: pulumi.ResourceOptions) -> list[pulumi.Resource]:
    gke = config.gke
    if gke.registry is None:
        return []
    args = GkeRegistryArgs(
        project=gke.project,
        region=gke.region,
        repository_id=own_repository(config.plan),
        registry=gke.registry,
        encryption_key=gke.encryption_key,
        labels=gke.labels,
    )
    registry = GkeRegistry(config.name, args, opts)
    pulumi.export("registryUrl", registry.url)
    return after_all(registry)


def _storage(
    config: GkeConfig,
    ref: ClusterRef,
    network: GkeNetwork,
    number: _Number,
    google: gcp.Provider,
    opts: pulumi.ResourceOptions,
) -> list[pulumi.Resource]:
    """Create the shared storage, and what its pods may do with buckets."""
    gke = config.gke
    by_name = {
        storage.name: GkeSharedStorage(
            f"{config.name}-{storage.name}",
            GkeSharedStorageArgs(
                project=gke.project,
                region=gke.region,
                zone=gke.zones[0],
                gke_cluster=config.name,
                cluster=ref,
                storage=storage,
                network_id=network.network_id,
                encryption_key=gke.encryption_key,
                labels=gke.labels,
                deletion_protection=gke.deletion_protection,
            ),
            opts,
        )
        for storage in gke.storage
    }
    buckets: dict[bool, dict[str, pulumi.Input[str]]] = {True: {}, False: {}}
    for storage in gke.storage:
        if storage.bucket:
            buckets[storage.bucket.read_only][storage.name] = by_name[storage.name].bucket_name.apply(str)
    parts: list[pulumi.Resource] = [*by_name.values()]
    if gke.node_account or not gke.manage.iam:
        pulumi.export("neededGrants", needed_grants(config, ref, buckets, number, google))
    if any(buckets.values()):
        given = buckets if gke.manage.iam else {True: {}, False: {}}
        identity = GkeWorkloadIdentityArgs(
            project=gke.project,
            namespace=ref.namespace,
            service_account=storage_account(ref.name),
            buckets=given[False],
            read_only_buckets=given[True],
        )
        parts.append(GkeWorkloadIdentity(f"{config.name}-storage", identity, opts))
    return after_all(*parts)


def _database(
    config: GkeConfig, ref: ClusterRef, network: GkeNetwork, secrets: StackSecrets, opts: pulumi.ResourceOptions
) -> list[pulumi.Resource]:
    gke = config.gke
    if gke.database is None:
        return []
    args = GkeDatabaseArgs(
        project=gke.project,
        region=gke.region,
        cluster=ref,
        database=gke.database,
        network_id=network.network_id,
        root_key=secrets.root_key,
        encryption_key=gke.encryption_key,
        labels=gke.labels,
        deletion_protection=gke.deletion_protection,
    )
    return after_all(GkeDatabase(f"{config.name}-cloudsql", args, opts))
