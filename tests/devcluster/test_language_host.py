"""The language host by which the embedded engine starts policy packs."""

import os
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

pytestmark = pytest.mark.unit

HOST = CHECKOUT / "devcluster" / "hosts" / "pulumi-language-python"


@dataclass(frozen=True)
class Host:
    """A host that runs."""

    process: subprocess.Popen[str]
    stub: Any


@pytest.fixture
def a_python(tmp_path: Path) -> Path:
    """What is run in place of a pack's Python: it says how, and stays."""
    python = tmp_path / "a-python"
    python.write_text('#!/bin/sh\necho 4711\necho "$0 $* in $PWD" >&2\nexec sleep 600\n')
    python.chmod(0o755)
    return python


@pytest.fixture
def host(a_python: Path) -> Iterator[Host]:
    env = {
        **os.environ,
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PULUMI_SLURM_POLICY_PYTHON": str(a_python),
    }
    command = [str(HOST), "-root=/nowhere", "127.0.0.1:1"]
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        assert process.stdout
        port = int(process.stdout.readline())
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            yield Host(process, language_pb2_grpc.LanguageRuntimeStub(channel))
        process.terminate()


def run(host: Host, folder: Path, kind: str = "analyzer", **options: str) -> Any:
    """Begin to run a pack of a folder."""
    settings = struct_pb2.Struct()
    settings.update(options)
    folders = {"root_directory": str(folder), "program_directory": str(folder)}
    info = messages.ProgramInfo(**folders, entry_point=".", options=settings)
    return host.stub.RunPlugin(messages.RunPluginRequest(pwd=str(folder), kind=kind, info=info))


def test_it_says_which_release_of_the_sdk_it_is_for(host: Host) -> None:
    assert host.stub.GetPluginInfo(empty_pb2.Empty()).version.startswith("3.")


def test_a_pack_runs_in_the_environment_of_packs_and_ends_with_the_host(
    host: Host, a_python: Path, tmp_path: Path
) -> None:
    answers = run(host, tmp_path)
    said = {"stdout": b"", "stderr": b""}
    while not all(said.values()):
        answer = next(answers)
        said["stdout"] += answer.stdout
        said["stderr"] += answer.stderr
    assert said["stdout"] == b"4711\n"
    assert said["stderr"].decode() == f"{a_python} -u -m pulumi.policy 127.0.0.1:1 {tmp_path} in {tmp_path}\n"
    group = os.getpgid(host.process.pid)
    # As the engine does.
    os.killpg(group, signal.SIGINT)
    assert host.process.wait(60) == 0


def test_an_environment_beside_the_pack_is_taken_first(host: Host, a_python: Path, tmp_path: Path) -> None:
    own = tmp_path / ".venv" / "bin" / "python"
    own.parent.mkdir(parents=True)
    own.symlink_to(a_python)
    answers = run(host, tmp_path, virtualenv=".venv")
    assert any(str(own).encode() in next(answers).stderr for _ in range(2))


def test_it_ends_when_the_engine_has_been_killed() -> None:
    env = {**os.environ, "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}
    script = f"{HOST} 127.0.0.1:1 & echo $!; wait $!"
    with subprocess.Popen(["sh", "-c", script], env=env, stdout=subprocess.PIPE, text=True) as engine:
        assert engine.stdout
        for line in (engine.stdout.readline(), engine.stdout.readline()):
            assert int(line), "the number of the process, and the port"
        engine.kill()
        # The host alone still holds the pipe.
        assert engine.stdout.read() == ""


def test_it_refuses_other_plugins(host: Host, tmp_path: Path) -> None:
    with pytest.raises(grpc.RpcError, match="no plugins of the kind resource"):
        next(run(host, tmp_path, "resource"))
