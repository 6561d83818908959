"""Processes are recognised by more than their pid, and stopped for good."""

import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from devcluster.errors import DevclusterError
from devcluster.processes import Command, ProcessTable, end_with_environment
from tests.waiting import HANGS, eventually_nothing

pytestmark = pytest.mark.unit

SLEEP = Command("sleep", (sys.executable, "-c", "import time; time.sleep(60)"))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ProcessTable]:
    table = ProcessTable(tmp_path)
    yield table
    table.stop(table.names())


def test_start_is_idempotent_and_stop_leaves_nothing(table: ProcessTable) -> None:
    assert table.start(SLEEP)
    assert not table.start(SLEEP)
    assert table.running("sleep", SLEEP.argv)
    table.stop(["sleep"])
    assert not table.running("sleep")
    assert table.names() == []


def test_other_arguments_restart_it(table: ProcessTable) -> None:
    table.start(SLEEP)
    changed = Command("sleep", (*SLEEP.argv, "changed"))
    assert table.start(changed)
    assert table.running("sleep", changed.argv)


def test_a_recycled_pid_is_never_signalled(table: ProcessTable, tmp_path: Path) -> None:
    table.start(SLEEP)
    table.stop(["sleep"])
    record = {"pid": os.getpid(), "started": 1, "boot": "another", "argv": []}
    (tmp_path / "run" / "sleep.json").write_text(json.dumps(record))
    assert not table.running("sleep")
    table.stop(["sleep"])  # Would end this test run.


def test_one_that_ignores_sigterm_is_killed(table: ProcessTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("devcluster.processes.GRACE", 0.1)
    code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
    table.start(Command("deaf", (sys.executable, "-c", code)))
    table.stop(["deaf"])
    assert not table.running("deaf")


def test_one_that_ended_before_it_was_written_down_does_not_live(
    table: ProcessTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as late:
        # What the kernel says of a process that has ended.
        late.setattr("devcluster.processes._start_time", lambda _pid: None)
        table.start(Command("brief", ("true",)))
    assert not table.running("brief")
    with pytest.raises(DevclusterError, match="brief ended at start"):
        table.wait("brief", lambda: False, HANGS)


NO_INSTANCE = "couldn't initialize inotify: too many open files"
"""As slurm-operator's webhook says; containerd and kubelet have the same end of it."""


def test_one_without_an_inotify_instance_says_what_to_do(
    table: ProcessTable, capsys: pytest.CaptureFixture[str]
) -> None:
    code = f"import time; print({NO_INSTANCE!r}, flush=True); time.sleep(60)"
    table.start(Command("waiting", (sys.executable, "-c", code)))
    table.wait("waiting", lambda: "fs.inotify.max_user_instances" in capsys.readouterr().err, HANGS)
    table.start(Command("ended", (sys.executable, "-c", f"print({NO_INSTANCE!r})")))
    with pytest.raises(DevclusterError, match=r"ended at start: .*end others with `make down`"):
        table.wait("ended", lambda: False, HANGS)


def test_what_one_said_before_its_last_start_is_not_said_again(
    table: ProcessTable, capsys: pytest.CaptureFixture[str]
) -> None:
    table.start(Command("again", (sys.executable, "-c", f"print({NO_INSTANCE!r})")))
    eventually_nothing("process", lambda: table.running("again"))
    table.start(Command("again", SLEEP.argv))
    looks = iter([False, False, True])
    table.wait("again", lambda: next(looks), HANGS)
    assert capsys.readouterr().err == ""


def test_a_dead_one_is_seen_by_another_launcher(table: ProcessTable, tmp_path: Path) -> None:
    table.start(SLEEP)
    record = json.loads((tmp_path / "run" / "sleep.json").read_text())
    other = ProcessTable(tmp_path)
    assert other.running("sleep")
    os.kill(record["pid"], signal.SIGKILL)
    eventually_nothing("process", lambda: table.running("sleep"))
    assert not other.running("sleep")


def test_one_that_ends_at_start_shows_its_last_words(table: ProcessTable) -> None:
    table.start(Command("broken", (sys.executable, "-c", "raise SystemExit('error: no such thing')")))
    with pytest.raises(DevclusterError, match="broken ended at start: error: no such thing"):
        table.wait("broken", lambda: False, HANGS)


def test_processes_with_an_environment_are_ended_and_others_not(table: ProcessTable, tmp_path: Path) -> None:
    """As are the plugins of a killed engine, of which nothing is written down."""
    stubborn = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
    table.start(Command("ours", SLEEP.argv, {"FOLDER": str(tmp_path)}))
    table.start(Command("stubborn", (sys.executable, "-c", stubborn), {"FOLDER": str(tmp_path)}))
    table.start(Command("other", SLEEP.argv, {"FOLDER": f"{tmp_path}-other"}))
    end_with_environment("FOLDER", str(tmp_path))
    assert [name for name in table.names() if table.running(name)] == ["other"]
