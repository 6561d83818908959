"""The least that GPUs are expected to reach, by their type, in GB/s."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

TO_DEVICE, FROM_DEVICE, MEMORY, PEER, ALL_REDUCE = "to-device", "from-device", "memory", "peer", "all-reduce"
"""What is measured: copies between host and GPU, within a GPU, between those of a node; NCCL's all_reduce of those."""


class Floor(NamedTuple):
    """A rate that has to be reached, and who says so."""

    rate: float
    source: str


_HOST = "https://github.com/Azure/azurehpc-health-checks, conf"
_DCGM = "https://github.com/NVIDIA/DCGM, diag-skus.yaml.in"
_NCCL = "https://github.com/stas00/ml-engineering, network/benchmarks, less a tenth"
_SCANNER = "https://github.com/GoogleCloudPlatform/cluster-health-scanner, deploy/helm/health_checks/nccl_healthcheck"
_OF_HOST = MappingProxyType({TO_DEVICE: Floor(48, _HOST), FROM_DEVICE: Floor(48, _HOST)})
FLOORS: Mapping[str, Mapping[str, Floor]] = MappingProxyType(
    {
        "a100": {TO_DEVICE: Floor(21, _HOST), FROM_DEVICE: Floor(21, _HOST), ALL_REDUCE: Floor(210, _NCCL)},
        "h100": {**_OF_HOST, MEMORY: Floor(1905, _DCGM), ALL_REDUCE: Floor(430, _NCCL)},
        "h200": {**_OF_HOST, ALL_REDUCE: Floor(430, _NCCL)},
        "b200": {MEMORY: Floor(4072, _DCGM), ALL_REDUCE: Floor(750, _NCCL)},
        "l40s": {MEMORY: Floor(525, _DCGM)},
        "l4": {MEMORY: Floor(198, _DCGM)},
        "h20": {MEMORY: Floor(1507, _DCGM)},
    }
)
"""Floors by GPU, that of all_reduce for eight of them; what isn't here is compared with a baseline."""


class Network(NamedTuple):
    """What NCCL goes over between nodes of a cloud's machine type."""

    name: str
    """The beginning of its name in NCCL's log."""
    floor: Floor
    """The bus bandwidth of all_gather between two nodes with all of their GPUs."""


NETWORKS: Mapping[str, Network] = MappingProxyType(
    {
        "a3-highgpu-8g": Network("GPUDirectTCPX", Floor(60, _SCANNER)),
        "a3-megagpu-8g": Network("FasTrak", Floor(150, _SCANNER)),
        "a3-ultragpu-8g": Network("gIB", Floor(250, _SCANNER)),
        "a4-highgpu-8g": Network("gIB", Floor(250, _SCANNER)),
    }
)
"""Networks by machine type, where Google's plugin is installed: not on A4X, which needs another one."""
_PART = re.compile(r"\dg\.|mig")
"""A part of a GPU by MIG, such as "h100_1g.10gb", which has a part of its rates."""
_OTHERS = re.compile(rf"{_PART.pattern}|pcie|nvl(?!ink)")
"""What has other rates than the type that its name begins with: parts, and cards for PCIe such as "h100-nvl"."""
_TYPE = re.compile(rf"(?<![a-z0-9])({'|'.join(sorted(FLOORS, key=len, reverse=True))})(?![a-z0-9])")


def is_part(gpu: str | None) -> bool:
    """Return whether a type is of a part of a GPU by MIG."""
    return bool(_PART.search((gpu or "").lower()))


def floor_of(gpu: str | None, kind: str) -> Floor | None:
    """Return the floor of a kind of rate, by a GPU's type such as "h100" or "nvidia-h100-80gb"; None without one."""
    name = (gpu or "").lower()
    match = None if _OTHERS.search(name) else _TYPE.search(name)
    return FLOORS[match[1]].get(kind) if match else None
