"""What each make target does with a stack: up, preview, down, status and any pulumi command.

A stack of kind `local` gets the embedded cluster. For any other kind nothing is started or stopped: KUBECONFIG and
CONTEXT are handed through, and `down` destroys the stack and leaves the rest to its owner.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from devcluster import container_images, login, node_choice, pods, root_filesystems, settings, summary
from devcluster.cluster import Cluster, stop_all
from devcluster.engine import Engine
from devcluster.errors import DevclusterError
from devcluster.folders import CHECKOUT, PYTHON_PATH, cache_folder, state_folder
from devcluster.locks import locked
from devcluster.parts import ENGINE_PARTS, REAL_NODE_PARTS, SIMULATED_NODE_PARTS
from devcluster.processes import ProcessTable
from devcluster.progress import Progress, spoken
from devcluster.real_nodes import DEFAULT_REAL_NODES, node_process, remove_cgroups
from devcluster.toolchain import Toolchain, ensure, official_pulumi, remove_tree

CLOUD_PLUGINS = {"gke": "pulumi-resource-gcp", "ack": "pulumi-resource-alicloud"}
"""What an official pulumi installs by itself. They can't be built as the embedded engine's other parts are."""
PREVIEW = ("preview", "--diff")
UP = ("up", "--yes", "--skip-preview")
RESTART = 600.0
"""Seconds from the start of a node until its pods are ready, and Slurm has given up the jobs that ended with it.

slurmctld asks a node whose job does not complete again after KillWait and two MessageTimeout, looked at each minute
(_list_find_job_old in src/slurmctld/job_mgr.c).
"""
DIRECTORY = 600.0
"""Seconds until the login node knows a user of the directory.

sssd that didn't find the directory at its start asks again after 60 s and up to 30 more: offline_timeout and
offline_timeout_random_offset in sssd.conf(5). The rest is for slow machines.
"""
FIRST_JOB = "make-up"
"""The name of the job with which `make up` ends."""


@dataclass(frozen=True)
class Stack:
    """One stack of this checkout, as the person has asked for it."""

    name: str
    context: str | None = None
    nodes: str | None = None
    """What a new embedded cluster is asked to have: "real" or "simulated" nodes; None leaves it to the machine."""

    @property
    def local(self) -> bool:
        """Whether it lives on the embedded cluster."""
        return self._kind == "local"

    def tools(self) -> Toolchain:
        """Return the parts that this kind of stack needs, with the images for nodes in place."""
        plugin = CLOUD_PLUGINS.get(self._kind)
        if plugin and not official_pulumi(cache_folder()) and not shutil.which(plugin):
            raise DevclusterError(
                f"Pulumi.{self.name}.yaml is a stack of kind {self._kind}, whose plugin {plugin} the embedded engine "
                "does not have: install Pulumi (https://www.pulumi.com/docs/install/), put it on PATH, and run it again"
            )
        if not self.local:
            return ensure(ENGINE_PARTS)
        if not node_choice.real(_cluster_folder()):
            return ensure(SIMULATED_NODE_PARTS)
        tools = ensure(REAL_NODE_PARTS)
        container_images.ensure(root_filesystems.NODE.ensure())
        return tools

    @property
    def _kind(self) -> str:
        return settings.kind(CHECKOUT / f"Pulumi.{self.name}.yaml", self.name)

    def cluster(self, tools: Toolchain) -> Cluster:
        """Return the embedded cluster of this checkout."""
        folder = _cluster_folder()
        if node_choice.real(folder):
            return Cluster(folder, tools, nodes=(), real_nodes=DEFAULT_REAL_NODES)
        return Cluster(folder, tools)

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
        processes = ProcessTable(_cluster_folder())
        names = processes.names()
        with Progress(1).step(f"stopping {len(names)} processes and removing {state}"):
            # By what is written down, not by the toolchain: its parts may be gone or newer by now.
            stop_all(processes)
            processes.end_unrecorded()
            remove_cgroups(_cluster_folder())
            shutil.rmtree(state)
        print("Removed. The cache is kept for the next `make up`; `make clean-cache` removes it.")
        return code


def status(stack: Stack) -> int:
    """Say what runs and what exists."""
    if not stack.local:
        return stack.engine(stack.tools()).stream("stack")
    if not (_cluster_folder() / "kubeconfig").exists():
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


def slurm(stack: Stack, arguments: Sequence[str]) -> int:
    """Run one of Slurm's commands, or any other, as a user on the login node."""
    words = _words(arguments, "make slurm ARGS='srun -N2 hostname'")
    return login.run(login.Login(_with_real_nodes(stack)).slurm(words))


def ssh(stack: Stack, arguments: Sequence[str]) -> int:
    """Log in as a user, or run a command so."""
    command = [word for word in arguments if word]
    return login.run(login.Login(_with_real_nodes(stack)).ssh(command))


def _with_real_nodes(stack: Stack) -> Cluster:
    if not stack.local:
        raise DevclusterError(f"{stack.name} is not on the embedded cluster: see its output `sshCommands`")
    if node_choice.real(_cluster_folder()):
        cluster = stack.cluster(stack.tools())
        if cluster.running:
            return cluster
    raise DevclusterError("no cluster with real nodes runs: start one with `make up NODES=real`")


def _words(arguments: Sequence[str], example: str) -> list[str]:
    """Return the words of a command, which make hands over as one argument."""
    try:
        words = shlex.split(arguments[0]) if len(arguments) == 1 else list(arguments)
    except ValueError as error:
        raise DevclusterError(f"{arguments[0]} is no command ({error}): write it as in {example}") from None
    if not words:
        raise DevclusterError(f"say which command: {example}")
    return words


def pulumi(stack: Stack, arguments: Sequence[str]) -> int:
    """Run any pulumi command on the stack."""
    return stack.engine(stack.tools()).stream(*_words(arguments, "make pulumi ARGS='stack output'"))


def clean_cache() -> int:
    """Remove the cache folder: virtual environments, built parts, Go's caches."""
    table = ProcessTable(_cluster_folder())
    if any(table.running(name) for name in table.names()):
        raise DevclusterError("the embedded cluster runs from the cache: end it first with `make down`")
    cache = cache_folder()
    with Progress(1).step(f"removing {cache}"):
        remove_tree(cache)
    return 0


def _deploy(stack: Stack, command: tuple[str, ...]) -> int:
    began = time.monotonic()
    with locked(_lock(), "this checkout"):
        if stack.local:
            reason = node_choice.decide(_cluster_folder(), stack.nodes)
            if reason:
                print(reason, flush=True)
        elif stack.nodes:
            raise DevclusterError(f"NODES={stack.nodes} is for the embedded cluster: leave it out with {stack.name}")
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
            if cluster.real_nodes:
                _first_job(cluster)
                _prove(stack, cluster)
            print(f"\nUp in {spoken(time.monotonic() - began)}.")
        return code


def _first_job(cluster: Cluster) -> None:
    user = login.Login(cluster)
    missing = user.missing()
    if missing:
        print(f"\nNo job is run: {missing}.")
        return
    _wait_for_pods(cluster)
    _wait_for_user(user)
    # One of an `up` that was killed would keep its nodes: Slurm doesn't end a job at its limit if slurmctld or a slurmd
    # was killed while the job's prolog ran.
    login.run(user.slurm(["scancel", f"--user={user.user}", f"--name={FIRST_JOB}"]))
    print("\nSlurm answers:")
    # Not waited for long where jobs have all nodes, unless these may be jobs that ended with a node.
    seconds = 120 if time.time() < _restarted_by(cluster) else 30
    job = f"srun --job-name={FIRST_JOB} --immediate={seconds} --time=1 --nodes=1-2 hostname"
    for words in (["sinfo"], job.split()):
        print(f"  $ make slurm ARGS='{' '.join(words)}'", flush=True)
        if login.run(user.slurm(words)):
            print("  That failed. The cluster is there all the same: `make slurm` runs any command again.")


def _prove(stack: Stack, cluster: Cluster) -> None:
    """Have `pulumi-slurm prove` try all that the stack's file says, as the user."""
    user = login.Login(cluster)
    if user.missing():
        return
    if not shutil.which("kubectl"):
        print("\nMore isn't tried: `pulumi-slurm prove` needs kubectl, which isn't on PATH.")
        return
    words = ("prove", f"Pulumi.{stack.name}.yaml", f"--kubeconfig={cluster.kubeconfig}", f"--user={user.user}")
    print(f"\n  $ pulumi-slurm {' '.join(words)}", flush=True)
    command = [sys.executable, "-m", "pulumi_slurm", *words]
    subprocess.run(command, cwd=CHECKOUT, env={**os.environ, "PYTHONPATH": PYTHON_PATH}, check=False)


def _wait_for_user(user: login.Login) -> None:
    """Add the user, and wait until the login node knows it."""
    deadline = time.monotonic() + DIRECTORY
    if _is_known(user):
        return
    with Progress(1).step(f"waiting until the login node knows the user {user.user}"):
        while not _is_known(user):
            if time.monotonic() > deadline:
                # It says what is wrong, or else the first job does.
                user.add_user()
                return
            time.sleep(1)


def _is_known(user: login.Login) -> bool:
    try:
        user.add_user()
        return user.known()
    except DevclusterError:
        # A login node that the stack has just changed may still be on its way.
        return False


def _wait_for_pods(cluster: Cluster) -> None:
    """Wait until what runs on nodes that have just been started is ready, also where the stack didn't wait for it."""
    started = _started(cluster)
    deadline = _restarted_by(cluster)
    names = pods.restarting(cluster.api, started)
    if not names or time.time() > deadline:
        return
    with Progress(1).step(f"waiting for {len(names)} pods on nodes that have just been started"):
        while pods.restarting(cluster.api, started) and time.time() < deadline:
            time.sleep(0.5)


def _started(cluster: Cluster) -> dict[str, float]:
    """Return when each node was started, in seconds since the epoch."""
    return {node.name: cluster.processes.started(node_process(node.name)) for node in cluster.real_nodes}


def _restarted_by(cluster: Cluster) -> float:
    """Return when pods are ready and nodes idle after the last start of a node, in seconds since the epoch."""
    return max(_started(cluster).values(), default=0.0) + RESTART


def _destroy(stack: Stack) -> int:
    folder = _cluster_folder()
    if not (folder / "kubeconfig").exists():
        return 0
    tools = stack.tools()
    cluster, engine = stack.cluster(tools), stack.engine(tools)
    engine.release()
    if not engine.exists:
        return 0
    if not cluster.running:
        print(
            "The embedded cluster is not running, so there is nothing to destroy in it: its data is removed as a whole."
        )
        return 0
    code = engine.stream("destroy", "--yes", "--skip-preview", "--remove")
    if code:
        print("error: pulumi could not destroy the stack (see above); its cluster is removed all the same")
    return code


def _cluster_folder() -> Path:
    return state_folder() / "cluster"


def _lock() -> Path:
    # In the cache, because `down` removes the state folder that it protects.
    name = hashlib.sha256(str(state_folder()).encode()).hexdigest()[:10]
    return cache_folder() / "locks" / name
