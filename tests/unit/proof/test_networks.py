"""Whether NCCL goes over the network that machines have for it."""

import pytest

from pulumi_slurm.gke.model.cluster import GkeSpec
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.nccl import plugin_fabric
from pulumi_slurm.machines.gke import GkeCatalogueSpec, GkeFabric
from pulumi_slurm.model import MachineSpec, NodeSetSpec
from pulumi_slurm.model.machine import GpuSpec
from pulumi_slurm_cli.proof import Verdict
from pulumi_slurm_cli.proof.floors import NETWORKS
from pulumi_slurm_cli.proof.gpu_jobs import GpuNodes
from pulumi_slurm_cli.proof.nccl import _Measured, _of_network
from pulumi_slurm_cli.proof.trial import SMALL


def verdict(rdma: bool, machine_type: str, *names: str) -> Verdict:
    gpus = GpuSpec(count=8, type="h100")
    machine = MachineSpec(cpus=8, memory="64Gi", gpus=gpus, rdma=rdma)
    nodes = GpuNodes(NodeSetSpec(name="gpu"), machine, gpus, "gpu", {}, SMALL)
    measured = _Measured(networks={f"gpu-{number}": name for number, name in enumerate(names)})
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
    # Nobody says what such machines have.
    assert verdict(False, "", "Socket") is verdict(False, "", "IB") is Verdict.SKIP


def test_a_log_that_names_none_says_nothing() -> None:
    assert verdict(True, "a3-ultragpu-8g", "unknown", "unknown") is Verdict.SKIP


def test_every_machine_type_that_gets_a_plugin_of_google_has_a_row() -> None:
    names = [name for name, machine in GkeCatalogueSpec.built_in_types().items() if machine.gpus]
    pools = [{"name": f"p{number}", "machineType": name, "maxNodes": 1} for number, name in enumerate(names)]
    fields = {"project": "my-project", "region": "us-central1", "zones": ["us-central1-a"], "pools": pools}
    plan = GkePlan.of(GkeSpec.model_validate(fields))
    with_plugin = {
        planned.pool.machine_type for planned in plan.pools if plugin_fabric(plan, planned) is not GkeFabric.NONE
    }
    assert with_plugin == {*NETWORKS}
