"""Loading a GKE specification from plain data, with all errors at once."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pulumi_slurm.clouds.load import load_cloud
from pulumi_slurm.errors import Path, spelled_like
from pulumi_slurm.gke.model.cluster import GkeSpec
from pulumi_slurm.gke.model.names import region_of
from pulumi_slurm.gke.rules import check_gke

PLACEHOLDERS = MappingProxyType({"project": "unnamed", "region": "us-central1", "zones": ("us-central1-a",)})
"""Values for required fields that are missing or invalid, so that the rules can check the other fields."""


def load_gke(data: Mapping[str, Any], *, at: Path = ()) -> GkeSpec:
    """Parse plain data into a specification.

    ``at`` is its path in the user's file; paths of errors start there.

    Raises:
        SpecError: with all errors: invalid fields are removed, and the rules check the remaining ones.
    """
    with spelled_like(data):
        return load_cloud(
            GkeSpec,
            data,
            check_gke,
            PLACEHOLDERS,
            region_of=region_of,
            zone_in=lambda region: f"{region}-a",
            at=at,
            subject="The GKE specification",
        )
