"""Running rules: one dispatcher for every specification, of Slurm and of each cloud."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import wraps
from typing import Any, TypeVar

from pulumi_slurm.errors import FieldError, Severity, report

S = TypeVar("S")

Rule = Callable[..., Iterator[FieldError]]
"""A generator that checks one aspect of one or more specifications; its code is derived from its name."""


def run_rules(rules: Iterable[Rule], *specs: Any) -> Iterator[FieldError]:
    """Run all rules and yield their errors, each with the code of its rule."""
    for rule in rules:
        for error in rule(*specs):
            yield error if error.code else replace(error, code=code_of(rule))


def code_of(rule: Rule) -> str:
    """Return the code of a rule, as in messages and the reference: its name, after the package that it belongs to.

    Rules of every Slurm cluster have their name alone.
    """
    _, package, *_ = rule.__module__.split(".")
    code = rule.__name__ if package == "rules" else f"{package}_{rule.__name__}"
    return code.replace("_", "-")


def warns(rule: Rule) -> Rule:
    """Return a rule that yields the errors of ``rule`` as warnings."""

    @wraps(rule)
    def warning(*specs: Any) -> Iterator[FieldError]:
        for error in rule(*specs):
            yield replace(error, severity=Severity.WARNING)

    return warning


def checked_by(spec: S, check: Callable[[S], Iterable[FieldError]], subject: str) -> S:
    """Return the specification if ``check`` reports no errors; ``subject`` is its name in the exception.

    Raises:
        SpecError: with all errors.
    """
    report(check(spec), subject)
    return spec
