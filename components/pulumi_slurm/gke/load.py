"""Reading a GKE specification from plain data, with every error found in one go."""

from collections.abc import Mapping
from typing import Any

from pulumi_slurm.clouds.load import load_cloud
from pulumi_slurm.errors import Path
from pulumi_slurm.gke.model.cluster import GkeSpec
from pulumi_slurm.gke.model.names import region_of
from pulumi_slurm.gke.rules import check_gke

_STAND_INS = {"project": "unnamed", "region": "us-central1", "zones": ["us-central1-a"]}
"""What is taken for a required field that can't be read, so that the rules run on the rest."""


def load_gke(data: Mapping[str, Any], *, at: Path = ()) -> GkeSpec:
    """Return the specification that plain data describes.

    ``at`` is where it stands in the user's file; paths of errors begin there.

    Raises:
        SpecError: with every error: wrong fields are set aside, and the rules run on what is left.
    """
    return load_cloud(
        GkeSpec,
        data,
        check_gke,
        _STAND_INS,
        region_of=region_of,
        zone_in=lambda region: f"{region}-a",
        at=at,
        subject="The GKE specification",
    )
