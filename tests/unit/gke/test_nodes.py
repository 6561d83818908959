"""Nodes of pools: what is warned of, and the versions of GKE that their machines need."""

from typing import Any

import pytest
from pydantic import ValidationError

from pulumi_slurm.errors import Severity
from pulumi_slurm.gke.model import GkeSpec
from pulumi_slurm.gke.model.names import MAX_LABELS
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.machine_versions import min_machine_version
from pulumi_slurm.gke.rules import check_gke

PLACE = {"project": "my-project", "region": "us-central1", "zones": ["us-central1-b"], "name": "hpc"}


def spec(pool: dict[str, Any], **fields: Any) -> GkeSpec:
    whole = {"name": "p", "machineType": "n2-standard-8", "maxNodes": 2, **pool}
    return GkeSpec.model_validate({**PLACE, "pools": [whole], **fields})


def issues(pool: dict[str, Any], severity: Severity, **fields: Any) -> list[str]:
    """Return paths and problems of one severity."""
    return [
        f"{'.'.join(map(str, one.path[2:] or one.path))}: {one.problem}"
        for one in check_gke(spec(pool, **fields))
        if one.severity is severity
    ]


@pytest.mark.parametrize(("pods", "is_warned"), [(8, True), (15, True), (16, False), (32, False)])
def test_few_pods_on_a_node_are_warned_of(pods: int, is_warned: bool) -> None:
    warnings = issues({"maxPodsPerNode": pods}, Severity.WARNING)
    assert (
        warnings
        == ["max_pods_per_node: GKE's own DaemonSets take ten of them and more, and slurmd's pod may stay Pending"]
        * is_warned
    )


GOOGLE = "Google keeps this prefix for itself: GKE may refuse the pool, or a controller may take it away again"
KUBERNETES = GOOGLE.replace("Google", "Kubernetes", 1)


@pytest.mark.parametrize(
    ("pool", "warnings"),
    [
        ({"nodeLabels": {"cloud.google.com/team": "a"}}, [f"node_labels.cloud.google.com/team: {GOOGLE}"]),
        ({"nodeLabels": {"x.gke.io/team": "a"}}, [f"node_labels.x.gke.io/team: {GOOGLE}"]),
        ({"nodeLabels": {"cloud.google.com/compute-class": "hpc"}}, []),
        ({"nodeLabels": {"cloud.google.com/gke-queued": "true"}}, []),
        ({"nodeLabels": {"cloud.google.com/gke-networking-dra-driver": "true"}}, []),
        ({"nodeLabels": {"cloud.google.com/gke-nvidia-gpu-dra-driver": "true"}}, []),
        ({"taints": [{"key": "cloud.google.com/gke-spot", "value": "true"}]}, []),
        ({"taints": [{"key": "startup-taint.cluster-autoscaler.kubernetes.io/driver"}]}, []),
        ({"nodeLabels": {"node.kubernetes.io/rack": "a", "example.org/cloud.google.com": "a"}}, []),
        ({"taints": [{"key": "cloud.google.com/team", "value": "a"}]}, [f"taints.0.key: {GOOGLE}"]),
        ({"taints": [{"key": "node.kubernetes.io/unreachable"}]}, [f"taints.0.key: {KUBERNETES}"]),
        ({"taints": [{"key": "kubernetes.io/arch", "value": "arm64"}], "machineType": "t2a-standard-8"}, []),
        ({"taints": [{"key": "nvidia.com/gpu", "value": "present"}], "machineType": "g2-standard-8"}, []),
        ({"taints": [{"key": "example.org/team"}]}, []),
    ],
)
def test_labels_and_taints_with_prefixes_of_others_are_warned_of(pool: dict[str, Any], warnings: list[str]) -> None:
    assert issues(pool, Severity.WARNING) == warnings
    assert issues(pool, Severity.ERROR) == []


def test_google_takes_a_number_of_labels() -> None:
    labels = {f"label-{number}": "a" for number in range(MAX_LABELS)}
    assert spec({}, labels=labels).labels == labels
    with pytest.raises(
        ValidationError, match="these are 64 labels, and Google takes 64 with the one that its provider"
    ):
        spec({}, labels={**labels, "one-more": "a"})


@pytest.mark.parametrize(
    ("pool", "version"),
    [
        ({}, None),
        ({"machineType": "a3-megagpu-8g", "capacity": "spot"}, "1.29.4-gke.1542000"),
        ({"machineType": "a3-megagpu-8g", "capacity": "spot", "fabric": False}, None),
        ({"machineType": "a3-highgpu-8g", "capacity": "spot"}, "1.29"),
        ({"machineType": "a3-ultragpu-8g", "capacity": "spot"}, "1.31.4-gke.1183000"),
        ({"machineType": "a4-highgpu-8g", "capacity": "spot"}, "1.32.2-gke.1475000"),
        ({"machineType": "a4-highgpu-8g", "capacity": "spot", "fabric": False}, "1.32.1-gke.1729000"),
        ({"machineType": "g4-standard-48"}, "1.34.0-gke.1662000"),
        ({"machineType": "h4d-standard-192", "maxNodes": None, "nodes": 2}, "1.32.6-gke.1060000"),
        ({"machineType": "h4d-standard-192"}, "1.33.2-gke.4731000"),
        ({"machineType": "h4d-standard-192", "capacity": "flex-start"}, "1.33.2-gke.4731000"),
    ],
)
def test_machines_and_their_networks_need_a_version(pool: dict[str, Any], version: str | None) -> None:
    (planned,) = GkePlan.of(spec(pool)).new_pools
    assert min_machine_version(planned) == version
    for minor in ("1.26", "1.35"):
        problems = issues(pool, Severity.ERROR, controlPlane={"version": minor})
        errors = [problem for problem in problems if "capacity" not in problem]
        is_refused = version is not None and minor == "1.26"
        assert [error.endswith(f"needs {version}") for error in errors] == [True] * is_refused


def test_partners_of_google_s_label_what_customers_use() -> None:
    fields = {"project": "p-project", "region": "us-central1", "zones": ["us-central1-b"]}
    assert GkeSpec.model_validate({**fields, "labels": {"goog-partner-solution": "isol_plb32_001"}}).labels
    with pytest.raises(ValidationError, match="labels that begin so are Google's own"):
        GkeSpec.model_validate({**fields, "labels": {"goog-mine": "x"}})
