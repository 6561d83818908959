"""Nodes of a live cluster, from what `kubectl get nodes -o json` prints: only what a pool is made of."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from pydantic_core import PydanticCustomError

from pulumi_slurm.model.units import quantity
from pulumi_slurm_cli.few import few

_FAST_NETWORKS = re.compile(r"rdma/.+|vpc\.amazonaws\.com/efa")
"""Resources by which pods get interfaces of a fast network: those of NVIDIA's network operator, and of EFA."""
_PASSING_TAINTS = re.compile(
    r"node\.kubernetes\.io/.*|node\.cloudprovider\.kubernetes\.io/.*|karpenter\.sh/.*"
    r"|ToBeDeletedByClusterAutoscaler|DeletionCandidateOfClusterAutoscaler"
    r"|cloud\.google\.com/impending-node-termination|slinky\.slurm\.net/.*"
)
"""Taints that come and go with the state of a node, and that of Slurm Bridge, which its pods tolerate by themselves."""


_OF_THE_CONTROL_PLANE = ("node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master")
_NO_MACHINE = MappingProxyType({"type": "virtual-kubelet", "eks.amazonaws.com/compute-type": "fargate"})
_MOST_MEMORY = 1024**6


@dataclass(frozen=True)
class LiveNode:
    """A node as it is now."""

    name: str
    provider_id: str
    """The machine's id, which begins with the name of its cloud: "gce://..."; empty where there is no cloud."""
    labels: Mapping[str, str]
    cpus: int
    """Allocatable CPUs, rounded down."""
    memory_mib: int
    """Allocatable memory, rounded down."""
    gpus: tuple[str, int] | None
    """The resource of its GPUs, and how many there are."""
    resources: Mapping[str, str]
    """Interfaces of fast networks."""
    taints: tuple[tuple[str, str | None, str], ...]
    """Key, value and effect of the taints that stay."""

    @property
    def runs_no_workers(self) -> str | None:
        """Why no slurmd is to run on it, or None."""
        if any(key in _OF_THE_CONTROL_PLANE for key, *_ in self.taints):
            return "of the control plane"
        if self.labels.get("kubernetes.io/os", "linux") != "linux":
            return "without Linux"
        if _NO_MACHINE.items() & self.labels.items():
            return "no machine, on which slurmd could have its privileges"
        return None


def names(nodes: Sequence[LiveNode]) -> str:
    """Return the names of nodes for people, of many the first three."""
    return few((node.name for node in nodes), 3)


def live_nodes(data: Any) -> tuple[list[LiveNode], list[str]]:
    """Return the nodes of a List of nodes, or of one Node, and the names of items that can't be read as a node."""
    items = data.get("items", [data]) if isinstance(data, dict) else []
    nodes: list[LiveNode] = []
    unread: list[str] = []
    for position, item in enumerate(items if isinstance(items, list) else []):
        node = _node(item)
        if node is None:
            unread.append(_at(item, "metadata", "name", str) or f"item {position}")
        else:
            nodes.append(node)
    return nodes, unread


def _node(item: Any) -> LiveNode | None:
    name, labels = _at(item, "metadata", "name", str), _at(item, "metadata", "labels", dict) or {}
    allocatable = _at(item, "status", "allocatable", dict)
    if not name or not allocatable or item.get("kind", "Node") != "Node":
        return None
    amounts = {key: _amount(value) for key, value in allocatable.items()}
    cpus, memory = amounts.get("cpu"), amounts.get("memory")
    if cpus is None or memory is None or memory > _MOST_MEMORY:
        return None
    whole = {str(key): int(value) for key, value in amounts.items() if value is not None and value >= 1}
    gpus = [(key, count) for key, count in whole.items() if key.endswith("/gpu")]
    return LiveNode(
        name=name,
        provider_id=_at(item, "spec", "providerID", str) or "",
        labels=MappingProxyType({str(key): value for key, value in labels.items() if isinstance(value, str)}),
        cpus=int(cpus),
        memory_mib=int(memory / 1024**2),
        gpus=max(gpus, key=lambda gpu: gpu[1], default=None),
        resources=MappingProxyType({key: str(n) for key, n in whole.items() if _FAST_NETWORKS.fullmatch(key)}),
        taints=tuple(_taints(_at(item, "spec", "taints", list) or [])),
    )


def _taints(taints: Sequence[Any]) -> list[tuple[str, str | None, str]]:
    lasting = []
    for taint in taints:
        key, effect, value = (
            taint.get(field) if isinstance(taint, dict) else None for field in ("key", "effect", "value")
        )
        is_passing = isinstance(key, str) and _PASSING_TAINTS.fullmatch(key)
        if isinstance(key, str) and isinstance(effect, str) and not is_passing:
            lasting.append((key, value if isinstance(value, str) and value else None, effect))
    return lasting


def _amount(value: Any) -> Fraction | None:
    try:
        return Fraction(quantity(str(value)))
    except PydanticCustomError:
        return None


def _at(item: Any, section: str, field: str, kind: type) -> Any:
    """Return what a part of an object has in a field, or None if it has nothing of this type there."""
    part = item.get(section) if isinstance(item, dict) else None
    value = part.get(field) if isinstance(part, dict) else None
    return value if isinstance(value, kind) else None
