"""A Prometheus that scrapes slurmctld of the same site, with the configuration that the program renders."""

from __future__ import annotations

import http.client
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import quote

from pulumi_slurm.manifests.prometheus import configuration
from pulumi_slurm.model import MetricsEndpoint, PrometheusSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from tests.slurmd.daemon import Daemon
from tests.slurmd.rest import enter_network
from tests.slurmd.site import Site
from tests.waiting import HANGS, has

PORT = 9090


class Prometheus:
    """Prometheus on a host of its own; `namespaces` are those of the slurmctlds by the host and port of each.

    Its configuration is the program's, with these targets beside the program's own, and a shorter interval. With the
    group of a PrometheusRule it is what prometheus-operator makes of that and of a ServiceMonitor.
    """

    def __init__(self, site: Site, namespaces: dict[str, str], alerts: dict[str, Any] | None = None) -> None:
        self.host = site.host("prometheus")
        config = _of_a_service_monitor(namespaces) if alerts else _of_the_program(namespaces)
        config["global"] = {"scrape_interval": "1s", "scrape_timeout": "1s", "evaluation_interval": "1s"}
        if alerts:
            self.host.write("/etc/prometheus/alerts.json", json.dumps({"groups": [alerts]}))
            config["rule_files"] = ["/etc/prometheus/alerts.json"]
        # JSON is YAML.
        self.host.write("/etc/prometheus/prometheus.yml", json.dumps(config))
        self.host.folder("/var/lib/prometheus", mode=0o1777)
        command = [
            "prometheus",
            "--config.file=/etc/prometheus/prometheus.yml",
            "--storage.tsdb.path=/var/lib/prometheus",
        ]
        self.daemon: Daemon = self.host.start(command, user="nobody")
        self.daemon.eventually("listening", self.host.ports, has(PORT))
        self.daemon.eventually("ready", lambda: self._request("/-/ready"), lambda answer: answer[0] == 200)

    def values(self, query: str) -> list[float]:
        """Return the values of a query's result, as KEDA asks for it."""
        result = self._get(f"/api/v1/query?query={quote(query)}")["data"]["result"]
        return [float(sample["value"][1]) for sample in result]

    def firing(self) -> set[str]:
        """Return the names of the alerts that fire, after a slash the partition of those that are about one."""
        labels = [item["labels"] for item in self._get("/api/v1/alerts")["data"]["alerts"] if item["state"] == "firing"]
        return {"/".join((item["alertname"], *filter(None, [item.get("partition")]))) for item in labels}

    def healthy_targets(self) -> int:
        """Return how many endpoints it could scrape the last time."""
        return sum(target["health"] == "up" for target in self._targets())

    def errors(self) -> set[str]:
        """Return why it could not scrape endpoints the last time."""
        return {target["lastError"] for target in self._targets()}

    def _targets(self) -> Any:
        return self._get("/api/v1/targets?state=active")["data"]["activeTargets"]

    def _get(self, path: str) -> Any:
        status, text = self._request(path)
        assert status == 200, (status, text[:500])
        answer = json.loads(text)
        assert answer["status"] == "success", answer
        return answer

    def _request(self, path: str) -> tuple[int, bytes]:
        def ask() -> tuple[int, bytes]:
            # Only this thread enters the host's network, and it ends with the request.
            enter_network(self.host.pid)
            connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=HANGS)
            connection.request("GET", path)
            response = connection.getresponse()
            text = response.read()
            connection.close()
            return response.status, text

        with ThreadPoolExecutor(max_workers=1) as threads:
            return threads.submit(ask).result()


def _of_the_program(namespaces: dict[str, str]) -> dict[str, Any]:
    config = configuration(ClusterRef(name="c", namespace="own"), PrometheusSpec())
    for job in config["scrape_configs"]:
        job["static_configs"] += [
            {"targets": [target], "labels": {"namespace": namespace}} for target, namespace in namespaces.items()
        ]
    return config


def _of_a_service_monitor(namespaces: dict[str, str]) -> dict[str, Any]:
    """Return a job for each endpoint, whose targets have the labels of prometheus-operator, all the same.

    Source: generateServiceMonitorConfig in pkg/prometheus/promcfg.go of
    https://github.com/prometheus-operator/prometheus-operator, and BuildControllerServiceMonitor of slurm-operator.
    """
    targets = [
        {"targets": [target], "labels": {"namespace": namespace, "job": "c-controller", "endpoint": "slurmctld"}}
        for target, namespace in namespaces.items()
    ]
    return {
        "scrape_configs": [
            {
                "job_name": f"serviceMonitor/slurm/c/{number}",
                "metrics_path": f"/metrics/{endpoint}",
                "static_configs": targets,
            }
            for number, endpoint in enumerate(MetricsEndpoint)
        ]
    }
