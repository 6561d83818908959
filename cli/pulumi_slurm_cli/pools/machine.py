"""What slurmd can have on each of some nodes that are alike: the machine of their pool."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from pulumi_slurm.derived.machines import machine_after_reserve
from pulumi_slurm.model.machine import NVIDIA_GPU, NodePoolSpec, slurmd_fits
from pulumi_slurm.providers.provider import PROVIDERS, Provider
from pulumi_slurm_cli.pools.node import LiveNode, names

PRODUCT = "nvidia.com/gpu.product"
"""The label of NVIDIA's feature discovery with the product of a node's GPUs: "NVIDIA-A100-SXM4-80GB"."""
_MODEL = re.compile(r"[a-z]{1,2}[0-9]{1,4}[a-z]?")
_MOST_GPUS = 64


def machine_of(nodes: Sequence[LiveNode], provider: Provider) -> tuple[dict[str, Any] | None, list[str]]:
    """Return the machine as it is written in settings, or None if slurmd doesn't fit there, and what to tell of it."""
    memory = min(node.memory_mib for node in nodes)
    machine: dict[str, Any] = {
        "cpus": min(4096, *(node.cpus for node in nodes)),
        "memory": f"{memory // 1024}Gi" if memory >= 16384 else f"{memory}Mi",
    }
    if not slurmd_fits(machine["cpus"], memory) or not _fits_beside_others(machine):
        return None, []
    gpus, notes = _gpus(nodes, provider)
    resources = dict(set.intersection(*(set(node.resources.items()) for node in nodes)))
    machine |= {"gpus": gpus} if gpus else {}
    machine |= {"resources": dict(sorted(resources.items()))} if resources else {}
    return machine, notes


def _gpus(nodes: Sequence[LiveNode], provider: Provider) -> tuple[dict[str, Any] | None, list[str]]:
    nodes_by_resource = Counter(node.gpus[0] for node in nodes if node.gpus)
    if not nodes_by_resource:
        return None, []
    resource = nodes_by_resource.most_common(1)[0][0]
    count = min(node.gpus[1] for node in nodes if node.gpus and node.gpus[0] == resource)
    if count > _MOST_GPUS:
        return None, [f"{count} of {resource} are shares of GPUs; write how many each slurmd gets."]
    others = [node for node in nodes if node.gpus != (resource, count)]
    notes = [f"not all nodes have {count} of {resource}, see {names(others)}."] if others else []
    gpu_type = _gpu_type(provider, resource, nodes)
    gpus = {
        **({"type": gpu_type} if gpu_type else {}),
        "count": count,
        **({"resource": resource} if resource != NVIDIA_GPU else {}),
    }
    return gpus, notes


def _fits_beside_others(machine: Mapping[str, Any]) -> bool:
    remaining = machine_after_reserve(NodePoolSpec(name="p", machine=machine, node_labels={"p": "p"}))
    return slurmd_fits(remaining.cpus, remaining.memory_mib)


def _gpu_type(provider: Provider, resource: str, members: Sequence[LiveNode]) -> str | None:
    """Return the model of NVIDIA's GPUs, as in "h100", which is part of the name by which slurmd finds them."""
    if resource != NVIDIA_GPU:
        return None
    for label in (*PROVIDERS[provider].gpu_labels, PRODUCT):
        products = {node.labels.get(label, "").lower() for node in members if node.gpus}
        models = {next(filter(_MODEL.fullmatch, re.split("[-_ ]", product)), None) for product in products}
        if len(models) == 1 and (model := models.pop()):
            return model
    return None
