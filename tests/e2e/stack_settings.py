"""Settings of stacks on the embedded cluster."""

from typing import Any

Settings = dict[str, Any]

CPU_POOL = {
    "name": "cpu",
    "machine": {"cpus": 16, "memory": "64Gi"},
    "nodeLabels": {"pulumi-slurm/pool": "cpu"},
    "maxNodes": 4,
}
GPU_POOL = {
    "name": "gpu",
    "machine": {"cpus": 64, "memory": "512Gi", "gpus": {"type": "h100", "count": 8}},
    "nodeLabels": {"pulumi-slurm/pool": "gpu"},
    "taints": [{"key": "nvidia.com/gpu", "value": "present"}],
    "maxNodes": 4,
}
CPU_NODES = {"name": "cpu", "pool": "cpu", "replicas": 1, "wait": True}
MAIN = {"name": "main", "nodeSets": ["ALL"], "default": True}


def small(name: str, **cluster: Any) -> Settings:
    """Return the settings of a small cluster in a namespace of its name; ``cluster`` replaces parts of it."""
    parts = {
        "name": name,
        "namespace": name,
        "operatorVersion": "1.1.0",
        "nodeSets": [CPU_NODES],
        "partitions": [MAIN],
        **cluster,
    }
    return {
        "slurm:kind": "local",
        "slurm:createNamespace": False,
        "slurm:pools": [CPU_POOL, GPU_POOL],
        "slurm:cluster": parts,
    }
