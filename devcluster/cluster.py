"""One embedded cluster: control plane, nodes and slurm-operator, in one folder, started and stopped as a whole.

Its data is throwaway: everything can be made again, so nothing here backs up or migrates. The processes outlive the
launcher until `stop`. Starting a cluster that runs starts only what is dead.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from devcluster import container_images, ports, root_filesystems, slurm_operator
from devcluster.api import Api, path_of
from devcluster.control_plane import ControlPlane
from devcluster.errors import DevclusterError
from devcluster.nodes import DEFAULT_NODES, KWOK_VOLUMES, NodeShape, kwok_config, storage_class
from devcluster.pki import Pki
from devcluster.processes import Command, ProcessTable
from devcluster.readiness import healthy, listening, node_ready, wait_established
from devcluster.real_nodes import NETWORK, RELAY, RealNode, RealNodes, network_is_up, node_process
from devcluster.slurm_operator import MANAGER, REST, WEBHOOK, SlurmOperator
from devcluster.toolchain import Toolchain

CONTEXT = "pulumi-slurm-local"
API_SERVER = "kube-apiserver"
KWOK = "kwok"
FIRST = ("etcd", API_SERVER)
START_SECONDS = 600.0
"""Only for what hangs: a process that ends at its start is told at once. Nodes that run pods are slow to come on two
cores that also run tests."""
PORT_OF = {
    "etcd-peer": "etcd",
    f"{WEBHOOK}-health": WEBHOOK,
}
"""Ports that are not named after their process."""


class Cluster:
    """An embedded cluster in `folder`; with `operator=None` neither slurm-operator nor its CRDs are there.

    With ``mutating_policies`` its API server has MutatingAdmissionPolicy, for what a cloud's clusters change in pods.
    """

    def __init__(
        self,
        folder: Path,
        tools: Toolchain,
        *,
        operator: str | None = "1.1.0",
        nodes: Sequence[NodeShape] = DEFAULT_NODES,
        real_nodes: Sequence[RealNode] = (),
        mutating_policies: bool = False,
    ) -> None:
        self.folder = folder.absolute()
        self.tools = tools
        self.operator = operator
        self.nodes = tuple(nodes)
        self.real_nodes = tuple(real_nodes)
        self.mutating_policies = mutating_policies
        self.processes = ProcessTable(self.folder)

    @property
    def kubeconfig(self) -> Path:
        """The administrator's kubeconfig."""
        return self.folder / "kubeconfig"

    @property
    def api(self) -> Api:
        """A client of this cluster's API server."""
        return Api(self.kubeconfig)

    @property
    def running(self) -> bool:
        """Whether all processes live and the API server answers."""
        try:
            alive = all(self.processes.running(name, command.argv) for name, command in self._commands().items())
        except (FileNotFoundError, KeyError, json.JSONDecodeError):
            return False
        return alive and self.api.ready()

    def start(self) -> None:
        """Bring everything up; what an interrupted start has started is stopped again."""
        before = {name for name in self.processes.names() if self.processes.running(name)}
        try:
            self._start(before)
        except BaseException:
            stop_all(self.processes, spare=before)
            raise

    def stop(self) -> None:
        """End all processes; data and logs stay."""
        stop_all(self.processes)

    def stop_process(self, name: str) -> None:
        """End one process by name."""
        self._command(name)
        self.processes.stop([name])

    def start_process(self, name: str) -> None:
        """Start one process by name and wait until it is ready."""
        self.processes.start(self._command(name))
        self._wait(name)

    def wait_for_nodes(self) -> None:
        """Wait until pods can be scheduled on all nodes."""
        api = self.api

        def all_ready(names: set[str]) -> bool:
            nodes = api.get("/api/v1/nodes")["items"]
            return names <= {node["metadata"]["name"] for node in nodes if node_ready(node)}

        # The log of a node says why it doesn't come up.
        for node in self.real_nodes:
            self.processes.wait(node_process(node.name), partial(all_ready, {node.name}), START_SECONDS)
        simulated = {node["metadata"]["name"] for shape in self.nodes for node in shape.manifests()}
        self.processes.wait("kube-controller-manager", partial(all_ready, simulated), START_SECONDS)

    def use_operator(self, version: str) -> None:
        """Replace the running operator by another version: its CRDs, its process, its webhook if that can run here."""
        SlurmOperator(version, self.folder, self.tools, self._pki, self._ports())
        self.processes.stop([MANAGER, WEBHOOK])
        self.operator = version
        self._start({name for name in self.processes.names() if self.processes.running(name)})

    def _start(self, before: set[str]) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # The relay of real nodes holds the ports of processes that may have ended.
        used = {port for port in ports.NAMES if RELAY in before or PORT_OF.get(port, port) in before}
        chosen = ports.choose(self.folder / "ports.json", used)
        if not self._stamp.exists() and "etcd" not in before:
            # A first start that was interrupted: CRDs may be in states that the API server never leaves again.
            shutil.rmtree(self.folder / "etcd", ignore_errors=True)
        self._pki.create()
        self._pki.write_kubeconfig(self.kubeconfig, self._plane(chosen).server, CONTEXT)
        if self._has_kwok:
            stages = self.tools.path("charts") / "kwok" / "stages"
            # Pods of real nodes need volumes that are there; those have a provisioner of their own.
            (self.folder / "kwok.yaml").write_text(kwok_config(stages, volumes=not self.real_nodes))
        operator = self._slurm_operator(chosen)
        if operator:
            operator.prepare()
        real = self._real(chosen)
        if real:
            real.write()
            self.processes.start(real.network())
            self._wait(NETWORK)
        commands = self._commands()
        self.processes.stop(name for name in self.processes.names() if name not in commands)
        for name in (*([RELAY] if real else []), *FIRST):
            self.processes.start(commands[name])
        # Reading the manifests takes as long as the API server's start, so both happen at once.
        with ThreadPoolExecutor(8) as pool:
            manifests = pool.submit(self._manifests, operator)
            self._wait(API_SERVER)
            for name in ("kube-controller-manager", "kube-scheduler", *([KWOK] if KWOK in commands else [])):
                self.processes.start(commands[name])
            self._apply(manifests.result(), operator, pool.map)
        for name in commands:
            # Real nodes and what they need; everything else was started already.
            if name not in {REST, MANAGER, WEBHOOK}:
                self.processes.start(commands[name])
        started = [name for name in (REST, MANAGER, WEBHOOK) if name in commands]
        for name in started:
            self.processes.start(commands[name])
        for name in (*started, "kube-controller-manager", "kube-scheduler"):
            self._wait(name)
        self.wait_for_nodes()

    def _manifests(self, operator: SlurmOperator | None) -> list[dict[str, Any]]:
        """Return what belongs into the cluster, big and slow things first."""
        crds = [*slurm_operator.other_crds(self.tools), *(operator.crds() if operator else [])]
        nodes = [node for shape in self.nodes for node in shape.manifests()]
        webhooks = operator.webhook_configurations() if operator and operator.has_webhook else []
        real = self._real(self._ports())
        return [*crds, *nodes, *webhooks, *(real.manifests() if real else [storage_class(KWOK_VOLUMES)])]

    def _apply(
        self,
        manifests: list[dict[str, Any]],
        operator: SlurmOperator | None,
        run_each: Callable[[Callable[[dict[str, Any]], object], Iterable[dict[str, Any]]], Iterable[object]],
    ) -> None:
        """Apply what has changed since the last time; the stamp is kept beside the data that it describes."""
        digest = hashlib.sha256(json.dumps(manifests, sort_keys=True).encode()).hexdigest()
        if self._stamp.exists() and self._stamp.read_text() == digest:
            return
        api = self.api
        list(run_each(api.apply, manifests))
        if operator and not operator.has_webhook:
            for configuration in operator.webhook_configurations():
                api.delete(path_of(configuration))
        crds = [item for item in manifests if item["kind"] == "CustomResourceDefinition"]
        list(run_each(lambda crd: wait_established(api, crd), crds))
        self._stamp.write_text(digest)

    def _wait(self, name: str) -> None:
        if name == NETWORK:
            ready: Callable[[], bool] = partial(network_is_up, self.processes)
        elif name == API_SERVER:
            ready = self.api.ready
        elif name in {MANAGER, WEBHOOK}:
            port = self._ports()[name if name == MANAGER else f"{WEBHOOK}-health"]
            ready = lambda: healthy(port)  # noqa: E731
        elif name in {"kube-controller-manager", "kube-scheduler"}:
            port = self._ports()[name]
            ready = lambda: healthy(port, "/healthz", tls=True)  # noqa: E731
        elif name == REST:
            port = self._ports()[name]
            ready = lambda: listening(port)  # noqa: E731
        else:
            return
        self.processes.wait(name, ready, START_SECONDS)

    @property
    def _has_kwok(self) -> bool:
        # Without nodes of its own it is for those that others make, such as a simulated cloud.
        return bool(self.nodes) or not self.real_nodes

    @property
    def _stamp(self) -> Path:
        return self.folder / "etcd" / "applied"

    @property
    def _pki(self) -> Pki:
        return Pki(self.folder / "pki")

    def _ports(self) -> dict[str, int]:
        ports: dict[str, int] = json.loads((self.folder / "ports.json").read_text())
        return ports

    def _plane(self, chosen: dict[str, int]) -> ControlPlane:
        return ControlPlane(
            self.folder, self.tools, self._pki, chosen, bool(self.real_nodes), mutating_policies=self.mutating_policies
        )

    def _slurm_operator(self, chosen: dict[str, int]) -> SlurmOperator | None:
        if not self.operator:
            return None
        return SlurmOperator(self.operator, self.folder, self.tools, self._pki, chosen, bool(self.real_nodes))

    def _real(self, chosen: dict[str, int]) -> RealNodes | None:
        if not self.real_nodes:
            return None
        programs = self.tools.path("control-plane")
        image = root_filesystems.NODE.ensure()
        images = container_images.ensure(image)
        return RealNodes(self.folder, image, programs, images, self._pki, chosen, self.real_nodes)

    def _commands(self) -> dict[str, Command]:
        chosen = self._ports()
        operator = self._slurm_operator(chosen)
        plane = self._plane(chosen)
        control = {
            **plane.commands(),
            **({KWOK: plane.kwok()} if self._has_kwok else {}),
            **(operator.commands() if operator else {}),
        }
        real = self._real(chosen)
        if not real:
            return control
        pid = self.processes.pid(NETWORK)
        inside = {name: real.inside(command, pid) for name, command in control.items()}
        return {NETWORK: real.network(), **inside, **real.commands(pid)}

    def _command(self, name: str) -> Command:
        commands = self._commands()
        if name not in commands:
            raise DevclusterError(f"the cluster has no process {name!r}: use one of {', '.join(commands)}")
        return commands[name]


def stop_all(processes: ProcessTable, spare: Collection[str] = ()) -> None:
    """End what is recorded, last started first: the controllers at once, then the API server, then its database."""
    names = [name for name in processes.names() if name not in spare]
    processes.stop(name for name in names if name not in FIRST)
    for name in reversed(FIRST):
        processes.stop(item for item in names if item == name)
