"""The exception for a specification with errors, and the warning for one that should be reviewed."""

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from pulumi_slurm.errors.field_error import FieldError, Severity
from pulumi_slurm.user_error import UserError


class SpecError(UserError):
    """All errors of one specification: ``str(error)`` is for people, ``error.errors`` for programs."""

    def __init__(self, errors: Iterable[FieldError], subject: str = "The Slurm specification") -> None:
        self.errors = list(errors)
        self.subject = subject
        count = len(self.errors)
        heading = f"{subject} has {'an error' if count == 1 else f'{count} errors'}:"
        super().__init__("\n".join([heading, *(f"  - {error.line}" for error in self.errors)]))

    def __reduce__(self) -> tuple[type["SpecError"], tuple[list[FieldError], str]]:
        """Support pickling; by default an exception is recreated from its text alone."""
        return type(self), (self.errors, self.subject)


class SpecWarning(UserWarning):
    """A warning from a rule.

    For `load`, ``warnings.simplefilter("error", SpecWarning)`` turns it into an exception; in a Pulumi program
    ``slurm:warningsAsErrors: true`` in the stack's configuration refuses it, also without our stacks.
    """

    def __init__(self, warning: FieldError) -> None:
        # The exception's arguments, from which it is made again after pickling.
        super().__init__(warning)
        self.warning = warning

    def __str__(self) -> str:
        return self.warning.line


def report(errors: Iterable[FieldError], subject: str = "The Slurm specification") -> None:
    """Issue a Python warning for each error of severity "warning", and raise the other ones.

    Raises:
        SpecError: with all errors of severity "error"; ``subject`` is the name of the specification in it.
    """
    remaining = without_warnings(errors)
    if remaining:
        raise SpecError(remaining, subject)


def without_warnings(errors: Iterable[FieldError]) -> list[FieldError]:
    """Issue a Python warning for each error of severity "warning"; return the other ones."""
    remaining: list[FieldError] = []
    for error in errors:
        if error.severity is Severity.ERROR:
            remaining.append(error)
        else:
            warnings.warn(SpecWarning(error), stacklevel=4)
    return remaining


@contextmanager
def collected_warnings() -> Iterator[list[FieldError]]:
    """Collect the warnings of rules within the block, each once; other warnings are shown as usual.

    When the block raises an exception, none is collected: what is refused needs no warning in addition.
    """
    collected: list[FieldError] = []
    caught: list[warnings.WarningMessage] = []
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", SpecWarning)
            yield collected
        for record in caught:
            if isinstance(record.message, SpecWarning) and record.message.warning not in collected:
                collected.append(record.message.warning)
    finally:
        for record in caught:
            if not isinstance(record.message, SpecWarning):
                warnings.warn_explicit(record.message, record.category, record.filename, record.lineno)
