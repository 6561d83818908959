"""Running rules: one dispatcher for every specification, of Slurm and of each cloud."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from pulumi_slurm.errors import Mistake, SpecError

S = TypeVar("S")

Rule = Callable[..., Iterator[Mistake]]
"""A generator over one aspect of a specification, or of several that belong together."""


def run_rules(rules: Iterable[Rule], *specs: Any) -> Iterator[Mistake]:
    """Yield what each of the rules finds in the specifications; all of them run."""
    for rule in rules:
        yield from rule(*specs)


def checked_by(spec: S, check: Callable[[S], Iterable[Mistake]], what: str) -> S:
    """Return a specification in which ``check`` finds nothing; ``what`` is what a refusal calls it.

    Raises:
        SpecError: with every mistake.
    """
    mistakes = list(check(spec))
    if mistakes:
        raise SpecError(mistakes, what)
    return spec
