"""Placeholders for a cloud's answers, where a program runs offline."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
"""A text that Pulumi takes for a value which isn't known yet: `UNKNOWN` in sdk/python/lib/pulumi/runtime/rpc.py of
https://github.com/pulumi/pulumi."""

_nobody_answers = ContextVar("nobody_answers", default=False)


@contextmanager
def without_answers() -> Iterator[None]:
    """Let a program within the block go on without a cloud's answers."""
    token = _nobody_answers.set(True)
    try:
        yield
    finally:
        _nobody_answers.reset(token)


def nobody_answers() -> bool:
    """Return whether a program is to go on without a cloud's answers."""
    return _nobody_answers.get()
