"""The request of a job with colocation: the examples of Alibaba Cloud's guide, and properties of all requests."""

import pytest
from hypothesis import given, strategies as st

from pulumi_slurm.ack_slurm import gres_request

amounts = st.integers(1, 10_000)


def test_the_guide_s_example_of_two_nodes() -> None:
    """Four tasks of two CPUs with 500 MiB each, on two nodes."""
    request = gres_request(tasks_per_node=4, cpus_per_task=2, memory_mib_per_cpu=500, nodes=2)
    assert request.cpus_per_node == 8
    assert request.cpus == 16
    assert request.memory_mib_per_node == 4000
    assert request.memory_mib == 8000
    assert request.gres == "k8scpu:8,k8smemory:4000"


def test_the_guide_s_example_of_one_task() -> None:
    assert gres_request(cpus_per_task=3, memory_mib_per_node=4000).gres == "k8scpu:3,k8smemory:4000"


@given(amounts, amounts, amounts, amounts)
def test_a_job_requests_as_much_as_all_its_tasks(nodes: int, tasks: int, cpus: int, memory: int) -> None:
    request = gres_request(tasks_per_node=tasks, cpus_per_task=cpus, memory_mib_per_cpu=memory, nodes=nodes)
    assert request.cpus == nodes * tasks * cpus
    assert request.memory_mib == request.cpus * memory
    by_node = gres_request(tasks_per_node=tasks, cpus_per_task=cpus, memory_mib_per_node=tasks * cpus * memory)
    assert by_node.gres == request.gres


@pytest.mark.parametrize(
    "wrong",
    [
        {"memory_mib_per_cpu": 1, "memory_mib_per_node": 1},
        {},
        {"memory_mib_per_node": 0},
        {"memory_mib_per_node": 1, "cpus_per_task": 0},
        {"memory_mib_per_node": 1, "nodes": -1},
    ],
)
def test_nonsense_is_an_error(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"write|set"):
        gres_request(**wrong)
