"""The hook for commit messages."""

from pathlib import Path

import pytest

from tools import commit_message

GOOD = "Refuse shared memory that could hold all of slurmd's\n\nThe pod would be ended for it in the middle of a job.\n"


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        ("", "The first line is empty"),
        ("Refuse it\n", "There is no body"),
        ("Refuse it\n\n# Please enter the commit message\n", "There is no body"),
        ("Refuse it\n\n# ------ >8 ------\ndiff --git a/x b/x\n+x\n", "There is no body"),
        ("Refuse it\nsince it ends jobs\n", "leave a line between"),
        (f"{'x' * 73}\n\nBecause.\n", "73 characters: make it at most 72"),
    ],
)
def test_a_message_without_what_readers_need_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], message: str, problem: str
) -> None:
    file = tmp_path / "COMMIT_EDITMSG"
    file.write_text(message)
    assert commit_message.main(str(file)) == 1
    assert problem in capsys.readouterr().err


@pytest.mark.parametrize("message", [GOOD, "Merge branch 'other'\n", "amend! Refuse it\n", f"{'x' * 72}\n\nBecause.\n"])
def test_others_pass(tmp_path: Path, message: str) -> None:
    file = tmp_path / "COMMIT_EDITMSG"
    file.write_text(message)
    assert commit_message.main(str(file)) == 0
