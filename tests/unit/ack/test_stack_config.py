"""The configuration of a stack on Alibaba Cloud: both of its parts are read whole, with every error at once."""

from typing import Any

import pytest
import yaml
from hypothesis import given, strategies as st

from devcluster.folders import CHECKOUT
from pulumi_slurm.errors import SpecError, format_path
from pulumi_slurm_stacks.ack_config import AckConfig, AckSecrets
from tests.stack_configuration import ROOT_KEY, Path, changed, errors, paths, read

ACK: dict[str, Any] = {
    "region": "cn-hangzhou",
    "zones": ["cn-hangzhou-i"],
    "slurmOperator": "ack-slurm-operator",
    "pools": [
        {"name": "cpu", "instanceTypes": ["ecs.g8i.2xlarge"], "maxNodes": 4},
        {"name": "gpu", "instanceTypes": ["ecs.gn7i-c16g1.4xlarge"], "nodes": 2, "dedicated": False},
    ],
    "slurm": {"powerSaving": {"groups": {"cpu": 4}}},
}
CLUSTER: dict[str, Any] = {
    "name": "hpc",
    "nodeSets": [{"name": "cpu", "pool": "cpu"}, {"name": "gpu", "pool": "gpu", "replicas": 2}],
    "partitions": [{"name": "all", "nodeSets": ["ALL"], "default": True, "maxTime": "1-00:00:00"}],
}
DATABASE = {"kind": "external", "host": "db", "user": "slurm", "passwordSecret": {"name": "db", "key": "password"}}
COMPLETION = {"host": "mysql.example.org"}


@pytest.fixture(autouse=True)
def _no_kubeconfig(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBECONFIG", "/no/such/file")


def stack(*changes: tuple[Path, Any], **fields: Any) -> dict[str, Any]:
    """Return a correct configuration with some values changed; None removes one."""
    return changed({"kind": "ack", "ack": ACK, "cluster": CLUSTER, "rootKey": ROOT_KEY, **fields}, *changes)


def on_slinky(*changes: tuple[Path, Any], **fields: Any) -> dict[str, Any]:
    """Return the same configuration with the other operator."""
    return stack((("ack", "slurm"), None), (("ack", "slurmOperator"), "slinky"), *changes, **fields)


def config_of(settings: dict[str, Any]) -> AckConfig:
    config, _ = read(settings)
    assert isinstance(config, AckConfig)
    return config


def secrets_of(settings: dict[str, Any]) -> AckSecrets:
    _, secrets = read(settings)
    assert isinstance(secrets, AckSecrets)
    return secrets


@pytest.mark.parametrize("whole", [stack(), on_slinky()], ids=["ack-slurm-operator", "slinky"])
def test_a_good_configuration(whole: dict[str, Any]) -> None:
    # The names of Alibaba Cloud's resources begin with the Slurm cluster's, and no kubeconfig is looked for.
    assert config_of(whole).name == "hpc"


def test_what_a_rule_of_both_parts_warns_of_is_no_error() -> None:
    assert config_of(on_slinky())
    mirrors = {registry: ["https://mirror.example.com"] for registry in ("ghcr.io", "docker.io", "quay.io")}
    quiet = (
        (("ack", "registryMirrors"), mirrors),
        (("cluster", "slurmConf"), {"defMemPerCpu": "1G"}),
        (("cluster", "controller"), {"state": {"storageClass": "slurm-disk"}}),
    )
    (line,) = errors(on_slinky((("warningsAsErrors",), True), *quiet))
    assert line.startswith('slurm:cluster.nodeSets[0].pool = "cpu": ACK scales the pool "cpu"')


def test_the_operator_changes_nothing_of_the_specification() -> None:
    assert config_of(stack()).cluster == config_of(on_slinky()).cluster


def test_the_ack_cluster_can_have_another_name() -> None:
    assert config_of(stack((("ack", "name"), "prod"))).name == "prod"


@pytest.mark.parametrize("whole", [stack((("kind",), None)), on_slinky((("kind",), None))], ids=["ack", "slinky"])
def test_a_missing_kind_is_guessed_so_that_only_it_is_reported(whole: dict[str, Any]) -> None:
    (line,) = errors(whole)
    assert line.startswith("slurm:kind: this field is required.")


@pytest.mark.parametrize(
    ("whole", "expected"),
    [
        (
            stack(pools=[]),
            "slurm:pools: node pools are made here, and what they have is known. Leave it out, and write them in "
            "slurm:ack, below pools.",
        ),
        (
            stack(gke={}),
            "slurm:gke: this describes a cluster to make on Google Cloud, and this stack makes one on Alibaba Cloud. "
            "Write kind: gke, or leave it out.",
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
            stack((("ack",), None)),
            "slurm:ack: this field is required. Write ack: {region: ..., zones: [...], pools: [...]}.",
        ),
        (
            stack(ack=[]),
            "slurm:ack = []: this is not a mapping. Write ack: {region: ..., zones: [...], pools: [...]}.",
        ),
        (
            stack((("cluster",), None)),
            "slurm:cluster: this field is required. Write cluster: {name: ..., nodeSets: [...]}.",
        ),
        (
            stack((("ack", "pools", 0, "instanceTypes"), ["ecs.g8i.2xlargee"])),
            'slurm:ack.pools[0].instanceTypes[0] = "ecs.g8i.2xlargee": the catalogue has no such instance type. Did '
            'you mean "ecs.g8i.2xlarge" or "ecs.g8i.24xlarge" or "ecs.g8i.12xlarge"? Else add it to machineTypes.',
        ),
        (
            stack((("cluster", "nodeSets", 0, "pool"), "cpus")),
            'slurm:cluster.nodeSets[0].pool = "cpus": there is no such node pool. Did you mean "cpu"?',
        ),
        (
            stack((("cluster", "nodeSets", 1, "replicas"), 3)),
            'slurm:cluster.nodeSets[1].replicas = 3: the pool "gpu" has 2 nodes; pods beyond that would stay Pending. '
            "Write 2 or less, or give the pool more nodes.",
        ),
        (
            stack((("ack", "database"), {})),
            "slurm:cluster.accounting: the ACK specification has a database for slurmdbd, and there is no slurmdbd. "
            "Add accounting: {}, or leave database out there.",
        ),
        (
            stack(operator={"preinstalled": True}),
            'slurm:operator = {"preinstalled": true}: this configures Slinky\'s slurm-operator, and slurm:ack has '
            "Alibaba Cloud's, so it would have no effect. Leave it out, and set ack.slurm.operator; or write "
            "slurmOperator: slinky in slurm:ack.",
        ),
        (
            on_slinky((("ack", "slurm"), {"copilot": {}})),
            'slurm:ack.slurm = {"copilot": {}}: slurmOperator "slinky" has no ack-slurm-operator, so this would '
            'have no effect. Leave it out, or write slurmOperator "ack-slurm-operator".',
        ),
        (
            stack((("ack", "slurm"), {"powerSaving": {"groups": {"gpu": 3}}})),
            'slurm:ack.slurm.powerSaving.groups.gpu = 3: the pool "gpu" has 2 nodes, and a node has room for one '
            "worker. Write 2 or less.",
        ),
        (
            stack((("ack", "pools", 1, "dedicated"), True), (("ack", "slurm"), {"copilot": {}})),
            "slurm:ack.slurm.copilot = {}: all pools are dedicated to Slurm, so "
            "it has no nodes to share with other pods. Write dedicated: false in the pools to share, or leave copilot "
            "out.",
        ),
        (
            stack((("ack", "slurm"), {"copilot": {}}), (("ack", "controlPlane"), {"clusterDomain": "hpc.example"})),
            'slurm:ack.controlPlane.clusterDomain = "hpc.example": the copilot looks for slurmrestd in the domain '
            'svc.cluster.local, whatever the cluster\'s domain is. Write "cluster.local".',
        ),
        (
            stack(
                (("cluster", "nodeSets", 1, "scalingMode"), "DaemonSet"), (("cluster", "nodeSets", 1, "replicas"), None)
            ),
            'slurm:cluster.nodeSets[1].scalingMode = "DaemonSet": ack-slurm-operator creates a number of workers, not '
            "one for each node. Write StatefulSet and the number of nodes.",
        ),
        (
            stack((("cluster", "accounting"), {"database": DATABASE})),
            'slurm:databasePassword: it is not set, and slurmdbd.conf has to contain the password of "slurm". Set it: '
            "pulumi config set --secret slurm:databasePassword",
        ),
        (
            stack((("cluster", "accounting"), {"database": DATABASE}), databasePassword="a#b"),
            "slurm:databasePassword: Slurm reads everything after # as a comment, so the password would be cut off. "
            "Choose one without #.",
        ),
        (
            stack((("ack", "slurm"), {"jobCompletion": COMPLETION})),
            "slurm:jobCompletionPassword: it is not set, and slurm.conf has to contain the password of "
            '"slurm_jobcomp". Set it: pulumi config set --secret slurm:jobCompletionPassword',
        ),
        (
            stack((("ack", "slurm"), {"copilot": {"token": True}})),
            "slurm:copilotToken: it is not set, and ack.slurm.copilot.token is true, so the copilot's token comes "
            "from this secret. Set it: pulumi config set --secret slurm:copilotToken",
        ),
        (
            stack((("ack", "slurm"), {"copilot": {"token": True}}), copilotToken="SLURM_JWT=a b"),
            "slurm:copilotToken: the token has white space or a new line, and slurmrestd would refuse it. Write it as "
            "one word.",
        ),
    ],
)
def test_an_error_is_reported_once_with_path_value_and_fix(whole: dict[str, Any], expected: str) -> None:
    assert errors(whole) == [expected]


@pytest.mark.parametrize(
    "whole",
    [
        stack((("ack", "database"), {}), (("cluster", "accounting"), {})),
        on_slinky((("cluster", "accounting"), {"database": DATABASE})),
        on_slinky((("ack", "database"), {}), (("cluster", "accounting"), {})),
    ],
    ids=["RDS", "a Secret", "RDS with Slinky"],
)
def test_no_password_is_asked_for_that_is_derived_or_in_a_secret(whole: dict[str, Any]) -> None:
    assert secrets_of(whole).database_password is None


def test_secrets_are_handed_on() -> None:
    whole = stack(
        (("ack", "slurm"), {"copilot": {"token": True}, "jobCompletion": COMPLETION}),
        (("cluster", "accounting"), {"database": DATABASE}),
        databasePassword="first",
        jobCompletionPassword="second",
        copilotToken="head.body.sign",
    )
    secrets = secrets_of(whole)
    assert (secrets.database_password, secrets.job_completion_password) == ("first", "second")
    assert secrets.copilot_token == "head.body.sign"
    assert "first" not in repr(secrets)


def test_errors_of_both_parts_come_at_once() -> None:
    lines = errors(
        stack(
            (("ack", "region"), "Hangzhou"),
            (("ack", "pools", 0, "diskk"), 1),
            (("ack", "storage"), [{"name": "home", "mountPath": "/home"}]),
            (("cluster", "nodeSets", 1, "replicas"), "two"),
            (("cluster", "partitions", 0, "nodeSets"), ["cpu", "cpus"]),
            (("cluster", "sharedVolumes"), [{"name": "mine", "mountPath": "/home", "storageClass": "fast"}]),
            (("rootKey",), None),
            pools=[],
        )
    )
    assert [line.partition(": ")[0] for line in lines] == [
        "slurm:pools",
        'slurm:ack.region = "Hangzhou"',
        "slurm:ack.pools[0].diskk",
        'slurm:cluster.nodeSets[1].replicas = "two"',
        'slurm:cluster.partitions[0].nodeSets[1] = "cpus"',
        'slurm:cluster.sharedVolumes[0].mountPath = "/home"',
        "slurm:rootKey",
    ]


def test_unsupported_fields_are_reported_with_errors_of_the_ack_cluster() -> None:
    lines = errors(
        stack(
            (("ack", "pools", 0, "diskk"), 1),
            (("cluster", "nodeSets", 0, "hostNamePrefix"), "node"),
            (("ack", "slurm"), {"powerSaving": {"groups": {"cpus": 4}}}),
        )
    )
    assert [line.partition(": ")[0].partition(" = ")[0] for line in lines] == [
        "slurm:ack.pools[0].diskk",
        "slurm:cluster.nodeSets[0].hostNamePrefix",
        "slurm:ack.slurm.powerSaving.groups.cpus",
    ]


@pytest.mark.parametrize(
    "change",
    [
        (("ack", "slurm", "powerSaving", "groups", "cpu"), "many"),
        (("ack", "slurm", "copilott"), {}),
        (("ack", "slurm"), "none"),
        (("ack", "slurmOperator"), "slinki"),
    ],
    ids=str,
)
def test_errors_that_depend_on_invalid_options_are_not_reported(change: tuple[Path, Any]) -> None:
    # With the copilot, gres.conf is right as it is; without it, two of its lines are not.
    gres = {"gres.conf": "AutoDetect=nvml\nName=k8scpu Flags=CountOnly\nName=k8smemory Flags=CountOnly\n"}
    good: tuple[tuple[Path, Any], ...] = ((("cluster", "configFiles"), gres), (("ack", "slurm", "copilot"), {}))
    config_of(stack(*good))
    (line,) = errors(stack(*good, change))
    assert line.startswith(f"slurm:{format_path(change[0][:2])}")


@pytest.mark.parametrize(
    "change",
    [
        (("ack", "pools", 0, "instanceTypes"), ["ecs.g8i.2xlargee"]),
        (("ack", "pools", 0, "name"), "CPU"),
        (("ack", "pools", 0, "maxNodes"), "many"),
        (("ack", "pools"), {"cpu": {}}),
        (("ack",), "none"),
    ],
    ids=str,
)
def test_errors_of_a_pool_are_not_reported_for_its_node_sets(change: tuple[Path, Any]) -> None:
    lines = errors(stack(change))
    assert lines
    assert not [line for line in lines if line.startswith("slurm:cluster")]


def test_other_pools_are_checked_while_one_is_invalid() -> None:
    lines = errors(
        stack((("ack", "pools", 0, "instanceTypes"), ["ecs.g8i.2xlargee"]), (("cluster", "nodeSets", 1, "replicas"), 9))
    )
    assert [line.partition(" = ")[0] for line in lines] == [
        "slurm:ack.pools[0].instanceTypes[0]",
        "slurm:cluster.nodeSets[1].replicas",
    ]


@given(st.data())
def test_invalid_values_are_refused_as_errors(data: st.DataObject) -> None:
    """Any value anywhere becomes anything: it is read, or refused with distinct lines; nothing else is raised."""
    make = data.draw(st.sampled_from([stack, on_slinky]))
    whole = make()
    parts = {"ack": whole["slurm:ack"], "cluster": whole["slurm:cluster"]}
    path = data.draw(st.sampled_from(sorted(paths(parts), key=format_path)))
    broken: Any = data.draw(
        st.one_of(st.none(), st.booleans(), st.integers(-1, 99), st.text(max_size=5), st.just([{}]))
    )
    try:
        config_of(make((path, broken))).slurm  # noqa: B018
    except SpecError as spec_error:
        lines = [str(error) for error in spec_error.errors]
        assert lines
        assert len(lines) == len(set(lines))


def test_the_shipped_examples_are_small() -> None:
    files = sorted(CHECKOUT.glob("Pulumi.ack*.yaml"))
    assert [file.name for file in files] == [
        "Pulumi.ack-colocated.yaml",
        "Pulumi.ack-slurm-operator.yaml",
        "Pulumi.ack.yaml",
    ]
    for file in files:
        text = file.read_text()
        assert len(text.splitlines()) < 60, file.name
        assert yaml.safe_load(text)["config"]["slurm:kind"] == "ack"
