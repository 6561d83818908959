"""Whose a namespace is: one Slurm cluster of one stack, and nothing else goes with it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest

from devcluster.cluster import Cluster
from devcluster.folders import CHECKOUT
from devcluster.toolchain import Toolchain
from pulumi_slurm.manifests.objects import BELONGS_TO
from tests.e2e.objects import Objects, uid
from tests.e2e.program import Program, Run, Settings
from tests.e2e.stack_settings import CPU_POOL, small

IS_THERE = "is there already, not made by this resource, with which it would go, and everything in it"
HAS_A_CLUSTER = "has a Slurm cluster, of another stack or under another name, and it can hold only one"
CONFLICT = f".metadata.annotations.{BELONGS_TO}"
OTHER = pytest.mark.repeats("tests/e2e/test_namespaces.py, with another side that makes the namespace")


class NewStack(Protocol):
    """Makes a stack of the program at the repository's root; it is destroyed at the end of the test."""

    def __call__(self, stack: str = "local", **options: Any) -> Program: ...


@pytest.fixture
def new_stack(tools: Toolchain, cluster: Cluster, tmp_path: Path) -> Iterator[NewStack]:
    programs: list[Program] = []

    def make(stack: str = "local", **options: Any) -> Program:
        folder = tmp_path / f"{stack}-{len(programs)}"
        programs.append(Program(tools, folder, cluster.kubeconfig, stack=stack, **options))
        return programs[-1]

    yield make
    for program in programs:
        program.engine.release()
        program.destroy()


def settings(namespace: str, name: str, *, create: bool = True, **cluster: Any) -> Settings:
    return {**small(name, namespace=namespace, **cluster), "slurm:createNamespace": create}


def uids(objects: Objects, namespace: str) -> dict[Any, str]:
    everything = {key: uid(item) for key, item in objects.everything(namespace).items()}
    return {**everything, "namespace": uid(objects.get("Namespace", None, namespace))}


def refused(run: Run, *texts: str) -> None:
    assert run.code, str(run)
    assert all(text in run.output for text in texts), str(run)
    assert "Traceback" not in run.output, str(run)


@pytest.mark.parametrize("create", [True, pytest.param(False, marks=OTHER)])
def test_another_name_is_refused_before_anything_changes(
    new_stack: NewStack, objects: Objects, *, create: bool
) -> None:
    namespace = f"renamed-{create}".lower()
    if not create:
        objects.namespace(namespace)
    program = new_stack()
    before, after = (settings(namespace, name, create=create) for name in ("before", "after"))
    program.up(before)
    there = uids(objects, namespace)

    refused(program.preview(after, check=False), IS_THERE if create else HAS_A_CLUSTER)
    assert program.preview(before, "--refresh", "--expect-no-changes").changes == {}
    refused(program.up(after, check=False), CONFLICT)
    # A component is nothing in Kubernetes.
    assert program.up(before).replaced == {"after"}
    assert program.preview(None, "--refresh", "--expect-no-changes").changes == {}
    assert uids(objects, namespace) == there


@OTHER
@pytest.mark.parametrize("create", [True, False])
def test_two_stacks_share_no_namespace(new_stack: NewStack, objects: Objects, *, create: bool) -> None:
    """Nor do two of one name, in backends of their own, that would make the very same objects."""
    namespace = f"shared-{create}".lower()
    production = new_stack("production")
    production.up(settings(namespace, "hpc"))
    there = uids(objects, namespace)
    for stack, name in (("trial", "trial"), ("production", "hpc")):
        trial = new_stack(stack)
        refused(
            trial.preview(settings(namespace, name, create=create), check=False), IS_THERE if create else HAS_A_CLUSTER
        )
        refused(trial.up(None, check=False), CONFLICT)
        assert not {"Namespace", "Controller", "Secret"} & {
            item["type"].rpartition(":")[2] for item in trial.resources()
        }
        trial.destroy()
        assert uids(objects, namespace) == there
    assert production.preview(None, "--refresh", "--expect-no-changes").changes == {}


def test_a_namespace_of_others_is_left_to_them(new_stack: NewStack, objects: Objects) -> None:
    namespace = "handmade"
    objects.namespace(namespace)
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "theirs", "namespace": namespace}}
    theirs = uid(objects.create(secret))
    program = new_stack()
    refused(program.preview(settings(namespace, "hpc"), check=False), IS_THERE, "createNamespace: false")
    program.up(settings(namespace, "hpc", create=False))
    program.destroy()
    assert uid(objects.get("Secret", namespace, "theirs")) == theirs
    objects.delete("Namespace", None, namespace)


@pytest.mark.repeats("tests/e2e/test_namespaces.py, with a namespace that it made itself")
def test_what_a_stack_left_is_its_own_again(new_stack: NewStack, objects: Objects) -> None:
    namespace = "kept"
    program = new_stack()
    state: dict[str, Any] = {"controller": {"state": {"retain": True}}}
    kept = settings(namespace, "hpc", **state, namespaceLabels={"team": "a"})
    program.up(kept)
    namespace_uid = uid(objects.get("Namespace", None, namespace))
    program.destroy()
    program.preview(kept)
    program.up()
    assert uid(objects.get("Namespace", None, namespace)) == namespace_uid
    changed = settings(namespace, "hpc", **state, namespaceLabels={"team": "b"})
    refused(program.up(changed, check=False), ".metadata.labels.team")
    # As `kubectl label namespace kept team-` does.
    unlabelled = {"metadata": {"labels": {"team": None}}}
    objects.api.request("PATCH", f"/api/v1/namespaces/{namespace}", unlabelled, "application/merge-patch+json")
    program.up(changed)
    program.destroy()
    objects.delete("Namespace", None, namespace)


@pytest.mark.repeats("tests/e2e/test_namespaces.py, with a namespace of before")
def test_a_namespace_of_an_earlier_release_is_not_taken_over_either(new_stack: NewStack, objects: Objects) -> None:
    """Those before had no annotation."""
    namespace = "earlier"
    program = new_stack()
    program.up(settings(namespace, "before"))
    unannotated = {"metadata": {"annotations": {BELONGS_TO: None}}}
    objects.api.request("PATCH", f"/api/v1/namespaces/{namespace}", unannotated, "application/merge-patch+json")
    objects.delete("ConfigMap", namespace, "only-slurm-cluster")
    refused(program.preview(settings(namespace, "after"), check=False), IS_THERE)
    program.up(settings(namespace, "before"), "--refresh")
    assert BELONGS_TO in objects.get("Namespace", None, namespace)["metadata"]["annotations"]
    refused(program.preview(settings(namespace, "after"), check=False), IS_THERE)


PROGRAM = f"""
import json, sys
from pathlib import Path

sys.path.insert(0, {str(CHECKOUT / "components")!r})

import pulumi
import pulumi_kubernetes as k8s
from pulumi_slurm import SlurmCluster

provider = k8s.Provider("kubernetes", enable_secret_mutable=True, cluster_identifier="embedded")
for name, args in json.loads((Path(__file__).parent / "clusters.json").read_text()).items():
    SlurmCluster(name, args, pulumi.ResourceOptions(provider=provider))
"""


def write(program: Program, namespace: str, **names: str) -> None:
    """Let a program have components, whose clusters have these names, in one namespace."""
    args = {
        component: {"spec": small(name, namespace=namespace)["slurm:cluster"], "pools": [CPU_POOL]}
        for component, name in names.items()
    }
    (program.folder / "clusters.json").write_text(json.dumps(args))


@pytest.fixture
def component_program(new_stack: NewStack) -> Program:
    source = {"__main__.py": PROGRAM, "Pulumi.yaml": "name: clusters\nruntime: python\n", "clusters.json": ""}
    return new_stack(source=source)


def test_one_program_makes_no_second_cluster_in_a_namespace(component_program: Program, objects: Objects) -> None:
    namespace = "together"
    write(component_program, namespace, one="one", two="two")
    refused(
        component_program.preview(check=False),
        "SlurmClusterArgs has an error:",
        'spec.namespace = "together": the Slurm cluster "one" is in this namespace too',
    )
    write(component_program, namespace, one="one")
    component_program.up()
    there = uids(objects, namespace)
    write(component_program, namespace, one="one", two="two")
    assert component_program.up(check=False).code
    write(component_program, namespace, two="one")
    refused(component_program.preview(check=False), IS_THERE)
    write(component_program, namespace, one="one")
    component_program.up()
    assert uids(objects, namespace) == there


def test_a_component_keeps_the_namespace_when_its_cluster_gets_another_name(
    component_program: Program, objects: Objects
) -> None:
    namespace = "changed"
    write(component_program, namespace, hpc="before")
    component_program.up()
    there = uid(objects.get("Namespace", None, namespace))
    write(component_program, namespace, hpc="after")
    run = component_program.up()
    assert not {"hpc-namespace", "hpc-only-cluster"} & run.replaced
    assert uid(objects.get("Namespace", None, namespace)) == there
    assert objects.names("Controller", namespace) == {"after"}
    assert component_program.preview(None, "--refresh", "--expect-no-changes").changes == {}
