"""Slurm Bridge on a real API server: its objects, their order, and what happens while its webhook is down.

The bridge's programs can't be had here: nodes run nothing, and pods become ready all the same. cert-manager isn't there
either, only its kinds. So nobody answers where the API server asks the webhook, as when admission is down for good.
"""

import itertools
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from devcluster.api import ApiError
from devcluster.cluster import Cluster
from pulumi_slurm.manifests.bridge.nodes import EXTERNAL_NODE, MARKED_BY, PARTITIONS, node_marker
from pulumi_slurm.manifests.parts.bridge import BridgePart
from pulumi_slurm.model import BridgeSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from tests.e2e.objects import Objects
from tests.e2e.program import Program, Run
from tests.e2e.stack_settings import Settings, small
from tests.programs import needs
from tests.waiting import equals, eventually, eventually_nothing

NAME = "bridged"
MANAGED = f"{NAME}-team-a"
LABEL = "example.com/bridge-test"
BRIDGE: dict[str, Any] = {
    "partition": "pods",
    "namespaces": [{"name": MANAGED, "labels": {"team": "a"}, "quota": {"pods": 10}}],
    "externalNodes": [{"name": "k8s", "nodeSelector": {LABEL: "yes"}}],
    "owners": [{"apiGroup": "trainer.kubeflow.org", "resource": "trainjobs"}],
}
NODE_PARTITIONS = {"k8s": ["pods"]}
PROGRAMS = {f"{NAME}-bridge-{program}" for program in ("scheduler", "admission", "controllers", "nodes")}


def settings(**bridge: Any) -> Settings:
    partitions = [{"name": "main", "nodeSets": ["cpu"]}, {"name": "pods", "nodeSets": ["k8s"]}]
    return small(NAME, partitions=partitions, bridge={**BRIDGE, **bridge})


@pytest.fixture(scope="module")
def brought_up(module_program: Program) -> Run:
    return module_program.up(settings())


def pod(namespace: str) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "probe", "namespace": namespace},
        "spec": {"containers": [{"name": "probe", "image": "example.org/probe"}]},
    }


@pytest.mark.usefixtures("brought_up")
def test_every_program_is_there(objects: Objects) -> None:
    deployments = {item["metadata"]["name"]: item for item in objects.all("Deployment", NAME)}
    assert deployments.keys() >= PROGRAMS
    for name in PROGRAMS:
        status = deployments[name]["status"]
        assert status["readyReplicas"] == (2 if name.endswith("admission") else 1)
    token = objects.get("Token", NAME, f"{NAME}-token-bridge")
    secret = eventually("the token", lambda: objects.find("Secret", NAME, token["spec"]["secretRef"]["name"]))
    assert "auth-token" in secret["data"]
    namespace = objects.get("Namespace", None, MANAGED)
    assert namespace["metadata"]["labels"]["team"] == "a"
    assert objects.get("ResourceQuota", MANAGED, f"{NAME}-bridge")["spec"]["hard"] == {"pods": "10"}


def test_the_outputs_say_how_to_go_on(brought_up: Run, module_program: Program, objects: Objects) -> None:
    assert brought_up.code == 0
    outputs = module_program.outputs()
    assert outputs["bridge"] == {
        "schedulerName": "slurm-bridge-scheduler",
        "namespaces": [MANAGED],
        "partition": "pods",
        "commands": [
            f"kubectl -n {MANAGED} get pods,resourceclaims",
            "squeue --partition=pods",
            "sinfo --partition=pods",
        ],
    }
    objects.apply(yaml.safe_load(outputs["firstJob"]), fieldValidation="Strict", dryRun="All")


@pytest.mark.usefixtures("brought_up")
@pytest.mark.parametrize("release", ["1.1.2", "1.2.1"])
def test_every_object_is_accepted_by_strict_validation(objects: Objects, release: str) -> None:
    ref = ClusterRef(name=NAME, namespace=NAME, operator_version="1.1.0")
    refused = []
    spec = BridgeSpec.model_validate({**BRIDGE, "version": release})
    for item in BridgePart(cluster=ref, bridge=spec, partitions=NODE_PARTITIONS).manifests().values():
        try:
            objects.apply(item, fieldValidation="Strict", dryRun="All")
        except ApiError as error:
            refused.append(f"{item['kind']}: {error}")
    assert refused == []


@pytest.mark.usefixtures("brought_up")
def test_nothing_changes_when_nothing_changed(module_program: Program) -> None:
    assert module_program.up().changes == {}
    assert module_program.refresh().changes == {}
    assert module_program.preview().changes == {}


@pytest.mark.usefixtures("brought_up")
def test_while_nobody_answers_pods_can_be_made_everywhere_but_in_managed_namespaces(objects: Objects) -> None:
    other = f"{NAME}-other"
    objects.namespace(other)
    # An account comes a moment after its namespace, and no pod is made without.
    eventually("an account of pods", lambda: objects.find("ServiceAccount", other, "default"))
    eventually("an account of pods", lambda: objects.find("ServiceAccount", MANAGED, "default"))
    objects.create(pod(other))
    with pytest.raises(ApiError, match=r'failed calling webhook "pods.slinky.slurm.net"'):
        objects.create(pod(MANAGED))
    objects.delete("Namespace", None, other)


@pytest.mark.usefixtures("brought_up")
def test_a_new_generation_restarts_the_programs_alone(module_program: Program) -> None:
    changed = module_program.preview(settings(generation=2)).resources("update")
    assert changed - {NAME, f"{NAME}-bridge"} == {
        f"{NAME}-bridge-token",
        *(f"{NAME}-bridge-{program}-deployment" for program in ("scheduler", "admission", "controllers")),
    }
    module_program.configure(settings())


@pytest.fixture
def node(objects: Objects) -> Iterator[str]:
    name = f"{NAME}-node"
    # What the kubelet of a node may write.
    annotations = {PARTITIONS: "x\n--all|slurm/hpc|true|p|", "example.com/other": f'x","{MARKED_BY}":"{NAME}/{NAME}'}
    metadata = {"name": name, "labels": {LABEL: "yes"}, "annotations": annotations}
    objects.create({"apiVersion": "v1", "kind": "Node", "metadata": metadata})
    yield name
    objects.delete("Node", None, name)


def marks(objects: Objects, node: str) -> tuple[str | None, ...]:
    metadata = objects.get("Node", None, node)["metadata"]
    annotations = metadata.get("annotations", {})
    return metadata.get("labels", {}).get(EXTERNAL_NODE), annotations.get(PARTITIONS), annotations.get(MARKED_BY)


@needs("kubectl")
def test_nodes_are_marked_for_as_long_as_they_are_in_their_group(
    cluster: Cluster, objects: Objects, node: str, tmp_path: Path
) -> None:
    ref = ClusterRef(name=NAME, namespace=NAME)
    _, marker = node_marker(ref, BridgeSpec.model_validate(BRIDGE).external_nodes, [], NODE_PARTITIONS)
    (container,) = marker["nodes-deployment"]["spec"]["template"]["spec"]["containers"]
    (tmp_path / "sleep").write_text("#!/bin/sh\nexec /bin/sleep 0.2\n")
    (tmp_path / "sleep").chmod(0o755)
    env = {variable["name"]: variable["value"] for variable in container["env"]} | {
        "HOME": str(tmp_path),
        "KUBECONFIG": str(cluster.kubeconfig),
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
    }
    with subprocess.Popen(container["command"], env=env) as script:
        try:
            wanted = ("true", "pods", f"{NAME}/{NAME}")
            eventually("the marks", lambda: marks(objects, node), equals(wanted))
            path = objects.kind("Node").path(None, node)
            change = {"metadata": {"labels": {LABEL: None}}}
            objects.api.request("PATCH", path, change, "application/merge-patch+json")
            eventually("the end of the marks", lambda: marks(objects, node), equals((None, None, None)))
            assert script.poll() is None
        finally:
            script.terminate()


@pytest.mark.usefixtures("brought_up")
def test_a_destroy_ends_pods_before_the_controllers_and_leaves_nothing(
    module_program: Program, objects: Objects
) -> None:
    """A pod with the bridge's finalizer is let go by somebody who is still there, as the controllers are."""
    destroyed = module_program.destroy()
    began = {
        event["resourcePreEvent"]["metadata"]["urn"].rpartition("::")[2]: event["sequence"]
        for event in destroyed.events
        if "resourcePreEvent" in event
    }
    ended = {
        event["resOutputsEvent"]["metadata"]["urn"].rpartition("::")[2]: event["sequence"]
        for event in destroyed.events
        if "resOutputsEvent" in event
    }
    order = [
        [f"{NAME}-bridge-{MANAGED}-namespace"],
        [f"{NAME}-bridge-admission-{kind}webhookconfiguration" for kind in ("mutating", "validating")],
        [f"{NAME}-bridge-{program}-deployment" for program in ("admission", "controllers", "scheduler")],
        [f"{NAME}-bridge-token"],
        [f"{NAME}-cpu-nodeset"],
    ]
    for earlier, later in itertools.pairwise(order):
        assert max(ended[name] for name in earlier) < min(began[name] for name in later), (earlier, later)
    eventually_nothing("objects of the stack", lambda: [key for key in objects.uids() if f"{NAME}-bridge" in key[2]])
    assert objects.find("Namespace", None, MANAGED) is None
