"""Which boot disks a machine type supports.

Source: supportedBootDiskTypes in pkg/cloudprovider/gke/machinetypes of
https://github.com/GoogleCloudPlatform/cluster-autoscaler, GKE's own autoscaler, commit 7d25050. It has the same as
https://cloud.google.com/compute/docs/disks/hyperdisks#machine-type-support.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

from pulumi_slurm.gke.model.pool import DISK_TYPES, GkeDiskSpec

HYPERDISK = "hyperdisk-balanced"
PERSISTENT = "pd-balanced"
_SSD = "pd-ssd"
_STANDARD = "pd-standard"

_SUPPORTED: Mapping[re.Pattern[str], frozenset[str]] = MappingProxyType(
    {
        re.compile(r"(c4|c4a|c4d|c4n|n4|n4a|n4d|h4d|g4|a4|a4x|m4)-.*|a3-ultragpu-.*"): frozenset({HYPERDISK}),
        re.compile(r"(e2|n1|n2|n2d|t2a|t2d|c2|c2d|a2)-.*"): frozenset({PERSISTENT, _SSD, _STANDARD}),
        re.compile(r"g2-.*"): frozenset({PERSISTENT, _SSD}),
        re.compile(r"(c3|c3d|z3)-.*|a3-(high|mega|edge)gpu-.*"): frozenset({PERSISTENT, _SSD, HYPERDISK}),
        re.compile(r"h3-.*"): frozenset({PERSISTENT, HYPERDISK}),
    }
)
"""The boot disks of series; those of others are taken to be all."""


def disk_type(disk: GkeDiskSpec, machine_type: str) -> str:
    """Return the type of a boot disk: the configured one, or one that the machine type supports."""
    return disk.type or (PERSISTENT if supports(machine_type, PERSISTENT) else HYPERDISK)


def supported(machine_type: str) -> list[str]:
    """Return the boot disks that a machine type supports, the most usual ones first."""
    of_its_series = (types for pattern, types in _SUPPORTED.items() if pattern.fullmatch(machine_type))
    types = next(of_its_series, frozenset(DISK_TYPES))
    return [disk_type for disk_type in DISK_TYPES if disk_type in types]


def supports(machine_type: str, disk_type: str) -> bool:
    """Return whether a machine type supports a type of boot disk; True for machine types that aren't listed here."""
    return disk_type in supported(machine_type)
