"""Running the tests in lanes."""

import re
import tempfile
from pathlib import Path

import pytest

from devcluster import testing

pytestmark = pytest.mark.unit

PASSES = "def test_passes():\n    pass\n"
FAILS = "def test_fails():\n    raise ValueError\n"
DRAWS = """\
from hypothesis import given, settings, strategies as st

@given(st.integers(0, 2**64))
@settings(database=None)
def test_draws(number):
    print(number, file=open("drawn", "a"))

def test_fails(seed):
    print(seed, file=open("drawn", "a"))
    raise ValueError
"""
HERE = Path(__file__).parent.parent


@pytest.fixture
def checkout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(testing, "CHECKOUT", tmp_path)
    # Where what failed leaves its folder.
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(testing, "LANES", {"first": ("tests/one",), "second": ("tests/two", "--maxfail=9")})
    for name in ("one", "two"):
        (tmp_path / "tests" / name).mkdir(parents=True)
    (tmp_path / "tests" / "__init__.py").touch()
    for plugin in ("conftest.py", "lane.py", "evidence.py", "waiting.py"):
        (tmp_path / "tests" / plugin).symlink_to(HERE / plugin)
    markers = ["repeats(shown_by): as in the project's own settings"]
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n" + "".join(f"    {marker}\n" for marker in markers))
    return tmp_path


def write(checkout: Path, one: str, two: str) -> None:
    for name, text in (("one", one), ("two", two)):
        (checkout / "tests" / name / f"test_{name}.py").write_text(text)


def environment(checkout: Path) -> dict[str, str]:
    return {"PYTHONPATH": f"{checkout}:{HERE.parent}"}


@pytest.mark.parametrize(("one", "two", "code"), [(PASSES, PASSES, 0), (FAILS, PASSES, 1), (PASSES, FAILS, 1)])
def test_all_lanes_count(checkout: Path, capfd: pytest.CaptureFixture[str], one: str, two: str, code: int) -> None:
    write(checkout, one, two)
    assert testing.run([], environment(checkout)) == code
    output = capfd.readouterr().out
    assert re.search(r"^tests/one +1 +\d+ +\d+$", output, re.M), output
    assert re.search(r"^tests/two +1 +\d+ +\d+$", output, re.M), output
    for name, text in (("first", one), ("second", two)):
        assert re.search(rf"^{name}: .*1 {'passed' if text == PASSES else 'failed'} in ", output, re.M), output
    if code:
        failed = "one" if one == FAILS else "two"
        assert f"FAILED tests/{failed}/test_{failed}.py::test_fails (call)" in output
        assert "ValueError" in output
        (evidence,) = re.findall(r"have left, is in (\S+)\.$", output, re.M)
        assert "ValueError" in (Path(evidence) / f"{'first' if one == FAILS else 'second'}.log").read_text()


def test_logs_of_what_a_failed_test_has_started_are_kept(checkout: Path, capfd: pytest.CaptureFixture[str]) -> None:
    fails = (
        "def test_fails(tmp_path):\n    (tmp_path / 'slurmctld.log').write_text('last words')\n    raise ValueError\n"
    )
    write(checkout, fails, PASSES)
    assert testing.run([], environment(checkout)) == 1
    (folder,) = re.findall(r"^objects and logs are in (\S+)$", capfd.readouterr().out, re.M)
    (log,) = Path(folder).rglob("*.log")
    assert (log.name, log.read_text()) == ("slurmctld.log", "last words")


def test_what_failed_in_any_lane_is_run_again_by_lf(checkout: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write(checkout, PASSES + FAILS, FAILS)
    assert testing.run([], environment(checkout)) == 1
    capfd.readouterr()
    assert testing.run(["--lf"], environment(checkout)) == 1
    assert re.search(r"2 failed(, 1 deselected)? in ", capfd.readouterr().out)


def test_with_arguments_there_is_one_run(checkout: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write(checkout, PASSES, FAILS)
    assert testing.run(["tests/one"], environment(checkout)) == 0
    assert testing.run(["-k", "passes or fails"], environment(checkout)) == 1
    assert "side by side" not in capfd.readouterr().out


def test_what_repeats_is_run_on_demand(checkout: Path, capfd: pytest.CaptureFixture[str]) -> None:
    repeating = "import pytest\n\n\n@pytest.mark.repeats('another test')\ndef test_again():\n    pass\n\n\n"
    write(checkout, PASSES, repeating + PASSES)
    assert testing.run([], environment(checkout)) == 0
    assert "1 passed, 1 deselected" in capfd.readouterr().out
    assert testing.run([], environment(checkout), every=True) == 0
    assert "second: ============================== 2 passed" in capfd.readouterr().out
    assert testing.run(["tests/two/test_two.py::test_again"], environment(checkout)) == 0
    assert "1 passed" in capfd.readouterr().out


def test_what_repeats_and_has_failed_is_run_again_by_lf(checkout: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write(checkout, PASSES, "import pytest\n\n\n@pytest.mark.repeats('another test')\n" + FAILS)
    assert testing.run([], environment(checkout), every=True) == 1
    capfd.readouterr()
    assert testing.run(["--lf"], environment(checkout)) == 1
    assert "1 failed" in capfd.readouterr().out


def test_the_value_of_an_option_is_no_folder(checkout: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write(checkout, PASSES, FAILS)
    (checkout / "fails").mkdir()
    assert testing.run(["-k", "fails"], environment(checkout)) == 1
    assert "1 failed, 1 deselected" in capfd.readouterr().out


def test_an_interrupted_lane_ends_even_if_it_loses_the_interruption(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = checkout / "begun"
    loses = (
        "import time\n\n\ndef test_loses_it():\n    try:\n"
        f"        open({str(begun)!r}, 'w').close()\n        time.sleep(3600)\n"
        "    except KeyboardInterrupt:\n        time.sleep(3600)\n"
    )
    write(checkout, PASSES, loses)

    def interrupt(lane: testing.Lane) -> str:
        if begun.exists():
            raise KeyboardInterrupt
        return lane.name

    monkeypatch.setattr(testing, "PAUSE", 0.0)
    monkeypatch.setattr(testing, "ENDING", 1.0)
    monkeypatch.setattr(testing.Lane, "progress", interrupt)
    with pytest.raises(KeyboardInterrupt):
        testing.run([], environment(checkout))
    (log,) = checkout.rglob("second.log")
    assert "KeyboardInterrupt" in log.read_text()


def test_an_interrupted_run_keeps_its_folder_until_its_servers_have_ended(checkout: Path) -> None:
    locked = checkout / "locked"
    interrupted = (
        "import pytest\n\n\n@pytest.fixture(scope='session')\ndef server(tmp_path_factory):\n    yield\n"
        "    lock = tmp_path_factory.getbasetemp() / '.lock'\n"
        f"    open({str(locked)!r}, 'w').write(str(lock.exists()))\n"
        "\n\ndef test_is_interrupted(server):\n    raise KeyboardInterrupt\n"
    )
    write(checkout, interrupted, PASSES)
    assert testing.run(["tests/one"], environment(checkout)) == pytest.ExitCode.INTERRUPTED
    assert locked.read_text() == "True"


@pytest.mark.parametrize("plugin", ["randomly", "hypothesis"])
def test_what_was_drawn_can_be_drawn_again(checkout: Path, capfd: pytest.CaptureFixture[str], plugin: str) -> None:
    """pytest-randomly can be left out, as one does to find out whether it is to blame."""
    write(checkout, DRAWS, PASSES)
    options = ["-p", "no:randomly"] if plugin == "hypothesis" else ["-p", "randomly"]

    def drawn(*more: str) -> list[str]:
        assert testing.run([*options, *more, "tests/one"], environment(checkout)) == 1
        numbers = (checkout / "drawn").read_text().splitlines()
        (checkout / "drawn").unlink()
        return sorted(numbers)

    first = drawn()
    (seed,) = re.findall(rf"^Drawn by (--{plugin}-seed=\d+), which draws the same again", capfd.readouterr().out, re.M)
    assert seed.partition("=")[2] in first
    assert drawn(seed) == first
