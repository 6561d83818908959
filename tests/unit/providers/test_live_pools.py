"""`pulumi-slurm pools`: what it prints is a stack's settings, whose pools fit the nodes that were read."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given

from pulumi_slurm.model.units import quantity
from pulumi_slurm.providers import Provider
from pulumi_slurm.providers.provider import INSTANCE_TYPE
from pulumi_slurm_cli.pools.live_pools import LivePools, live_pools
from pulumi_slurm_cli.pools.node import live_nodes
from tests.stack_configuration import ROOT_KEY
from tests.unit.importing.command_line import run, run_as_process
from tests.unit.providers.cluster import cluster, read
from tests.unit.providers.nodes import IDS, POOL_LABELS, clusters, listed, node

pytestmark = pytest.mark.usefixtures("kubeconfig_with_a_context")

GPU_TAINT = {"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}


def found(*nodes: Any) -> LivePools:
    return live_pools(live_nodes(listed(*nodes))[0])


def labels(provider: str, pool: str, machine_type: str, **more: str) -> dict[str, str]:
    return {POOL_LABELS[provider]: pool, INSTANCE_TYPE: machine_type, **more}


GKE = (
    node("gke-cpu-1", "gke", labels("gke", "cpu", "n2-standard-16")),
    node("gke-cpu-2", "gke", labels("gke", "cpu", "n2-standard-16"), memory="59212300Ki"),
    node(
        "gke-gpu-1",
        "gke",
        {**labels("gke", "gpu", "a3-ultragpu-8g"), "cloud.google.com/gke-accelerator": "nvidia-h200-141gb"},
        [GPU_TAINT, {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}],
        **{"cpu": "223370m", "memory": "2978000000Ki", "nvidia.com/gpu": "8"},
    ),
)
POOLS_OF_GKE = [
    {
        "name": "cpu",
        "machine": {"cpus": 15, "memory": "56Gi"},
        "nodeLabels": labels("gke", "cpu", "n2-standard-16"),
    },
    {
        "name": "gpu",
        "machine": {"cpus": 223, "memory": "2840Gi", "gpus": {"type": "h200", "count": 8}},
        "nodeLabels": labels("gke", "gpu", "a3-ultragpu-8g"),
        "taints": [{"key": "nvidia.com/gpu", "value": "present"}],
    },
]


def test_pools_of_gke_lead_to_the_driver_and_the_network() -> None:
    got = found(*GKE)
    assert (got.provider, got.pools) == (Provider.GKE, POOLS_OF_GKE)
    spec = read(got.provider, got.pools, cluster("cpu", "gpu")).cluster
    assert [one.name for one in spec.topologies] == ["gke"]
    assert spec.node_sets[1].pod.env["LD_LIBRARY_PATH"] == "/usr/local/nvidia/lib64"


@pytest.mark.parametrize("provider", IDS)
def test_machines_say_whose_cluster_it_is(provider: str) -> None:
    assert found(node("a", provider, {POOL_LABELS[provider]: "cpu"})).provider == provider


def test_machines_of_google_cloud_are_no_gke_by_themselves() -> None:
    assert found(node("a", "gke", {"rack": "1"})).provider is Provider.BARE


@pytest.mark.parametrize(
    ("label", "product", "expected"),
    [
        ("nvidia.com/gpu.product", "NVIDIA-A100-SXM4-80GB", "a100"),
        ("nvidia.com/gpu.product", "NVIDIA-H100-80GB-HBM3", "h100"),
        ("nvidia.com/gpu.product", "Tesla-V100-SXM2-16GB", "v100"),
        ("nvidia.com/gpu.product", "NVIDIA-RTX-A6000", "a6000"),
        ("nvidia.com/gpu.product", "NVIDIA-L40S", "l40s"),
        ("nvidia.com/gpu.product", "NVIDIA-GeForce-RTX-4090", None),
        ("unknown", "NVIDIA-L40S", None),
    ],
)
def test_types_of_gpus_are_parts_of_their_products_names(label: str, product: str, expected: str | None) -> None:
    (pool,) = found(node("a", labels={label: product}, **{"nvidia.com/gpu": "4"})).pools
    assert pool["machine"]["gpus"] == {**({"type": expected} if expected else {}), "count": 4}


def test_devices_of_fast_networks_are_those_of_each_slurmd() -> None:
    devices = {"vpc.amazonaws.com/efa": "32", "hugepages-2Mi": "0", "smarter/fuse": "9"}
    (pool,) = found(node("a", "eks", labels("eks", "gpu", "p5.48xlarge"), **devices)).pools
    assert pool["machine"]["resources"] == {"vpc.amazonaws.com/efa": "32"}


def test_machines_of_ones_own_are_told_apart_by_size_and_by_labels_that_others_lack() -> None:
    large = {"memory": "503Gi", "cpu": "128"}
    nodes = [
        node("a1", labels={INSTANCE_TYPE: "k3s", "rack": "1"}, cpu="32", memory="125Gi"),
        node("a2", labels={INSTANCE_TYPE: "k3s", "rack": "1"}, cpu="32", memory="126Gi"),
        node("b1", labels={INSTANCE_TYPE: "k3s", "rack": "2"}, **large),
    ]
    got = {pool["name"]: pool for pool in found(*nodes).pools}
    assert {name: pool["nodeLabels"] for name, pool in got.items()} == {
        "k3s": {INSTANCE_TYPE: "k3s", "rack": "2"},
        "k3s-2": {INSTANCE_TYPE: "k3s", "rack": "1"},
    }
    assert got["k3s-2"]["machine"] == {"cpus": 32, "memory": "125Gi"}


def test_where_no_label_tells_nodes_apart_the_command_is_told_that_makes_one() -> None:
    got = found(node("a1"), node("b1", cpu="64"))
    assert [pool["nodeLabels"] for pool in got.pools] == [
        {"slurm.pulumi.com/pool": "cpu"},
        {"slurm.pulumi.com/pool": "cpu-2"},
    ]
    assert any("kubectl label node b1 slurm.pulumi.com/pool=cpu-2" in note for note in got.notes)


def test_nodes_without_workers_are_left_out_with_the_reason() -> None:
    control_plane = [{"key": "node-role.kubernetes.io/control-plane", "effect": "NoSchedule"}]
    got = found(
        node("cp", taints=control_plane),
        node("win", labels={"kubernetes.io/os": "windows"}),
        node("fargate", labels={"eks.amazonaws.com/compute-type": "fargate"}),
        node("tiny", cpu="940m", memory="900Mi"),
        node("shares", labels={"rack": "1"}, **{"nvidia.com/gpu": "80"}),
    )
    assert [pool["machine"] for pool in got.pools] == [{"cpus": 15, "memory": "56Gi"}]
    for word in (
        "cp; of the control plane",
        "win; without Linux",
        "fargate; no machine",
        "tiny; slurmd",
        "80 of nvidia",
    ):
        assert any(word in note for note in got.notes), word


def _as_they_are(data: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {item["metadata"]["name"]: item for item in data["items"]}


@given(clusters())
def test_pools_of_every_cluster_load_and_fit_exactly_their_nodes(data: dict[str, Any]) -> None:
    nodes, unread = live_nodes(data)
    assert unread == []
    got = live_pools(nodes)
    with_cloud_names = [pool for pool in got.pools if "amd.com" not in str(pool)]
    names = [pool["name"] for pool in with_cloud_names]
    node_sets = [{"name": name, "pool": name, "replicas": 1, "partition": {}} for name in names]
    config = read(got.provider, got.pools, cluster(nodeSets=node_sets))
    assert len(config.pools) == len(got.pools)
    live = _as_they_are(data)
    # As after the commands that the notes name.
    for note in got.notes:
        _, is_command, command = note.partition("kubectl label node ")
        if is_command:
            *names, label = command.split()
            for name in names:
                live[name]["metadata"]["labels"].update([label.split("=")])
    selected: list[str] = []
    for pool in config.pools:
        members = [one for one in live.values() if pool.node_labels.items() <= one["metadata"]["labels"].items()]
        members = [one for one in members if "control-plane" not in str(one["spec"]["taints"])]
        assert members, pool
        for one in members:
            allocatable = one["status"]["allocatable"]
            assert quantity(allocatable["cpu"]) >= pool.machine.cpus
            assert quantity(allocatable["memory"]) >= quantity(pool.machine.memory)
        selected += [one["metadata"]["name"] for one in members]
    assert len(selected) == len(set(selected)), "a node is in two pools"


def test_the_command_prints_settings(tmp_path: Path) -> None:
    (tmp_path / "nodes.json").write_text(json.dumps(listed(*GKE, {"kind": "Node", "metadata": {"name": "odd"}})))
    result = run("pools", tmp_path / "nodes.json")
    assert (result.returncode, result.stderr) == (0, "")
    assert yaml.safe_load(result.stdout) == {
        "config": {"slurm:kind": "kubernetes", "slurm:provider": "gke", "slurm:pools": POOLS_OF_GKE}
    }
    assert "# cpu: 2 nodes, gke-cpu-1, gke-cpu-2.\n" in result.stdout
    assert "# Left out: odd; it doesn't say what is allocatable.\n" in result.stdout
    assert ROOT_KEY not in result.stdout


def test_nodes_come_through_a_pipe_as_json_and_as_yaml(tmp_path: Path) -> None:
    expected = run_as_process("pools", "-", stdin=json.dumps(listed(*GKE)))
    assert expected.returncode == 0
    (tmp_path / "nodes.yaml").write_text(yaml.safe_dump(listed(*GKE)))
    assert run("pools", tmp_path / "nodes.yaml").stdout == expected.stdout


def with_kubectl(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Put a program called kubectl in the place of all others."""
    program = folder / "kubectl"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


def test_kubectl_is_asked_about_a_context(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "nodes.json").write_text(json.dumps(listed(*GKE)))
    with_kubectl(tmp_path, monkeypatch, f'echo "$*" > {tmp_path}/asked; cat {tmp_path}/nodes.json')
    config = yaml.safe_load(run("pools", "--context", "mine", "--kubeconfig", "k").stdout)["config"]
    assert (config["slurm:context"], config["slurm:kubeconfig"]) == ("mine", "k")
    assert (tmp_path / "asked").read_text() == (
        "--context=mine --kubeconfig=k --request-timeout=60s get nodes --output=json\n"
    )


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("echo no such host >&2; exit 1", "kubectl: no such host\n"),
        ("exit 3", "kubectl: it ended with 3\n"),
        ("echo hello", "kubectl: it printed something else than a List of objects. Write what"),
        ("echo '{\"items\": []}'", "kubectl get nodes: there are no nodes with what is allocatable on them."),
        ("echo []", "kubectl: it printed something else than a List of objects. Write what"),
    ],
)
def test_what_kubectl_complains_about_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, expected: str
) -> None:
    with_kubectl(tmp_path, monkeypatch, script)
    result = run("pools")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith(expected)


def test_without_kubectl_a_file_helps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert run("pools").stderr.startswith(
        "kubectl: it can't be started: no such file or directory. Install it: https://kubernetes.io/docs/tasks/tools/. "
        "Write what `kubectl get nodes -o json` prints"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: [", "this is neither YAML nor JSON in line"),
        ("{", "this is neither YAML nor JSON"),
        ("hello", "there are no nodes"),
        ('{"items": 3}', "there are no nodes"),
        ('{"items": [3, null, {"metadata": 1, "status": {"allocatable": {"cpu": "x"}}}]}', "there are no nodes"),
        (
            '{"items": [{"metadata": {"name": "a"}, "status": {"allocatable": {"cpu": 1, "memory": "9E"}}}]}',
            "there are no",
        ),
    ],
)
def test_other_files_are_refused(tmp_path: Path, text: str, expected: str) -> None:
    (tmp_path / "nodes.json").write_text(text)
    result = run("pools", tmp_path / "nodes.json")
    assert result.returncode == 2
    assert expected in result.stderr


def test_a_file_and_a_context_are_two_clusters(tmp_path: Path) -> None:
    assert run("pools", tmp_path / "nodes.json", "--context", "mine").stderr.endswith(
        "nodes.json: write a file of nodes, or the context of a cluster\n"
    )
