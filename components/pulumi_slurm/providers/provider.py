"""What is known of the Kubernetes clusters of each provider, with its sources."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from pulumi_slurm.model import TopologyKind, TopologySpec

INSTANCE_TYPE = "node.kubernetes.io/instance-type"
"""The label with a node's machine type, on every cloud: https://kubernetes.io/docs/reference/labels-annotations-taints/."""


class Provider(StrEnum):
    """Who runs a Kubernetes cluster; "bare" is yourself, on machines of your own."""

    GKE = "gke"
    ACK = "ack"
    EKS = "eks"
    AKS = "aks"
    OKE = "oke"
    BARE = "bare"


@dataclass(frozen=True)
class ProviderFacts:
    """What is known of a provider's clusters."""

    name: str
    """What people call them: "GKE"."""
    node_name: str | None = None
    """The name of a node, where such names have dots; Slurm's names end at the first of them."""
    names_differ_before_the_dot: bool = True
    """Whether nodes have different names up to the first dot."""
    pool_labels: tuple[str, ...] = ()
    """Labels with the name or the id of a node's pool, any of which a node has."""
    gpu_labels: tuple[str, ...] = ()
    """Labels with the product of a node's GPUs, beside that of NVIDIA's feature discovery."""
    driver_is_mounted: bool = False
    """Whether NVIDIA's driver is in a folder of the pod that no variable leads to, see `providers.gpu_driver`."""
    topology: TopologySpec | None = None
    """The place of nodes in its network, by labels of nodes."""
    has_places: Callable[[Mapping[str, str]], object] = lambda _: False
    """Whether nodes with some labels, such as that of their machine type, have those of the network too."""
    disk_class: str | None = None
    """A StorageClass that its clusters begin with, where none is the default."""


def _tree(name: str, *labels: str) -> TopologySpec:
    return TopologySpec(name=name, kind=TopologyKind.TREE, node_labels=list(labels))


GKE_NETWORK = _tree("gke", "cloud.google.com/gce-topology-block", "cloud.google.com/gce-topology-subblock")
"""Google's network: https://cloud.google.com/ai-hypercomputer/docs/workloads/schedule-gke-workloads-tas."""


def _where(label: str, pattern: str) -> Callable[[Mapping[str, str]], object]:
    """Return whether one of a node's labels has a value that the whole pattern matches."""
    return lambda labels: re.fullmatch(pattern, labels.get(label, ""))


_GKE = ProviderFacts(
    "GKE",
    pool_labels=("cloud.google.com/gke-nodepool",),
    gpu_labels=("cloud.google.com/gke-accelerator",),
    driver_is_mounted=True,
    topology=GKE_NETWORK,
    # Those with a fast network in pulumi_slurm.machines.gke, whose table a test compares.
    has_places=_where(INSTANCE_TYPE, r"a3-(high|mega|ultra)gpu-8g|a4-highgpu-8g|a4x-highgpu-4g|h4d-\w+-192(-lssd)?"),
)

_ACK = ProviderFacts(
    "ACK",
    # https://www.alibabacloud.com/help/en/ack/ack-managed-and-ack-dedicated/user-guide/overview-9, custom node names.
    node_name="cn-hangzhou.10.0.0.1",
    names_differ_before_the_dot=False,
    pool_labels=("alibabacloud.com/nodepool-id",),
    gpu_labels=("aliyun.accelerator/nvidia_name",),
    # https://help.aliyun.com/zh/ack/ack-managed-and-ack-dedicated/user-guide/disk-volume-overview-3
    disk_class="alicloud-disk-topology-alltype",
)

_EKS = ProviderFacts(
    "EKS",
    # https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/hostname-types.html; the kubelet takes the private DNS name.
    node_name="ip-10-0-0-1.ec2.internal",
    # https://docs.aws.amazon.com/eks/latest/userguide/ml-workload-placement.html
    pool_labels=("eks.amazonaws.com/nodegroup", "karpenter.sh/nodepool", "alpha.eksctl.io/nodegroup-name"),
    gpu_labels=("eks.amazonaws.com/instance-gpu-name", "karpenter.k8s.aws/instance-gpu-name"),
    # https://docs.aws.amazon.com/eks/latest/userguide/ml-workload-topology.html: from the top of the network down.
    topology=_tree("eks", *(f"topology.k8s.aws/network-node-layer-{layer}" for layer in (1, 2, 3))),
    # https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-instance-topology-prerequisites.html
    has_places=_where(INSTANCE_TYPE, r"(g6e|g7e|hpc\d+\w*|p3dn|p4de?|p5e?n?|p6[\w-]*|trn\d\w*)\.\w+"),
    # Not the default since 1.30: https://docs.aws.amazon.com/eks/latest/userguide/kubernetes-versions-standard.html
    disk_class="gp2",
)

_AKS = ProviderFacts(
    "AKS",
    # https://learn.microsoft.com/azure/aks/use-labels
    pool_labels=("kubernetes.azure.com/agentpool", "agentpool"),
)

_OKE = ProviderFacts(
    "OKE",
    # Nodes are named by their addresses: `kubectl get nodes` in README.md of
    # https://github.com/oracle-quickstart/oci-hpc-oke.
    node_name="10.0.0.1",
    names_differ_before_the_dot=False,
    # Set by Oracle's own modules: https://github.com/oracle-terraform-modules/terraform-oci-oke.
    pool_labels=("oke.oraclecloud.com/pool.name",),
    # "Using RDMA network locality" in docs/ of https://github.com/oracle-quickstart/oci-hpc-oke, of bare-metal shapes.
    topology=_tree(
        "oke", *(f"oci.oraclecloud.com/rdma.{part}_id" for part in ("hpc_island", "network_block", "local_block"))
    ),
    has_places=_where(INSTANCE_TYPE, r"BM\.GPU.*"),
)

PROVIDERS: Mapping[Provider, ProviderFacts] = MappingProxyType(
    {
        Provider.GKE: _GKE,
        Provider.ACK: _ACK,
        Provider.EKS: _EKS,
        Provider.AKS: _AKS,
        Provider.OKE: _OKE,
        Provider.BARE: ProviderFacts("a cluster of your own"),
    }
)
