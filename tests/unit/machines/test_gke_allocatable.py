"""What GKE leaves of a machine: Google's own examples, and what has to hold for every size."""

from collections.abc import Callable

import pytest
from hypothesis import given, strategies as st
from pydantic_core import PydanticCustomError

from pulumi_slurm.machines.gke import GkeCatalogueSpec, GkeMachineTypeSpec, allocatable, machine
from pulumi_slurm.model import NodePoolSpec

CATALOGUE = GkeCatalogueSpec()
sizes = st.floats(1, 40_000)


@pytest.mark.parametrize(
    ("name", "cpus", "gib"),
    [
        ("n1-standard-8", 7.91, 26.5),
        ("g2-standard-4", 3.92, 13.3),
        ("g2-standard-24", 23.87, 88.5),
        ("g2-standard-32", 31.85, 118.6),
        ("g2-standard-48", 47.81, 181.3),
        ("g2-standard-96", 95.69, 369.5),
        ("a2-highgpu-1g", 11.9, 78.2),
        ("a2-highgpu-8g", 95.69, 659.5),
        ("a2-megagpu-16g", 95.69, 1325.9),
        ("a2-ultragpu-1g", 11.9, 159.7),
        ("a3-highgpu-1g", 25.86, 222.5),
        ("a3-highgpu-8g", 207.41, 1827.7),
        ("a3-ultragpu-8g", 223.37, 2886.1),
        ("a4-highgpu-8g", 223.37, 3881.8),
        ("a4x-highgpu-4g", 139.58, 859.5),
    ],
)
def test_the_formula_alone(name: str, cpus: float, gib: float) -> None:
    gce_type = CATALOGUE.find(name)
    node = allocatable(gce_type.vcpus, gce_type.memory_gib)
    assert node.cpus == pytest.approx(cpus, abs=0.006)
    assert node.memory_gib == pytest.approx(gib, abs=0.06)


def test_with_what_the_kernel_keeps_it_is_what_google_shows_for_a_node_of_16_gib() -> None:
    shown_mib = 13_498_416 / 1024
    left = machine(CATALOGUE.find("e2-standard-4"))
    assert shown_mib * 0.999 < left.memory_mib <= shown_mib
    assert left.cpus == 3


@given(sizes, sizes)
def test_less_is_left_than_there_is(vcpus: float, gib: float) -> None:
    node = allocatable(vcpus, gib)
    assert 0 < node.cpus < vcpus
    assert node.memory_gib < gib


@given(sizes, sizes, st.floats(0.01, 1000), st.floats(0.01, 1000))
def test_of_a_larger_machine_more_is_left(vcpus: float, gib: float, more_vcpus: float, more_gib: float) -> None:
    small, large = allocatable(vcpus, gib), allocatable(vcpus + more_vcpus, gib + more_gib)
    assert small.cpus < large.cpus
    assert small.memory_gib < large.memory_gib


def test_every_type_with_more_than_one_cpu_becomes_a_machine() -> None:
    for gce_type in map(CATALOGUE.find, CATALOGUE.names()):
        if gce_type.vcpus == 1:
            continue
        left = machine(gce_type)
        assert 1 <= left.cpus < gce_type.vcpus, gce_type.name
        assert left.memory_mib < gce_type.memory_gib * 1024, gce_type.name
        expected = gce_type.gpus and f"gpu:{gce_type.gpus.gres_type}:{gce_type.gpus.count}"
        assert (left.gpus and left.gpus.gres) == expected, gce_type.name


def test_daemons_and_the_kernel_take_their_share() -> None:
    a3 = CATALOGUE.find("a3-highgpu-8g")
    bare = machine(a3)
    assert bare.cpus == 207
    assert machine(a3, daemon_cpus=0.5).cpus == 206
    assert machine(a3, daemon_memory_gib=10).memory_mib == bare.memory_mib - 10 * 1024
    assert machine(a3, kernel_share=1).memory_mib == int(allocatable(208, 1872).memory_gib * 1024)
    assert bare.memory_mib < machine(a3, kernel_share=0.98).memory_mib < machine(a3, kernel_share=1).memory_mib


def test_it_is_a_machine_for_node_pools() -> None:
    t4 = CATALOGUE.with_gpus("n1-standard-8", "nvidia-tesla-t4", 2)
    pool = NodePoolSpec(name="t4", machine=machine(t4), node_labels={"cloud.google.com/gke-nodepool": "t4"})
    assert pool.machine.gpus
    assert pool.machine.gpus.gres == "gpu:t4:2"


@pytest.mark.parametrize(
    "make",
    [
        lambda: machine(CATALOGUE.find("n1-standard-1")),
        lambda: machine(CATALOGUE.find("e2-standard-2"), daemon_cpus=1.5),
        lambda: machine(GkeMachineTypeSpec(name="n9-tiny", vcpus=8, memory_gib=0.5), daemon_memory_gib=1),
    ],
)
def test_a_machine_of_which_nothing_is_left_is_refused(make: Callable[[], object]) -> None:
    with pytest.raises(PydanticCustomError, match=r"leave .* Choose a larger machine type"):
        make()
