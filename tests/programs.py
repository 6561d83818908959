"""Programs of the machine that some tests run."""

import os
import shutil

import pytest


def needs(*programs: str) -> pytest.MarkDecorator:
    """Return a mark that skips a test without one of the programs; where CI is set none may be missing."""
    missing = [program for program in programs if shutil.which(program) is None]
    skipped = bool(missing) and not os.environ.get("CI")
    return pytest.mark.skipif(skipped, reason=f"not on PATH: {', '.join(missing)}")
