"""On which releases of Slurm tests run that don't ask how a release reads its files."""

import os
from collections.abc import Collection

import pytest

from devcluster.slurm_images import SlurmImage, ensure_images, obstacles

NEWEST, EARLIER = "26.05", "24.11"
AGAIN = pytest.mark.repeats("the same test on the newest release")
ON_THE_NEWEST = pytest.mark.parametrize(
    "image",
    [pytest.param(NEWEST, id=f"slurm-{NEWEST}"), pytest.param(EARLIER, marks=AGAIN, id=f"slurm-{EARLIER}")],
    indirect=True,
    scope="module",
)
"""In `make test` the newest alone: what jobs, accounts and nodes become, and what is drawn anew in each run."""


def images_of(series: Collection[str]) -> dict[str, SlurmImage]:
    """Return the images of some series; skip the test where the machine can't run them, and fail it in CI."""
    missing = obstacles(series)
    if missing and os.environ.get("CI"):
        pytest.fail("real Slurm cannot run here: " + "; ".join(missing), pytrace=False)
    if missing:
        pytest.skip("real Slurm cannot run here: " + "; ".join(missing))
    return ensure_images(series=series)
