"""A Slurm cluster on Google Cloud, with everything under it: network, GKE cluster, node pools, storage, database."""

import pulumi
import pulumi_gcp as gcp

from pulumi_slurm import ClusterRef, SlurmCluster
from pulumi_slurm.gke import (
    GkeCluster,
    GkeClusterArgs,
    GkeDatabase,
    GkeDatabaseArgs,
    GkeNcclPlugins,
    GkeNcclPluginsArgs,
    GkeNetwork,
    GkeNetworkArgs,
    GkeNodeAccount,
    GkeNodeAccountArgs,
    GkeNodePool,
    GkeNodePoolArgs,
    GkePodNetworks,
    GkePodNetworksArgs,
    GkeRegistry,
    GkeRegistryArgs,
    GkeServices,
    GkeServicesArgs,
    GkeSharedStorage,
    GkeSharedStorageArgs,
    GkeSystemPool,
    GkeSystemPoolArgs,
    GkeWorkloadIdentity,
    GkeWorkloadIdentityArgs,
)
from pulumi_slurm.gke.model import GkeOperator
from pulumi_slurm.gke.nccl_installers import nccl_installers
from pulumi_slurm.gke.plan.addresses import plan_addresses
from pulumi_slurm.gke.plan.planned_pool import planned_pools
from pulumi_slurm.gke.plan.pools import node_pools
from pulumi_slurm.gke.plan.slurm_spec import storage_account
from pulumi_slurm.kube.component import after_all
from pulumi_slurm_stacks.config import StackSecrets
from pulumi_slurm_stacks.gke_config import GkeConfig
from pulumi_slurm_stacks.gke_places import tell_places
from pulumi_slurm_stacks.slurm import slurm_cluster, slurm_namespace, slurm_operator


def build(config: GkeConfig, secrets: StackSecrets) -> SlurmCluster:
    """Build all of it; export what a user needs next.

    Whatever Slurm's pods need comes before them and goes after them, the nodes too, so that a destroy can end them in
    order. Each names only what comes right before it, of a component its `ends`; see `child_options`.
    """
    gke, slurm, name = config.gke, config.slurm, config.name
    ref = ClusterRef.of(slurm)
    google = gcp.Provider("google", project=gke.project, region=gke.region)
    services = GkeServices(name, GkeServicesArgs(spec=gke), _by(google))
    after_services = _by(google, *after_all(services))
    registry = _registry(config, after_services)
    network = GkeNetwork(name, GkeNetworkArgs(spec=gke), after_services)
    account = GkeNodeAccount(name, GkeNodeAccountArgs(spec=gke), after_services)
    cluster = GkeCluster(
        name,
        GkeClusterArgs(
            spec=gke, network=network.network_id, subnetwork=network.subnetwork_id, node_account=account.email
        ),
        _by(google, *after_all(network), *after_all(account)),
    )
    pulumi.export("clusterName", cluster.cluster_name)
    pulumi.export("getCredentials", config.get_credentials)

    kubernetes = cluster.provider
    nodes = _nodes(config, cluster, network, account, google)
    operator: list[pulumi.Resource] = []
    if gke.operator is GkeOperator.SLINKY:
        operator = slurm_operator(config.operator, slurm.operator_version, _by(kubernetes, *nodes))
    namespace = slurm_namespace(name, slurm, kubernetes, nodes)
    both = pulumi.ResourceOptions(
        providers=[google, kubernetes],
        depends_on=[*network.private_services, namespace],
    )
    storage = _storage(config, ref, network, both)
    database = _database(config, ref, network, secrets, both)
    tell_places(config, slurm, _by(kubernetes, namespace))
    return slurm_cluster(
        slurm,
        node_pools(gke),
        secrets,
        _by(kubernetes, *operator, namespace, *registry, *storage, *database),
        create_namespace=False,
    )


def _nodes(
    config: GkeConfig,
    cluster: GkeCluster,
    network: GkeNetwork,
    account: GkeNodeAccount,
    google: gcp.Provider,
) -> list[pulumi.Resource]:
    """Make the node pools: first that of daemons, then those of node sets, on the networks that pods know."""
    gke, name = config.gke, config.name
    system = GkeSystemPool(
        f"{name}-system",
        GkeSystemPoolArgs(spec=gke, cluster=cluster.cluster_name, node_account=account.email),
        _by(google, *after_all(cluster)),
    )
    before = [*after_all(system)]
    # What the cluster's own provider makes comes after the cluster without being told.
    if plan_addresses(gke).fabric:
        pod_networks = GkePodNetworksArgs(spec=gke, fabric_networks=network.fabric_networks)
        before += after_all(GkePodNetworks(name, pod_networks, _by(cluster.provider)))
    if nccl_installers(gke):
        before += after_all(GkeNcclPlugins(name, GkeNcclPluginsArgs(spec=gke), _by(cluster.provider)))
    pools: list[pulumi.Resource] = []
    for planned in planned_pools(gke):
        args = GkeNodePoolArgs(
            spec=gke,
            pool=planned.name,
            cluster=cluster.cluster_name,
            node_account=account.email,
            fabric_networks=network.fabric_networks,
        )
        pools += after_all(GkeNodePool(f"{name}-{planned.name}", args, _by(google, *before)))
    return pools or before


def _registry(config: GkeConfig, opts: pulumi.ResourceOptions) -> list[pulumi.Resource]:
    if config.gke.registry is None:
        return []
    registry = GkeRegistry(config.name, GkeRegistryArgs(spec=config.gke), opts)
    pulumi.export("registryUrl", registry.url)
    return after_all(registry)


def _storage(
    config: GkeConfig, ref: ClusterRef, network: GkeNetwork, opts: pulumi.ResourceOptions
) -> list[pulumi.Resource]:
    """Make the shared storage, and what its pods may do with buckets."""
    gke = config.gke
    made = {
        item.name: GkeSharedStorage(
            f"{config.name}-{item.name}",
            GkeSharedStorageArgs(spec=gke, storage=item.name, cluster=ref, network=network.network_id),
            opts,
        )
        for item in gke.storage
    }
    ends = after_all(*made.values())
    buckets = {item.name: made[item.name].bucket_name for item in gke.storage if item.bucket}
    if not buckets:
        return ends
    identity = GkeWorkloadIdentity(
        f"{config.name}-storage",
        GkeWorkloadIdentityArgs(
            spec=gke, namespace=ref.namespace, service_account=storage_account(ref.name), buckets=buckets
        ),
        opts,
    )
    return [*ends, *after_all(identity)]


def _database(
    config: GkeConfig, ref: ClusterRef, network: GkeNetwork, secrets: StackSecrets, opts: pulumi.ResourceOptions
) -> list[pulumi.Resource]:
    if config.gke.database is None:
        return []
    args = GkeDatabaseArgs(spec=config.gke, cluster=ref, network=network.network_id, root_key=secrets.root_key)
    return after_all(GkeDatabase(f"{config.name}-cloudsql", args, opts))


def _by(provider: pulumi.ProviderResource, *depends_on: pulumi.Resource) -> pulumi.ResourceOptions:
    return pulumi.ResourceOptions(provider=provider, depends_on=list(depends_on))
