"""Values that hypothesis draws and a test then asks a server about, all at once."""

from typing import TypeVar

from hypothesis import HealthCheck, Phase, given, seed as seeded, settings
from hypothesis.strategies import SearchStrategy

T = TypeVar("T")


def draws(strategy: SearchStrategy[T], count: int, seed: object) -> list[T]:
    """Return about as many values, the same for the same seed."""
    drawn: list[T] = []

    @seeded(seed)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(value: T) -> None:
        drawn.append(value)

    collect()
    return drawn
