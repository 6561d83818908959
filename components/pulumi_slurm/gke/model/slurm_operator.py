"""The choice of who runs slurm-operator on the cluster."""

from enum import StrEnum


class GkeOperator(StrEnum):
    """Who runs slurm-operator."""

    SLINKY = "slinky"
    GKE_ADDON = "gke-addon"
