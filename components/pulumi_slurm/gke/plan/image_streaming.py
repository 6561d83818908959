"""The memory of a node that image streaming reserves, in addition to what GKE reserves on every node.

Source: https://cloud.google.com/kubernetes-engine/docs/how-to/image-streaming, section "Memory reservation for Image
streaming", in the formulation of https://github.com/hatemosphere/gke-node-allocatable-memory-calculator
(gke_memory_calculator.py at commit 5f32e3d, which corrects the ten times larger numbers of its README). Google mentions
no CPUs there.
"""

from math import inf

from pulumi_slurm.machines.allocatable import part_of_slices

_RESERVED_FRACTIONS = ((1, 0.0), (3, 0.01), (4, 0.008), (8, 0.004), (112, 0.0024), (inf, 0.0008))
"""Sizes in GiB of successive slices of a node's memory, with the fraction of each that image streaming reserves."""


def image_streaming_gib(memory_gib: float) -> float:
    """Return the GiB that image streaming reserves on a node with ``memory_gib``; nothing up to 1 GiB."""
    return part_of_slices(memory_gib, _RESERVED_FRACTIONS)
