"""What tests without servers share."""

from collections.abc import Iterator

import pytest

from pulumi_slurm.spelling import Spelling, spelled
from tests import source_positions

without_source_positions = source_positions.without_source_positions


@pytest.fixture
def spelled_as_in_files() -> Iterator[None]:
    """Let errors spell fields as a stack's file does: for tests that hand parts of one to what reads it."""
    with spelled(Spelling.CAMEL_CASE):
        yield
