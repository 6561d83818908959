"""The objects of a small cluster with a bridge."""

from typing import Any

from pulumi_slurm.manifests.objects import Manifest
from tests.unit.manifests.rendered import MACHINE, rendered

BRIDGE: dict[str, Any] = {"partition": "pods", "namespaces": [{"name": "team-a"}, {"name": "team-b"}]}
CLUSTER: dict[str, Any] = {
    "nodeSets": [{"name": "cpu", "machine": MACHINE, "scalingMode": "DaemonSet", "bridged": True}],
    "partitions": [{"name": "pods", "nodeSets": ["cpu"]}],
}
PROGRAMS = ("admission", "controllers", "scheduler")


def bridge(cluster: dict[str, Any] | None = None, /, **changes: Any) -> dict[tuple[str, str], Manifest]:
    """Return the objects of a bridge, by kind and name."""
    objects = rendered(**{**CLUSTER, **(cluster or {}), "bridge": {**BRIDGE, **changes}})
    return {(item["kind"], item["metadata"]["name"]): item for item in objects}


def deployments(objects: dict[tuple[str, str], Manifest]) -> dict[str, Manifest]:
    return {name: objects["Deployment", f"hpc-bridge-{name}"]["spec"] for name in PROGRAMS}
