"""Resources without the lines of the program that made them, which Pulumi notes for an engine to show.

Under mocks nobody sees them, and they took a third of the time: pytest's own stack is deep.
"""

from collections.abc import Iterator

import pytest
from pulumi.runtime import resource
from pulumi.runtime.proto import source_pb2


@pytest.fixture(scope="session", autouse=True)
def without_source_positions() -> Iterator[None]:
    """Leave them out of programs that run in the process of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resource, "_get_stack_trace", source_pb2.StackTrace)
        yield
