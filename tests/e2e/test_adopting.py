"""A cluster that Slinky's chart made, taken over by a stack: every pod stays, and Helm forgets it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from devcluster.cluster import CONTEXT, Cluster
from devcluster.toolchain import Toolchain
from pulumi_slurm.adopting.live import KINDS
from tests.e2e import slinky_chart
from tests.e2e.objects import Object, Objects, ready, uid
from tests.e2e.program import Program
from tests.unit.importing.command_line import run
from tests.waiting import eventually, eventually_nothing

NAME = "adopted"
HELM = "pulumi-resource-kubernetes"
"""As whom Pulumi's Release writes; Helm itself is "helm"."""
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


def live_list(objects: Objects, folder: Path) -> Path:
    """Write what kubectl prints of the release's namespace into a file."""
    items = []
    for kind in (*KINDS, "ConfigMap", "Secret"):
        found = objects.kind(kind)
        items += [{"apiVersion": found.api_version, "kind": kind, **item} for item in objects.all(kind, NAME)]
    file = folder / "objects.json"
    file.write_text(json.dumps({"kind": "List", "items": items}))
    return file


@pytest.fixture
def release(tools: Toolchain, cluster: Cluster, objects: Objects, tmp_path: Path) -> Iterator[Program]:
    """The program whose only resource is the release; its cluster is running."""
    objects.namespace(NAME)
    args = slinky_chart.release(slinky_chart.chart(tools, tmp_path), NAME, VALUES)
    source = {
        "__main__.py": slinky_chart.PROGRAM,
        "Pulumi.yaml": "name: release\nruntime: python\n",
        "release.json": json.dumps(args),
    }
    program = Program(tools, tmp_path / "release", cluster.kubeconfig, source=source)
    program.up()
    yield program
    objects.delete("Namespace", None, NAME)


def pods(objects: Objects) -> dict[str, Object]:
    return {item["metadata"]["name"]: item for item in objects.all("Pod", NAME)}


def of_the_cluster(objects: Objects) -> dict[str, Object]:
    """Return the pods of the release, without those of Jobs of ours."""
    return {name: pod for name, pod in pods(objects).items() if "job-name" not in pod["metadata"].get("labels", {})}


def without_helm(item: Object) -> Object:
    """Return an object of which Helm owns no field any more, as the page says how to make it."""
    fields = [entry for entry in item["metadata"]["managedFields"] if entry["manager"] != HELM]
    return {**item, "metadata": {**item["metadata"], "managedFields": fields}}


def test_a_stack_takes_a_release_over(
    tools: Toolchain, cluster: Cluster, objects: Objects, release: Program, tmp_path: Path
) -> None:
    before = eventually(
        "five pods", lambda: of_the_cluster(objects), lambda found: len(found) == 5 and all(map(ready, found.values()))
    )
    live = live_list(objects, tmp_path)
    adopted = run("adopt", live)
    assert adopted.returncode == 0, adopted.stderr
    settings: Any = yaml.safe_load(adopted.stdout)["config"]
    program = Program(tools, tmp_path / "stack", cluster.kubeconfig, stack="adopted", context=CONTEXT)
    imports = tmp_path / "import.json"
    program.preview(settings, "--import-file", str(imports))
    filled = run("adopt", live, "--import-file", imports)
    assert filled.returncode == 0, filled.stderr
    program.run("import", "--file", str(imports), "--generate-code=false", "--protect=false", "--yes")
    up = program.up()
    assert not up.replaced
    assert {f"{NAME}-controller", f"{NAME}-restapi", f"{NAME}-slinky-nodeset"} <= up.resources("update")

    # Another look at all objects, as at the operator's next resync.
    for kind in KINDS:
        for item in objects.all(kind, NAME):
            objects.api.request("PUT", objects.kind(kind).path(NAME, item["metadata"]["name"]), without_helm(item))
    for record in objects.all("Secret", NAME, {"owner": "helm"}):
        objects.delete("Secret", NAME, record["metadata"]["name"])
    assert program.preview(None, "--expect-no-changes").changes == {}
    assert uids(of_the_cluster(objects)) == uids(before)

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
    after = of_the_cluster(objects)
    others = {name: pod for name, pod in before.items() if "-worker-" not in name}
    assert uids(after).items() >= uids(others).items()

    program.destroy()
    kept = {f"{NAME}-auth-slurm", f"{NAME}-auth-jwt", f"{NAME}-sssd-conf"}
    assert kept <= objects.names("Secret", NAME)
    eventually_nothing("pods", lambda: pods(objects))


def workers(objects: Objects) -> list[Object]:
    return [pod for name, pod in pods(objects).items() if "-worker-" in name]


def uids(items: dict[str, Object]) -> dict[str, str]:
    return {name: uid(item) for name, item in items.items()}
