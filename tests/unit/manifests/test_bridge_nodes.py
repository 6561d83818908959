"""What marks nodes as Slurm's external nodes."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from pulumi_slurm.loading import load
from pulumi_slurm.manifests.cluster import render
from tests.unit.manifests.bridges import BRIDGE, CLUSTER, bridge
from tests.unit.manifests.rendered import MACHINE
from tests.waiting import HANGS

EXTERNAL = [
    {"name": "big", "nodeSelector": {"example.com/size": "big"}},
    {"name": "fast", "nodeSelector": {"example.com/net": "fast", "example.com/zone": "a"}},
]
PARTITIONS = [
    {"name": "pods", "nodeSets": ["cpu", "big", "fast"]},
    {"name": "large", "nodeSets": ["big"]},
    {"name": "net", "nodeSets": ["fast"]},
]
Kubectl = Callable[[dict[str, str], list[str]], list[str]]


@pytest.fixture
def kubectl(tmp_path: Path) -> Kubectl:
    """Runs the script once; takes the nodes of each selector and all nodes, and returns the changes that it makes."""

    def run(selected: dict[str, str], nodes: list[str]) -> list[str]:
        *_, deployment = [
            item
            for (_, name), item in bridge({"partitions": PARTITIONS}, externalNodes=EXTERNAL).items()
            if "nodes" in name
        ]
        (container,) = deployment["spec"]["template"]["spec"]["containers"]
        answers = "\n".join(f'  --selector={query}) printf "{names}";;' for query, names in selected.items())
        (tmp_path / "all-nodes").write_text("".join(f"{line}\n" for line in nodes))
        scripts = {
            "kubectl": 'if [ "$1" != get ]; then echo "$*" >>"$HOME/calls"; exit; fi\n'
            f'case "$3" in\n{answers}\n  --selector=*) ;;\n  *) cat "$HOME/all-nodes";;\nesac\n',
            "sleep": "kill $PPID\n",
        }
        for name, script in scripts.items():
            (tmp_path / name).write_text(f"#!/bin/sh\n{script}")
            (tmp_path / name).chmod(0o755)
        (tmp_path / "calls").write_text("")
        env = {variable["name"]: variable["value"] for variable in container["env"]}
        env |= {"PATH": f"{tmp_path}:{os.environ['PATH']}", "HOME": str(tmp_path)}
        subprocess.run(container["command"], env=env, check=False, timeout=HANGS)
        return (tmp_path / "calls").read_text().splitlines()

    return run


MARKED_BY, NAMES = "slurm.pulumi.com/bridge", "scheduler.slinky.slurm.net/external-node-partitions"
LABEL = "scheduler.slinky.slurm.net/external-node"
FAST = "example.com/net=fast,example.com/zone=a"


def test_nodes_are_marked_when_they_join_a_group_and_again_when_they_leave_it(kubectl: Kubectl) -> None:
    selected = {"example.com/size=big": r"a pods,large\nb pods,large\nc pods,large\n", FAST: r"b pods,net\n"}
    nodes = [
        "a||||",
        "b||||",
        "c|slurm/hpc|true|pods,large|",
        "gone|slurm/hpc|true|pods|",
        "others|slurm/other|true|x|",
        "by-hand||true|x|",
    ]
    assert kubectl(selected, nodes) == [
        f"annotate node a --overwrite {MARKED_BY}=slurm/hpc {NAMES}=pods,large",
        f"label node a --overwrite {LABEL}=true",
        f"annotate node b --overwrite {MARKED_BY}=slurm/hpc {NAMES}=pods,large,net",
        f"label node b --overwrite {LABEL}=true",
        f"label node gone {LABEL}-",
        f"annotate node gone {NAMES}- {MARKED_BY}-",
    ]


def test_no_node_leaves_its_group_because_a_query_fails(kubectl: Kubectl) -> None:
    assert kubectl({"example.com/size=big": '"; exit 1; echo "'}, ["a|slurm/hpc|true|pods|"]) == []


def test_nodes_of_a_pool_are_found_by_its_labels() -> None:
    pools = [{"name": "pods", "machine": MACHINE, "nodeLabels": {"pool": "pods"}}]
    bridge = {**BRIDGE, "externalNodes": [{"name": "x", "pool": "pods"}]}
    partitions = [{"name": "pods", "nodeSets": ["cpu", "x"]}]
    objects = {
        (item["kind"], item["metadata"]["name"]): item
        for item in render(*load({"name": "hpc", **CLUSTER, "partitions": partitions, "bridge": bridge}, pools))
    }
    (container,) = objects["Deployment", "hpc-bridge-nodes"]["spec"]["template"]["spec"]["containers"]
    env = container["env"]
    # kubectl holds all nodes of the Kubernetes cluster at once.
    assert container["resources"]["limits"] == {"memory": "1Gi"}
    assert {"name": "GROUPS_OF_NODES", "value": "pods pool=pods"} in env
