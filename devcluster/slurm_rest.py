"""A stand-in for slurmrestd, because the pods of the embedded cluster run nothing: SIMULATED, for the operator only.

Once a RestApi exists, the operator asks Slurm about its nodes before it changes a NodeSet, and does nothing while
nobody answers. Here it gets the answers of a healthy, empty Slurm: every ready worker pod is an idle node, drains
and comments are remembered, and there are no jobs. The operator reaches it as its HTTP proxy, so one stand-in answers
for every cluster, by the host name that it is asked for (`<restapi>.<namespace>:6820`). It checks no token.
"""

from __future__ import annotations

import argparse
import http.server
import json
import re
import threading
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from devcluster.api import Api

POD_LABEL = "nodeset.slinky.slurm.net/pod-name"
ROUTE = re.compile(r"/slurm/v[\d.]+/(nodes|node|jobs|ping|partitions)/?([^/]*)/?$")
NUMBER = {"set": True, "infinite": False, "number": 0}

Key = tuple[str, str]


class Slurm:
    """The nodes of the simulated Slurm, in all namespaces."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._lock = threading.Lock()
        self._updates: dict[Key, dict[str, Any]] = {}
        """What was written to a node, by namespace and the uid of its pod: a new pod is a new node."""

    def nodes(self, namespace: str) -> list[dict[str, Any]]:
        """Return the namespace's nodes in slurmrestd's form, as far as the operator reads it."""
        pods = self._api.get(f"/api/v1/namespaces/{namespace}/pods?labelSelector={POD_LABEL}")["items"]
        return [self._node(namespace, pod) for pod in pods if _ready(pod)]

    def update(self, namespace: str, name: str, message: dict[str, Any]) -> bool:
        """Do what a node update asks; say whether the node exists."""
        for node in self.nodes(namespace):
            if node["name"] == name:
                with self._lock:
                    _merge(self._updates.setdefault((namespace, node["instance_id"]), {}), message)
                return True
        return False

    def _node(self, namespace: str, pod: dict[str, Any]) -> dict[str, Any]:
        spec, uid = pod["spec"], pod["metadata"]["uid"]
        name = spec["nodeName"] if spec.get("hostNetwork") else spec.get("hostname") or pod["metadata"]["name"]
        with self._lock:
            update = dict(self._updates.get((namespace, uid), {}))
        state = ["IDLE", *(["DRAIN"] if update.pop("drain", False) else [])]
        return {"name": name, "hostname": name, "instance_id": uid, "state": state, "reason": "", **update}


def _merge(update: dict[str, Any], message: dict[str, Any]) -> None:
    states = message.get("state") or []
    if "DRAIN" in states:
        update["drain"] = True
    if {"UNDRAIN", "RESUME", "IDLE"} & set(states):
        update["drain"] = False
        update["reason"] = ""
    elif "reason" in message:
        update["reason"] = message["reason"]
    if "comment" in message:
        update["comment"] = message["comment"]
    if "topology_str" in message:
        update["topology"] = message["topology_str"]


def _ready(pod: dict[str, Any]) -> bool:
    conditions = pod.get("status", {}).get("conditions") or []
    ready = any(item["type"] == "Ready" and item["status"] == "True" for item in conditions)
    return ready and "deletionTimestamp" not in pod["metadata"]


def answer(slurm: Slurm, method: str, url: str, body: bytes) -> tuple[int, dict[str, Any]]:
    """Return status and content for one request; `url` is absolute, as proxies get it."""
    parts = urlsplit(url)
    route = ROUTE.match(parts.path)
    namespace = (parts.hostname or "").split(".")[1:2]
    if not route or not namespace:
        return 404, {}
    resource, name = route[1], unquote(route[2])
    if resource == "node" and method == "POST":
        exists = slurm.update(namespace[0], name, json.loads(body or b"{}"))
        return (200 if exists else 404), {}
    if method != "GET":
        return 404, {}
    if resource in {"node", "nodes"}:
        nodes = [node for node in slurm.nodes(namespace[0]) if resource == "nodes" or node["name"] == name]
        return (200 if nodes or resource == "nodes" else 404), {"nodes": nodes, "last_update": NUMBER}
    if resource == "ping":
        ping = {"hostname": "simulated", "pinged": "UP", "latency": 0, "mode": "primary", "responding": True}
        return 200, {"pings": [{**ping, "primary": True}]}
    return 200, {resource: [], "last_update": NUMBER, "last_backfill": NUMBER}


class Handler(http.server.BaseHTTPRequestHandler):
    """Speaks HTTP for `answer`."""

    protocol_version = "HTTP/1.1"
    slurm: Slurm

    def handle_any(self) -> None:
        """Answer one request, whatever its method."""
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            status, content = answer(self.slurm, self.command, self.path, body)
        except Exception as error:  # The operator asks again, so nothing may end the server.
            self.log_error("%s", error)
            status, content = 503, {}
        # Only success is JSON: the client takes the plain status text for "there is no such node".
        payload = json.dumps(content).encode() if status == 200 else b""
        self.send_response(status)
        self.send_header("Content-Type", "application/json" if status == 200 else "text/plain")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    do_GET = do_POST = do_DELETE = handle_any  # noqa: N815 - the names that the base class looks for

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Say nothing about ordinary requests."""


def main() -> None:
    """Serve on the loopback until ended."""
    parser = argparse.ArgumentParser(description="simulated slurmrestd for the embedded cluster")
    parser.add_argument("--kubeconfig", type=Path, required=True)
    parser.add_argument("--port", type=int, required=True)
    arguments = parser.parse_args()
    Handler.slurm = Slurm(Api(arguments.kubeconfig))
    http.server.ThreadingHTTPServer(("127.0.0.1", arguments.port), Handler).serve_forever()


if __name__ == "__main__":
    main()
