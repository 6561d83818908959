"""What is drawn is drawn by the seed of the run: the same for the same seed, something else for another."""

import random

import pytest
from hypothesis import given, strategies as st

from tests.e2e.random_specs import draw

DRAWN: list[int] = []


@given(st.integers(0, 2**64))
def test_what_hypothesis_draws(number: int) -> None:
    DRAWN.append(number)


def test_what_hypothesis_draws_follows_from_the_seed(request: pytest.FixtureRequest, seed: int) -> None:
    def drawn() -> list[int]:
        DRAWN.clear()
        test_what_hypothesis_draws()
        return [*DRAWN]

    options = request.config.option
    assert seed == int(getattr(options, "randomly_seed", None) or options.hypothesis_seed)
    # pytest-randomly sets the state of this module before each test, which hypothesis doesn't look at.
    random.seed(1)
    first = drawn()
    random.seed(2)
    assert drawn() == first


def test_random_specs_follow_from_the_seed() -> None:
    again = draw.__wrapped__
    assert again("1.1.0", 3, 1) == again("1.1.0", 3, 1) != again("1.1.0", 3, 2)
