"""Another release of the operator under a running cluster, on an embedded cluster of its own."""

from collections.abc import Iterator

import pytest

from devcluster.cluster import Cluster
from devcluster.toolchain import Toolchain
from tests.e2e.conftest import NewProgram
from tests.e2e.golden_reviews import NO_LOOK, check_review, reviewed
from tests.e2e.objects import Objects, daemons, ready, uid
from tests.e2e.random_specs import check_accepted
from tests.e2e.stack_settings import Settings
from tests.shipped_stacks import shipped
from tests.waiting import eventually

NAME = "upgrade"
KINDS = ("Controller", "Accounting", "RestApi", "NodeSet", "LoginSet", "Token", "Secret", "Service")


@pytest.fixture(scope="module")
def cluster(tools: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    own = Cluster(tmp_path_factory.mktemp("own-cluster"), tools, operator="1.0.1")
    try:
        own.start()
        yield own
    finally:
        own.stop()


def settings(release: str) -> Settings:
    settings = shipped("local")
    settings["slurm:cluster"] |= {"name": NAME, "namespace": NAME, "operatorVersion": release}
    return {**settings, "slurm:createNamespace": False}


def test_an_upgrade_replaces_nothing(new_program: NewProgram, objects: Objects, cluster: Cluster) -> None:
    program = new_program(NAME)
    program.up(settings("1.0.1"))
    assert "jwtHs256KeyRef" in objects.get("Controller", NAME, NAME)["spec"]
    before = {kind: {item["metadata"]["name"]: uid(item) for item in objects.all(kind, NAME)} for kind in KINDS}

    cluster.use_operator("1.1.0")
    run = program.up(settings("1.1.0"))
    # An update tells the same events as its preview.
    check_review("operator-upgrade", reviewed(run, {NAME: NO_LOOK}))

    # The newer release writes gres.conf itself, so that the ConfigMap of files is another.
    assert run.replaced <= {f"{NAME}-configFile"}
    after = {kind: {item["metadata"]["name"]: uid(item) for item in objects.all(kind, NAME)} for kind in KINDS}
    for kind in KINDS:
        assert after[kind].items() >= before[kind].items()
    spec = objects.get("Controller", NAME, NAME)["spec"]
    assert spec["jwtKeyRef"] == {"name": f"{NAME}-auth-jwt", "key": "jwt.key"}
    assert "jwtHs256KeyRef" not in spec
    assert objects.get("NodeSet", NAME, f"{NAME}-worker-cpu")["spec"]["scalingMode"] == "StatefulSet"
    eventually(
        "9 pods, all of them ready",
        lambda: daemons(objects.all("Pod", NAME)),
        lambda pods: len(pods) == 9 and all(map(ready, pods)),
    )
    assert program.up(None, "--refresh", "--expect-no-changes").changes == {}


@pytest.mark.repeats("tests/e2e/test_random_specs.py for the schemas of 1.0, and the upgrade for that operator")
def test_random_specs_for_the_older_release_are_accepted(cluster: Cluster, objects: Objects, seed: int) -> None:
    if cluster.operator != "1.0.1":
        cluster.use_operator("1.0.1")
    check_accepted(objects, "1.0.1", 50, seed, runs=True)
