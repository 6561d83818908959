"""Reviews of recorded changes, as the files in reviews/ have them."""

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from pulumi_slurm_cli.live import Look
from pulumi_slurm_cli.review.build import review
from pulumi_slurm_cli.review.engine_events import read_events
from pulumi_slurm_cli.review.markdown import markdown
from tests.e2e.program import Run

FOLDER = Path(__file__).parent / "reviews"
COMMIT = "0123456789abcdef"
MADE_AT = datetime(2026, 11, 26, 7, tzinfo=UTC)
NO_LOOK = "no cluster was named, by --context"


def reviewed(run: Run, looks: Mapping[str, Look | str]) -> str:
    """Return the review of what the engine has told, as a comment has it."""
    preview = read_events(run.raw_events.splitlines())
    return markdown(review(preview, {**looks}, source="preview", commit=COMMIT, made_at=MADE_AT))


def check_review(name: str, text: str) -> None:
    """Compare a review with its file; with UPDATE_DOCS=1 in the environment the file is written anew."""
    file = FOLDER / f"{name}.md"
    if os.environ.get("UPDATE_DOCS"):
        file.write_text(text)
    assert text == file.read_text()
