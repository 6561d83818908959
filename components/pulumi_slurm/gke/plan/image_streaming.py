"""What image streaming takes of a node's memory, beside what GKE keeps on every node.

Source: https://cloud.google.com/kubernetes-engine/docs/how-to/image-streaming, section "Memory reservation for Image
streaming", as https://github.com/hatemosphere/gke-node-allocatable-memory-calculator has written it down. Google
names no CPUs there. See docs/verification.md.
"""

from math import inf

_KEPT = ((4, 0.10), (4, 0.08), (8, 0.04), (112, 0.024), (inf, 0.008))
"""Of how many GiB, one slice after the other, image streaming takes which part."""


def image_streaming_gib(memory_gib: float) -> float:
    """Return the GiB that image streaming takes of a node with ``memory_gib``; nothing up to 1 GiB."""
    if memory_gib <= 1:
        return 0.0
    taken = 0.0
    for size, part in _KEPT:
        taken += min(memory_gib, size) * part
        memory_gib -= min(memory_gib, size)
    return taken
