"""The version of GKE that a pool's machines and their fast network need."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from pulumi_slurm.gke.model.versions import parse
from pulumi_slurm.gke.plan.extra_networks import uses_fabric
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool
from pulumi_slurm.machines.gke import GkeFabric

_MACHINES: Mapping[re.Pattern[str], str] = MappingProxyType(
    {
        re.compile(r"a3-ultragpu-.*"): "1.31.4-gke.1183000",
        re.compile(r"a4-.*"): "1.32.1-gke.1729000",
        re.compile(r"a4x-.*"): "1.32.8-gke.1108000",
        re.compile(r"g4-.*"): "1.34.0-gke.1662000",
        re.compile(r"h4d-.*"): "1.32.6-gke.1060000",
    }
)
"""Of the series of which Google says it: https://cloud.google.com/kubernetes-engine/docs/how-to/gpus,
https://cloud.google.com/ai-hypercomputer/docs/create/gke-ai-hypercompute and
https://cloud.google.com/kubernetes-engine/docs/how-to/run-hpc-workloads."""
H4D_THAT_COME_AND_GO = "1.33.2-gke.4731000"
"""H4D with flex-start or autoscaling, by the last of these pages."""
_A4_WITH_RDMA = "1.32.2-gke.1475000"
_MULTI_NETWORKING = "1.28"
"""https://cloud.google.com/kubernetes-engine/docs/how-to/setup-multinetwork-support-for-pods."""
_DAEMONS: Mapping[GkeFabric, str] = MappingProxyType({GkeFabric.TCPX: "1.29", GkeFabric.TCPXO: "1.29.4-gke.1542000"})
"""The daemons of GPUDirect are sidecars, which are on by default from 1.29 on:
https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/. GPUDirect-TCPXO:
https://cloud.google.com/kubernetes-engine/docs/how-to/gpu-bandwidth-gpudirect-tcpx."""


def min_machine_version(planned: GkePlannedPool) -> str | None:
    """Return the first version with which a pool can be made, or None where Google says of none."""
    name, option = planned.machine_type.name, planned.capacity_option
    versions = [version for pattern, version in _MACHINES.items() if pattern.fullmatch(name)]
    if name.startswith("h4d-") and option.nodes is None:
        versions.append(H4D_THAT_COME_AND_GO)
    if uses_fabric(planned):
        versions.append(_DAEMONS.get(planned.machine_type.fabric, _MULTI_NETWORKING))
        if name.startswith("a4-"):
            versions.append(_A4_WITH_RDMA)
    return max(versions, key=parse, default=None)
