"""Workers schedule what their pods may use, and no more."""

from collections.abc import Mapping
from typing import Any

import pytest

from pulumi_slurm.errors import SpecError
from pulumi_slurm.loading import load
from pulumi_slurm.manifests.cluster import render
from pulumi_slurm.model import NodePoolSpec
from pulumi_slurm.model.releases.operator_version import RELEASES, operator_version
from tests.unit.manifests.rendered import MACHINE, rendered_by_kind


@pytest.mark.parametrize("release", RELEASES)
def test_slurmd_is_told_the_limits_of_its_pod_where_the_operator_does_not(release: str) -> None:
    """slurm-operator sets them from 1.1 on, before that Slinky's chart for clusters did; none leaves memory to it."""
    env = environment(release)
    if operator_version(release).minor >= (1, 1):
        assert env == {"POD_MEMORY": "32256"}
    else:
        assert env == {"POD_CPUS": "8", "POD_MEMORY": "32256"}


@pytest.mark.parametrize(
    ("memory", "for_jobs"),
    [("64Mi", "64"), ("160Mi", "64"), ("512Mi", "384"), ("2Gi", "1920"), ("64Gi", "64512"), ("480Gi", "487424")],
)
def test_jobs_get_all_memory_but_what_slurmd_needs(memory: str, for_jobs: str) -> None:
    assert environment("1.1.3", machine={"cpus": 8, "memory": memory}) == {"POD_MEMORY": for_jobs}


def test_a_variable_of_the_users_wins() -> None:
    assert environment("1.0.5", POD_CPUS="4") == {"POD_CPUS": "4", "POD_MEMORY": "32256"}
    assert environment("1.1.3", POD_MEMORY="32768") == {"POD_MEMORY": "32768"}


def environment(release: str, machine: Mapping[str, Any] = MACHINE, **env: str) -> dict[str, str]:
    node_sets = [{"name": "cpu", "machine": machine, "pod": {"env": env}}]
    slurmd = rendered_by_kind(operatorVersion=release, nodeSets=node_sets)["NodeSet"]["spec"]["slurmd"]
    return {variable["name"]: variable["value"] for variable in slurmd.get("env", [])}


def test_other_resources_are_requested_beside_gpus() -> None:
    machine = {**MACHINE, "gpus": {"count": 8}, "resources": {"rdma/hca": 8, "hugepages-2Mi": "1Gi"}}
    slurmd = rendered_by_kind(nodeSets=[{"name": "gpu", "machine": machine}])["NodeSet"]["spec"]["slurmd"]
    assert slurmd["resources"]["limits"] == {
        "cpu": "8",
        "memory": "32768Mi",
        "rdma/hca": "8",
        "hugepages-2Mi": "1Gi",
        "nvidia.com/gpu": "8",
    }
    assert slurmd["resources"]["requests"] == slurmd["resources"]["limits"]


@pytest.mark.parametrize("release", ["1.1.2", "1.2.1"])
def test_bridged_workers_request_nothing_and_slurm_knows_what_the_machine_has(release: str) -> None:
    machine = {**MACHINE, "gpus": {"count": 8, "type": "h100"}, "resources": {"rdma/hca": 8}}
    node_set = {"name": "gpu", "machine": machine, "scalingMode": "DaemonSet", "bridged": True, "partition": {}}
    bridge = {"partition": "gpu", "namespaces": [{"name": "jobs"}], "schedulerName": "slurm-pods"}
    spec = rendered_by_kind(operatorVersion=release, nodeSets=[node_set], bridge=bridge)["NodeSet"]["spec"]
    assert "resources" not in spec["slurmd"]
    assert spec["slurmd"]["env"] == [{"name": "POD_CPUS", "value": "8"}, {"name": "POD_MEMORY", "value": "32768"}]
    assert spec["extraConf"] == "Gres=gpu:h100:8 Weight=100"


def test_workers_that_share_nodes_may_be_more_than_these() -> None:
    pool = NodePoolSpec.model_validate({"name": "p", "machine": MACHINE, "nodeLabels": {"a": "b"}, "maxNodes": 2})
    half = {"name": "cpu", "pool": "p", "machine": {"cpus": 4, "memory": "16Gi"}, "replicas": 4}
    cluster = {"name": "c", "operatorVersion": "1.2.2"}
    with pytest.raises(SpecError, match="pods beyond that would stay Pending"):
        load({**cluster, "nodeSets": [half]}, [pool])
    spec, _ = load({**cluster, "nodeSets": [{**half, "oversubscribeNode": True}]}, [pool])
    (node_set,) = (item for item in render(spec, [pool]) if item["kind"] == "NodeSet")
    assert node_set["spec"]["oversubscribeNode"] is True
