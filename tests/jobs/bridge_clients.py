"""The servers between which the stand-in for slurm-bridge acts: slurmrestd and the API server."""

import base64
import http.client
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import yaml

from devcluster.cluster import Cluster
from devcluster.real_nodes import NETWORK
from devcluster.relay import entering
from tests.e2e.objects import Object, Objects
from tests.waiting import HANGS

JsonObject = dict[str, Any]
VERSION = "v0.0.44"
"""The data parser that the bridge's client speaks: its go.mod has slurm-client's api/v0044."""
MERGE = "application/merge-patch+json"


@dataclass(frozen=True)
class Settings:
    """What the bridge's programs read: their file, and the token in their environment."""

    scheduler: str
    partition: str
    mcs_label: str
    url: str
    token: str

    @classmethod
    def of(cls, objects: Objects, cluster: str) -> "Settings":
        """Read them from the objects that the program has made for a Slurm cluster, whose namespace has its name."""
        namespace = cluster
        config = yaml.safe_load(objects.get("ConfigMap", namespace, f"{cluster}-bridge")["data"]["config.yaml"])
        name = config["schedulerName"]
        scheduler = objects.get("Deployment", namespace, f"{cluster}-bridge-scheduler")
        (container,) = scheduler["spec"]["template"]["spec"]["containers"]
        (source,) = (item["valueFrom"]["secretKeyRef"] for item in container["env"] if item["name"] == "SLURM_JWT")
        token = base64.b64decode(objects.get("Secret", namespace, source["name"])["data"][source["key"]]).decode()
        return cls(name, config["partition"], config["mcsLabel"], config["slurmRestApi"], token)


class SlurmrestdError(Exception):
    """An answer that says that something went wrong."""


class Slurmrestd:
    """Requests to slurmrestd, from within the cluster's network."""

    def __init__(self, cluster: Cluster, objects: Objects, settings: Settings) -> None:
        service, _, namespace = settings.url.partition("://")[2].partition(":")[0].partition(".")
        spec = objects.get("Service", namespace.partition(".")[0], service)["spec"]
        self._address, self._port = spec["clusterIP"], spec["ports"][0]["port"]
        self._headers = {"X-SLURM-USER-TOKEN": settings.token, "Content-Type": "application/json"}
        # A socket belongs to the network in which it was made, so one thread makes them all.
        self._inside = ThreadPoolExecutor(1, initializer=entering(cluster.processes.pid(NETWORK)))

    def ask(self, method: str, path: str, body: JsonObject | None = None) -> JsonObject | None:
        """Return the answer, None where slurmrestd knows no such thing."""
        return self._inside.submit(self._ask, method, path, body).result()

    def _ask(self, method: str, path: str, body: JsonObject | None) -> JsonObject | None:
        connection = http.client.HTTPConnection(self._address, self._port, timeout=HANGS)
        try:
            text = json.dumps(body) if body is not None else None
            connection.request(method, f"/slurm/{VERSION}/{path}", text, self._headers)
            response = connection.getresponse()
            content = response.read().decode()
        finally:
            connection.close()
        if response.status in (204, 404):
            return None
        answer: JsonObject = json.loads(content)
        problems = [error.get("description") or error.get("error") for error in answer.get("errors", [])]
        if any("Invalid job id" in str(problem) or "Unable to find" in str(problem) for problem in problems):
            return None
        if response.status != http.client.OK:
            raise SlurmrestdError(f"{method} {path}: {response.status} {problems or content}")
        return answer

    def jobs(self) -> list[JsonObject]:
        """Return all jobs that slurmctld still knows."""
        answer = self.ask("GET", "jobs/")
        return answer["jobs"] if answer else []

    def job(self, number: str) -> JsonObject | None:
        """Return one job."""
        answer = self.ask("GET", f"job/{number}")
        return answer["jobs"][0] if answer and answer["jobs"] else None

    def nodes(self) -> dict[str, JsonObject]:
        """Return the nodes by name."""
        answer = self.ask("GET", "nodes/")
        return {node["name"]: node for node in answer["nodes"]} if answer else {}


class Kubernetes:
    """Requests to the API server."""

    def __init__(self, objects: Objects) -> None:
        self.objects = objects

    def pods(self, scheduler: str) -> list[Object]:
        """Return the pods of a scheduler."""
        return [pod for pod in self.objects.all("Pod") if pod["spec"]["schedulerName"] == scheduler]

    def patch(self, kind: str, item: Object, change: JsonObject) -> None:
        """Merge a change into an object."""
        path = self.objects.kind(kind).path(item["metadata"].get("namespace"), item["metadata"]["name"])
        self.objects.api.request("PATCH", path, change, MERGE)

    def bind(self, pod: Object, node: str) -> None:
        """Give a pod its node."""
        path = self.objects.kind("Pod").path(pod["metadata"]["namespace"], pod["metadata"]["name"])
        target = {"apiVersion": "v1", "kind": "Node", "name": node}
        body = {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": pod["metadata"]["name"]}, "target": target}
        self.objects.api.request("POST", f"{path}/binding", body)

    def delete(self, pod: Object) -> None:
        """Delete a pod, which may be gone."""
        self.objects.api.delete(self.objects.kind("Pod").path(pod["metadata"]["namespace"], pod["metadata"]["name"]))
