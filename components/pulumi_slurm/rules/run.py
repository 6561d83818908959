"""Running rules: one dispatcher for every specification, of Slurm and of each cloud."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import wraps
from typing import Any, TypeVar

from pulumi_slurm.errors import FieldError, Severity, report

S = TypeVar("S")

Rule = Callable[..., Iterator[FieldError]]
"""A generator over one aspect of a specification, or of several that belong together; its name is its code."""


def run_rules(rules: Iterable[Rule], *specs: Any) -> Iterator[FieldError]:
    """Yield what each of the rules finds in the specifications, under the rule's code; all of them run."""
    for rule in rules:
        for error in rule(*specs):
            yield error if error.code else replace(error, code=code_of(rule))


def code_of(rule: Rule) -> str:
    """Return the code of a rule, as messages and the reference write it: its name, with the cloud that it is about."""
    _, room, *_ = rule.__module__.split(".")
    name = rule.__name__.replace("_", "-")
    return name if room == "rules" else f"{room}-{name}"


def warns(rule: Rule) -> Rule:
    """Return the rule with warnings in place of errors."""

    @wraps(rule)
    def warning(*specs: Any) -> Iterator[FieldError]:
        for error in rule(*specs):
            yield replace(error, severity=Severity.WARNING)

    return warning


def checked_by(spec: S, check: Callable[[S], Iterable[FieldError]], subject: str) -> S:
    """Return a specification in which ``check`` finds no error; ``subject`` is what a refusal calls it.

    Raises:
        SpecError: with every error.
    """
    report(check(spec), subject)
    return spec
