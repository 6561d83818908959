"""The shipped stack with a bridge, from its first update to its end."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from devcluster.cluster import Cluster
from devcluster.nodes import NodeShape
from devcluster.toolchain import Toolchain
from tests.e2e.objects import Object, Objects
from tests.e2e.program import Program
from tests.e2e.remaining_objects import check_nothing_left
from tests.e2e.stack_settings import Settings
from tests.shipped_stacks import shipped
from tests.waiting import eventually

NAME = "hpc-bridge"


def settings() -> Settings:
    """The stack as it is shipped, but for what the embedded cluster has already: the operator, of its release."""
    settings = shipped("bridge")
    settings["slurm:cluster"] |= {"name": NAME, "namespace": NAME, "operatorVersion": "1.1.0"}
    return {**settings, "slurm:operator": {"preinstalled": True}}


@pytest.fixture
def nodes(objects: Objects) -> Iterator[None]:
    """A node of each kind, which its labels tell; simulated, as the pods on them are."""
    pools = {pool["name"]: pool["nodeLabels"] for pool in settings()["slurm:pools"]}
    (external,) = settings()["slurm:cluster"]["bridge"]["externalNodes"]
    hybrid = NodeShape("bridge-hybrid", 1, 16, 64, labels=pools["shared"])
    made = [*hybrid.manifests(), *NodeShape("bridge-external", 1, 32, 128, labels=external["nodeSelector"]).manifests()]
    for node in made:
        objects.create(node)
    yield
    for node in made:
        objects.delete("Node", None, node["metadata"]["name"])


@pytest.mark.repeats("tests/e2e/test_bridge.py, as a shipped stack")
@pytest.mark.usefixtures("nodes")
def test_it_comes_up_stays_as_it_is_and_goes(
    tools: Toolchain, cluster: Cluster, objects: Objects, tmp_path: Path
) -> None:
    program = Program(tools, tmp_path, cluster.kubeconfig, stack="bridge")
    program.up(settings())
    (worker,) = eventually("a worker on the bridged node", lambda: workers(objects))
    assert worker["spec"]["nodeName"] == "bridge-hybrid-0"
    (slurmd,) = [container for container in worker["spec"]["containers"] if container["name"] == "slurmd"]
    assert "cpu" not in slurmd.get("resources", {}).get("requests", {})
    assert program.outputs()["bridge"]["namespaces"] == ["team-a"]
    assert program.up().changes == {}
    assert program.refresh().changes == {}
    program.destroy()
    check_nothing_left(objects, NAME)
    assert objects.find("Namespace", None, "team-a") is None


def workers(objects: Objects) -> list[Object]:
    return objects.all("Pod", NAME, {"app.kubernetes.io/name": "slurmd"})
