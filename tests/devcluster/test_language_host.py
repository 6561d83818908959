"""The language host of the embedded engine: what it runs for programs, policy packs and component packages, and how."""

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc  # type: ignore[import-untyped]
import pytest
from google.protobuf import empty_pb2, struct_pb2  # type: ignore[import-untyped]
from pulumi.runtime.proto import language_pb2 as messages, language_pb2_grpc

from devcluster.folders import CHECKOUT
from tests.waiting import HANGS

pytestmark = pytest.mark.unit

SLOW = f"""
import sys, time

sys.path.insert(0, {str(CHECKOUT)!r})
from devcluster.language_host import PythonHost, serve


class Slow(PythonHost):
    def start(self, *command, **options):
        process = super().start(*command, **options)
        time.sleep(0.5)
        return process


serve(Slow)
"""
"""A host on a slow machine: a program has begun before the host knows its process."""
COMMAND = ("python", "-P", str(CHECKOUT / "devcluster" / "language_host.py"))
"""What the script beside the engine runs: see `devcluster.parts`."""
ENGINE = "127.0.0.1:1"


@dataclass(frozen=True)
class Host:
    """A host that runs."""

    process: subprocess.Popen[str]
    stub: Any

    def interrupt(self) -> None:
        """End it, as the engine does."""
        os.killpg(os.getpgid(self.process.pid), signal.SIGINT)


def a_python(place: Path, script: str) -> Path:
    """Return what is run in place of a Python: a script of the shell."""
    place.parent.mkdir(parents=True)
    place.write_text(f"#!/bin/sh\n{script}\n")
    place.chmod(0o755)
    return place


@pytest.fixture
def python_of_packs(tmp_path: Path) -> Path:
    """What is run in place of a pack's Python: it says how, and stays."""
    return a_python(tmp_path / "packs" / "python", 'echo 4711\necho "$0 $* in $PWD" >&2\nexec sleep 600')


@pytest.fixture
def host(python_of_packs: Path, request: pytest.FixtureRequest) -> Iterator[Host]:
    """Start a host: the one that is beside the engine, or one whose command a test gives."""
    env = {
        **os.environ,
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PULUMI_SLURM_POLICY_PYTHON": str(python_of_packs),
    }
    command = [*getattr(request, "param", COMMAND), "-root=/nowhere", ENGINE]
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        assert process.stdout
        port = int(process.stdout.readline())
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            yield Host(process, language_pb2_grpc.LanguageRuntimeStub(channel))
        process.terminate()


def info(folder: Path, **options: str) -> Any:
    settings = struct_pb2.Struct()
    settings.update(options)
    folders = {"root_directory": str(folder), "program_directory": str(folder)}
    return messages.ProgramInfo(**folders, entry_point=".", options=settings)


def run(host: Host, folder: Path, script: str = "", **message: Any) -> Any:
    """Run a program, whose Python is a script in the environment that its Pulumi.yaml names."""
    if script:
        a_python(folder / "env" / "bin" / "python", script)
    program = info(folder, virtualenv="env")
    return host.stub.Run(messages.RunRequest(info=program, monitor_address="127.0.0.1:2", **message), timeout=HANGS)


def run_plugin(host: Host, folder: Path, kind: str = "analyzer", **options: str) -> Any:
    """Begin to run a plugin of a folder."""
    request = messages.RunPluginRequest(pwd="/tmp", kind=kind, args=[ENGINE], info=info(folder, **options))
    return host.stub.RunPlugin(request)


def said(answers: Any) -> dict[str, bytes]:
    """Return what a plugin says first, in both streams."""
    said = {"stdout": b"", "stderr": b""}
    while not all(said.values()):
        answer = next(answers)
        said["stdout"] += answer.stdout
        said["stderr"] += answer.stderr
    return said


def test_it_says_which_release_of_the_sdk_it_is_for(host: Host) -> None:
    assert host.stub.GetPluginInfo(empty_pb2.Empty()).version.startswith("3.")


def test_a_pack_runs_in_the_environment_of_packs_and_ends_with_the_host(
    host: Host, python_of_packs: Path, tmp_path: Path
) -> None:
    first = said(run_plugin(host, tmp_path))
    assert first["stdout"] == b"4711\n"
    assert first["stderr"].decode() == f"{python_of_packs} -u -m pulumi.policy {ENGINE} {tmp_path} in {tmp_path}\n"
    host.interrupt()
    assert host.process.wait(60) == 0


@pytest.mark.parametrize("options", [{"virtualenv": ".venv"}, {}], ids=["named", "by default"])
def test_a_component_package_runs_in_the_environment_of_its_folder(
    host: Host, tmp_path: Path, options: dict[str, str]
) -> None:
    place = tmp_path / options.get("virtualenv", "venv") / "bin" / "python"
    own = a_python(place, 'echo 4711\necho "$0 $* in $PWD of $VIRTUAL_ENV, $(command -v python)" >&2\nexec sleep 600')
    words = said(run_plugin(host, tmp_path, "resource", **options))["stderr"].decode()
    assert words == f"{own} {tmp_path} {ENGINE} in /tmp of {own.parent.parent}, {own}\n"


def test_without_such_an_environment_a_package_runs_in_that_of_the_program(host: Host, tmp_path: Path) -> None:
    (tmp_path / "__main__.py").write_text("import sys; print(sys.executable); print(sys.argv[1:], file=sys.stderr)")
    assert said(run_plugin(host, tmp_path, "resource", virtualenv=".venv")) == {
        "stdout": f"{sys.executable}\n".encode(),
        "stderr": f"{[ENGINE]}\n".encode(),
    }


def test_a_program_runs_in_the_environment_of_its_pulumi_yaml(host: Host, tmp_path: Path) -> None:
    script = 'echo "$*"; echo "$PULUMI_CONFIG $PULUMI_CONFIG_SECRET_KEYS in $PWD of $VIRTUAL_ENV"'
    answer = run(host, tmp_path, script, config={"p:a": "1"}, configSecretKeys=["p:b"], dryRun=True, args=["more"])
    assert (answer.error, answer.bail) == ("", False)
    assert host.process.stdout
    options = f"--monitor 127.0.0.1:2 --engine {ENGINE} --root_directory {tmp_path} --dry_run true --parallel 0"
    assert host.process.stdout.readline() == f"pulumi-language-python-exec {options} . more\n"
    assert host.process.stdout.readline() == f'{{"p:a": "1"}} ["p:b"] in {tmp_path} of {tmp_path / "env"}\n'


def test_a_missing_environment_is_an_error_that_says_how_to_make_it(host: Host, tmp_path: Path) -> None:
    assert f"{tmp_path / 'env'} is none: make it by `python3 -m venv env`" in run(host, tmp_path).error


@pytest.mark.parametrize(
    ("code", "bail", "error"), [(32, True, ""), (1, False, "ended with the exit code 1")], ids=["told", "crashed"]
)
def test_the_engine_says_nothing_of_what_a_program_has_told_itself(
    host: Host, tmp_path: Path, code: int, bail: bool, error: str
) -> None:
    answer = run(host, tmp_path, f"exit {code}")
    assert answer.bail is bail
    assert error in answer.error


def test_a_cancelled_program_ends_also_if_it_does_not_want_to(host: Host, tmp_path: Path) -> None:
    began = tmp_path / "began"
    os.mkfifo(began)
    a_python(tmp_path / "env" / "bin" / "python", f"trap '' TERM; echo > {began}; while :; do sleep 0.1; done")
    answer = host.stub.Run.future(messages.RunRequest(info=info(tmp_path, virtualenv="env")))
    began.read_text()
    host.stub.Cancel(empty_pb2.Empty(), timeout=HANGS)
    assert answer.result(HANGS).error == f"the program ended with the exit code -{signal.SIGKILL}"


@pytest.mark.parametrize("host", [COMMAND, ("python", "-P", "-c", SLOW)], indirect=True, ids=["quick", "slow"])
def test_an_interrupted_program_shows_no_traceback(host: Host, tmp_path: Path) -> None:
    began, ended = tmp_path / "began", tmp_path / "ended"
    os.mkfifo(began)
    # An interruption, which the engine sends to the group of the host, would be told of.
    script = f"trap 'echo interrupted > {ended}' INT; trap 'echo terminated > {ended}; exit' TERM; echo > {began}"
    a_python(tmp_path / "env" / "bin" / "python", f"{script}; while :; do sleep 0.1; done")
    # A call that nobody holds is cancelled, which would end the program too.
    answer = host.stub.Run.future(messages.RunRequest(info=info(tmp_path, virtualenv="env")))
    began.read_text()
    host.interrupt()
    assert host.process.wait(HANGS) == 0
    answer.cancel()
    assert ended.read_text() == "terminated\n"


def test_it_ends_when_the_engine_has_been_killed() -> None:
    env = {**os.environ, "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}
    script = f"{shlex.join(COMMAND)} {ENGINE} & echo $!; wait $!"
    with subprocess.Popen(["sh", "-c", script], env=env, stdout=subprocess.PIPE, text=True) as engine:
        assert engine.stdout
        for line in (engine.stdout.readline(), engine.stdout.readline()):
            assert int(line), "the number of the process, and the port"
        engine.kill()
        # The host alone still holds the pipe.
        assert engine.stdout.read() == ""
