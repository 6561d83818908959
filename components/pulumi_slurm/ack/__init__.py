"""Slurm on Alibaba Cloud Container Service for Kubernetes (ACK), as Pulumi components.

What a user states is in `pulumi_slurm.ack.model`, which needs neither Pulumi nor Alibaba's SDK. The components are
loaded when they are first named; those of ack-slurm-operator don't load the SDK either.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pulumi_slurm.ack.cluster import AckCluster, AckClusterArgs
    from pulumi_slurm.ack.copilot import SlurmCopilot, SlurmCopilotArgs
    from pulumi_slurm.ack.database import AckDatabase, AckDatabaseArgs
    from pulumi_slurm.ack.generic_node import GenericNode, GenericNodeArgs
    from pulumi_slurm.ack.network import AckNetwork, AckNetworkArgs
    from pulumi_slurm.ack.node_pool import AckNodePool, AckNodePoolArgs
    from pulumi_slurm.ack.shared_storage import AckSharedStorage, AckSharedStorageArgs
    from pulumi_slurm.ack.slurm_cluster import AckSlurmCluster, AckSlurmClusterArgs
    from pulumi_slurm.ack.slurm_operator import AckSlurmOperator, AckSlurmOperatorArgs
    from pulumi_slurm.ack.system_pool import AckSystemPool, AckSystemPoolArgs

_MODULES = {
    "AckCluster": ".cluster",
    "AckClusterArgs": ".cluster",
    "AckDatabase": ".database",
    "AckDatabaseArgs": ".database",
    "AckNetwork": ".network",
    "AckNetworkArgs": ".network",
    "AckNodePool": ".node_pool",
    "AckNodePoolArgs": ".node_pool",
    "AckSharedStorage": ".shared_storage",
    "AckSharedStorageArgs": ".shared_storage",
    "AckSlurmCluster": ".slurm_cluster",
    "AckSlurmClusterArgs": ".slurm_cluster",
    "AckSlurmOperator": ".slurm_operator",
    "AckSlurmOperatorArgs": ".slurm_operator",
    "AckSystemPool": ".system_pool",
    "AckSystemPoolArgs": ".system_pool",
    "GenericNode": ".generic_node",
    "GenericNodeArgs": ".generic_node",
    "SlurmCopilot": ".copilot",
    "SlurmCopilotArgs": ".copilot",
}

__all__ = [
    "AckCluster",
    "AckClusterArgs",
    "AckDatabase",
    "AckDatabaseArgs",
    "AckNetwork",
    "AckNetworkArgs",
    "AckNodePool",
    "AckNodePoolArgs",
    "AckSharedStorage",
    "AckSharedStorageArgs",
    "AckSlurmCluster",
    "AckSlurmClusterArgs",
    "AckSlurmOperator",
    "AckSlurmOperatorArgs",
    "AckSystemPool",
    "AckSystemPoolArgs",
    "GenericNode",
    "GenericNodeArgs",
    "SlurmCopilot",
    "SlurmCopilotArgs",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name], __name__), name)
