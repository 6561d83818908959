"""What ACK leaves of a machine: Alibaba's own examples, and what has to hold for every size."""

from collections.abc import Callable

import pytest
from hypothesis import given, strategies as st
from pydantic_core import PydanticCustomError

from pulumi_slurm.machines.ack import (
    AckCatalogueSpec,
    AckEnisSpec,
    AckMachineTypeSpec,
    allocatable,
    check_terway,
    machine,
    max_pods,
    terway_pods,
)
from pulumi_slurm.model import NodePoolSpec

CATALOGUE = AckCatalogueSpec()
EVICTION_MIB = 300
sizes = st.floats(1, 40_000)
pods = st.integers(1, 3000)


@pytest.mark.parametrize(
    ("vcpus", "gib", "max_pods", "kept_millicores", "kept_mib"),
    [
        (2, 4, 15, 70, 420),
        (4, 8, 48, 80, 783),
        (8, 16, 48, 90, 783),
        (16, 32, 213, 110, 2598),
        (32, 64, 213, 150, 2598),
        (64, 128, 213, 230, 2598),
        (128, 256, 423, 390, 4908),
        (256, 512, 453, 710, 5238),
        (2, 4, 256, 70, 1024),
    ],
)
def test_the_table_of_alibabas_page(
    vcpus: int, gib: int, max_pods: int, kept_millicores: float, kept_mib: float
) -> None:
    left = allocatable(vcpus, gib, max_pods)
    assert (vcpus - left.cpus) * 1000 == pytest.approx(kept_millicores)
    assert (gib - left.memory_gib) * 1024 == pytest.approx(kept_mib + EVICTION_MIB)


@given(sizes, sizes, pods)
def test_less_is_left_than_there_is(vcpus: float, gib: float, max_pods: int) -> None:
    left = allocatable(vcpus, gib, max_pods)
    assert 0 < left.cpus < vcpus
    assert left.memory_gib < gib


@given(sizes, sizes, pods, st.floats(0.01, 1000), st.floats(0.01, 1000))
def test_of_a_larger_machine_more_is_left(
    vcpus: float, gib: float, max_pods: int, more_vcpus: float, more_gib: float
) -> None:
    small, large = allocatable(vcpus, gib, max_pods), allocatable(vcpus + more_vcpus, gib + more_gib, max_pods)
    assert small.cpus < large.cpus
    assert small.memory_gib < large.memory_gib


@given(sizes, sizes, pods, st.integers(1, 1000))
def test_for_more_pods_no_more_is_left(vcpus: float, gib: float, max_pods: int, more: int) -> None:
    few, many = allocatable(vcpus, gib, max_pods), allocatable(vcpus, gib, max_pods + more)
    assert few.cpus == many.cpus
    assert few.memory_gib >= many.memory_gib
    assert many.memory_gib >= gib * 0.75 - EVICTION_MIB / 1024 - 1e-9


@pytest.mark.parametrize(
    ("name", "pods"),
    [
        ("ecs.c7.large", 15),
        ("ecs.c7.xlarge", 48),
        ("ecs.c7.2xlarge", 48),
        ("ecs.c7.4xlarge", 213),
        ("ecs.g7.16xlarge", 213),
        ("ecs.c7.32xlarge", 423),
        ("ecs.gn7-c12g1.3xlarge", 73),
        ("ecs.ebmgn7ex.32xlarge", 453),
        ("ecs.i4.8xlarge", None),
    ],
)
def test_pods_of_a_node_with_terway(name: str, pods: int | None) -> None:
    assert max_pods(CATALOGUE.find(name)) == pods


@pytest.mark.parametrize(
    ("name", "pods"),
    [
        ("ecs.hfc7.large", 6),
        ("ecs.hfg7.large", 6),
        ("ecs.hfr7.large", 6),
        ("ecs.gn6i-c4g1.xlarge", 10),
        ("ecs.gn6i-c8g1.2xlarge", 10),
    ],
)
def test_terway_refuses_nodes_with_too_few_addresses(name: str, pods: int) -> None:
    with pytest.raises(PydanticCustomError, match=rf"{name} has addresses for {pods} pods.* or Flannel"):
        check_terway(CATALOGUE.find(name))


def test_terway_takes_the_others() -> None:
    for ecs_type in map(CATALOGUE.find, CATALOGUE.names()):
        if (terway_pods(ecs_type) or 12) > 11:
            assert check_terway(ecs_type) == ecs_type


def test_every_type_becomes_a_machine() -> None:
    for ecs_type in map(CATALOGUE.find, CATALOGUE.names()):
        left = machine(ecs_type)
        assert 1 <= left.cpus < ecs_type.vcpus, ecs_type.name
        assert 64 <= left.memory_mib < ecs_type.memory_gib * 1024, ecs_type.name
        expected = ecs_type.gpus and f"gpu:{ecs_type.gpus.gres_type}:{ecs_type.gpus.count}"
        assert (left.gpus and left.gpus.gres) == expected, ecs_type.name


def test_daemons_pods_and_the_kernel_take_their_share() -> None:
    a100 = CATALOGUE.find("ecs.gn7e-c16g1.32xlarge")
    bare = machine(a100)
    assert bare.cpus == 127
    assert machine(a100, daemon_cpus=0.7).cpus == 126
    assert machine(a100, daemon_memory_gib=10).memory_mib == bare.memory_mib - 10 * 1024
    assert machine(a100, max_pods=64).memory_mib == bare.memory_mib + 11 * ((16 - 1) * 15 + 3 - 64)
    assert machine(a100, kernel_share=1).memory_mib == int(allocatable(128, 1000, 228).memory_gib * 1024)
    assert bare.memory_mib < machine(a100, kernel_share=0.97).memory_mib < machine(a100, kernel_share=1).memory_mib


def test_where_the_interfaces_are_not_known_no_more_is_promised() -> None:
    fields = {"name": "ecs.x9.8xlarge", "vcpus": 32, "memory_gib": 128}
    unknown = machine(AckMachineTypeSpec(**fields))
    for ecs_type in map(CATALOGUE.find, CATALOGUE.names()):
        if ecs_type.enis and not ecs_type.bare_metal:
            assert unknown.memory_mib <= machine(AckMachineTypeSpec(**fields, enis=ecs_type.enis)).memory_mib, (
                ecs_type.name
            )
    assert (
        unknown.memory_mib < machine(AckMachineTypeSpec(**fields, enis=AckEnisSpec(count=4, addresses=15))).memory_mib
    )


def test_it_is_a_machine_for_node_pools() -> None:
    pool = NodePoolSpec(
        name="a10",
        machine=machine(CATALOGUE.find("ecs.gn7i-2x.8xlarge")),
        node_labels={"alibabacloud.com/nodepool-id": "np1"},
    )
    assert pool.machine.gpus
    assert pool.machine.gpus.gres == "gpu:a10:2"


@pytest.mark.parametrize(
    "make",
    [
        lambda: machine(AckMachineTypeSpec(name="ecs.c8y.small", vcpus=1, memory_gib=2)),
        lambda: machine(CATALOGUE.find("ecs.g7.large"), daemon_cpus=1.5),
        lambda: machine(AckMachineTypeSpec(name="ecs.x9.2xlarge", vcpus=8, memory_gib=0.5)),
    ],
)
def test_a_machine_of_which_nothing_is_left_is_refused(make: Callable[[], object]) -> None:
    with pytest.raises(PydanticCustomError, match=r"leave .* Choose a larger instance type"):
        make()
