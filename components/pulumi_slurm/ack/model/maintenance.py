"""When ACK may upgrade a cluster and its nodes.

Source: the provider's description of maintenance_window of alicloud_cs_managed_kubernetes.
"""

from enum import StrEnum

from pydantic import Field

from pulumi_slurm.clouds.maintenance import MaintenanceWindowSpec


class UpgradeChannel(StrEnum):
    """The channels by which ACK upgrades a cluster automatically."""

    PATCH = "patch"
    STABLE = "stable"
    RAPID = "rapid"


class AckMaintenanceWindowSpec(MaintenanceWindowSpec):
    """When ACK may upgrade the control plane and managed nodes."""

    start: str = "2026-01-03T02:00:00.000+08:00"
    """The start of the first window, in RFC 3339 form; all windows start at its time of day."""
    hours: int = Field(default=6, ge=1, le=24)
    """The length of a window in hours."""
