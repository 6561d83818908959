"""What a cloud says while a program runs: what follows from it is refused or warned of like arguments.

Paths begin as in `OnCloud`. A stack shows them as they stand in its file; see `told_by`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

import pulumi

from pulumi_slurm.clouds.cloud import CloudSpec
from pulumi_slurm.clouds.on_cloud import OnCloud
from pulumi_slurm.clouds.unread import nobody_answers
from pulumi_slurm.errors import FieldError, SpecError, collected_warnings, without_warnings
from pulumi_slurm.kube.component import SpecRunError
from pulumi_slurm.model.with_fields import with_fields

T = TypeVar("T")
C = TypeVar("C", bound=OnCloud)
Tell = Callable[[Sequence[FieldError], Sequence[FieldError]], None]
"""Shows warnings, the second, and raises `SpecRunError` with errors, the first, if there are any."""


def _tell(errors: Sequence[FieldError], warnings: Sequence[FieldError]) -> None:
    if warnings and pulumi.Config("slurm").get("warningsAsErrors") == "true":
        errors, warnings = [*errors, *warnings], ()
    for warning in warnings:
        pulumi.log.warn(warning.line)
    if errors:
        raise SpecRunError(errors, "The arguments")


_told_by: ContextVar[Tell] = ContextVar("told_by", default=_tell)


@contextmanager
def told_by(tell: Tell) -> Iterator[None]:
    """Let what turns out within the block be told in another way."""
    token = _told_by.set(tell)
    try:
        yield
    finally:
        _told_by.reset(token)


def refuse(errors: Iterable[FieldError]) -> None:
    """Raise errors that only show when the program runs, and show the warnings among them and of their rules.

    Raises:
        SpecRunError: with all errors.
    """
    with collected_warnings() as warned:
        refused = without_warnings(errors)
    _told_by.get()(refused, warned)


def answer(key: str, ask: Callable[[], T]) -> T | None:
    """Return a cloud's answer to a question, None where nobody answers.

    Otherwise, where there is no answer, refuse the field of the cloud with this key that asks for it.
    """
    try:
        return ask()
    except SpecError as error:
        if nobody_answers():
            return None
        refuse(one.below(key) for one in error.errors)
        raise


def with_found(clusters: C, cloud_spec: CloudSpec) -> C:
    """Return both clusters with what the cloud has said of what exists.

    Raises:
        SpecRunError: with what turns out to be wrong by that.
    """
    updated = with_fields(clusters, **{clusters.cloud().key: cloud_spec})
    # What was told when the arguments were read is not told again.
    reported = [*clusters.errors_between(), *clusters.errors_as_built()]
    refuse(error for error in updated.errors_between() if error not in reported)
    refuse(error for error in updated.errors_as_built() if error not in reported)
    return updated
