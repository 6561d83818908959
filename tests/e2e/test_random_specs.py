"""What every accepted spec renders to is accepted by the API server, and by the webhook of the operator that runs."""

import pytest

from tests.e2e.objects import Objects
from tests.e2e.random_specs import check_accepted


@pytest.mark.parametrize(
    "count", [30, pytest.param(320, marks=pytest.mark.repeats("tests/e2e/test_random_specs.py, with fewer specs"))]
)
def test_random_specs_are_accepted(objects: Objects, seed: int, count: int) -> None:
    check_accepted(objects, "1.1.0", count, seed, runs=True)


@pytest.mark.usefixtures("release_crds")
@pytest.mark.parametrize(
    "count", [8, pytest.param(25, marks=pytest.mark.repeats("tests/e2e/test_random_specs.py, with fewer specs"))]
)
@pytest.mark.parametrize("release", ["1.0.5", "1.2.1", "1.3.0"])
def test_random_specs_fit_the_schemas_of_other_releases(objects: Objects, seed: int, release: str, count: int) -> None:
    check_accepted(objects, release, count, seed, runs=False)
