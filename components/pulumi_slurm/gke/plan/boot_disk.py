"""Which boot disks a machine type supports.

Source: https://cloud.google.com/compute/docs/disks/hyperdisks#machine-type-support and the Compute API's description of
diskType.
"""

import re

from pulumi_slurm.gke.model.pool import GkeDiskSpec

HYPERDISK = "hyperdisk-balanced"
PERSISTENT = "pd-balanced"

_HYPERDISK_ONLY = re.compile(r"(c4|c4a|c4d|c4n|n4|n4a|n4d|h4d|g4|a4|a4x)-.*|a3-ultragpu-.*")
_NO_HYPERDISK = re.compile(r"(e2|n1|n2|n2d|t2a|t2d|c2|c2d|a2|g2)-.*")


def disk_type(disk: GkeDiskSpec, machine_type: str) -> str:
    """Return the type of a boot disk: the configured one, or one that the machine type supports."""
    return disk.type or (HYPERDISK if _HYPERDISK_ONLY.fullmatch(machine_type) else PERSISTENT)


def supports(machine_type: str, disk_type: str) -> bool:
    """Return whether a machine type supports a type of boot disk; True for machine types that aren't listed here."""
    if disk_type == HYPERDISK:
        return not _NO_HYPERDISK.fullmatch(machine_type)
    return not _HYPERDISK_ONLY.fullmatch(machine_type)
