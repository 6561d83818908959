"""Running all tests in two runs at once."""

from pathlib import Path

import pytest

from devcluster import testing

pytestmark = pytest.mark.unit

PASSES = "def test_passes():\n    print('said by {}')\n"
FAILS = "def test_fails():\n    assert 'said by {}' == ''\n"


@pytest.fixture
def checkout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(testing, "CHECKOUT", tmp_path)
    monkeypatch.setattr(testing, "SHOWN", ("one",))
    monkeypatch.setattr(testing, "BESIDE", ("two", "-s"))
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    return tmp_path


@pytest.mark.parametrize(("one", "two", "code"), [(PASSES, PASSES, 0), (FAILS, PASSES, 1), (PASSES, FAILS, 1)])
def test_both_runs_are_shown_and_both_count(
    checkout: Path, capfd: pytest.CaptureFixture[str], one: str, two: str, code: int
) -> None:
    (checkout / "one" / "test_one.py").write_text(one.format("one"))
    (checkout / "two" / "test_two.py").write_text(two.format("two"))
    assert testing.run([], {}) == code
    output = capfd.readouterr().out
    assert output.index("one/test_one.py") < output.index("two/test_two.py")
    assert "said by two" in output


def test_with_arguments_there_is_one_run(checkout: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (checkout / "one" / "test_one.py").write_text(PASSES.format("one"))
    (checkout / "two" / "test_two.py").write_text(FAILS.format("two"))
    assert testing.run(["one"], {}) == 0
    assert testing.run(["-k", "passes or fails"], {}) == 1
    assert "at the same time" not in capfd.readouterr().out
