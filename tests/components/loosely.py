"""Components as they are to programs without types."""

from collections.abc import Callable
from typing import Any, TypeVar

from pulumi_slurm.kube.component import Component

C = TypeVar("C", bound=Component[Any])


def loosely(component: type[C]) -> Callable[..., C]:
    """Return a component that takes any mapping, such as one with mistakes, which type checkers would refuse."""
    return component
