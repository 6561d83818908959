"""On which releases of Slurm tests run that don't ask how a release reads its files."""

import pytest

NEWEST, EARLIER = "26.05", "24.11"
AGAIN = pytest.mark.repeats("the same test on the newest release")
ON_THE_NEWEST = pytest.mark.parametrize(
    "image",
    [pytest.param(NEWEST, id=f"slurm-{NEWEST}"), pytest.param(EARLIER, marks=AGAIN, id=f"slurm-{EARLIER}")],
    indirect=True,
    scope="module",
)
"""In `make test` the newest alone: what jobs, accounts and nodes become, and what is drawn anew in each run."""
