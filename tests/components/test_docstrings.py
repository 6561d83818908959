"""Docstrings of attributes are read whatever Python's collector does meanwhile."""

import ast
import contextlib
import gc
from collections.abc import Iterator

from pulumi_slurm.docstrings import documented
from pulumi_slurm.model.node_set import NodeSetSpec


class Parses:
    """What parses, somewhere deep, whenever it is collected, for as long as it goes on."""

    goes_on = True
    collections = 0

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        if Parses.goes_on:
            Parses.collections += 1
            parse_at_depth(50)
            Parses()


def parse_at_depth(depth: int) -> None:
    if depth:
        parse_at_depth(depth - 1)
    else:
        ast.parse("x = 1")


@contextlib.contextmanager
def collecting_all_the_time() -> Iterator[None]:
    thresholds = gc.get_threshold()
    Parses()
    gc.set_threshold(1, 1, 1)
    try:
        yield
    finally:
        Parses.goes_on = False
        gc.set_threshold(*thresholds)


def test_a_finalizer_may_parse_meanwhile() -> None:
    with collecting_all_the_time():
        statements = dict(documented(NodeSetSpec))
    assert statements
    assert Parses.collections
