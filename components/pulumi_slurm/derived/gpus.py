"""The GPUs of node sets, and how slurmd finds them on its node.

Source: _handle_autodetect_flags in src/interfaces/gres.c and src/interfaces/gpu.c of SchedMD/slurm, branch slurm-25.11.
"""

from collections.abc import Iterator, Sequence
from types import MappingProxyType

from pulumi_slurm.derived.machines import machine_of
from pulumi_slurm.model.machine import NVIDIA_GPU, NodePoolSpec
from pulumi_slurm.model.node_set import NodeSetSpec
from pulumi_slurm.model.slurm import SlurmSpec

NVIDIA = "nvidia"
AUTODETECT = MappingProxyType(
    {
        NVIDIA_GPU: NVIDIA,
        "amd.com/gpu": "rsmi",
        "gpu.intel.com/i915": "oneapi",
        "gpu.intel.com/xe": "oneapi",
    }
)
"""The value of AutoDetect in gres.conf by the resource of the vendor's device plugin.

A resource that stands for a part of a GPU, or for one of several users of a GPU, has none: slurmd counts whole devices.
Sources: https://github.com/NVIDIA/k8s-device-plugin, https://github.com/ROCm/k8s-device-plugin and
https://intel.github.io/intel-device-plugins-for-kubernetes/cmd/gpu_plugin/README.html.
"""


def gpu_resources(spec: SlurmSpec, pools: Sequence[NodePoolSpec]) -> Iterator[tuple[int, NodeSetSpec, str]]:
    """Yield the node sets with GPUs, each with its index and the GPUs' extended resource."""
    for index, node_set in enumerate(spec.node_sets):
        machine = machine_of(node_set, pools)
        if machine and machine.gpus:
            yield index, node_set, machine.gpus.resource
