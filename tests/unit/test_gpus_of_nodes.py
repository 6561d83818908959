"""What is warned of where a worker has a part of its node's GPUs."""

from typing import Any

import pytest

from pulumi_slurm.errors import collected_warnings
from pulumi_slurm.loading import load

POOL = {
    "name": "gpu",
    "machine": {"cpus": 16, "memory": "64Gi", "gpus": {"count": 8, "type": "a100"}},
    "nodeLabels": {"pool": "gpu"},
}


def warnings_of(node_set: dict[str, Any], **cluster: Any) -> list[str]:
    gpu = {"name": "gpu", "pool": "gpu", "partition": {"defMemPerCpu": "1G"}}
    with collected_warnings() as warnings:
        load({"name": "c", "nodeSets": [{**gpu, **node_set}], **cluster}, [POOL])
    return [str(warning) for warning in warnings]


@pytest.mark.parametrize(
    ("node_set", "at"),
    [
        ({"gpus": 4}, "gpus"),
        ({"machine": {"cpus": 4, "memory": "8Gi", "gpus": {"count": 4, "type": "a100"}}}, "machine.gpus.count"),
    ],
)
def test_devices_of_other_pods_are_warned_of(node_set: dict[str, Any], at: str) -> None:
    assert warnings_of(node_set) == [
        f"nodeSets[0].{at} = 4: slurmd takes the first of the 8 GPUs of its node, whichever Kubernetes gives to its "
        "pod, so jobs may share GPUs with other pods there. Leave it out, or let no other pod request nvidia.com/gpu "
        'on nodes of "gpu".'
    ]


@pytest.mark.parametrize("node_set", [{}, {"gpus": 8}, {"gpus": 0}, {"machine": {"cpus": 4, "memory": "8Gi"}}])
def test_all_or_none_are_not_warned_of(node_set: dict[str, Any]) -> None:
    assert warnings_of(node_set) == []


def test_a_gres_conf_may_name_the_devices() -> None:
    gres_conf = "NodeName=gpu-0 Name=gpu Type=a100 File=/dev/nvidia[4-7]"
    assert warnings_of({"gpus": 4}, configFiles={"gres.conf": gres_conf}) == []
