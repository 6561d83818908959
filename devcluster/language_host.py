"""Pulumi's language host for Python, for the embedded engine: it runs programs, policy packs and component packages.

The newest of Pulumi's own that can be built is that of 3.68, which can't start what the engine asks of its successors:
a plugin in an environment of its own. The messages are those of proto/pulumi/language.proto of pulumi/pulumi, v3.259.0,
and what is done with them is what sdk/python/cmd/pulumi-language-python/main.go does there.

It is run by its file, by the `python` on PATH: that of the program. With -P, since the folder of this file has modules
with names that others have too.
"""

from __future__ import annotations

import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from typing import IO, Any, NoReturn, Protocol

import grpc  # type: ignore[import-untyped]
from google.protobuf import empty_pb2  # type: ignore[import-untyped]

for _package in ("pulumi", "pulumi.runtime", "pulumi.runtime.proto"):
    # To import the messages alone: their packages would load the whole SDK, which takes longer than all else here.
    if _spec := find_spec(_package):
        sys.modules[_package] = module_from_spec(_spec)

from pulumi.runtime.proto import language_pb2 as messages, language_pb2_grpc, plugin_pb2  # noqa: E402

PACKS_PYTHON = "PULUMI_SLURM_POLICY_PYTHON"
"""The variable with the Python of policy packs that have no environment of their own beside them."""
_SCRIPT = "pulumi-language-python-exec"
"""What runs a program: it came with the engine, whose folder is on PATH."""
_TOLD_THE_PERSON = 32
"""The exit code of a program that has said by itself what is wrong: see the script."""
_NO_LIMIT = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]
_PLUGINS = 100
"""How many programs and plugins can run at a time: each has a thread for as long as it runs."""
_GRACE = 3.0
"""Seconds in which an interrupted program has to end; the engine gives its host 5 s."""


@dataclass(frozen=True)
class Command:
    """What is run for the engine."""

    words: list[str]
    folder: str
    env: Mapping[str, str]


class Running(Protocol):
    """A process, as `subprocess.Popen` has it."""

    @property
    def stdout(self) -> IO[bytes] | None:
        """What it prints."""

    @property
    def stderr(self) -> IO[bytes] | None:
        """What it prints as errors."""

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code; a TimeoutExpired after so many seconds."""

    def terminate(self) -> None:
        """Tell it to end."""

    def kill(self) -> None:
        """End it at once."""


class CannotRunError(Exception):
    """Says what is to be done before a program can run."""


class LanguageHost(ABC, language_pb2_grpc.LanguageRuntimeServicer):
    """Runs programs of a language for the engine at an address."""

    def __init__(self, engine: str) -> None:
        self.engine = engine
        self.starting = threading.RLock()
        """Held while a process starts or all are ended: none starts unseen by what ends them."""
        self._running: set[Running] = set()

    @abstractmethod
    def program(self, request: Any) -> Command:
        """Return how the program of a RunRequest is run."""

    def plugin(self, request: Any) -> Command:
        """Return how the plugin of a RunPluginRequest is run."""
        raise CannotRunError(f"this host runs no plugins of the kind {request.kind}")

    def start(self, command: Command, env: Mapping[str, str], *, apart: bool) -> Running:
        """Start a command, ``apart`` in a group of processes of its own."""
        return subprocess.Popen(
            command.words,
            cwd=command.folder,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            process_group=0 if apart else None,
        )

    def end(self) -> None:
        """End what still runs: plugins run until they are ended."""
        with self.starting:
            processes = [*self._running]
            for process in processes:
                process.terminate()
            until = time.monotonic() + _GRACE
            for process in processes:
                try:
                    process.wait(max(0.0, until - time.monotonic()))
                except subprocess.TimeoutExpired:
                    process.kill()

    def Handshake(self, request: Any, context: grpc.ServicerContext) -> Any:  # noqa: N802
        """Answer the engine's first call."""
        return messages.LanguageHandshakeResponse()

    def GetPluginInfo(self, request: Any, context: grpc.ServicerContext) -> Any:  # noqa: N802
        """Return the release, which is that of the SDK."""
        return plugin_pb2.PluginInfo(version=version("pulumi"))

    def GetRequiredPackages(self, request: Any, context: grpc.ServicerContext) -> Any:  # noqa: N802
        """Return none: the embedded engine downloads no plugins, and finds those that it has on PATH."""
        return messages.GetRequiredPackagesResponse()

    def InstallDependencies(self, request: Any, context: grpc.ServicerContext) -> Iterator[Any]:  # noqa: N802
        """Install nothing: what runs on the embedded engine has its packages already."""
        yield messages.InstallDependenciesResponse(stdout=b"The embedded engine installs no packages.\n")

    def Run(self, request: Any, context: grpc.ServicerContext) -> Any:  # noqa: N802
        """Run a program to its end."""
        try:
            command = self.program(request)
        except CannotRunError as error:
            return messages.RunResponse(error=str(error))
        config = {
            "PULUMI_CONFIG": json.dumps(dict(request.config)),
            "PULUMI_CONFIG_SECRET_KEYS": json.dumps(list(request.configSecretKeys)),
        }
        code = 1
        for answer in self._stream(command, config, context, apart=True):
            # What the program prints is for the person, and goes the way of this host's own output.
            for stream, text in ((sys.stdout, answer.stdout), (sys.stderr, answer.stderr)):
                stream.buffer.write(text)
                stream.flush()
            code = answer.exitcode
        if code == _TOLD_THE_PERSON:
            return messages.RunResponse(bail=True)
        return messages.RunResponse(error=f"the program ended with the exit code {code}" if code else "")

    def RunPlugin(self, request: Any, context: grpc.ServicerContext) -> Iterator[Any]:  # noqa: N802
        """Run a plugin until the engine has done with it, and hand on what it prints: its port is the first."""
        try:
            command = self.plugin(request)
        except CannotRunError as error:
            context.abort(grpc.StatusCode.UNIMPLEMENTED, str(error))
        yield from self._stream(command, {}, context)

    def Cancel(self, request: Any, context: grpc.ServicerContext) -> Any:  # noqa: N802
        """End what runs, since the person has interrupted the engine."""
        self.end()
        return empty_pb2.Empty()

    def _stream(
        self, command: Command, config: Mapping[str, str], context: grpc.ServicerContext, *, apart: bool = False
    ) -> Iterator[Any]:
        """Run a command; yield its output as it comes, and its exit code at the end.

        The engine interrupts the group of processes of this host. A program would show a traceback then, so it is put
        ``apart``, and terminated.
        """
        with self.starting:
            process = self.start(command, {**command.env, **config}, apart=apart)
            self._running.add(process)
        context.add_callback(process.terminate)
        output: queue.Queue[Any] = queue.Queue()

        def read(stream: IO[bytes] | None, answer: Callable[[bytes], Any]) -> None:
            for line in stream or ():
                output.put(answer(line))
            output.put(None)

        for stream, answer in (
            (process.stdout, lambda line: messages.RunPluginResponse(stdout=line)),
            (process.stderr, lambda line: messages.RunPluginResponse(stderr=line)),
        ):
            threading.Thread(target=read, args=(stream, answer), daemon=True).start()
        open_streams = 2
        while open_streams:
            piece = output.get()
            if piece is None:
                open_streams -= 1
            else:
                yield piece
        code = process.wait()
        self._running.discard(process)
        yield messages.RunPluginResponse(exitcode=code)


class PythonHost(LanguageHost):
    """Runs Python, in the virtual environment that Pulumi.yaml names, or else by the Python that runs this."""

    def program(self, request: Any) -> Command:
        """Return the command of the script that the engine's release of the SDK has for that."""
        info = request.info
        named = _option(info, "virtualenv")
        python = _python(info, named)
        if named and not python:
            raise CannotRunError(
                f"Pulumi.yaml names the virtual environment {named}, and {Path(info.root_directory, named)} is none: "
                f"make it by `python3 -m venv {named}` and `{named}/bin/pip install -r requirements.txt`, or name none"
            )
        script = shutil.which(_SCRIPT) or _SCRIPT
        words = [str(python or sys.executable), script, *self._options(request), info.entry_point, *request.args]
        return Command(words, info.program_directory, _activated(os.environ, python))

    def _options(self, request: Any) -> list[str]:
        options = {
            "--monitor": request.monitor_address,
            "--engine": self.engine,
            "--organization": request.organization,
            "--project": request.project,
            "--root_directory": request.info.root_directory,
            "--stack": request.stack,
            "--pwd": request.pwd,
            "--dry_run": str(request.dryRun).lower(),
            "--parallel": str(request.parallel),
        }
        return [word for option, value in options.items() if value for word in (option, value)]

    def plugin(self, request: Any) -> Command:
        """Return the command of a policy pack, which is a module's, or of another plugin: a folder with a __main__.py.

        The official host knows no other Python for it than the environment in its folder, by default venv.
        """
        info = request.info
        folder = info.program_directory
        interpreter = _python(info, _option(info, "virtualenv") or "venv")
        env = _activated(dict(pair.split("=", 1) for pair in request.env), interpreter)
        if request.kind == "analyzer":
            python = str(interpreter or os.environ.get(PACKS_PYTHON, sys.executable))
            return Command([python, "-u", "-m", "pulumi.policy", *request.args, folder], folder, env)
        return Command([str(interpreter or sys.executable), folder, *request.args], request.pwd or folder, env)


def _option(info: Any, name: str) -> str:
    """Return an option below `runtime.options` of Pulumi.yaml, or of the file that a plugin has in its place."""
    return str(info.options[name]) if name in info.options else ""


def _python(info: Any, environment: str) -> Path | None:
    """Return the Python of a virtual environment, whose folder is relative to that of Pulumi.yaml, if there is one."""
    python = Path(info.root_directory, environment, "bin", "python")
    return python if environment and python.exists() else None


def _activated(env: Mapping[str, str], python: Path | None) -> dict[str, str]:
    """Return variables as the script `activate` of the Python's environment would change them."""
    if not python:
        return {**env}
    others = {name: value for name, value in env.items() if name != "PYTHONHOME"}
    path = os.pathsep.join([str(python.parent), env.get("PATH", os.defpath)])
    return {**others, "PATH": path, "VIRTUAL_ENV": str(python.parent.parent)}


def serve(kind: type[LanguageHost]) -> NoReturn:
    """Serve until the engine ends: it ends this process, or has itself been killed."""
    engine = os.getppid()
    # The engine's address is the last argument.
    host = kind(sys.argv[-1])
    server = grpc.server(ThreadPoolExecutor(_PLUGINS), options=_NO_LIMIT)
    language_pb2_grpc.add_LanguageRuntimeServicer_to_server(host, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()

    def end(*_: Any) -> NoReturn:
        with host.starting:
            host.end()
            # Not sys.exit, which waits for calls that wait for plugins.
            os._exit(0)

    # The engine interrupts its plugins, each in a process group of its own, and kills them 5 s later:
    # TerminateProcessGroup in sdk/go/common/util/cmdutil/term.go.
    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, end)
    print(port, flush=True)
    while os.getppid() == engine:
        time.sleep(1)
    end()


if __name__ == "__main__":
    serve(PythonHost)
