"""Whether NCCL goes over the network that machines have for it."""

import pytest

from pulumi_slurm.machines.gke import GkeCatalogueSpec, GkeFabric
from pulumi_slurm.model import MachineSpec, NodeSetSpec
from pulumi_slurm.model.machine import GpuSpec
from pulumi_slurm_cli.proof import Verdict
from pulumi_slurm_cli.proof.floors import NETWORKS
from pulumi_slurm_cli.proof.gpu_jobs import GpuNodes
from pulumi_slurm_cli.proof.nccl import _Measured, _of_network


def verdict(rdma: bool, machine_type: str, *names: str) -> Verdict:
    gpus = GpuSpec(count=8, type="h100")
    machine = MachineSpec(cpus=8, memory="64Gi", gpus=gpus, rdma=rdma)
    nodes = GpuNodes(NodeSetSpec(name="gpu"), machine, gpus, "gpu", [])
    measured = _Measured(networks={*names})
    return _of_network(nodes, "network", measured, NETWORKS.get(machine_type)).verdict


@pytest.mark.parametrize("machine_type", NETWORKS)
def test_a_machine_type_has_one(machine_type: str) -> None:
    name = NETWORKS[machine_type].name
    assert verdict(False, machine_type, name) is Verdict.PASS
    assert verdict(True, machine_type, f"{name}_v7") is Verdict.PASS
    assert verdict(False, machine_type, "Socket") is Verdict.FAIL
    # One node of many goes another way.
    assert verdict(True, machine_type, name, "Socket") is Verdict.FAIL


def test_elsewhere_rdma_is_not_tcp() -> None:
    assert verdict(True, "", "IB") is Verdict.PASS
    assert verdict(True, "", "AWS Libfabric") is Verdict.PASS
    assert verdict(True, "", "Socket") is Verdict.FAIL
    assert verdict(False, "", "Socket") is Verdict.PASS


def test_every_machine_type_of_google_with_gpus_and_a_fast_network_has_a_row() -> None:
    fast = {
        name
        for name, machine in GkeCatalogueSpec.built_in_types().items()
        if machine.gpus and machine.fabric is not GkeFabric.NONE
    }
    assert fast == {*NETWORKS}
