"""What holds for all pods of a cluster: how images are pulled, and which PriorityClass counts."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.unit.manifests.rendered import WHOLE, rendered

CLUSTER: dict[str, Any] = {
    **WHOLE,
    "images": {"pullPolicy": "Always", "pullSecrets": ["pull"]},
    "priorityClassName": "slurm",
    "identity": {"directory": {}},
}
WITHOUT_PODS = {"ConfigMap", "Grant", "PersistentVolumeClaim", "PodDisruptionBudget", "Service", "Token"}


@pytest.mark.parametrize("kind", ["in-cluster", "mariadb-operator"])
def test_every_pod_pulls_alike_and_has_the_cluster_s_priority(kind: str) -> None:
    objects = rendered(**{**CLUSTER, "accounting": {**WHOLE["accounting"], "database": {"kind": kind}}})
    pods = {item["kind"]: item["spec"] for item in objects if item["kind"] not in WITHOUT_PODS}
    database = "StatefulSet" if kind == "in-cluster" else "MariaDB"
    assert pods.keys() == {"Controller", "Accounting", "RestApi", "NodeSet", "LoginSet", "Job", "Deployment", database}
    for name, spec in pods.items():
        pod = spec.get("template", {}).get("spec", spec)
        assert pod["imagePullSecrets"] == [{"name": "pull"}], name
        assert pod["priorityClassName"] == "slurm", name
        policies = {policy for _, policy in images(spec)}
        assert policies == {"Always"}, name


def test_a_pod_s_own_settings_come_first() -> None:
    rest_api = {"pod": {"priorityClassName": "high", "imagePullSecrets": ["own", "pull"]}}
    (restapi,) = [item for item in rendered(**CLUSTER, restApi=rest_api) if item["kind"] == "RestApi"]
    pod = restapi["spec"]["template"]["spec"]
    assert pod["priorityClassName"] == "high"
    assert pod["imagePullSecrets"] == [{"name": "pull"}, {"name": "own"}]


def images(data: Any) -> Iterator[tuple[str, str | None]]:
    """Yield every image with its pull policy."""
    if isinstance(data, dict):
        if "image" in data:
            yield data["image"], data.get("imagePullPolicy")
        for value in data.values():
            yield from images(value)
    elif isinstance(data, list):
        for item in data:
            yield from images(item)
