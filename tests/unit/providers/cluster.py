"""Slurm clusters on Kubernetes clusters of each provider, as a stack reads them."""

from typing import Any

from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm_stacks.kubernetes_config import KubernetesConfig

GPUS = {"type": "h100", "count": 8}
STATE = {"state": {"storageClass": "ssd"}}


def pool(name: str, labels: dict[str, str] | None = None, gpus: Any = None, **fields: Any) -> dict[str, Any]:
    machine = {"cpus": 64, "memory": "512Gi", **({"gpus": gpus} if gpus else {})}
    return {"name": name, "machine": machine, "nodeLabels": {"pool": name, **(labels or {})}, **fields}


def cluster(*names: str, **fields: Any) -> dict[str, Any]:
    """Return a cluster with a node set of two workers, and a partition, on each of these pools."""
    node_sets = [{"name": name, "pool": name, "replicas": 2, "partition": {}} for name in names]
    return {"name": "hpc", "controller": STATE, "nodeSets": node_sets, **fields}


def settings(provider: str | None, pools: list[dict[str, Any]], cluster: dict[str, Any]) -> dict[str, Any]:
    return {
        "kind": "kubernetes",
        **({"provider": provider} if provider else {}),
        "pools": pools,
        "cluster": cluster,
    }


def read(provider: str | None, pools: list[dict[str, Any]], cluster: dict[str, Any]) -> KubernetesConfig:
    """Return the configuration of a stack; it must have no errors."""
    reading = KubernetesConfig.read(settings(provider, pools, cluster))
    assert list(map(str, reading.errors)) == []
    assert isinstance(reading.config, KubernetesConfig)
    return reading.config


def errors(provider: str | None, pools: list[dict[str, Any]], cluster: dict[str, Any]) -> list[str]:
    """Return the errors of a stack's configuration."""
    return list(map(str, KubernetesConfig.read(settings(provider, pools, cluster)).errors))


def built(
    provider: str | None, pools: list[dict[str, Any]], cluster: dict[str, Any]
) -> tuple[SlurmSpec, list[NodePoolSpec]]:
    """Return a cluster as it is built, and its pools."""
    config = read(provider, pools, cluster)
    return config.cluster, config.pools
