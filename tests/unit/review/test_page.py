"""The review in the README: its first lines, and its picture."""

from pathlib import Path

import pytest

from devcluster.folders import CHECKOUT
from pulumi_slurm_cli.__main__ import main
from tests.doc_blocks import blocks

CHANGES = {"name: cpu, pool: cpu, replicas: 2": "name: cpu, pool: cpu, replicas: 1", '"12:00:00"': '"6:00:00"'}
"""What another pull request would change in the local stack's file."""


def test_the_readme_has_a_real_review_and_its_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = CHECKOUT / "Pulumi.local.yaml"
    text = base.read_text()
    for old, new in CHANGES.items():
        assert text.count(old) == 1
        text = text.replace(old, new)
    head, drawn = tmp_path / "Pulumi.local.yaml", tmp_path / "review.svg"
    head.write_text(text)
    assert main(["review", "--offline", str(base), str(head), "--picture", str(drawn)]) == 0
    (block,) = (block for block in blocks("review") if block.file.name == "README.md")
    shown = block.text.rstrip("\n").splitlines()
    assert capsys.readouterr().out.splitlines()[2 : 2 + len(shown)] == shown
    assert drawn.read_text() == (CHECKOUT / "docs/review.svg").read_text()
