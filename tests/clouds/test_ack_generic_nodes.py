"""What makes GenericNodes of nodes that a Slurm outside shares, by kubectl at a real API server with their CRD.

Nothing else acts on GenericNodes: nobody has the operator outside of ACK.
"""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from devcluster.cluster import Cluster
from pulumi_slurm.ack_slurm.manifests.copilot import generic_node
from pulumi_slurm.ack_slurm.manifests.generic_nodes import generic_nodes
from pulumi_slurm.ack_slurm.model.outside import GenericNodeSpec, OutsideSlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from tests.e2e.objects import Objects
from tests.programs import needs
from tests.waiting import HANGS

pytestmark = needs("kubectl")
NAMES = [f"cn-hongkong.10.1.0.{number}" for number in range(19, 23)]
MERGE = "application/merge-patch+json"
KINDS = {
    "GenericNode": "/apis/kai.alibabacloud.com/v1alpha1/genericnodes",
    "Node": "/api/v1/nodes",
    "ClusterRole": "/apis/rbac.authorization.k8s.io/v1/clusterroles",
}
OUTSIDE = OutsideSlurmSpec.model_validate(
    {"name": "hpc", "addresses": ["10.1.0.4"], "nodes": [{"name": "cn-hongkong.10.1.0.[19-22]", "alias": "n[1-4]"}]}
)
MANIFESTS = generic_nodes(ClusterRef(name="hpc", namespace="operator"), OUTSIDE)


def by_hand(name: str, alias: str, cluster: str = "hpc") -> dict[str, Any]:
    """Return a GenericNode as the guide has users write it."""
    item = generic_node(cluster, "default", GenericNodeSpec(name=name, alias="n1"))
    item["metadata"]["labels"].pop("app.kubernetes.io/managed-by")
    return {**item, "spec": {**item["spec"], "alias": alias}}


@pytest.fixture
def made(objects: Objects) -> Iterator[None]:
    """What is there before: nodes, the role that GenericNodes belong to, and two of the latter by hand."""
    nodes = [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}} for name in NAMES[:3]]
    before = [*nodes, MANIFESTS["nodes-clusterrole"], by_hand(NAMES[0], "n1"), by_hand(NAMES[1], "old\nmade x")]
    for item in before:
        objects.api.request("POST", KINDS[item["kind"]], item)
    try:
        yield
    finally:
        generic = [{"kind": "GenericNode", "metadata": {"name": name}} for name in NAMES]
        for item in [*generic, *nodes, MANIFESTS["nodes-clusterrole"]]:
            objects.api.delete(f"{KINDS[item['kind']]}/{item['metadata']['name']}")


def run_once(cluster: Cluster, folder: Path) -> str:
    """Run the program for one turn, and return its log."""
    (container,) = MANIFESTS["nodes-deployment"]["spec"]["template"]["spec"]["containers"]
    (folder / "names").write_text(MANIFESTS["nodes-configmap"]["data"]["names"])
    (folder / "sleep").write_text("#!/bin/sh\nkill $PPID\n")
    (folder / "sleep").chmod(0o755)
    (folder / "ready").unlink(missing_ok=True)
    env = {variable["name"]: variable["value"] for variable in container["env"]}
    env |= {"PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(folder), "KUBECONFIG": str(cluster.kubeconfig)}
    command = [word.replace("/names/names", str(folder / "names")) for word in container["command"]]
    result = subprocess.run(command, env=env, check=False, timeout=HANGS, capture_output=True, text=True)
    assert result.stderr == ""
    return result.stdout


def aliases(objects: Objects) -> dict[str, str]:
    items = objects.api.get(KINDS["GenericNode"])["items"]
    return {item["metadata"]["name"]: item["spec"]["alias"] for item in items}


@pytest.mark.usefixtures("made")
def test_those_of_others_stay_and_the_rest_follows_the_nodes(
    cluster: Cluster, objects: Objects, tmp_path: Path
) -> None:
    log = run_once(cluster, tmp_path)
    assert aliases(objects) == {NAMES[0]: "n1", NAMES[1]: "old\nmade x", NAMES[2]: "n3"}
    assert f"GenericNode {NAMES[1]} is Slurm node old" in log
    assert (tmp_path / "ready").exists()
    patch = {"spec": {"alias": "other"}}
    objects.api.request("PATCH", f"{KINDS['GenericNode']}/{NAMES[2]}", patch, MERGE)
    run_once(cluster, tmp_path)
    assert aliases(objects)[NAMES[2]] == "n3"
    for name in (NAMES[0], NAMES[2]):
        objects.api.delete(f"{KINDS['Node']}/{name}")
    run_once(cluster, tmp_path)
    assert {*aliases(objects)} == {*NAMES[:2]}
