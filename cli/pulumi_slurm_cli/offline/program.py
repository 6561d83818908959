"""Runs a program of Pulumi without an engine, and keeps what it asks of one.

Pulumi's runtime is global to a thread's context, and its SDKs read the environment. A program runs here in a thread of
its own, with a context of its own and without an environment, so that others in the same process neither see nor
change anything of it.
"""

import asyncio
import logging
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import Context
from typing import Any, TypeVar

import pulumi
from pulumi.runtime import mocks as pulumi_mocks
from pulumi.runtime.proto import resource_pb2
from pulumi.runtime.settings import Settings, configure

T = TypeVar("T")
_STACK = "pulumi:pulumi:Stack"


class RecordingMonitor(pulumi_mocks.MockMonitor):
    """Keeps the requests for resources, which say more than mocks are told: parents, dependencies, options."""

    def __init__(self, mocks: pulumi.runtime.Mocks, project: str, stack: str) -> None:
        super().__init__(mocks)
        self.project, self.stack = project, stack
        self.requests: list[Any] = []
        """Without that for the stack itself."""

    def make_urn(self, parent: str, type_: str, name: str) -> str:
        """Return a URN as an engine makes it: https://www.pulumi.com/docs/iac/concepts/resources/names/#urns."""
        above = parent.split("::")[2] if parent else _STACK
        qualified = type_ if above == _STACK else f"{above}${type_}"
        return f"urn:pulumi:{self.stack}::{self.project}::{qualified}::{name}"

    def RegisterResource(self, request: Any) -> Any:  # noqa: N802
        """Take a resource for registered."""
        if request.type != _STACK:
            self.requests.append(request)
        return super().RegisterResource(request)  # type: ignore[no-untyped-call]


class OfflineMonitor(RecordingMonitor):
    """Answers as an engine does in the preview of a stack that has nothing yet, on clouds that say nothing."""

    def __init__(self, project: str, stack: str) -> None:
        super().__init__(_NothingIsMade(), project, stack)
        self.questions: list[Any] = []
        """The requests that ask providers something."""

    def Invoke(self, request: Any) -> Any:  # noqa: N802
        """Return an answer of which nothing is known."""
        self.questions.append(request)
        return resource_pb2.ResourceInvokeResponse(unknown=True)


class _NothingIsMade(pulumi.runtime.Mocks):
    """Returns inputs as outputs; of others, and of ids, a preview then knows nothing."""

    def new_resource(self, args: pulumi.runtime.MockResourceArgs) -> tuple[str | None, dict[Any, Any]]:
        return "", args.inputs

    def call(self, args: pulumi.runtime.MockCallArgs) -> tuple[dict[Any, Any], list[tuple[str, str]] | None]:
        raise AssertionError(f"{args.token} is answered by the monitor")


def run_offline(program: Callable[[], Any], *, project: str, stack: str, config: Mapping[str, str]) -> OfflineMonitor:
    """Run a program as in a preview, and return what it has asked for.

    ``config`` are the stack's settings, by whole keys. What the program logs is dropped, its errors are raised.
    """

    def run() -> OfflineMonitor:
        # What stands beside the monitor in a thread that has never run a program.
        configure(Settings(project, stack))
        monitor = OfflineMonitor(project, stack)
        pulumi.runtime.set_all_config(dict(config), [])
        with _event_loop():
            pulumi.runtime.set_mocks(monitor.mocks, project, stack, preview=True, logger=_silent, monitor=monitor)
            pulumi.runtime.test(lambda: _nothing(program()))()  # type: ignore[no-untyped-call]
        return monitor

    with ThreadPoolExecutor(1, "program") as thread:
        return thread.submit(Context().run, run).result()


_silent = logging.Logger("program", logging.CRITICAL + 1)


def _nothing(_: object) -> None:
    """Return nothing: of a resource Pulumi would wait for every output."""


@contextmanager
def _event_loop() -> Iterator[None]:
    """Give the thread an event loop; what a program that failed has left in it ends without a word."""
    loop = asyncio.new_event_loop()
    loop.set_exception_handler(lambda *_: None)
    asyncio.set_event_loop(loop)
    try:
        yield
    finally:
        pending_tasks = asyncio.all_tasks(loop)
        for task in pending_tasks:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*pending_tasks, return_exceptions=True))
        loop.run_until_complete(loop.shutdown_default_executor())
        asyncio.set_event_loop(None)
        loop.close()


@contextmanager
def without_environment() -> Iterator[None]:
    """Empty the environment for a while, in which one thread at a time can be."""
    with _one_at_a_time:
        kept = dict(os.environ)
        os.environ.clear()
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(kept)


_one_at_a_time = threading.RLock()
