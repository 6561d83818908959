"""Slurm on Google Kubernetes Engine, as Pulumi components.

What a user states is in `pulumi_slurm.gke.model`, which needs neither Pulumi nor Google's SDK. The components are
loaded when they are first named.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pulumi_slurm.gke.cluster import GkeCluster, GkeClusterArgs
    from pulumi_slurm.gke.database import GkeDatabase, GkeDatabaseArgs
    from pulumi_slurm.gke.nccl_plugins import GkeNcclPlugins, GkeNcclPluginsArgs
    from pulumi_slurm.gke.network import GkeNetwork, GkeNetworkArgs
    from pulumi_slurm.gke.node_account import GkeNodeAccount, GkeNodeAccountArgs
    from pulumi_slurm.gke.node_pool import GkeNodePool, GkeNodePoolArgs
    from pulumi_slurm.gke.pod_networks import GkePodNetworks, GkePodNetworksArgs
    from pulumi_slurm.gke.registry import GkeRegistry, GkeRegistryArgs
    from pulumi_slurm.gke.services import GkeServices, GkeServicesArgs
    from pulumi_slurm.gke.shared_storage import GkeSharedStorage, GkeSharedStorageArgs
    from pulumi_slurm.gke.system_pool import GkeSystemPool, GkeSystemPoolArgs
    from pulumi_slurm.gke.workload_identity import GkeWorkloadIdentity, GkeWorkloadIdentityArgs

_MODULES = {
    "GkeCluster": ".cluster",
    "GkeClusterArgs": ".cluster",
    "GkeDatabase": ".database",
    "GkeDatabaseArgs": ".database",
    "GkeNcclPlugins": ".nccl_plugins",
    "GkeNcclPluginsArgs": ".nccl_plugins",
    "GkeNetwork": ".network",
    "GkeNetworkArgs": ".network",
    "GkeNodeAccount": ".node_account",
    "GkeNodeAccountArgs": ".node_account",
    "GkeNodePool": ".node_pool",
    "GkeNodePoolArgs": ".node_pool",
    "GkePodNetworks": ".pod_networks",
    "GkePodNetworksArgs": ".pod_networks",
    "GkeRegistry": ".registry",
    "GkeRegistryArgs": ".registry",
    "GkeServices": ".services",
    "GkeServicesArgs": ".services",
    "GkeSharedStorage": ".shared_storage",
    "GkeSharedStorageArgs": ".shared_storage",
    "GkeSystemPool": ".system_pool",
    "GkeSystemPoolArgs": ".system_pool",
    "GkeWorkloadIdentity": ".workload_identity",
    "GkeWorkloadIdentityArgs": ".workload_identity",
}

__all__ = [
    "GkeCluster",
    "GkeClusterArgs",
    "GkeDatabase",
    "GkeDatabaseArgs",
    "GkeNcclPlugins",
    "GkeNcclPluginsArgs",
    "GkeNetwork",
    "GkeNetworkArgs",
    "GkeNodeAccount",
    "GkeNodeAccountArgs",
    "GkeNodePool",
    "GkeNodePoolArgs",
    "GkePodNetworks",
    "GkePodNetworksArgs",
    "GkeRegistry",
    "GkeRegistryArgs",
    "GkeServices",
    "GkeServicesArgs",
    "GkeSharedStorage",
    "GkeSharedStorageArgs",
    "GkeSystemPool",
    "GkeSystemPoolArgs",
    "GkeWorkloadIdentity",
    "GkeWorkloadIdentityArgs",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name], __name__), name)
