"""The configuration of a stack on Google Cloud: both of its parts are loaded completely, with all errors at once."""

from typing import Any

import pytest
import yaml
from hypothesis import given, strategies as st

from devcluster.folders import CHECKOUT
from pulumi_slurm.errors import SpecError, format_path
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.pools import node_pools
from pulumi_slurm_stacks.gke_config import GkeConfig
from tests.stack_configuration import ROOT_KEY, Path, changed, errors, paths, read

GKE: dict[str, Any] = {
    "project": "my-project",
    "region": "us-central1",
    "zones": ["us-central1-b"],
    "pools": [
        {"name": "cpu", "machineType": "n2-standard-8", "maxNodes": 4},
        {
            "name": "h100",
            "machineType": "a3-highgpu-8g",
            "priorities": [
                {"capacity": "reservation", "reservation": "mine", "nodes": 2},
                {"capacity": "flex-start", "maxNodes": 4},
            ],
        },
    ],
}
CLUSTER: dict[str, Any] = {
    "name": "hpc",
    "nodeSets": [{"name": "cpu", "pool": "cpu", "replicas": 2}, {"name": "train", "pool": "h100", "replicas": 6}],
    "partitions": [{"name": "all", "nodeSets": ["ALL"], "default": True, "maxTime": "1-00:00:00"}],
}


@pytest.fixture(autouse=True)
def _no_kubeconfig(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBECONFIG", "/no/such/file")


def stack(*changes: tuple[Path, Any], **fields: Any) -> dict[str, Any]:
    """Return a valid configuration with some values changed; None removes one."""
    return changed({"kind": "gke", "gke": GKE, "cluster": CLUSTER, "rootKey": ROOT_KEY, **fields}, *changes)


def config_of(settings: dict[str, Any]) -> GkeConfig:
    config, _ = read(settings)
    assert isinstance(config, GkeConfig)
    return config


def test_a_valid_configuration() -> None:
    config = config_of(stack())
    # The names of Google's resources start with the Slurm cluster's, and no kubeconfig is read.
    assert config.name == "hpc"


def test_priorities_are_expanded_to_node_sets_on_planned_pools() -> None:
    config = config_of(stack())
    slurm = config.slurm
    assert {node_set.name: node_set.pool for node_set in slurm.node_sets} == {
        "cpu": "cpu",
        "train-reservation": "h100-reservation",
        "train-flex-start": "h100-flex-start",
    }
    assert {node_set.pool for node_set in slurm.node_sets} == {pool.name for pool in node_pools(GkePlan.of(config.gke))}


def test_the_gke_cluster_can_have_another_name() -> None:
    assert config_of(stack((("gke", "name"), "prod"))).name == "prod"


@pytest.mark.parametrize(
    ("images", "registry"),
    [
        ({}, "us-central1-docker.pkg.dev/my-project/hpc-slinky/slinkyproject"),
        ({"tag": "25.11-mine"}, "us-central1-docker.pkg.dev/my-project/hpc-slinky/slinkyproject"),
        ({"registry": "registry.example.org/slurm"}, "registry.example.org/slurm"),
    ],
)
def test_images_come_from_the_cache_unless_a_registry_is_configured(images: dict[str, str], registry: str) -> None:
    slurm = config_of(stack((("gke", "registry"), {}), (("cluster", "images"), images))).slurm
    assert slurm.images.registry == registry
    assert slurm.images.tag == images.get("tag")


@pytest.mark.parametrize(
    ("whole", "expected"),
    [
        (
            stack(pools=[]),
            "slurm:pools: node pools are made here, and what they have is known. Leave it out, and write them in "
            "slurm:gke, below pools.",
        ),
        (
            stack(context="mine"),
            "slurm:context: this stack makes its Kubernetes cluster, and knows how to reach it. Leave it out.",
        ),
        (
            stack(createNamespace="no"),
            'slurm:createNamespace = "no": this is not true or false. Write true or false.',
        ),
        (
            stack((("gke",), None)),
            "slurm:gke: this field is required. Write gke: {project: ..., region: ..., zones: [...], pools: [...]}.",
        ),
        (
            stack(gke=[]),
            "slurm:gke = []: this is not a mapping. Write gke: {project: ..., region: ..., zones: [...], pools: "
            "[...]}.",
        ),
        (
            stack((("cluster",), None)),
            "slurm:cluster: this field is required. Write cluster: {name: ..., nodeSets: [...]}.",
        ),
        (
            stack((("cluster", "name"), "a-name-of-more-than-twenty")),
            'slurm:gke.name: the Slurm cluster\'s name, "a-name-of-more-than-twenty", is too long to be that of the '
            "GKE cluster. Write one with 20 characters at most.",
        ),
        (
            stack((("gke", "pools", 0, "machineType"), "n2-standart-8")),
            'slurm:gke.pools[0].machineType = "n2-standart-8": the catalogue has no such machine type. Did you mean '
            '"n2-standard-8" or "n2d-standard-8" or "n2-standard-80"? Else add it to machineTypes.',
        ),
        (
            stack((("cluster", "nodeSets", 0, "pool"), "cpus")),
            'slurm:cluster.nodeSets[0].pool = "cpus": there is no such node pool. Did you mean "cpu"?',
        ),
        (
            stack((("cluster", "nodeSets", 1, "pool"), "h100-reservation")),
            'slurm:cluster.nodeSets[1].pool = "h100-reservation": there is no such node pool. Write one of: cpu, h100.',
        ),
        (
            stack((("cluster", "nodeSets", 0, "replicas"), 5)),
            'slurm:cluster.nodeSets[0].replicas = 5: the pool "cpu" has 4 nodes; pods beyond that would stay Pending. '
            "Write 4 or less, or give the pool more nodes.",
        ),
        (
            stack((("cluster", "nodeSets", 1, "replicas"), 7)),
            'slurm:cluster.nodeSets[1].replicas = 7: the capacity options of the pool "h100" have 6 nodes. Write 6 or '
            "less, or give the capacity options more nodes.",
        ),
        (
            stack((("cluster", "partitions", 0, "maxTime"), "30-00:00:00")),
            'slurm:gke.pools[1].priorities[1].capacity = "flex-start": no job could run on it, as it suits no '
            "partition of "
            'the node set "train": maxTime of "all" is 30-00:00:00, and a flex-start node ends after 7-00:00:00. Write '
            'maxTime "7-00:00:00" or less in "all", or remove this capacity option from priorities.',
        ),
        (
            stack((("cluster", "slurmConf"), {"extra": {"JobRequeue": "0"}})),
            'slurm:cluster.slurmConf.extra.JobRequeue = "0": the nodes of "train" are of capacity flex-start, and jobs '
            "there would be lost whenever Google reclaims a node. Leave it out; a job that must not run twice is "
            "submitted with --no-requeue.",
        ),
        (
            stack((("gke", "database"), {})),
            "slurm:cluster.accounting: the GKE specification has a database for slurmdbd, and there is no slurmdbd. "
            "Add accounting: {}, or leave database out there.",
        ),
        (
            stack((("gke", "slurmOperator"), "gke-addon"), operator={"preinstalled": True}),
            'slurm:operator = {"preinstalled": true}: GKE runs slurm-operator here, as slurm:gke says, so nothing is '
            "installed and this has no effect. Leave it out, or write slurmOperator: slinky in slurm:gke.",
        ),
        (
            stack(operator={"preinstaled": True}),
            'slurm:operator.preinstaled = true: there is no such field. Did you mean "preinstalled"?',
        ),
    ],
)
def test_an_error_is_reported_once_with_path_value_and_fix(whole: dict[str, Any], expected: str) -> None:
    assert errors(whole) == [expected]


def test_errors_of_both_parts_are_reported_at_once() -> None:
    lines = errors(
        stack(
            (("gke", "project"), "My Project"),
            (("gke", "pools", 0, "diskk"), 1),
            (("gke", "storage"), [{"name": "home", "mountPath": "/home", "filestore": {}}]),
            (("cluster", "nodeSets", 1, "replicas"), "two"),
            (("cluster", "partitions", 0, "nodeSets"), ["cpu", "gpu"]),
            (("cluster", "sharedVolumes"), [{"name": "mine", "mountPath": "/home", "storageClass": "fast"}]),
            (("rootKey",), None),
            pools=[],
        )
    )
    assert [line.partition(": ")[0] for line in lines] == [
        "slurm:pools",
        'slurm:gke.project = "My Project"',
        "slurm:gke.pools[0].diskk",
        'slurm:cluster.nodeSets[1].replicas = "two"',
        'slurm:cluster.partitions[0].nodeSets[1] = "gpu"',
        'slurm:cluster.sharedVolumes[0].mountPath = "/home"',
        "slurm:rootKey",
    ]


@pytest.mark.parametrize(
    "change",
    [
        (("gke", "pools", 0, "machineType"), "n2-standart-8"),
        (("gke", "pools", 0, "name"), "CPU"),
        (("gke", "pools", 0, "maxNodes"), "many"),
        (("gke", "pools", 1, "priorities", 0, "reservation"), None),
        (("gke", "pools"), {"cpu": {}}),
        (("gke",), "none"),
    ],
    ids=str,
)
def test_an_invalid_pool_causes_no_error_of_its_node_set(change: tuple[Path, Any]) -> None:
    lines = errors(stack(change))
    assert lines
    assert not [line for line in lines if line.startswith("slurm:cluster")]


def test_other_pools_are_checked_while_one_is_invalid() -> None:
    lines = errors(
        stack((("gke", "pools", 1, "machineType"), "a3-hugegpu-8g"), (("cluster", "nodeSets", 0, "replicas"), 9))
    )
    assert [line.partition(" = ")[0] for line in lines] == [
        "slurm:gke.pools[1].machineType",
        "slurm:cluster.nodeSets[0].replicas",
    ]


@given(st.data())
def test_invalid_values_are_refused_with_an_error(data: st.DataObject) -> None:
    """A random value at a random path: it is accepted, or refused with distinct errors; nothing else is raised."""
    whole = stack()
    parts = {"gke": whole["slurm:gke"], "cluster": whole["slurm:cluster"]}
    path = data.draw(st.sampled_from(sorted(paths(parts), key=format_path)))
    value: Any = data.draw(st.one_of(st.none(), st.booleans(), st.integers(-1, 99), st.text(max_size=5), st.just([{}])))
    try:
        config_of(stack((path, value))).slurm  # noqa: B018
    except SpecError as spec_error:
        lines = [str(error) for error in spec_error.errors]
        assert lines
        assert len(lines) == len(set(lines))


def test_the_shipped_examples_are_small() -> None:
    files = sorted(CHECKOUT.glob("Pulumi.gke*.yaml"))
    assert [file.name for file in files] == ["Pulumi.gke-a3.yaml", "Pulumi.gke.yaml"]
    for file in files:
        text = file.read_text()
        assert len(text.splitlines()) < 60, file.name
        assert yaml.safe_load(text)["config"]["slurm:kind"] == "gke"
