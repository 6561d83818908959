"""On which releases of Slurm tests with drawn input run."""

import pytest

NEWEST, EARLIER = "26.05", "24.11"
AGAIN = pytest.mark.repeats("the same test on the newest release, with other input")
ON_THE_NEWEST = pytest.mark.parametrize(
    "image",
    [pytest.param(NEWEST, id=f"slurm-{NEWEST}"), pytest.param(EARLIER, marks=AGAIN, id=f"slurm-{EARLIER}")],
    indirect=True,
    scope="module",
)
"""With other input on each release, the newest alone in `make test`."""
