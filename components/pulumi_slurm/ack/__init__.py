"""Slurm on Alibaba Cloud Container Service for Kubernetes (ACK), as Pulumi components.

What a user states is in `pulumi_slurm.ack.spec`, which needs neither Pulumi nor Alibaba's SDK. The components are
loaded when they are first named; those of ack-slurm-operator don't load the SDK either.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .cluster import AckCluster, AckClusterArgs
    from .copilot import SlurmCopilot, SlurmCopilotArgs
    from .database import AckDatabase, AckDatabaseArgs
    from .generic_node import GenericNode, GenericNodeArgs
    from .network import AckNetwork, AckNetworkArgs
    from .node_pool import AckNodePool, AckNodePoolArgs
    from .shared_storage import AckSharedStorage, AckSharedStorageArgs
    from .slurm_cluster import AckSlurmCluster, AckSlurmClusterArgs
    from .slurm_operator import AckSlurmOperator, AckSlurmOperatorArgs
    from .system_pool import AckSystemPool, AckSystemPoolArgs

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
