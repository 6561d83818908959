#!/usr/bin/env -S python -P
"""Pulumi's language host for Python, for the embedded engine when it runs policy packs.

The host that can be built, in Go, is that of 3.68, which can't start what the engine asks of its successors: a policy
pack, which is a plugin of its own with an environment of its own. This one can, and runs programs too, because one
engine has one host for a language. The messages are those of proto/pulumi/language.proto of pulumi/pulumi, v3.259.0,
and what is done with them is what sdk/python/cmd/pulumi-language-python/main.go does there.

It is run by its file, under the name pulumi-language-python, by the `python` on PATH: that of the program. -P, since
the folder of this file holds modules with names that others have too.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any, NoReturn

import grpc  # type: ignore[import-untyped]
from google.protobuf.json_format import MessageToDict  # type: ignore[import-untyped]
from pulumi.runtime.proto import language_pb2 as messages, language_pb2_grpc, plugin_pb2

PACKS_PYTHON = "PULUMI_SLURM_POLICY_PYTHON"
"""The variable with the Python of policy packs that have no environment of their own beside them."""
_TOLD_THE_PERSON = 32
"""The exit code of a program that has said by itself what is wrong: see pulumi-language-python-exec."""
_NO_LIMIT = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]


class LanguageHost(language_pb2_grpc.LanguageRuntimeServicer):
    """Runs Python for the engine at an address."""

    def __init__(self, engine: str) -> None:
        self._engine = engine
        self._running: set[subprocess.Popen[bytes]] = set()

    def end(self) -> None:
        """End what still runs: packs run until they are ended."""
        for process in [*self._running]:
            process.terminate()

    def Handshake(self, request: Any, context: grpc.ServicerContext) -> Any:  # noqa: N802
        """Answer the engine's first call."""
        return messages.LanguageHandshakeResponse()

    def GetPluginInfo(self, request: Any, context: grpc.ServicerContext) -> Any:  # noqa: N802
        """Return the release, which is that of the SDK."""
        return plugin_pb2.PluginInfo(version=version("pulumi"))

    def GetRequiredPackages(self, request: Any, context: grpc.ServicerContext) -> Any:  # noqa: N802
        """Return none: the embedded engine downloads no plugins, and finds those that it has on PATH."""
        return messages.GetRequiredPackagesResponse()

    def Run(self, request: Any, context: grpc.ServicerContext) -> Any:  # noqa: N802
        """Run a program to its end, by the script that every release of the SDK comes with."""
        options = {
            "--monitor": request.monitor_address,
            "--engine": self._engine,
            "--organization": request.organization,
            "--project": request.project,
            "--stack": request.stack,
            "--pwd": request.pwd,
            "--dry_run": str(request.dryRun).lower(),
            "--parallel": str(request.parallel),
        }
        words = [word for option, value in options.items() if value for word in (option, value)]
        program = request.info.program_directory
        env = {
            "PULUMI_CONFIG": json.dumps(dict(request.config)),
            "PULUMI_CONFIG_SECRET_KEYS": json.dumps(list(request.configSecretKeys)),
        }
        command = ["pulumi-language-python-exec", *words, request.info.entry_point, *request.args]
        code = 1
        for answer in self._stream(command, env, program, context, apart=True):
            # What the program prints is for the person, and goes the way of this host's own output.
            for stream, text in ((sys.stdout, answer.stdout), (sys.stderr, answer.stderr)):
                stream.buffer.write(text)
                stream.flush()
            code = answer.exitcode
        if code == _TOLD_THE_PERSON:
            return messages.RunResponse(bail=True)
        return messages.RunResponse(error=f"the program ended with the exit code {code}" if code else "")

    def RunPlugin(self, request: Any, context: grpc.ServicerContext) -> Iterator[Any]:  # noqa: N802
        """Run a policy pack until the engine has done with it, and hand on what it prints: its port is the first."""
        if request.kind != "analyzer":
            context.abort(grpc.StatusCode.UNIMPLEMENTED, f"this host runs no plugins of the kind {request.kind}")
        folder = request.info.program_directory
        environment = MessageToDict(request.info.options).get("virtualenv")
        own = Path(request.info.root_directory, environment, "bin", "python") if environment else None
        python = str(own) if own and own.exists() else os.environ.get(PACKS_PYTHON, sys.executable)
        command = [python, "-u", "-m", "pulumi.policy", self._engine, folder]
        env = dict(pair.split("=", 1) for pair in request.env)
        yield from self._stream(command, env, request.pwd or folder, context)

    def _stream(
        self,
        command: list[str],
        env: dict[str, str],
        folder: str,
        context: grpc.ServicerContext,
        *,
        apart: bool = False,
    ) -> Iterator[Any]:
        """Run a command; yield its output as it comes, and its exit code at the end.

        The engine interrupts the group of processes of this host. A program would show a traceback then, so it is put
        ``apart``, and terminated.
        """
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, **env},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            process_group=0 if apart else None,
        )
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


def main() -> NoReturn:
    """Serve until the engine ends: it ends this process, or has itself been killed."""
    engine = os.getppid()
    host = LanguageHost(sys.argv[-1])
    server = grpc.server(ThreadPoolExecutor(), options=_NO_LIMIT)
    language_pb2_grpc.add_LanguageRuntimeServicer_to_server(host, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    # The engine interrupts its plugins, each in a process group of its own, and kills them 5 s later:
    # TerminateProcessGroup in sdk/go/common/util/cmdutil/term.go.
    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, lambda *_: sys.exit())
    print(port, flush=True)
    try:
        while os.getppid() == engine:
            time.sleep(1)
    finally:
        host.end()
        # Not sys.exit, which waits for calls that wait for packs.
        os._exit(0)


if __name__ == "__main__":
    main()
