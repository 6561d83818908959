"""A cluster that Slinky's chart made, taken over by a stack: every pod stays, and Helm forgets it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from devcluster.cluster import Cluster
from devcluster.toolchain import Toolchain
from tests.e2e import slinky_chart
from tests.e2e.objects import Object, Objects, ready, uid
from tests.waiting import eventually, eventually_nothing

NAME = "adopted"
VALUES = {
    "fullnameOverride": NAME,
    "prologScripts": {"10-hello.sh": "#!/bin/sh\nexit 0\n"},
    "controller": {"extraConfMap": {"KillWait": 60}},
    "nodesets": {
        "slinky": {
            "replicas": 2,
            "extraConfMap": {"Weight": 5, "CoreSpecCount": 1},
            "slurmd": {"env": [{"name": "A", "value": "b"}], "resources": {"limits": {"cpu": "1"}}},
        }
    },
    "loginsets": {"slinky": {"enabled": True, "service": {"spec": {"type": "ClusterIP"}}}},
}


@pytest.fixture
def namespace(objects: Objects) -> Iterator[str]:
    objects.namespace(NAME)
    yield NAME
    objects.delete("Namespace", None, NAME)


def pods(objects: Objects) -> dict[str, Object]:
    """Return the pods of the cluster, without those of Jobs of ours."""
    every = objects.all("Pod", NAME)
    return {item["metadata"]["name"]: item for item in every if "job-name" not in item["metadata"].get("labels", {})}


def uids(items: dict[str, Object]) -> dict[str, str]:
    return {name: uid(item) for name, item in items.items()}


def workers(objects: Objects) -> list[Object]:
    return [pod for name, pod in pods(objects).items() if "-worker-" in name]


@pytest.mark.repeats("tests/unit/adopting/test_every_release.py, with the chart, the operator and the engine")
def test_a_stack_takes_a_release_over(
    tools: Toolchain, cluster: Cluster, objects: Objects, namespace: str, tmp_path: Path
) -> None:
    slinky_chart.install(tools, cluster, objects, tmp_path, namespace, VALUES)
    before = eventually(
        "five pods", lambda: pods(objects), lambda found: len(found) == 5 and all(map(ready, found.values()))
    )
    program, settings = slinky_chart.adopt(tools, cluster, objects, namespace, tmp_path)
    up = program.up()
    assert not up.replaced
    assert {f"{NAME}-controller", f"{NAME}-restapi", f"{NAME}-slinky-nodeset"} <= up.resources("update")

    assert program.preview(None, "--expect-no-changes").changes == {}
    assert uids(pods(objects)) == uids(before)

    settings["slurm:cluster"]["nodeSets"][0] |= {"replicas": 3, "overrides": {}}
    assert not program.up(settings).replaced
    eventually(
        "workers of the new template",
        lambda: workers(objects),
        lambda found: (
            len(found) == 3
            and all("limits" not in pod["spec"]["containers"][0]["resources"] and ready(pod) for pod in found)
        ),
    )
    others = {name: pod for name, pod in before.items() if "-worker-" not in name}
    assert uids(pods(objects)).items() >= uids(others).items()

    # As docs/adopt-a-chart.md has it: a cluster like any other, whose parts don't come back while they are deleted.
    del settings["slurm:cluster"]["adopted"]
    assert settings["slurm:cluster"]["clusterName"] == f"{NAME}_{NAME}"
    settings["slurm:cluster"]["nodeSets"][0] |= {"machine": {"cpus": 4, "memory": "16Gi"}, "pod": {}}
    assert program.up(settings).replaced == {
        f"{NAME}-{field}" for field in ("prologScript", "prologScript-2", "epilogScript")
    }
    eventually(
        "pods of templates that are ours",
        lambda: pods(objects),
        lambda found: (
            len(found) == 6 and all(map(ready, found.values())) and not uids(found).items() & uids(before).items()
        ),
    )
    program.destroy()
    assert {f"{NAME}-auth-slurm", f"{NAME}-auth-jwt", f"{NAME}-sssd-conf"} <= objects.names("Secret", NAME)
    eventually_nothing("pods", lambda: pods(objects))
