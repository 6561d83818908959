"""Which nodes are tried in pairs.

A pair that is slow doesn't say by whose fault, so its nodes are tried a second time, with partners from pairs that are
not slow.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

Pair = tuple[str, str]


def rates_in_pairs(
    names: Sequence[str], measure: Callable[[Sequence[Pair]], Mapping[str, float]], enough: Callable[[float], float]
) -> dict[str, float]:
    """Return the best rate that each node reaches with a partner, without those that reach nothing.

    Args:
        names: The nodes.
        measure: Measures pairs at once, of which no two have a node in common, and returns the rates of their nodes.
        enough: Returns by the best rate of the first pass what a pair reaches that is not slow.
    """
    pairs = first_pass(names)
    rates = dict(measure(pairs))
    limit = enough(max(rates.values(), default=0))
    good = [pair for pair in pairs if all(name in rates and rates[name] >= limit for name in pair)]
    for some in second_pass(names, good) if good else _leftover(names, rates):
        again = measure(some)
        rates |= {name: max(rate, rates.get(name, 0)) for name, rate in again.items()}
    return rates


def _leftover(names: Sequence[str], rates: Mapping[str, float]) -> Iterator[list[Pair]]:
    """Yield the one that had no partner with the fastest node, where nobody is known to be good."""
    if len(names) % 2 and rates:
        yield [(names[-1], max(rates, key=rates.__getitem__))]


def first_pass(names: Sequence[str]) -> list[Pair]:
    """Return pairs of neighbours; of an odd number the last has none."""
    return [*pairwise(names)][::2]


def second_pass(names: Sequence[str], good: Sequence[Pair]) -> Iterator[list[Pair]]:
    """Yield pairs of all others with nodes of good pairs, as many at once as there are good nodes."""
    partners = [name for pair in good for name in pair]
    others = [name for name in names if name not in partners]
    for start in range(0, len(others), len(partners)) if partners else ():
        yield [*zip(others[start:], partners, strict=False)]
