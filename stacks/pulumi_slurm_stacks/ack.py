"""A Slurm cluster on Alibaba Cloud, with everything under it: network, ACK cluster, node pools, storage, database.

One field, `ack.runtime`, says whose operator turns the Slurm specification into pods; all else is the same.
"""

import pulumi
import pulumi_alicloud as alicloud

from pulumi_slurm import ClusterRef, SlurmCluster
from pulumi_slurm.ack import (
    AckCluster,
    AckClusterArgs,
    AckDatabase,
    AckDatabaseArgs,
    AckNetwork,
    AckNetworkArgs,
    AckNodePool,
    AckNodePoolArgs,
    AckSharedStorage,
    AckSharedStorageArgs,
    AckSlurmCluster,
    AckSystemPool,
    AckSystemPoolArgs,
)
from pulumi_slurm.ack.model import AckRuntime
from pulumi_slurm.ack.plan.planned_pool import planned_pools
from pulumi_slurm.ack.plan.pools import node_pools
from pulumi_slurm.kube.component import after_all
from pulumi_slurm_stacks.ack_config import AckConfig, AckSecrets
from pulumi_slurm_stacks.ack_slurm import ack_slurm_cluster, ack_slurm_operator
from pulumi_slurm_stacks.slurm import slurm_cluster, slurm_namespace, slurm_operator


def build(config: AckConfig, secrets: AckSecrets) -> SlurmCluster | AckSlurmCluster:
    """Build all of it; export what a user needs next.

    Whatever Slurm's pods need comes before them and goes after them, the nodes too, so that a destroy can end them in
    order.
    """
    ack, slurm, name = config.ack, config.slurm, config.name
    slinky = ack.runtime is AckRuntime.SLINKY
    alibaba = alicloud.Provider("alibaba", region=ack.region)
    network = AckNetwork(name, AckNetworkArgs(spec=ack), _by(alibaba))
    cluster = AckCluster(
        name,
        AckClusterArgs(
            spec=ack,
            node_vswitches=network.node_vswitches,
            pod_vswitches=network.pod_vswitches,
            security_group_id=network.security_group_id,
        ),
        # Nodes and pods pull their images from the Internet, so the way there is part of the network.
        _by(alibaba, *after_all(network)),
    )
    pulumi.export("clusterName", cluster.cluster_name)
    pulumi.export("clusterId", cluster.cluster_id)
    pulumi.export("kubeconfig", cluster.kubeconfig)

    kubernetes = cluster.provider
    nodes = _nodes(config, cluster, network, alibaba)
    on_nodes = _by(kubernetes, *nodes)
    if slinky:
        operator = slurm_operator(config.operator, slurm.operator_version, on_nodes)
    else:
        operator = ack_slurm_operator(config, secrets, on_nodes)
    namespace = slurm_namespace(name, slurm, kubernetes, nodes)
    both = pulumi.ResourceOptions(providers=[alibaba, kubernetes], depends_on=[namespace])
    storage = _storage(config, network, both)
    database = _database(config, network, secrets, both)
    opts = _by(kubernetes, *operator, namespace, *storage, *database)
    if slinky:
        return slurm_cluster(slurm, node_pools(ack), secrets, opts, create_namespace=False)
    return ack_slurm_cluster(config, secrets, opts)


def _nodes(
    config: AckConfig, cluster: AckCluster, network: AckNetwork, alibaba: alicloud.Provider
) -> list[pulumi.Resource]:
    """Make the node pools: first that of daemons, then those of node sets."""
    ack, name = config.ack, config.name
    system = AckSystemPool(
        f"{name}-system",
        AckSystemPoolArgs(
            spec=ack,
            cluster_id=cluster.cluster_id,
            node_vswitches=network.node_vswitches,
            security_group_id=network.security_group_id,
        ),
        _by(alibaba, *after_all(cluster)),
    )
    pools: list[pulumi.Resource] = []
    for planned in planned_pools(ack):
        args = AckNodePoolArgs(
            spec=ack,
            pool=planned.name,
            cluster_id=cluster.cluster_id,
            node_vswitches=network.node_vswitches,
            security_group_id=network.security_group_id,
        )
        pools += after_all(AckNodePool(f"{name}-{planned.name}", args, _by(alibaba, *after_all(system))))
    return pools or after_all(system)


def _storage(config: AckConfig, network: AckNetwork, opts: pulumi.ResourceOptions) -> list[pulumi.Resource]:
    made = [
        AckSharedStorage(
            f"{config.name}-{item.name}",
            AckSharedStorageArgs(
                spec=config.ack,
                storage=item.name,
                cluster=ClusterRef.of(config.cluster),
                vpc_id=network.vpc_id,
                node_vswitches=network.node_vswitches,
            ),
            opts,
        )
        for item in config.ack.storage
    ]
    return after_all(*made)


def _database(
    config: AckConfig, network: AckNetwork, secrets: AckSecrets, opts: pulumi.ResourceOptions
) -> list[pulumi.Resource]:
    if config.ack.database is None:
        return []
    args = AckDatabaseArgs(
        spec=config.ack,
        cluster=ClusterRef.of(config.cluster),
        node_vswitches=network.node_vswitches,
        root_key=secrets.root_key,
    )
    return after_all(AckDatabase(f"{config.name}-rds", args, opts))


def _by(provider: pulumi.ProviderResource, *depends_on: pulumi.Resource) -> pulumi.ResourceOptions:
    return pulumi.ResourceOptions(provider=provider, depends_on=list(depends_on))
