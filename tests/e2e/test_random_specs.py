"""What every accepted spec renders to is accepted by the API server and by the operator's webhook."""

from tests.e2e.objects import Objects
from tests.e2e.random_specs import check_accepted


def test_random_specs_are_accepted(objects: Objects) -> None:
    check_accepted(objects, "1.1.0", 320)
