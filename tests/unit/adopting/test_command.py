"""`pulumi-slurm adopt`: what it reads, writes and refuses."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.unit.adopting.chart import Object, objects, record
from tests.unit.importing.command_line import run
from tests.unit.providers.test_live_pools import with_kubectl


def listed(folder: Path, *items: Object) -> Path:
    file = folder / "objects.json"
    for item in items:
        if isinstance(item, dict) and "metadata" in item:
            item["metadata"].setdefault("managedFields", [])
    file.write_text(json.dumps({"kind": "List", "items": items}))
    return file


def test_settings_are_written(tmp_path: Path) -> None:
    file = listed(tmp_path, *objects({}), record(objects({}, helm=False)))
    done = run("adopt", file)
    assert (done.returncode, done.stderr) == (0, "")
    config = yaml.safe_load(done.stdout)["config"]
    assert config["slurm:operator"] == {"preinstalled": True}
    assert config["slurm:cluster"]["name"] == "slurm"
    assert "# - Secret/slurm-auth-jwt" in done.stdout

    stack = tmp_path / "Pulumi.hpc.yaml"
    done = run("adopt", file, "-o", stack)
    assert (done.returncode, done.stdout) == (0, "")
    again = run("adopt", file, "-o", stack)
    assert again.returncode == 2
    assert again.stderr.startswith(f"{stack}: the file is there already. Name a new one")
    assert yaml.safe_load(stack.read_text())["config"] == config
    assert run("render", stack, "-o", tmp_path / "rendered").returncode == 0


def test_a_refusal_writes_nothing(tmp_path: Path) -> None:
    values = {"prologScripts": {"a.sh": "exit 0\n"}}
    file = listed(tmp_path, *objects(values), record(objects(values, helm=False)))
    done = run("adopt", file, "-o", tmp_path / "Pulumi.hpc.yaml")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith('Controller/slurm, as slurm:cluster.hooks.prolog["prolog-a.sh"]: the script does not')
    assert not (tmp_path / "Pulumi.hpc.yaml").exists()


def test_a_cluster_is_asked_for_the_record_and_then_for_the_namespace_of_its_objects(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = {"namespaceOverride": "hpc"}
    (tmp_path / "secrets").write_text(json.dumps({"items": [record(objects(values, helm=False))]}))
    (tmp_path / "others").write_text(json.dumps({"items": objects(values)}))
    script = (
        f'echo "$*" >> {tmp_path}/asked; case $* in *secrets*) cat {tmp_path}/secrets;; *) cat {tmp_path}/others;; esac'
    )
    with_kubectl(tmp_path, monkeypatch, script)
    kubeconfig = tmp_path / "kubeconfig"
    config = yaml.safe_load(run("adopt", "--kubeconfig", kubeconfig, "--namespace", "releases").stdout)["config"]
    assert config["slurm:kubeconfig"] == str(kubeconfig)
    (tmp_path / "asked").unlink()
    done = run("adopt", "--context", "prod", "--namespace", "releases")
    assert done.returncode == 0, done.stderr
    assert yaml.safe_load(done.stdout)["config"]["slurm:context"] == "prod"
    first, second = (tmp_path / "asked").read_text().splitlines()
    options = "--context=prod --request-timeout=60s"
    assert first == f"{options} get secrets --namespace=releases --selector=owner=helm,name=slurm --output=json"
    assert second.startswith(f"{options} get controllers.slinky.slurm.net,accountings.slinky.slurm.net,")
    assert second.endswith(",configmaps --namespace=hpc --show-managed-fields --output=json")


def without(secret: Object, **metadata: Any) -> Object:
    return {**secret, "metadata": {**secret["metadata"], **metadata}}


RECORD = record([])
PENDING = without(RECORD, labels={**RECORD["metadata"]["labels"], "status": "pending-upgrade"})
NAME = "sh.helm.release.v1.slurm.v1"


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ([], "release slurm: none of its revisions in this namespace is deployed. Name the release and its namespace"),
        ([PENDING], "release slurm: none of its revisions in this namespace is deployed."),
        ([record([], name="nginx")], "release slurm: it is of the chart nginx, and only Slinky's chart slurm makes"),
        ([RECORD], "release slurm: its manifest has 0 Controllers, and a stack has one. Name a release of Slinky's"),
        ([{**RECORD, "data": {}}], f"release slurm: {NAME}: this Secret has no record that can be read. Make a new"),
        ([{**RECORD, "data": {"release": "e30="}}], f"release slurm: {NAME}: this Secret has no record that can be"),
        ([{"kind": "Secret"}, 3], "release slurm: none of its revisions"),
    ],
)
def test_what_is_no_release(tmp_path: Path, items: list[Any], message: str) -> None:
    done = run("adopt", listed(tmp_path, *items))
    assert done.returncode == 2
    assert done.stderr.startswith(message)


def test_objects_that_somebody_has_edited(tmp_path: Path) -> None:
    secret, controller = record(objects({}, helm=False)), next(o for o in objects({}) if o["kind"] == "Controller")
    labels = secret["metadata"]["labels"]
    without_spec = {key: value for key, value in controller.items() if key != "spec"}
    others = [item for item in objects({}) if item["kind"] != "Controller"]
    for items, code, told in (
        ([{**secret, "metadata": {**secret["metadata"], "labels": [1]}}], 2, "release slurm: none of its revisions"),
        (
            [{**secret, "metadata": {**secret["metadata"], "labels": {**labels, "version": "x"}}}],
            2,
            "release slurm: Co",
        ),
        ([{**secret, "data": 3}], 2, "release slurm: sh.helm.release.v1.slurm.v1: this Secret has no record that can"),
        ([*others, without_spec, secret], 1, "Controller/slurm: spec: this field is required. "),
        ([*others, {**controller, "spec": 3}, secret], 1, "Controller/slurm: spec = 3: this is not a mapping. Write"),
    ):
        done = run("adopt", listed(tmp_path, *items))
        assert (done.returncode, done.stdout) == (code, "")
        assert done.stderr.startswith(told)


def test_what_is_no_list(tmp_path: Path) -> None:
    file = tmp_path / "objects.json"
    file.write_text("[]")
    assert run("adopt", file).stderr.startswith(f"{file}: this is no List of objects. Write the List that `kubectl get")
    assert run("adopt", file, "--context", "a").stderr.startswith(f"{file}: write a file of objects, or the context")


RESOURCES: list[Object] = [
    {"type": "pulumi:providers:kubernetes", "name": "kubernetes", "inputs": {}},
    {"type": "slurm:index:SlurmCluster", "name": "slurm", "component": True},
    {"type": "slurm:index:DrainJob", "name": "slurm-drain", "parent": "slurm", "component": True},
    {"type": "kubernetes:batch/v1:Job", "name": "slurm-drain-job", "id": "<PLACEHOLDER>", "parent": "slurm-drain"},
    {
        "type": "slurm:index:Controller",
        "name": "slurmController",
        "parent": "slurm",
        "component": True,
        "logicalName": "slurm",
    },
    *(
        {"type": kind, "name": name, "id": "<PLACEHOLDER>", "parent": "slurmController", "provider": "kubernetes"}
        for kind, name in (
            ("kubernetes:slinky.slurm.net/v1beta1:Controller", "slurm-controller"),
            ("kubernetes:slinky.slurm.net/v1beta1:RestApi", "slurm-restapi"),
            ("kubernetes:core/v1:ConfigMap", "slurm-prologScript-2"),
            ("kubernetes:core/v1:Service", "slurm-slurmctld-service"),
        )
    ),
    {"type": "slurm:index:NodeSet", "name": "slurm-slinky", "parent": "slurm", "component": True},
    {
        "type": "kubernetes:slinky.slurm.net/v1beta1:NodeSet",
        "name": "slurm-slinky-nodeset",
        "id": "<PLACEHOLDER>",
        "parent": "slurm-slinky",
        "provider": "kubernetes",
    },
]


def test_ids_are_filled_in_and_what_is_not_there_is_left_out(tmp_path: Path) -> None:
    values = {"prologScripts": {"a.sh": "#!/bin/sh\n"}}
    file = listed(tmp_path, *objects(values), record(objects(values, helm=False)))
    imports = tmp_path / "import.json"
    imports.write_text(json.dumps({"resources": RESOURCES, "nameTable": {}}))
    done = run("adopt", file, "--import-file", imports)
    told = f"{imports}: 4 objects. Run the commands that were printed, and `pulumi import`\n"
    assert (done.returncode, done.stderr) == (0, told)
    assert done.stdout == "kubectl --namespace=slurm delete secret --selector=owner=helm,name=slurm\n"
    written = json.loads(imports.read_text())
    assert written["nameTable"] == {}
    assert {item["name"]: item.get("id") for item in written["resources"]} == {
        "kubernetes": None,
        "slurm": None,
        "slurmController": None,
        "slurm-controller": "slurm/slurm",
        "slurm-restapi": "slurm/slurm",
        "slurm-prologScript-2": "slurm/slurm-prolog-dcgm",
        "slurm-slinky": None,
        "slurm-slinky-nodeset": "slurm/slurm-worker-slinky",
    }


def test_who_wrote_to_an_object_owns_nothing_of_it_any_more(tmp_path: Path) -> None:
    made = objects({})
    written = [
        {"manager": "helm", "operation": "Update", "fieldsV1": {"f:spec": {}}},
        {"manager": "slurm-operator", "operation": "Update", "subresource": "status"},
        {"manager": "kubectl-edit", "operation": "Update", "fieldsV1": {"f:spec": {}}},
        {"manager": "kubectl-edit", "operation": "Update", "subresource": "scale"},
        {"manager": "pulumi-kubernetes-1", "operation": "Apply", "fieldsV1": {"f:spec": {}}},
        {"manager": "helm", "operation": "Update", "fieldsV1": {"f:metadata": {"f:labels": {".": {}}}}},
    ]
    for item in made:
        # No stack takes over a Secret.
        if item["kind"] in {"NodeSet", "Secret"}:
            item["metadata"]["managedFields"] = written
    imports = tmp_path / "import.json"
    imports.write_text(json.dumps({"resources": RESOURCES}))
    file = listed(tmp_path, *made, record(objects({}, helm=False)))
    *patches, _ = run("adopt", file, "--import-file", imports).stdout.splitlines()
    words = [shlex.split(line) for line in patches]
    assert [line[:-1] for line in words] == [
        ["kubectl", "--namespace=slurm", "patch", "nodesets.slinky.slurm.net", "slurm-worker-slinky", "--type=json"]
    ] * 2
    assert [json.loads(line[-1].removeprefix("--patch="))[0] for line in words] == [
        {"op": "test", "path": f"/metadata/managedFields/{index}/manager", "value": manager}
        for index, manager in ((0, "helm"), (2, "kubectl-edit"))
    ]


def test_the_commands_are_written_where_they_are_wanted(tmp_path: Path) -> None:
    imports, script = tmp_path / "import.json", tmp_path / "forget.sh"
    imports.write_text(json.dumps({"resources": RESOURCES}))
    file = listed(tmp_path, *objects({}), record(objects({}, helm=False)))
    done = run("adopt", file, "--import-file", imports, "-o", script)
    assert (done.returncode, done.stdout) == (0, "")
    assert script.read_text().startswith("kubectl --namespace=slurm ")


def test_helm_forgets_nothing_that_no_stack_imports(tmp_path: Path) -> None:
    made, of_helm = objects({}), record(objects({}, helm=False))
    imports = tmp_path / "import.json"
    other = [item for item in RESOURCES if item["type"] != "slurm:index:SlurmCluster"]
    text = json.dumps({"resources": other})
    imports.write_text(text)
    done = run("adopt", listed(tmp_path, *made, of_helm), "--import-file", imports)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"{imports}: it lacks ")
    assert "NodeSet/slurm-worker-slinky" in done.stderr
    assert imports.read_text() == text


def test_owners_have_to_be_known(tmp_path: Path) -> None:
    made = objects({})
    file = listed(tmp_path, *made, record(objects({}, helm=False)))
    for item in made:
        del item["metadata"]["managedFields"]
    file.write_text(json.dumps({"items": [*made, record(objects({}, helm=False))]}))
    imports = tmp_path / "import.json"
    imports.write_text(json.dumps({"resources": RESOURCES}))
    done = run("adopt", file, "--import-file", imports)
    assert (done.returncode, done.stdout) == (2, "")
    assert "NodeSet/slurm-worker-slinky, RestApi/slurm: nothing says who owns their fields" in done.stderr


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{}", "there is no list of resources"),
        ("[]", "there is no list of resources"),
        ('{"resources": [1]}', "resources[0] = 1: this is not a mapping"),
        ('{"resources": [{"type": ["a"]}]}', 'resources[0].type = ["a"]: this is not text'),
        ('{"resources": [{"logicalName": {}}]}', "resources[0].logicalName = {}: this is not text"),
    ],
)
def test_a_file_that_is_none_of_a_preview(tmp_path: Path, text: str, problem: str) -> None:
    file = listed(tmp_path, *objects({}), record(objects({}, helm=False)))
    imports = tmp_path / "import.json"
    imports.write_text(text)
    done = run("adopt", file, "--import-file", imports)
    assert done.returncode == 2
    assert done.stderr == f"{imports}: {problem}. Name the file that `pulumi preview --import-file` has written.\n"
    assert imports.read_text() == text
