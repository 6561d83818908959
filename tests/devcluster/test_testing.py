"""Running all tests in several runs at once."""

from pathlib import Path

import pytest

from devcluster import testing

pytestmark = pytest.mark.unit

PASSES = "def test_passes():\n    pass\n"
FAILS = "def test_fails():\n    raise ValueError\n"


@pytest.fixture
def checkout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(testing, "CHECKOUT", tmp_path)
    monkeypatch.setattr(testing, "SHOWN", ("one",))
    monkeypatch.setattr(testing, "BESIDE", ("two", "three"))
    for name in ("one", "two", "three"):
        (tmp_path / name).mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("one", "two", "three", "code"),
    [(PASSES, PASSES, PASSES, 0), (FAILS, PASSES, PASSES, 1), (PASSES, FAILS, PASSES, 1), (PASSES, PASSES, FAILS, 1)],
)
def test_all_runs_are_shown_and_all_count(
    checkout: Path, capfd: pytest.CaptureFixture[str], one: str, two: str, three: str, code: int
) -> None:
    for name, text in (("one", one), ("two", two), ("three", three)):
        (checkout / name / f"test_{name}.py").write_text(text)
    assert testing.run([], {}) == code
    output = capfd.readouterr().out
    assert output.index("one/test_one.py") < output.index("two/test_two.py") < output.index("three/test_three.py")


def test_with_arguments_there_is_one_run(checkout: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (checkout / "one" / "test_one.py").write_text(PASSES.format("one"))
    (checkout / "two" / "test_two.py").write_text(FAILS.format("two"))
    assert testing.run(["one"], {}) == 0
    assert testing.run(["-k", "passes or fails"], {}) == 1
    assert "at the same time" not in capfd.readouterr().out
