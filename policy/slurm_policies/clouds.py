"""The clouds of pulumi-slurm's registry, as far as policies hold on all of them."""

from importlib import import_module

from pulumi_slurm.clouds import registry
from pulumi_slurm.clouds.resources import CloudResources, NodePoolResource


def _resources() -> tuple[CloudResources, ...]:
    return tuple(import_module(row.resources).RESOURCES for row in registry.CLOUDS)


_CLOUDS = _resources()
CLUSTERS = tuple(cloud.cluster for cloud in _CLOUDS)
"""The types of Kubernetes clusters."""
NODE_POOLS = tuple(cloud.node_pool.type for cloud in _CLOUDS)
"""The types of node pools."""
DATABASES = tuple(kind for cloud in _CLOUDS for kind in sorted(cloud.databases))
"""The types of servers of databases."""
FILE_SYSTEMS = tuple(kind for cloud in _CLOUDS for kind in sorted(cloud.file_systems))
"""The types of shared file systems and of disks."""
BUCKETS = tuple(kind for cloud in _CLOUDS for kind in sorted(cloud.buckets))
"""The types of buckets."""


def is_protected_by_default(kind: str) -> bool:
    """Return whether a cluster or a database of this type is, as long as `deletionProtection` isn't set."""
    return any(kind in (cloud.cluster, *cloud.databases) and cloud.protected_by_default for cloud in _CLOUDS)


def node_pool(kind: str) -> NodePoolResource:
    """Return what is known of node pools of this type, one of `NODE_POOLS`."""
    return next(cloud.node_pool for cloud in _CLOUDS if cloud.node_pool.type == kind)
