"""Slurm clusters beside others: of the same program, and what a preview sees of those elsewhere."""

from collections.abc import Mapping
from typing import Any

import pulumi
import pulumi_kubernetes as k8s
import pytest

from pulumi_slurm import Keda, SlinkyOperator, SlurmCluster
from pulumi_slurm.ack_slurm import AckSlurmCluster, AckSlurmOperator
from pulumi_slurm.kube.component import SpecRunError
from pulumi_slurm.manifests.objects import BELONGS_TO
from tests.components.conftest import Build, Recorder, Registered, recorded
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


def own(registered: list[Registered]) -> dict[str, str]:
    annotations = {item.name: (item.inputs.get("metadata") or {}).get("annotations") or {} for item in registered}
    return {name: found[BELONGS_TO] for name, found in annotations.items() if BELONGS_TO in found}


def test_namespace_and_place_name_their_resource_and_their_stack(build: Build) -> None:
    found = own(build(lambda: clusters(spec("hpc"))))
    assert found.keys() == {"cluster-0-namespace", "cluster-0-only-cluster"}
    urn = "urn:pulumi:test::slurm::slurm:index:SlurmCluster$kubernetes:core/v1:Namespace::cluster-0-namespace of stack "
    assert found["cluster-0-namespace"].startswith(urn)
    (stack,) = {value.removeprefix(urn) for name, value in found.items() if name.endswith("namespace")}
    assert len(stack) == 8
    other = own(build(lambda: clusters(spec("hpc"), rootKey="AAAA" * 10 + "AAA=")))
    assert not {*found.values()} & {*other.values()}


APPLIED = {"operation": "Apply", "fieldsV1": {"f:metadata": {"f:annotations": {f"f:{BELONGS_TO}": {}}}}}
MADE_BY_HAND = {"operation": "Update", "fieldsV1": {"f:metadata": {"f:labels": {"f:kubernetes.io/metadata.name": {}}}}}
NEW: dict[str, Any] = {"managedFields": [APPLIED]}
THERE = {**NEW, "resourceVersion": "1"}
OWN = {"managedFields": [APPLIED, APPLIED, MADE_BY_HAND], "resourceVersion": "1"}


class _Preview(Recorder):
    """Answers as the API server does to a dry run; nothing has an id."""

    def new_resource(self, args: pulumi.runtime.MockResourceArgs) -> tuple[str | None, dict[Any, Any]]:
        _, outputs = super().new_resource(args)
        metadata = {**args.inputs.get("metadata", {}), **self.outputs.get(args.name, {})}
        return "", {**outputs, "metadata": metadata}


@pytest.mark.usefixtures("build")
@pytest.mark.parametrize("found", [{}, NEW, OWN])
def test_what_is_not_there_or_ones_own_is_made(found: Mapping[str, Any]) -> None:
    previewed(lambda: clusters(spec("hpc")), {"cluster-0-namespace": found, "cluster-0-only-cluster": found})


@pytest.mark.usefixtures("build")
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("cluster-0-namespace", 'the namespace "jobs" is there already, not made by this resource'),
        ("cluster-0-only-cluster", 'the namespace "jobs" has a Slurm cluster, of another stack or under another name'),
    ],
)
@pytest.mark.parametrize("found", [THERE, {**THERE, "managedFields": [MADE_BY_HAND, APPLIED]}])
def test_what_is_there_is_refused(name: str, text: str, found: Mapping[str, Any]) -> None:
    with pytest.raises(pulumi.RunError, match=text):
        previewed(lambda: clusters(spec("hpc")), {name: found})


def previewed(program: Any, metadata: dict[str, Mapping[str, Any]]) -> None:
    recorded(program, _Preview(metadata), preview=True)


@pytest.mark.usefixtures("build")
def test_a_bridged_namespace_that_is_there_is_refused() -> None:
    nodes = [{"name": "kubernetes", "nodeSelector": {"size": "big"}}]
    bridge = {"partition": "pods", "namespaces": [{"name": "pods"}], "externalNodes": nodes}
    cluster = spec("hpc", bridge=bridge, partitions=[{"name": "pods", "nodeSets": ["kubernetes"]}])
    with pytest.raises(
        pulumi.RunError, match=r'bridge.namespaces: the namespace "pods" is there .* Write create: false.'
    ):
        previewed(lambda: clusters(cluster), {"cluster-0-bridge-pods-namespace": THERE})
    previewed(lambda: clusters(cluster), {"cluster-0-bridge-pods-namespace": OWN})


@pytest.mark.usefixtures("build")
@pytest.mark.parametrize(
    ("component", "name", "instead"),
    [
        (SlinkyOperator, "one-namespace", "Where slurm-operator runs already, leave this out"),
        (SlinkyOperator, "one-cert-manager-namespace", "install_cert_manager: false"),
        (Keda, "one-namespace", "Where KEDA runs already"),
        (AckSlurmOperator, "one-namespace", "Where it is yours, write create_namespace: false."),
    ],
)
def test_a_namespace_of_an_operator_that_is_there_is_warned_of(
    monkeypatch: pytest.MonkeyPatch, component: Any, name: str, instead: str
) -> None:
    warned: list[str] = []
    monkeypatch.setattr(pulumi.log, "warn", lambda text, *_: warned.append(text))
    previewed(lambda: component("one", {}), {name: OWN})
    assert warned == []
    previewed(lambda: component("one", {}), {name: THERE})
    (text,) = warned
    assert "is there already, not made by this resource, with which it would go, and everything in it" in text
    assert instead in text
