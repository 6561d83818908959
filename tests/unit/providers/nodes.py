"""Nodes of live clusters, as `kubectl get nodes -o json` prints them."""

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from pulumi_slurm.providers.provider import INSTANCE_TYPE

IDS = {
    "gke": "gce://my-project/us-central1-b/gke-1",
    "ack": "cn-hangzhou.i-bp1abc",
    "eks": "aws:///us-east-1a/i-0123456789",
    "aks": "azure:///subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachineScaleSets/v/0",
    "oke": "ocid1.instance.oc1.iad.abc",
    "bare": "",
}
POOL_LABELS = {
    "gke": "cloud.google.com/gke-nodepool",
    "ack": "alibabacloud.com/nodepool-id",
    "eks": "eks.amazonaws.com/nodegroup",
    "aks": "kubernetes.azure.com/agentpool",
    "oke": "oke.oraclecloud.com/pool.name",
    "bare": "rack",
}


def node(
    name: str,
    provider: str = "bare",
    labels: dict[str, str] | None = None,
    taints: Any = (),
    **allocatable: str,
) -> dict[str, Any]:
    """Return a node; ``allocatable`` adds to what every node has."""
    return {
        "kind": "Node",
        "metadata": {"name": name, "labels": {"kubernetes.io/os": "linux", **(labels or {})}},
        "spec": {"providerID": IDS[provider], "taints": list(taints)},
        "status": {"allocatable": {"cpu": "15890m", "memory": "59212444Ki", "pods": "110", **allocatable}},
    }


def listed(*nodes: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "List", "items": list(nodes)}


_names = st.from_regex(r"[A-Za-z0-9]([A-Za-z0-9_.-]{0,60}[A-Za-z0-9])?", fullmatch=True)
_cpus = st.sampled_from(["940m", "1", "1930m", "3920m", "15890m", "63", "207410m", "5000"])
_memory = st.sampled_from(["900Mi", "2Gi", "6Gi", "59212444Ki", "59212448Ki", "474Gi", "503Gi", "2886Gi", "1073741824"])
_gpus = st.sampled_from(
    [
        {},
        {"nvidia.com/gpu": "8"},
        {"nvidia.com/gpu": "7"},
        {"nvidia.com/gpu": "80"},
        {"amd.com/gpu": "8"},
        {"vpc.amazonaws.com/efa": "32", "nvidia.com/gpu": "8"},
        {"rdma/hca": "8", "nvidia.com/gpu": "0"},
    ]
)
_taints = st.sampled_from(
    [
        [],
        [{"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}],
        [{"key": "nvidia.com/gpu", "effect": "NoSchedule"}, {"key": "spot", "value": "true", "effect": "NoExecute"}],
        [{"key": "node.kubernetes.io/not-ready", "effect": "NoExecute"}],
        [{"key": "node-role.kubernetes.io/control-plane", "effect": "NoSchedule"}],
    ]
)


def _labels(provider: str) -> SearchStrategy[dict[str, str]]:
    return st.fixed_dictionaries(
        {},
        optional={
            POOL_LABELS[provider]: st.sampled_from(["cpu", "gpu", "GPU_2", "7", "np0123456789abcdef"]) | _names,
            INSTANCE_TYPE: st.sampled_from(["k3s", "n2-standard-8", "a3-ultragpu-8g", "p5.48xlarge", "BM.GPU.H100.8"]),
            "nvidia.com/gpu.product": st.sampled_from(["NVIDIA-H100-80GB-HBM3", "NVIDIA-GeForce-RTX-4090", "Tesla-T4"]),
            "slurm.pulumi.com/pool": st.sampled_from(["cpu", "gpu"]),
            "team": st.sampled_from(["a", "b"]),
        },
    )


@st.composite
def clusters(draw: DrawFn) -> dict[str, Any]:
    """Draw the nodes of a cluster, all in all odd ones."""
    provider = draw(st.sampled_from(sorted(IDS)))
    count = draw(st.integers(1, 7))
    nodes = [node(f"node-{number}", provider, draw(_labels(provider)), draw(_taints)) for number in range(count)]
    for one in nodes:
        one["status"]["allocatable"] |= {"cpu": draw(_cpus), "memory": draw(_memory), **draw(_gpus)}
    return listed(*nodes)
