"""Nodes without machines, and volumes without disks: what the API server is told about them.

The nodes have the capacities, labels and taints of the machines that a Slurm cluster on a cloud runs on. kwok keeps
them ready and plays the volume provisioner; its rules come from the kwok module, adapted to one default StorageClass.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

GPU_TAINT: Mapping[str, str] = {"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}
STORAGE_CLASS = "standard"
KWOK_VOLUMES = "kwok.x-k8s.io/volume"
"""The provisioner of simulated nodes: kwok's volume rules."""
POD_READY_AGAIN = Path(__file__).with_name("kwok_pod_ready_again.yaml")
"""A rule of kubelet's that kwok's own ones lack."""
SIMULATED = "kwok.x-k8s.io/node=fake"
"""The annotation of nodes that kwok keeps."""


@dataclass(frozen=True)
class NodeShape:
    """`count` nodes alike, named `<name>-0` and so on."""

    name: str
    count: int
    cpus: int
    memory_gib: int
    gpus: int = 0
    labels: Mapping[str, str] = field(default_factory=dict)
    taints: Sequence[Mapping[str, str]] = ()

    def manifests(self) -> list[dict[str, Any]]:
        """Return the Node objects."""
        return [self._manifest(f"{self.name}-{index}") for index in range(self.count)]

    def _manifest(self, name: str) -> dict[str, Any]:
        # Any address will do, as long as it stays the same; nothing listens there and nothing is sent there.
        number = zlib.crc32(name.encode())
        addresses = [
            {"type": "InternalIP", "address": f"10.200.{number >> 8 & 255}.{number % 254 + 1}"},
            {"type": "Hostname", "address": name},
        ]
        capacity = {
            "cpu": str(self.cpus),
            "memory": f"{self.memory_gib}Gi",
            "ephemeral-storage": "500Gi",
            "pods": "110",
            **({"nvidia.com/gpu": str(self.gpus)} if self.gpus else {}),
        }
        labels = {
            "kubernetes.io/hostname": name,
            "kubernetes.io/os": "linux",
            "kubernetes.io/arch": "amd64",
            **self.labels,
        }
        return {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": name, "labels": labels, "annotations": dict([SIMULATED.split("=")])},
            **({"spec": {"taints": [dict(taint) for taint in self.taints]}} if self.taints else {}),
            "status": {"capacity": capacity, "allocatable": capacity, "addresses": addresses},
        }


def _labels(pool: str, instance_type: str, **more: str) -> dict[str, str]:
    return {
        "node.kubernetes.io/instance-type": instance_type,
        "topology.kubernetes.io/region": "local",
        "topology.kubernetes.io/zone": "local-a",
        "pulumi-slurm/pool": pool,
        **more,
    }


DEFAULT_NODES: tuple[NodeShape, ...] = (
    NodeShape("system", 2, 8, 32, labels=_labels("system", "cpu-8")),
    NodeShape("cpu", 4, 16, 64, labels=_labels("cpu", "cpu-16")),
    NodeShape(
        "gpu",
        4,
        64,
        512,
        gpus=8,
        labels=_labels("gpu", "gpu-h100-8", **{"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3"}),
        taints=(GPU_TAINT,),
    ),
)


def storage_class(provisioner: str) -> dict[str, Any]:
    """Return the default StorageClass with a provisioner."""
    return {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {
            "name": STORAGE_CLASS,
            "annotations": {"storageclass.kubernetes.io/is-default-class": "true"},
        },
        "provisioner": provisioner,
        "reclaimPolicy": "Delete",
        "volumeBindingMode": "Immediate",
        "allowVolumeExpansion": True,
    }


def kwok_config(stages: Path, *, volumes: bool) -> str:
    """Return kwok's configuration: how nodes, pods and, if asked for, volumes go from one state to the next."""
    files = [file for file in sorted(stages.glob("*.yaml")) if volumes or not file.name.startswith("pv")]
    documents = [file.read_text().strip() for file in (*files, POD_READY_AGAIN)]
    # The rules name a class and a folder of kwok's own examples. No process ever makes that folder.
    return "\n---\n".join(documents).replace("kwok-volume", STORAGE_CLASS) + "\n"
