"""What is raised for a specification with errors, and what is warned of."""

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from pulumi_slurm.errors.field_error import FieldError, Severity


class SpecError(ValueError):
    """All errors of one specification: ``str(error)`` is the text for people, ``errors`` is for programs."""

    def __init__(self, errors: Iterable[FieldError], subject: str = "The Slurm specification") -> None:
        self.errors = list(errors)
        self.subject = subject
        count = len(self.errors)
        heading = f"{subject} has {'an error' if count == 1 else f'{count} errors'}:"
        super().__init__("\n".join([heading, *(f"  - {error.line}" for error in self.errors)]))

    def __reduce__(self) -> tuple[type["SpecError"], tuple[list[FieldError], str]]:
        """Let the error be pickled: exceptions are made anew of their text otherwise."""
        return type(self), (self.errors, self.subject)


class SpecWarning(UserWarning):
    """What a rule warns of. ``python -W error::pulumi_slurm.SpecWarning`` turns it into an exception."""

    def __init__(self, warning: FieldError) -> None:
        self.warning = warning
        super().__init__(warning.line)


def report(found: Iterable[FieldError], subject: str = "The Slurm specification") -> None:
    """Warn of the warnings among what was found.

    Raises:
        SpecError: with all errors among it.
    """
    errors: list[FieldError] = []
    for each in found:
        if each.severity is Severity.ERROR:
            errors.append(each)
        else:
            warnings.warn(SpecWarning(each), stacklevel=3)
    if errors:
        raise SpecError(errors, subject)


@contextmanager
def collected_warnings() -> Iterator[list[FieldError]]:
    """Collect what rules warn of within the block, each once; other warnings are shown as ever."""
    collected: list[FieldError] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", SpecWarning)
        yield collected
    for each in caught:
        if not isinstance(each.message, SpecWarning):
            warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)
        elif each.message.warning not in collected:
            collected.append(each.message.warning)
