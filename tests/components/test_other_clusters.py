"""Slurm clusters of one program."""

from collections.abc import Mapping
from typing import Any

import pulumi
import pulumi_kubernetes as k8s
import pytest

from pulumi_slurm import SlurmCluster
from pulumi_slurm.ack_slurm import AckSlurmCluster
from pulumi_slurm.kube.component import SpecRunError
from tests.components.conftest import Build
from tests.components.loosely import loosely
from tests.unit.ack_slurm import examples

NODES = {"name": "cpu", "machine": {"cpus": 4, "memory": "8Gi"}}
IN_ONE_NAMESPACE = (
    "SlurmClusterArgs has an error:\n"
    '  - spec.namespace = "jobs": the Slurm cluster "one" is in this namespace too: their '
    "workers would keep each other from nodes, and the end of one could be that of the other. Give each cluster a "
    "namespace of its own. [one-cluster-per-namespace]"
)


def spec(name: str, namespace: str = "jobs", **fields: Any) -> dict[str, Any]:
    return {"name": name, "namespace": namespace, "nodeSets": [NODES], **fields}


def clusters(*specs: Mapping[str, Any], **options: Any) -> None:
    for number, one in enumerate(specs):
        loosely(SlurmCluster)(f"cluster-{number}", {"spec": one, **options})


def refusal(build: Build, *specs: Mapping[str, Any], **options: Any) -> str:
    with pytest.raises(SpecRunError) as refused:
        build(lambda: clusters(*specs, **options))
    return str(refused.value)


@pytest.mark.parametrize("create", [True, False])
def test_two_clusters_of_a_program_share_no_namespace(build: Build, *, create: bool) -> None:
    assert refusal(build, spec("one"), spec("two"), createNamespace=create) == IN_ONE_NAMESPACE
    # Another run of a program in the same process is another program.
    build(lambda: clusters(spec("two"), createNamespace=create))


def test_two_providers_are_two_kubernetes_clusters(build: Build) -> None:
    def program() -> None:
        for name in ("one", "two"):
            opts = pulumi.ResourceOptions(provider=k8s.Provider(name, context=name))
            loosely(SlurmCluster)(name, {"spec": spec("hpc", operatorVersion="1.1.0")}, opts)

    assert len([item for item in build(program) if item.typ.endswith(":Namespace")]) == 2


@pytest.mark.parametrize(("releases", "is_refused"), [(("1.1.2", "1.1.3"), True), (("1.1.3", "1.1.3"), False)])
def test_two_clusters_of_one_name_are_refused_where_the_operator_confuses_them(
    build: Build, releases: tuple[str, str], *, is_refused: bool
) -> None:
    one, two = (
        spec("hpc", namespace, operatorVersion=release)
        for namespace, release in zip(("one", "two"), releases, strict=True)
    )
    if not is_refused:
        build(lambda: clusters(one, two))
        return
    assert 'spec.name = "hpc": the Slurm cluster in namespace "one" has this name too' in refusal(build, one, two)


def test_names_of_objects_without_a_namespace_are_told_apart(build: Build) -> None:
    text = refusal(build, spec("b-c", "a"), spec("c", "a-b"))
    assert 'spec.name = "c": with its namespace it is "a-b-c", as is "b-c" in namespace "a"' in text


def test_clusters_of_both_operators_are_looked_at(build: Build) -> None:
    ack_spec, pools = examples.cluster()

    def ack(name: str, namespace: str) -> None:
        changed = ack_spec.model_copy(update={"namespace": namespace})
        AckSlurmCluster(name, {"spec": changed, "pools": pools, "ack": {"image": examples.IMAGE}})

    def one_of_each() -> None:
        clusters(spec("one"))
        ack("two", "jobs")

    def two_of_one_name() -> None:
        ack("one", "jobs")
        ack("two", "other")

    with pytest.raises(SpecRunError, match='the Slurm cluster "one" is in this namespace too'):
        build(one_of_each)
    with pytest.raises(SpecRunError, match="would overwrite each other's token and Role"):
        build(two_of_one_name)
