"""A Prometheus that scrapes slurmctld of the same site, as prometheus-operator has one do it for a ServiceMonitor."""

from __future__ import annotations

import http.client
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import quote

from tests.slurmd.daemon import Daemon
from tests.slurmd.rest import enter_network
from tests.slurmd.site import Site

PORT = 9090
ENDPOINTS = ("jobs", "nodes", "partitions", "scheduler")
"""What the operator's ServiceMonitor has scraped, unless its endpoints are set."""


class Prometheus:
    """Prometheus on a host of its own; `namespaces` are those of the slurmctlds by the host and port of each."""

    def __init__(self, site: Site, namespaces: dict[str, str]) -> None:
        self.host = site.host("prometheus")
        jobs = [_job(endpoint, namespaces) for endpoint in ENDPOINTS]
        config = {"global": {"scrape_interval": "200ms", "scrape_timeout": "200ms"}, "scrape_configs": jobs}
        # JSON is YAML.
        self.host.write("/etc/prometheus/prometheus.yml", json.dumps(config))
        self.host.folder("/var/lib/prometheus", mode=0o1777)
        command = [
            "prometheus",
            "--config.file=/etc/prometheus/prometheus.yml",
            "--storage.tsdb.path=/var/lib/prometheus",
        ]
        self.daemon: Daemon = self.host.start(command, user="nobody")
        self.daemon.wait_until(lambda: self.host.listens(PORT), "listening")

    def values(self, query: str) -> list[float]:
        """Return the values of a query's result, as KEDA asks for it."""
        result = self._get(f"/api/v1/query?query={quote(query)}")["data"]["result"]
        return [float(sample["value"][1]) for sample in result]

    def healthy_targets(self) -> int:
        """Return how many endpoints it could scrape the last time."""
        return sum(target["health"] == "up" for target in self._targets())

    def errors(self) -> set[str]:
        """Return why it could not scrape endpoints the last time."""
        return {target["lastError"] for target in self._targets()}

    def _targets(self) -> Any:
        return self._get("/api/v1/targets?state=active")["data"]["activeTargets"]

    def _get(self, path: str) -> Any:
        def ask() -> Any:
            # Only this thread enters the host's network, and it ends with the request.
            enter_network(self.host.pid)
            connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=30)
            connection.request("GET", path)
            answer = json.loads(connection.getresponse().read())
            connection.close()
            assert answer["status"] == "success", answer
            return answer

        with ThreadPoolExecutor(max_workers=1) as threads:
            return threads.submit(ask).result()


def _job(endpoint: str, namespaces: dict[str, str]) -> dict[str, Any]:
    targets = [{"targets": [target], "labels": {"namespace": namespace}} for target, namespace in namespaces.items()]
    return {
        "job_name": endpoint,
        "metrics_path": f"/metrics/{endpoint}",
        "static_configs": targets,
    }
