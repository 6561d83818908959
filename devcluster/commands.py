"""What each make target does with a stack: up, preview, down, status and any pulumi command.

A stack of kind `local` gets the embedded cluster. For any other kind nothing is started or stopped: KUBECONFIG and
CONTEXT are handed through, and `down` destroys the stack and leaves the rest to its owner.
"""

from __future__ import annotations

import hashlib
import shlex
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from devcluster import settings, summary
from devcluster.cluster import Cluster, stop_all
from devcluster.engine import Engine
from devcluster.errors import DevclusterError
from devcluster.folders import CHECKOUT, cache_folder, state_folder
from devcluster.locks import locked
from devcluster.parts import ENGINE_PARTS
from devcluster.processes import ProcessTable
from devcluster.progress import Progress, spoken
from devcluster.toolchain import Toolchain, ensure, official_pulumi, remove_tree

CLOUD_PLUGINS = {"gke": "pulumi-resource-gcp", "ack": "pulumi-resource-alicloud"}
"""What an official pulumi installs by itself. They can't be built as the embedded engine's other parts are."""
PREVIEW = ("preview", "--diff")
UP = ("up", "--yes", "--skip-preview")


@dataclass(frozen=True)
class Stack:
    """One stack of this checkout, as the person has asked for it."""

    name: str
    context: str | None = None

    @property
    def local(self) -> bool:
        """Whether it lives on the embedded cluster."""
        return self._kind == "local"

    def tools(self) -> Toolchain:
        """Return the parts that this kind of stack needs."""
        plugin = CLOUD_PLUGINS.get(self._kind)
        if plugin and not official_pulumi(cache_folder()) and not shutil.which(plugin):
            raise DevclusterError(
                f"Pulumi.{self.name}.yaml is a stack of kind {self._kind}, whose plugin {plugin} the embedded engine "
                "does not have: install Pulumi (https://www.pulumi.com/docs/install/), put it on PATH, and run it again"
            )
        return ensure(None if self.local else ENGINE_PARTS)

    @property
    def _kind(self) -> str:
        return settings.kind(CHECKOUT / f"Pulumi.{self.name}.yaml", self.name)

    def cluster(self, tools: Toolchain) -> Cluster:
        """Return the embedded cluster of this checkout."""
        return Cluster(state_folder() / "cluster", tools)

    def engine(self, tools: Toolchain) -> Engine:
        """Return the engine for this stack."""
        kubeconfig = self.cluster(tools).kubeconfig if self.local else None
        return Engine(tools, state_folder() / "pulumi", CHECKOUT, self.name, kubeconfig, context=self.context)


def up(stack: Stack) -> int:
    """Bring the stack up and say what exists."""
    return _deploy(stack, UP)


def preview(stack: Stack) -> int:
    """Show what `up` would do; an embedded cluster is started for it."""
    return _deploy(stack, PREVIEW)


def down(stack: Stack) -> int:
    """Destroy the stack; for the embedded cluster, leave nothing behind but the cache."""
    state = state_folder()
    with locked(_lock(), "this checkout"):
        if not stack.local:
            engine = stack.engine(stack.tools())
            engine.release()
            return engine.stream("destroy", "--yes", "--skip-preview", "--remove")
        if not any(state.iterdir()):
            print("Nothing to remove: no cluster and no stack of this checkout is there.")
            state.rmdir()
            return 0
        code = _destroy(stack)
        processes = ProcessTable(state / "cluster")
        names = processes.names()
        with Progress(1).step(f"stopping {len(names)} processes and removing {state}"):
            # By what is written down, not by the toolchain: its parts may be gone or newer by now.
            stop_all(processes)
            shutil.rmtree(state)
        print("Removed. The cache is kept for the next `make up`; `make clean-cache` removes it.")
        return code


def status(stack: Stack) -> int:
    """Say what runs and what exists."""
    if not stack.local:
        return stack.engine(stack.tools()).stream("stack")
    if not (state_folder() / "cluster" / "kubeconfig").exists():
        print("No cluster of this checkout is there: `make up` makes one.")
        return 0
    tools = stack.tools()
    cluster = stack.cluster(tools)
    for name in cluster.processes.names():
        print(f"{name:<26} {'running' if cluster.processes.running(name) else 'dead'}")
    if not cluster.running:
        print("The cluster is not running as a whole: `make up` starts what is missing.")
        return 1
    print(summary.text(cluster, stack.engine(tools)))
    return 0


def pulumi(stack: Stack, arguments: Sequence[str]) -> int:
    """Run any pulumi command on the stack."""
    words = shlex.split(arguments[0]) if len(arguments) == 1 else list(arguments)
    if not words:
        raise DevclusterError("say which command: make pulumi ARGS='stack output'")
    return stack.engine(stack.tools()).stream(*words)


def clean_cache() -> int:
    """Remove the cache folder: virtual environments, built parts, Go's caches."""
    state = state_folder()
    table = ProcessTable(state / "cluster")
    if any(table.running(name) for name in table.names()):
        raise DevclusterError("the embedded cluster runs from the cache: end it first with `make down`")
    cache = cache_folder()
    with Progress(1).step(f"removing {cache}"):
        remove_tree(cache)
    return 0


def _deploy(stack: Stack, command: tuple[str, ...]) -> int:
    began = time.monotonic()
    with locked(_lock(), "this checkout"):
        tools = stack.tools()
        engine = stack.engine(tools)
        cluster = stack.cluster(tools)
        if stack.local and not cluster.running:
            with Progress(1).step("starting the embedded cluster"):
                cluster.start()
        engine.release()
        if not tools.official:
            print("Pulumi warns about plugins from PATH: that is how the embedded engine has them.")
        code = engine.stream(*command)
        if code == 0 and command == UP and stack.local:
            print(summary.text(cluster, engine))
            print(f"\nUp in {spoken(time.monotonic() - began)}.")
        return code


def _destroy(stack: Stack) -> int:
    folder = state_folder() / "cluster"
    if not (folder / "kubeconfig").exists():
        return 0
    tools = stack.tools()
    cluster, engine = stack.cluster(tools), stack.engine(tools)
    if not engine.exists:
        return 0
    if not cluster.running:
        print(
            "The embedded cluster is not running, so there is nothing to destroy in it: its data is removed as a whole."
        )
        return 0
    engine.release()
    code = engine.stream("destroy", "--yes", "--skip-preview", "--remove")
    if code:
        print("error: pulumi could not destroy the stack (see above); its cluster is removed all the same")
    return code


def _lock() -> Path:
    # In the cache, because `down` removes the state folder that it protects.
    name = hashlib.sha256(str(state_folder()).encode()).hexdigest()[:10]
    return cache_folder() / "locks" / name
