"""What is warned of where a job that asks for no memory gets all of its node."""

from typing import Any

import pytest

from pulumi_slurm.derived.machines import memory_for_jobs
from pulumi_slurm.errors import collected_warnings
from pulumi_slurm.loading import load
from pulumi_slurm.model import MachineSpec
from tests.shipped_stacks import shipped

NODE_SET = {"name": "cpu", "machine": {"cpus": 4, "memory": "8Gi"}}
CLUSTER = {"name": "c", "nodeSets": [NODE_SET], "partitions": [{"name": "all", "nodeSets": ["ALL"]}]}

DEFAULTS_FIT = "defaults-of-memory-fit-their-workers"


def warnings_of(config: dict[str, Any], pools: Any = (), code: str = "jobs-have-a-default-of-memory") -> list[str]:
    with collected_warnings() as warnings:
        load(config, pools)
    return [str(warning) for warning in warnings if warning.code == code]


@pytest.mark.parametrize("more", [{}, {"slurmConf": {"selectTypeParameters": "CR_CPU_Memory"}}])
def test_a_job_alone_on_its_node_is_warned_of(more: dict[str, Any]) -> None:
    assert warnings_of({**CLUSTER, **more}) == [
        "slurmConf.defMemPerCpu: a job without --mem gets all memory of its node, so none runs beside it on one of "
        '"cpu". Write for example "2016M", a CPU\'s share there, or a default of one of the partitions.'
    ]


@pytest.mark.parametrize(
    "more",
    [
        {"slurmConf": {"defMemPerCpu": "1G"}},
        {"slurmConf": {"extra": {"DefMemPerGPU": 1000}}},
        {"slurmConf": {"selectTypeParameters": "CR_Core"}},
        {"partitions": [{"name": "all", "nodeSets": ["ALL"], "defMemPerNode": "1G"}]},
        {"partitions": [{"name": "all", "nodeSets": ["ALL"], "overSubscribe": "EXCLUSIVE"}]},
        {"partitions": []},
        {"nodeSets": [{**NODE_SET, "machine": {"cpus": 1, "memory": "8Gi"}}]},
    ],
)
def test_a_default_and_whole_nodes_are_not_warned_of(more: dict[str, Any]) -> None:
    assert warnings_of({**CLUSTER, **more}) == []


@pytest.mark.parametrize("stack", ["local", "kubernetes", "bridge"])
def test_shipped_stacks_have_a_default(stack: str) -> None:
    config = shipped(stack)
    assert warnings_of(config["slurm:cluster"], config["slurm:pools"]) == []


@pytest.mark.parametrize(
    ("default", "mib", "none_starts"),
    [
        ("2G", 2048, "none that asks for all 4 CPUs starts"),
        ("2016M", 2016, ""),
        ("7G", 7168, ""),
        ("8G", 8192, "none that asks for CPUs alone, and for no memory, starts"),
        ("1T", 1048576, "none that asks for CPUs alone, and for no memory, starts"),
    ],
)
def test_a_default_that_jobs_cannot_have_is_warned_of(default: str, mib: int, none_starts: str) -> None:
    """More for all CPUs than the pod has is the user's own choice: such jobs get fewer CPUs of a node."""
    texts = warnings_of({**CLUSTER, "slurmConf": {"defMemPerCpu": default}}, code=DEFAULTS_FIT)
    line = (
        f'slurmConf.defMemPerCpu = "{mib}M": workers of "cpu" have 8064M for jobs, and by this default {none_starts}. '
        'Write "2016M" or less.'
    )
    assert texts == [line] * bool(none_starts)


def test_the_defaults_of_partitions_are_too() -> None:
    machine = {"cpus": 4, "memory": "8Gi", "gpus": {"type": "a100", "count": 2}}
    gpu = {"name": "gpu", "machine": machine, "partition": {"defMemPerGpu": "4G"}}
    all_of_it = {"name": "all", "nodeSets": ["ALL"], "defMemPerCpu": "2G"}
    assert warnings_of({"name": "c", "nodeSets": [NODE_SET, gpu], "partitions": [all_of_it]}, code=DEFAULTS_FIT) == [
        (
            'partitions[0].defMemPerCpu = "2048M": workers of "cpu" have 8064M for jobs, and by this default none that '
            'asks for all 4 CPUs starts. Write "2016M" or less.'
        ),
        (
            'nodeSets[1].partition.defMemPerGpu = "4096M": workers of "gpu" have 8064M for jobs, and by this default '
            'none that asks for all 2 GPUs starts. Write "4032M" or less.'
        ),
    ]


@pytest.mark.parametrize("stack", ["local", "kubernetes", "bridge"])
def test_those_of_shipped_stacks_fit(stack: str) -> None:
    config = shipped(stack)
    assert warnings_of(config["slurm:cluster"], config["slurm:pools"], DEFAULTS_FIT) == []


@pytest.mark.parametrize(("gib", "rest"), [(4, 128), (8, 128), (64, 1024), (256, 4096), (2048, 4096)])
def test_slurmd_keeps_a_part_of_its_pods_memory(gib: int, rest: int) -> None:
    assert memory_for_jobs(MachineSpec(cpus=4, memory=f"{gib}Gi")) == gib * 1024 - rest
