"""What the pages on importing and comparing show is what comes out."""

from pathlib import Path

import pytest

from pulumi_slurm_cli.importing import import_cluster, stack_yaml
from tests.doc_blocks import Block, blocks, blocks_of
from tests.unit.importing.command_line import run


def following(block: Block, check: str) -> Block:
    return next(item for item in blocks_of(block.file) if item.line > block.line and item.check == check)


@pytest.mark.parametrize("block", blocks("imported"), ids=str)
def test_an_imported_file_becomes_the_configuration_that_follows(
    block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("slurm.conf").write_text(block.text)
    assert stack_yaml(import_cluster(Path("slurm.conf"))) == following(block, "config").text


@pytest.mark.parametrize("block", blocks("old"), ids=str)
def test_two_files_have_the_differences_that_follow(block: Block, tmp_path: Path) -> None:
    (tmp_path / "old.conf").write_text(block.text)
    (tmp_path / "new.conf").write_text(following(block, "new").text)
    done = run("diff", tmp_path / "old.conf", tmp_path / "new.conf")
    assert done.stdout == following(block, "differences").text
