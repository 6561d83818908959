"""What makes GenericNodes of the nodes that a Slurm outside shares: its names, and its program."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from pulumi_slurm.ack_slurm.manifests.copilot import generic_node
from pulumi_slurm.ack_slurm.manifests.generic_nodes import generic_nodes
from pulumi_slurm.ack_slurm.model.outside import GenericNodeSpec, OutsideSlurmSpec
from pulumi_slurm.loading import load_model
from pulumi_slurm.manifests.objects import Manifests
from pulumi_slurm.model.cluster_ref import ClusterRef
from tests.shellcheck import findings
from tests.unit.ack_slurm.crd import complaints
from tests.waiting import HANGS

NODES = [
    {"name": "cn-hongkong.10.1.[0-1].[19-20]", "alias": "node[01-04]"},
    {"name": "big.example.org", "alias": "big"},
]
KIND = "genericnodes.kai.alibabacloud.com"
KUBECTL = """
case "$1 $2" in
  "get clusterrole") printf uid-1 ;;
  "get nodes") cat "$HOME/kubernetes-nodes" ;;
  "get genericnodes"*) cat "$HOME/generic-nodes" ;;
  "create "*)
    cat >"$HOME/new"
    if grep -q "^made $(sed -n 's/^  name: "\\(.*\\)"/\1/p' "$HOME/new") " "$HOME/generic-nodes"; then
      echo "Error from server (AlreadyExists)" >&2
      exit 1
    fi
    mv "$HOME/new" "$HOME/created-$(ls "$HOME" | grep -c created)"
    ;;
  *) echo "$*" >>"$HOME/calls" ;;
esac
"""
"""kubectl beside an API server, which refuses a name that is there already."""
LABELS = {
    "app.kubernetes.io/managed-by": "hpc-generic-nodes",
    "kai.alibabacloud.com/cluster-name": "hpc",
    "kai.alibabacloud.com/cluster-namespace": "default",
}
Run = Callable[[list[str], list[str]], list[str]]


def made_before(name: str, alias: str, **labels: str | None) -> str:
    """Return a GenericNode as kubectl prints it for the program, one of its own unless labels say otherwise."""
    whole = {key: value for key, value in {**LABELS, **labels}.items() if value is not None}
    spec = {"alias": alias, "type": "Slurm"}
    return f"{name} {json.dumps(whole, separators=(',', ':'))}|{json.dumps(spec, separators=(',', ':'))}"


OF_OTHERS: dict[str, str | None] = {"app.kubernetes.io/managed-by": None}


def made(**fields: Any) -> Manifests:
    data = {"name": "hpc", "addresses": ["10.1.0.4"], "nodes": NODES, **fields}
    outside = load_model(OutsideSlurmSpec, data, "The outside")
    return generic_nodes(ClusterRef(name=outside.name, namespace="operator"), outside)


def command_and_env(manifests: Manifests) -> tuple[list[str], dict[str, str]]:
    (container,) = manifests["nodes-deployment"]["spec"]["template"]["spec"]["containers"]
    return container["command"], {variable["name"]: variable["value"] for variable in container["env"]}


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs the program once beside nodes and GenericNodes, and returns the changes that it makes of the latter."""

    def changes(nodes: list[str], generic: list[str]) -> list[str]:
        manifests = made()
        command, env = command_and_env(manifests)
        (tmp_path / "names").write_text(manifests["nodes-configmap"]["data"]["names"])
        (tmp_path / "kubernetes-nodes").write_text("".join(f"there {node}\n" for node in nodes))
        (tmp_path / "generic-nodes").write_text("".join(f"made {line}\n" for line in generic))
        for name, script in {"kubectl": KUBECTL, "sleep": "kill $PPID\n"}.items():
            (tmp_path / name).write_text(f"#!/bin/sh\n{script}")
            (tmp_path / name).chmod(0o755)
        (tmp_path / "calls").write_text("")
        env |= {"PATH": f"{tmp_path}:{os.environ['PATH']}", "HOME": str(tmp_path)}
        command = [word.replace("/names/names", str(tmp_path / "names")) for word in command]
        with (tmp_path / "log").open("w") as log:
            subprocess.run(command, env=env, check=False, timeout=HANGS, stdout=log)
        return (tmp_path / "calls").read_text().splitlines()

    return changes


@pytest.mark.parametrize("line", ["made --all x", "made -A", "name cn-hongkong.10.1.0.19 x", 'name other x",type:"y'])
def test_an_alias_with_a_line_break_stands_for_nothing_else(run: Run, tmp_path: Path, line: str) -> None:
    found = [
        made_before("cn-hongkong.10.1.0.19", "node01"),
        made_before("cn-hongkong.10.1.0.20", f"x\n{line}"),
    ]
    assert run(["cn-hongkong.10.1.0.19", "cn-hongkong.10.1.0.20", "other"], found) == [
        f'patch {KIND} cn-hongkong.10.1.0.20 --type=merge --patch={{"spec":{{"alias":"node02"}}}}',
    ]
    assert [*tmp_path.glob("created-*")] == []


def test_each_node_that_is_there_has_one(run: Run, tmp_path: Path) -> None:
    before = {"cn-hongkong.10.1.0.19": "node01", "cn-hongkong.10.1.0.20": "old", "gone.example.org": "node09"}
    generic = [made_before(*item) for item in before.items()]
    assert run(["cn-hongkong.10.1.0.19", "cn-hongkong.10.1.0.20", "cn-hongkong.10.1.1.20", "other"], generic) == [
        f'patch {KIND} cn-hongkong.10.1.0.20 --type=merge --patch={{"spec":{{"alias":"node02"}}}}',
        f"delete {KIND} gone.example.org --ignore-not-found --wait=false",
    ]
    (file,) = tmp_path.glob("created-*")
    manifest = yaml.safe_load(file.read_text())
    assert complaints(manifest) == []
    name = manifest["metadata"].pop("name")
    assert (name, manifest["spec"]) == ("cn-hongkong.10.1.1.20", {"alias": "node04", "type": "Slurm"})
    (owner,) = manifest["metadata"].pop("ownerReferences")
    assert (owner["kind"], owner["name"], owner["uid"]) == ("ClusterRole", "operator-hpc-generic-nodes", "uid-1")
    typed = generic_node("hpc", "default", GenericNodeSpec(name=name, alias="node04"))
    assert manifest["metadata"]["labels"] == {
        **typed["metadata"]["labels"],
        "app.kubernetes.io/managed-by": "hpc-generic-nodes",
    }
    assert (tmp_path / "ready").exists()


def test_those_that_the_guide_has_users_make_count_as_made(run: Run, tmp_path: Path) -> None:
    generic = [made_before("cn-hongkong.10.1.0.19", "node01", **OF_OTHERS), made_before("gone", "x", **OF_OTHERS)]
    assert run(["cn-hongkong.10.1.0.19"], generic) == []
    assert [*tmp_path.glob("created-*")] == []
    assert (tmp_path / "ready").exists()
    assert (tmp_path / "log").read_text() == ""


@pytest.mark.parametrize(
    ("alias", "labels", "what"),
    [
        ("node09", {}, "Slurm node node09 of default/hpc"),
        ("node01", {"kai.alibabacloud.com/cluster-name": "workers"}, "Slurm node node01 of default/workers"),
        ("node01", {"kai.alibabacloud.com/cluster-namespace": "jobs"}, "Slurm node node01 of jobs/hpc"),
        ("node01", dict.fromkeys(LABELS), "Slurm node node01 of /"),
    ],
)
def test_one_of_others_that_says_something_else_stays_and_is_told(
    run: Run, tmp_path: Path, alias: str, labels: dict[str, str | None], what: str
) -> None:
    generic = [made_before("cn-hongkong.10.1.0.19", alias, **{**OF_OTHERS, **labels})]
    assert run(["cn-hongkong.10.1.0.19"], generic) == []
    assert [*tmp_path.glob("created-*")] == []
    assert (tmp_path / "ready").exists()
    assert (tmp_path / "log").read_text() == (
        f"GenericNode cn-hongkong.10.1.0.19 is {what}, stays so, and should be Slurm node node01 of default/hpc\n"
    )


@pytest.mark.parametrize("fails", ["get nodes", f"get {KIND}"])
def test_none_goes_because_a_query_fails(run: Run, tmp_path: Path, fails: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.KUBECTL", f'case "$1 $2" in "{fails}") exit 1 ;; esac\n{KUBECTL}')
    assert run([], [made_before("cn-hongkong.10.1.0.19", "node01")]) == []
    assert not (tmp_path / "ready").exists()


def test_it_is_not_ready_while_one_can_t_be_made(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.KUBECTL", f'case "$1" in create) exit 1 ;; esac\n{KUBECTL}')
    assert len(run(["big.example.org"], [made_before("gone", "node09")])) == 1
    assert not (tmp_path / "ready").exists()


def test_the_program_means_what_it_looks() -> None:
    command, _ = command_and_env(made())
    assert findings(command[-1], "sh") == []


def test_it_may_do_no_more_than_it_does() -> None:
    rules = made()["nodes-clusterrole"]["rules"]
    verbs = {rule["resources"][0]: set(rule["verbs"]) for rule in rules}
    assert verbs["nodes"] == {"get", "list"}
    assert verbs["clusterroles"] == {"get"}
    assert [rule.get("resourceNames") for rule in rules] == [None, None, ["operator-hpc-generic-nodes"]]


def test_other_names_replace_the_pod() -> None:
    def annotations(**fields: Any) -> str:
        template = made(**fields)["nodes-deployment"]["spec"]["template"]
        return json.dumps(template["metadata"]["annotations"])

    assert annotations() != annotations(nodes=NODES[:1])
    assert made(nodes=[]) == {}
