"""What reviews and policies need to know of a cloud's resources: their types, and what a node pool's inputs say.

Each cloud has one description of its own, which its row in `pulumi_slurm.clouds.registry` names. A policy pack reads it
in the engine's process, so neither it nor this module imports models, rules or an SDK.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pulumi_slurm.clouds.unread import known_at

Inputs = Mapping[str, Any]
"""The inputs of a resource, of any shape; one that isn't known before the update has a text in its place."""
InputPath = tuple[str | int, ...]
"""Where an input stands: ("nodeConfig", "spot")."""
NodeBounds = tuple[int, int]
"""The least and the most nodes of a pool, in all zones together."""
Gpus = tuple[str, int]
"""The cloud's name of a GPU, and how many of it a node has."""


@dataclass(frozen=True, kw_only=True)
class NodePoolResource:
    """The resource of a node pool, and how its inputs are read."""

    type: str
    """Its type token, of the form "sdk:module/name:Name"."""
    name: str
    """The input with its name in the cloud: "name"."""
    names_are_unique: bool
    """Whether no two pools of a cluster can have one name, so that a pool makes way for another of its name."""
    machine: InputPath
    """Where the machine type of its nodes stands; of several, the first, by which the price is."""
    spot: Callable[[Inputs], InputPath | None]
    """Returns where it is said that the cloud may take its nodes back; None if it may not."""
    taints: InputPath
    """Where the taints of its nodes stand."""
    nodes: Callable[[Inputs], NodeBounds | None]
    """Returns how many nodes it has; None where that isn't known."""
    gpus: Callable[[Inputs], Gpus | None] = lambda _: None
    """Returns the GPUs of its nodes, where they aren't all known by the machine type."""
    chosen_disks: Callable[[Inputs], int] = lambda _: 0
    """Returns how many local disks its nodes have of which the machine type alone says nothing."""
    region: Callable[[Inputs], str] = lambda _: ""
    """Returns the region of its nodes; empty where its inputs don't have it."""
    fixed_nodes: str
    """The input with the number of nodes of a pool without an autoscaler; the cloud chooses which ones go."""
    zones: str = ""
    """The input with the zones of its nodes, where nodes go only with their zone."""
    nodes_stay: frozenset[str]
    """Inputs, and paths such as "nodeConfig.resourceLabels", by which none of the nodes that run is made anew. Fewer
    nodes at most go when they are empty: an autoscaler leaves those alone whose pods a PodDisruptionBudget protects, as
    it does workers with jobs."""
    not_judged: frozenset[str]
    """Inputs and paths by which no node is made anew, but that say when the cloud may take nodes later, or which pods
    may stay on them."""

    def name_of(self, inputs: Inputs | None) -> str:
        """Return the name of a pool; empty where it has none of its own, or it isn't known."""
        return str(known_at(inputs, self.name) or "")

    def machine_of(self, inputs: Inputs) -> str:
        """Return the machine type of a pool; empty where it isn't known."""
        return str(known_at(inputs, *self.machine) or "")


@dataclass(frozen=True)
class StoreZones:
    """The inputs of a store by which another zone makes it anew."""

    zones: tuple[str, ...]
    """Those with its zones, the first zone first."""
    following: frozenset[str] = frozenset()
    """Those that are others with another zone, such as a subnetwork's."""


@dataclass(frozen=True, kw_only=True)
class CloudResources:
    """The resources of a cloud's SDK that have jobs or data, by their type tokens."""

    cluster: str
    """A Kubernetes cluster."""
    node_pool: NodePoolResource
    """A node pool."""
    databases: frozenset[str]
    """Servers of databases, such as that of slurmdbd."""
    file_systems: frozenset[str]
    """Shared file systems, and disks."""
    buckets: frozenset[str]
    """Buckets of objects."""
    unnoticed: Mapping[str, frozenset[str]]
    """Inputs that change in place and that no job notices, or paths such as "settings.userLabels", by type; those of
    "*" are of every type but node pools. What is in neither is not judged, but of databases, which may restart."""
    grows: Mapping[str, frozenset[str]]
    """Sizes, by type: they grow in place unnoticed, and less of it is not judged, as the cloud may refuse it."""
    store_zones: Mapping[str, StoreZones]
    """The zones of stores, by type. A store without a zone of its own is in the first ones of `zones`."""
    provider: str = ""
    """The type of its provider, where that alone says in which region resources are."""
    protected_by_default: bool
    """Whether clusters and databases without the input `deletionProtection` can't be deleted by mistake."""

    @property
    def sdk(self) -> str:
        """How the types of all its resources begin: "gcp:"."""
        return self.cluster.partition(":")[0] + ":"

    @property
    def stores(self) -> frozenset[str]:
        """All whose content goes with them."""
        return self.databases | self.file_systems | self.buckets


def bounds(minimum: Any, maximum: Any, times: int = 1) -> NodeBounds | None:
    """Return both as numbers, the second as the first where there is none; None where they aren't known."""
    try:
        low = int(minimum) * times
        return low, low if maximum is None else int(maximum) * times
    except (OverflowError, TypeError, ValueError):
        return None
