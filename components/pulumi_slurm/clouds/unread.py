"""Placeholders for a cloud's answers, where a program runs offline, and for values that aren't known yet."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
"""A text that Pulumi takes for a value which isn't known yet: `UNKNOWN` in sdk/python/lib/pulumi/runtime/rpc.py of
https://github.com/pulumi/pulumi."""


def known_at(inputs: Any, *path: str | int) -> Any:
    """Return what stands at a path of a resource's inputs; None where nothing does, or it isn't known yet."""
    for key in path:
        if isinstance(key, str):
            inputs = inputs.get(key) if isinstance(inputs, Mapping) else None
        else:
            inputs = inputs[key] if isinstance(inputs, list) and key < len(inputs) else None
    return None if inputs == UNKNOWN else inputs


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
