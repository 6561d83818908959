"""The clouds of the registry, as a review asks for them."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from pulumi_slurm.clouds import registry
from pulumi_slurm.clouds.cloud import Cloud, MachinePrice
from pulumi_slurm.clouds.registry import CloudRow
from pulumi_slurm.clouds.resources import CloudResources, Inputs, NodePoolResource


def _rows() -> Iterator[tuple[CloudRow, CloudResources]]:
    for row in registry.CLOUDS:
        resources: CloudResources = import_module(row.resources).RESOURCES
        yield row, resources


def node_pools() -> Mapping[str, NodePoolResource]:
    """Return the node pools of all clouds, by their types."""
    return {resources.node_pool.type: resources.node_pool for _, resources in _rows()}


def clusters() -> frozenset[str]:
    """Return the types of Kubernetes clusters."""
    return frozenset(resources.cluster for _, resources in _rows())


def stores() -> frozenset[str]:
    """Return the types of resources whose content goes with them."""
    return frozenset().union(*(resources.stores for _, resources in _rows()))


def databases() -> frozenset[str]:
    """Return the types of servers of databases."""
    return frozenset().union(*(resources.databases for _, resources in _rows()))


def resources_with(kind: str) -> CloudResources | None:
    """Return the resources of the cloud that has a type; None of no cloud's."""
    return next((resources for _, resources in _rows() if kind.startswith(resources.sdk)), None)


def pools_by_provider() -> Mapping[str, str]:
    """Return the types of node pools that only their provider says the region of, by the types of these providers."""
    return {resources.provider: resources.node_pool.type for _, resources in _rows() if resources.provider}


def price_of(pool: NodePoolResource, inputs: Inputs, region: str) -> MachinePrice:
    """Return the list price of a machine of a pool, with its GPUs; ``region`` is where a pool is that doesn't say it.

    The cloud's machine types are loaded only now.
    """
    row = next(row for row, resources in _rows() if resources.node_pool is pool)
    cloud: Cloud[Any, Any] = import_module(row.definition).CLOUD
    if pool.chosen_disks(inputs) and not cloud.price_has_disks(pool.machine_of(inputs)):
        return MachinePrice()
    return cloud.price_of(pool.machine_of(inputs), pool.gpus(inputs), pool.region(inputs) or region)
