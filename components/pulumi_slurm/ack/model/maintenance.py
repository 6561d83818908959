"""When ACK may upgrade a cluster and its nodes.

Source: the provider's description of maintenance_window of alicloud_cs_managed_kubernetes.
"""

from enum import StrEnum

from pydantic import Field

from pulumi_slurm.clouds.maintenance import MaintenanceWindowSpec


class UpgradeChannel(StrEnum):
    """What ACK upgrades a cluster to by itself."""

    PATCH = "patch"
    STABLE = "stable"
    RAPID = "rapid"


class AckMaintenanceWindowSpec(MaintenanceWindowSpec):
    """When ACK may upgrade the control plane and managed nodes."""

    start: str = "2026-01-03T02:00:00.000+08:00"
    """The beginning of the first window, in RFC 3339 form; its time of day is that of all windows."""
    hours: int = Field(default=6, ge=1, le=24)
    """How long a window is, in hours."""
