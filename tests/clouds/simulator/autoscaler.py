"""A small cluster autoscaler: it adds nodes for pending pods, and removes nodes on which nothing runs.

Like the real ones, it depends on the limits of each pool, node selectors, taints and requests; pods of DaemonSets don't
count; and a pool never gets smaller than its minimum. Unlike the real ones, it doesn't balance zones, drain nodes with
few pods or have priorities between pools, and it waits seconds instead of minutes.
"""

import math
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from tests.clouds.simulator.api_server import pods, remove
from tests.clouds.simulator.cloud import Cloud, Stored
from tests.clouds.simulator.kind import Scope
from tests.clouds.simulator.wire import Values

PERIOD = 1.0
EMPTY_SECONDS = 4.0
"""How long a node has to be empty until it is removed. The real ones wait for ten minutes."""
_UNITS = {"Ki": 1024, "Mi": 1024**2, "Gi": 1024**3, "Ti": 1024**4, "m": 0.001, "k": 1e3, "M": 1e6, "G": 1e9}


@dataclass(frozen=True)
class Limits:
    """How many nodes a pool may have."""

    least: int
    most: int


class Nodes(Protocol):
    """The nodes of a cloud's pools: the functions of a cloud's module `nodes`.

    Every pool that exists has "begun" among its hidden properties.
    """

    def limits(self, pool: Stored) -> Limits | None:
        """Return how many nodes a pool may have, or None if it isn't to be scaled."""

    def of_pool(self, pool: Stored, scope: Scope) -> list[Values]:
        """Return a pool's nodes, the oldest first."""

    def template(self, pool: Stored, scope: Scope) -> Values | None:
        """Return the next node of a pool, or None if there can't be one."""

    def resize(self, pool: Stored, scope: Scope, wanted: int) -> None:
        """Give a pool this many nodes."""


class Autoscaler:
    """Looks after the pools of a cloud in a thread; a context manager."""

    def __init__(self, cloud: Cloud, token: str, nodes: Nodes) -> None:
        self._scope = Scope(cloud)
        self._token = token
        self._nodes = nodes
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="autoscaler", daemon=True)
        self._empty_since: dict[str, float] = {}
        self.errors: list[str] = []
        """The errors so far, in order."""

    def __enter__(self) -> "Autoscaler":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def look(self) -> None:
        """Check all pools once."""
        scope = self._scope
        pools = [pool for pool in scope.cloud.all(self._token) if self._nodes.limits(pool)]
        if not pools:
            return
        # In one request: a pod that got its node between two would both need one and use one.
        unfinished = pods(scope, "status.phase!%3DSucceeded,status.phase!%3DFailed")
        placed = [pod for pod in unfinished if pod["spec"].get("nodeName")]
        waiting = [pod for pod in unfinished if not pod["spec"].get("nodeName") and _may_start(pod)]
        used = {pod["spec"]["nodeName"] for pod in placed if not _of_daemon_set(pod)}
        for pool in pools:
            with scope.cloud.locked("nodes"):
                # Read it again, because the provider may have changed or deleted it since.
                current = scope.cloud.get(self._token, pool.id)
                limits = current and self._nodes.limits(current)
                if current and limits and current.hidden.get("begun") and not current.hidden.get("broken"):
                    self._scale(current, limits, waiting, used)

    def _run(self) -> None:
        while not self._ended.wait(PERIOD):
            try:
                self.look()
            except Exception as error:
                # The API server comes and goes with tests.
                self.errors.append(repr(error))

    def _scale(self, pool: Stored, limits: Limits, waiting: list[Any], used: set[str]) -> None:
        nodes = self._nodes.of_pool(pool, self._scope)
        template = self._nodes.template(pool, self._scope)
        if template is None:
            return
        fitting = [pod for pod in waiting if _fits(pod, template)]
        empty = [node for node in nodes if node["metadata"]["name"] not in used]
        needed = _needed(fitting, template) if fitting else 0
        target = min(limits.most, len(nodes) - len(empty) + needed) if fitting else 0
        if target > len(nodes):
            self._nodes.resize(pool, self._scope, target)
        elif not fitting:
            self._shrink(empty, len(nodes) - limits.least)

    def _shrink(self, empty: list[Any], max_removed: int) -> None:
        """Remove nodes that have been empty for a while, the newest first."""
        names = {node["metadata"]["name"] for node in empty}
        now = time.monotonic()
        for name in names:
            self._empty_since.setdefault(name, now)
        stale = [node for node in empty if now - self._empty_since[node["metadata"]["name"]] > EMPTY_SECONDS]
        for node in stale[::-1][: max(max_removed, 0)]:
            remove(node, self._scope)
            self._empty_since.pop(node["metadata"]["name"], None)


def _may_start(pod: Any) -> bool:
    return "deletionTimestamp" not in pod["metadata"] and not pod["spec"].get("schedulingGates")


def _of_daemon_set(pod: Any) -> bool:
    return any(owner["kind"] == "DaemonSet" for owner in pod["metadata"].get("ownerReferences", []))


def _fits(pod: Any, node: Any) -> bool:
    labels = node["metadata"]["labels"]
    if not (pod["spec"].get("nodeSelector") or {}).items() <= labels.items():
        return False
    if any(not _tolerated(taint, pod["spec"].get("tolerations") or []) for taint in node["spec"]["taints"]):
        return False
    allocatable = node["status"]["allocatable"]
    return all(amount <= _amount(allocatable.get(name, "0")) for name, amount in _requests(pod).items())


def _tolerated(taint: dict[str, str], tolerations: list[Any]) -> bool:
    if taint["effect"] == "PreferNoSchedule":
        return True
    return any(
        toleration.get("effect") in {None, "", taint["effect"]}
        and (
            (toleration.get("operator") == "Exists" and toleration.get("key") in {None, "", taint["key"]})
            or (toleration.get("key") == taint["key"] and toleration.get("value", "") == taint.get("value", ""))
        )
        for toleration in tolerations
    )


def _needed(pods: list[Any], node: Any) -> int:
    """Return how many nodes these pods need at least, by the sum of their requests."""
    total: dict[str, float] = defaultdict(float)
    for pod in pods:
        total["pods"] += 1
        for name, amount in _requests(pod).items():
            total[name] += amount
    allocatable = node["status"]["allocatable"]
    needed = max(math.ceil(amount / _amount(allocatable[name])) for name, amount in total.items() if amount)
    # Pods with an anti-affinity to each other, such as those of slurmd, need a node each.
    alone = sum(1 for pod in pods if (pod["spec"].get("affinity") or {}).get("podAntiAffinity") or _has_host_port(pod))
    return max(needed, alone, 1)


def _has_host_port(pod: Any) -> bool:
    ports = [port for container in pod["spec"]["containers"] for port in container.get("ports") or []]
    return any(port.get("hostPort") for port in ports)


def _requests(pod: Any) -> dict[str, float]:
    requests: dict[str, float] = defaultdict(float)
    for name, text in _container_requests(pod):
        requests[name] += _amount(text)
    return dict(requests)


def _container_requests(pod: Any) -> Iterator[tuple[str, str]]:
    for container in pod["spec"]["containers"]:
        resources = container.get("resources") or {}
        yield from {**(resources.get("limits") or {}), **(resources.get("requests") or {})}.items()


def _amount(text: str) -> float:
    unit = text.lstrip("0123456789.")
    return float(text.removesuffix(unit)) * _UNITS.get(unit, 1)
