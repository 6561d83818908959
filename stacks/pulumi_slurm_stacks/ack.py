"""A Slurm cluster on Alibaba Cloud, with everything under it: network, ACK cluster, node pools, storage, database.

One field, `ack.slurmOperator`, says whose operator turns the Slurm specification into pods; all else is the same.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pulumi
import pulumi_alicloud as alicloud

from pulumi_slurm import ClusterRef, SlurmCluster
from pulumi_slurm.ack import (
    AckCluster,
    AckClusterArgs,
    AckDatabase,
    AckDatabaseArgs,
    AckExistingCluster,
    AckExistingClusterArgs,
    AckNetwork,
    AckNetworkArgs,
    AckNodePool,
    AckNodePoolArgs,
    AckServiceRoles,
    AckServiceRolesArgs,
    AckSharedStorage,
    AckSharedStorageArgs,
    AckSystemPool,
    AckSystemPoolArgs,
)
from pulumi_slurm.ack.disk_class import AckDiskClass, AckDiskClassArgs
from pulumi_slurm.ack.existing.cluster import (
    cluster_is_usable,
    cluster_will_do,
    with_found_cluster,
    with_unread_cluster,
)
from pulumi_slurm.ack.existing.network import found_network, network_will_do
from pulumi_slurm.ack.existing.pools import with_found_pools
from pulumi_slurm.ack.existing.questions import find_cluster, find_network
from pulumi_slurm.ack.job_completion_database import AckJobCompletionDatabase, AckJobCompletionDatabaseArgs
from pulumi_slurm.ack.model import AckFoundNetwork, AckOperator, AckSpec
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.addresses import AckAddresses, plan_addresses
from pulumi_slurm.ack.plan.parts import changed_types, flannel_pods_per_node, key_roles, planned_network
from pulumi_slurm.ack.plan.planned_pool import all_zones
from pulumi_slurm.ack_slurm import AckSlurmCluster
from pulumi_slurm.kube.component import after_all
from pulumi_slurm.model.with_fields import with_fields
from pulumi_slurm_stacks.ack_config import AckConfig, AckSecrets
from pulumi_slurm_stacks.ack_slurm import ack_slurm_cluster, before_ack_slurm_cluster
from pulumi_slurm_stacks.running import answer, refuse, with_found
from pulumi_slurm_stacks.slurm import keda, options_after, slurm_cluster, slurm_namespace, slurm_operator

_Cluster = AckCluster | AckExistingCluster


def build(config: AckConfig, secrets: AckSecrets) -> SlurmCluster | AckSlurmCluster:
    """Build all of it; export what a user needs next.

    Whatever Slurm's pods need comes before them and goes after them, the nodes too, so that a destroy can end them in
    order.
    """
    alibaba = alicloud.Provider("alibaba", region=config.ack.region)
    config = _with_what_exists(config, alibaba)
    ack, slurm, name = config.ack, config.slurm, config.name
    addresses = plan_addresses(config.plan)
    network = _network(config.plan, addresses, options_after(alibaba))
    roles = _service_roles(ack, options_after(alibaba))
    # Nodes and pods pull their images from the Internet, so the way there is part of the network.
    cluster = _cluster(config.plan, addresses, network, options_after(alibaba, *network.made, *roles))
    pulumi.export("kubernetesCluster", cluster.name)
    pulumi.export("clusterId", cluster.cluster_id)
    pulumi.export("kubeconfig", cluster.kubeconfig)

    kubernetes = cluster.provider
    before_pools = _system_pool(config.plan, cluster, network, roles, alibaba)
    pools = _node_pools(config.plan, cluster, network, options_after(alibaba, *before_pools))
    nodes: Sequence[pulumi.Resource] = pools or before_pools
    slinky = ack.slurm_operator is AckOperator.SLINKY
    if slinky:
        operator = slurm_operator(config.operator, slurm.operator_version, options_after(kubernetes, *nodes))
    else:
        operator = before_ack_slurm_cluster(config, secrets, options_after(kubernetes, *nodes))
    # What is in a namespace that another program creates comes after the nodes themselves.
    namespace = after_all(*nodes)
    if config.create_namespace:
        namespace = [slurm_namespace(name, slurm, kubernetes, namespace)]
    on_both = pulumi.ResourceOptions(providers=[alibaba, kubernetes], depends_on=namespace)
    disks = AckDiskClass("disks", AckDiskClassArgs(disk_class=ack.disk_class), options_after(kubernetes, *nodes))
    storage = _storage(config, addresses, network, on_both)
    database = _database(config, addresses, network, secrets, on_both)
    completions = _job_completion(config, secrets, database, alibaba)
    autoscaler = keda(config.keda, options_after(kubernetes, *nodes))
    before = [*operator, *autoscaler, *namespace, disks, *storage, *database, *completions]
    opts = options_after(kubernetes, *before)
    if slinky:
        return slurm_cluster(slurm, config.pools, secrets, opts, create_namespace=False)
    return ack_slurm_cluster(config, secrets, opts)


@dataclass(frozen=True)
class _Network:
    """The VPC that is made or that exists."""

    vpc_id: pulumi.Input[str]
    node_vswitches: pulumi.Input[Mapping[str, pulumi.Input[str]]]
    pod_vswitches: pulumi.Input[Mapping[str, pulumi.Input[str]]]
    security_group_id: pulumi.Input[str]
    made: tuple[pulumi.Resource, ...] = ()
    """What comes before all that is in it; nothing if it exists."""


def _with_what_exists(config: AckConfig, alibaba: alicloud.Provider) -> AckConfig:
    """Return the configuration with what Alibaba Cloud says of a cluster and its pools, or of a VPC.

    Raises:
        SpecRunError: if they can't be read, or won't do.
    """
    ack = config.ack
    if there := ack.existing_cluster:
        answers = answer(config, lambda: find_cluster(there, ack.region, alibaba))
        if answers is None:
            return with_found(config, with_unread_cluster(ack))
        refuse(config, (error.below("ack") for error in cluster_is_usable(ack, answers)))
        spec, unusable = with_found_pools(with_found_cluster(ack, answers), answers.pools)
        problems = [*cluster_will_do(AckPlan.of(spec), answers), *unusable]
        refuse(config, (error.below("ack") for error in problems))
        return with_found(config, spec)
    if existing := ack.network.existing:
        of_vpc = answer(config, lambda: find_network(existing, ack.cluster_name, alibaba, nat=ack.network.nat))
        found = found_network(existing, of_vpc) if of_vpc else AckFoundNetwork.unread(all_zones(ack))
        if found:
            network = with_fields(ack.network, existing=existing.with_found(found))
            ack = ack.model_copy(update={"network": network})
        if of_vpc:
            refuse(config, (error.below("ack") for error in network_will_do(AckPlan.of(ack), existing, of_vpc)))
        return with_found(config, ack)
    return config


def _service_roles(ack: AckSpec, opts: pulumi.ResourceOptions) -> list[AckServiceRoles]:
    if not ack.create_service_roles:
        return []
    args = AckServiceRolesArgs(existing=ack.existing_service_roles, for_encryption=list(key_roles(ack)))
    return [AckServiceRoles("ack-roles", args, opts)]


def _network(plan: AckPlan, addresses: AckAddresses, opts: pulumi.ResourceOptions) -> _Network:
    """Create the VPC, unless it exists."""
    ack = plan.spec
    existing, found = ack.network.existing, plan.found_network
    if existing and found:
        return _Network(existing.vpc_id, found.node_vswitches, found.pod_vswitches, existing.security_group_id)
    args = AckNetworkArgs(
        name=ack.cluster_name,
        zones=list(addresses.nodes),
        cni=ack.control_plane.cni,
        network=planned_network(plan, addresses),
        tags=ack.tags,
        deletion_protection=ack.deletion_protection,
    )
    made = AckNetwork(ack.cluster_name, args, opts)
    return _Network(made.vpc_id, made.node_vswitches, made.pod_vswitches, made.security_group_id, (made,))


def _cluster(plan: AckPlan, addresses: AckAddresses, network: _Network, opts: pulumi.ResourceOptions) -> _Cluster:
    ack = plan.spec
    if there := ack.existing_cluster:
        return AckExistingCluster(ack.cluster_name, AckExistingClusterArgs(cluster_id=there.id), opts)
    args = AckClusterArgs(
        region=ack.region,
        name=ack.cluster_name,
        zones=ack.zones,
        node_vswitches=network.node_vswitches,
        pod_vswitches=network.pod_vswitches,
        security_group_id=network.security_group_id,
        control_plane=ack.control_plane,
        pods_range=addresses.flannel_pods,
        pods_per_node=flannel_pods_per_node(plan),
        services_range=addresses.services,
        tags=ack.tags,
        deletion_protection=ack.deletion_protection,
    )
    return AckCluster(ack.cluster_name, args, opts)


def _system_pool(
    plan: AckPlan,
    cluster: _Cluster,
    network: _Network,
    roles: Sequence[pulumi.Resource],
    alibaba: pulumi.ProviderResource,
) -> list[pulumi.Resource]:
    """Create the nodes of Slurm's daemons, unless the cluster exists and none are asked for.

    Return what comes before other pools.
    """
    ack = plan.spec
    if not plan.makes_system_pool:
        return after_all(cluster, *roles)
    pool = ack.system_pool
    args = AckSystemPoolArgs(
        cluster_id=cluster.cluster_id,
        node_vswitches=network.node_vswitches,
        security_group_id=network.security_group_id,
        zones=pool.zones or ack.zones,
        pool=pool,
        catalogue=changed_types(ack.catalogue, pool.instance_types),
        pods_per_node=flannel_pods_per_node(plan),
        auto_upgrade=ack.control_plane.upgrade_channel is not None,
        registry_mirrors=ack.registry_mirrors,
        tags=ack.tags,
    )
    return [AckSystemPool(f"{ack.cluster_name}-system", args, options_after(alibaba, cluster))]


def _node_pools(
    plan: AckPlan,
    cluster: _Cluster,
    network: _Network,
    opts: pulumi.ResourceOptions,
) -> list[AckNodePool]:
    """Create the node pools of node sets."""
    ack = plan.spec
    return [
        AckNodePool(
            f"{ack.cluster_name}-{planned.name}",
            AckNodePoolArgs(
                cluster_id=cluster.cluster_id,
                node_vswitches=network.node_vswitches,
                security_group_id=network.security_group_id,
                zones=list(planned.zones),
                pool=planned.pool,
                catalogue=changed_types(ack.catalogue, planned.pool.instance_types),
                pods_per_node=flannel_pods_per_node(plan),
                auto_upgrade=ack.control_plane.upgrade_channel is not None,
                registry_mirrors=ack.registry_mirrors,
                tags=ack.tags,
            ),
            opts,
        )
        for planned in plan.new_pools
    ]


def _storage(
    config: AckConfig, addresses: AckAddresses, network: _Network, opts: pulumi.ResourceOptions
) -> list[AckSharedStorage]:
    ack = config.ack
    return [
        AckSharedStorage(
            f"{config.name}-{storage.name}",
            AckSharedStorageArgs(
                cluster=_slurm_cluster_ref(config),
                storage=storage,
                ack_cluster=ack.cluster_name,
                zone=ack.zones[0],
                vpc_id=network.vpc_id,
                node_vswitches=network.node_vswitches,
                node_ranges=addresses.nodes,
                tags=ack.tags,
                deletion_protection=ack.deletion_protection,
            ),
            opts,
        )
        for storage in ack.storage
    ]


def _database(
    config: AckConfig,
    addresses: AckAddresses,
    network: _Network,
    secrets: AckSecrets,
    opts: pulumi.ResourceOptions,
) -> list[AckDatabase]:
    ack = config.ack
    if ack.database is None:
        return []
    args = AckDatabaseArgs(
        cluster=_slurm_cluster_ref(config),
        database=ack.database,
        ack_cluster=ack.cluster_name,
        zones=ack.zones,
        node_vswitches=network.node_vswitches,
        security_ips=addresses.clients,
        root_key=secrets.root_key,
        tags=ack.tags,
        deletion_protection=ack.deletion_protection,
    )
    return [AckDatabase(f"{config.name}-rds", args, opts)]


def _job_completion(
    config: AckConfig, secrets: AckSecrets, databases: list[AckDatabase], alibaba: pulumi.ProviderResource
) -> list[AckJobCompletionDatabase]:
    """Create the database of finished jobs, if it isn't on a host of the user's."""
    completion = config.ack.slurm.job_completion
    if completion is None or completion.host or not secrets.job_completion_password:
        return []
    return [
        AckJobCompletionDatabase(
            f"{config.name}-job-completion",
            AckJobCompletionDatabaseArgs(
                instance_id=database.instance_id,
                job_completion=completion,
                password=secrets.job_completion_password,
            ),
            pulumi.ResourceOptions(provider=alibaba),
        )
        for database in databases
    ]


def _slurm_cluster_ref(config: AckConfig) -> ClusterRef:
    """Return the name and namespace of the Slurm cluster; its images and keys are no matter of storage."""
    return ClusterRef(name=config.cluster.name, namespace=config.cluster.namespace)
