"""What a review says of jobs, held against what becomes of them on real daemons."""

import pytest

from tests.slurmd.cluster import Cluster
from tests.slurmd.review_bed import ReviewBed, Score

COUNT = 15
"""Of each series of Slurm."""
MORE = pytest.mark.repeats("tests/slurmd/test_review.py, with its first changes")


@pytest.fixture(scope="module")
def bed(accounted_cluster: Cluster) -> ReviewBed:
    return ReviewBed(accounted_cluster)


@pytest.fixture(autouse=True)
def _fresh_score(bed: ReviewBed) -> None:
    bed.score = Score()


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=MORE) for part in range(1, 10))])
def test_jobs_become_what_was_said(bed: ReviewBed, seed: int, part: int, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(COUNT):
        bed.run(seed + 1000 * part + number)
    score = bed.score
    with capsys.disabled():
        print(f"\nSlurm {bed.series}, {COUNT} changes: {dict(score.right)}")
    assert score.missed == []
    assert score.wrong == []
    assert score.right["never starts"]
