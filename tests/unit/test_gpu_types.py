"""Types of GPUs that read like labels of nodes, which slurmd finds no GPUs by."""

from typing import Any

import pytest

from pulumi_slurm.errors import Severity
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.machine import NodePoolSpec
from pulumi_slurm.rules import check_pools
from pulumi_slurm.rules.gpu_types import short_type

LABEL = "NVIDIA-H100-80GB-HBM3"


def warned(fields: dict[str, Any], pools: tuple[NodePoolSpec, ...] = ()) -> list[tuple[str, str]]:
    errors = check_pools(SlurmSpec.model_validate({"name": "c", **fields}), pools)
    of_types = [error for error in errors if error.code == "gpus-have-types-that-slurmd-finds"]
    assert all(error.severity is Severity.WARNING for error in of_types)
    return [(".".join(map(str, error.path)), error.fix) for error in of_types]


def with_gpus(gpu_type: str, **gpus: Any) -> dict[str, Any]:
    machine = {"cpus": 8, "memory": "32Gi", "gpus": {"type": gpu_type, "count": 8, **gpus}}
    return {"nodeSets": [{"name": "gpu", "machine": machine, "replicas": 1, "partition": {}}]}


@pytest.mark.parametrize(
    ("gpu_type", "short"),
    [
        (LABEL, "h100"),
        ("nvidia-h100-80gb", "h100"),
        ("NVIDIA-H100-80GB-HBM3-SHARED", "h100"),
        ("H100-80GB-HBM3", "h100"),
        ("H100-PCIe", "h100"),
        ("h100_sxm5", "h100"),
        ("NVIDIA-A100-SXM4-80GB", "a100"),
        ("nvidia_a100_sxm4_80gb", "a100"),
        ("A100-80GB-PCIe", "a100"),
        ("NVIDIA-A100-SXM4-40GB-MIG-1g.5gb", "1g.5gb"),
        ("nvidia-tesla-t4", "t4"),
        ("Tesla-V100-SXM2-16GB", "v100"),
        ("NVIDIA-L40S", "l40s"),
        ("NVIDIA-GH200-480GB", "gh200"),
        ("NVIDIA-GeForce-RTX-4090", "4090"),
        ("NVIDIA-RTX-A6000", "a6000"),
        ("AMD-Instinct-MI300X-OAM", "mi300x"),
        ("amd-mi250x", "mi250x"),
    ],
)
def test_a_label_is_no_type(gpu_type: str, short: str) -> None:
    assert short_type(gpu_type) == short


@pytest.mark.parametrize(
    "gpu_type",
    [
        *("h100", "H100", "nvidia_h100_80gb_hbm3", "NVIDIA_H100_80GB_HBM3", "nvidia_a100-sxm4-80gb", "A100-SXM4-80GB"),
        *("tesla_t4", "tesla_v100-sxm2-16gb", "v100-pcie-16gb", "nvidia_a100_80gb_pcie", "a100-pcie-40gb"),
        *("nvidia_h20-3e", "H20-3e", "nvidia_a10-24q", "grid_a100-10c", "GRID_T4-16Q", "nvidia_l40s-48q"),
        *("nvidia_geforce_rtx_4090", "rtx_a6000", "amd_instinct_mi300x_oam", "mi300x", "1g.5gb", "nvidia", "big-gpus"),
    ],
)
def test_a_part_of_the_drivers_name_is_one(gpu_type: str) -> None:
    assert short_type(gpu_type) is None


def test_it_is_told_wherever_a_type_is_written() -> None:
    machine = {"cpus": 8, "memory": "64Gi", "gpus": {"type": LABEL, "count": 8}}
    pool = NodePoolSpec.model_validate({"name": "p", "machine": machine, "nodeLabels": {"pool": "p"}})
    of_pool = {"nodeSets": [{"name": "gpu", "pool": "p", "gpus": 8, "replicas": 1}]}
    external = {"externalNodes": [{"name": "dgx", "nodes": "dgx-[0-1]", "gres": [f"gpu:{LABEL}:8", "nic:2"]}]}
    fix = 'Write "h100".'
    assert warned(with_gpus(LABEL)) == [("node_sets.0.machine.gpus.type", fix)]
    assert warned(of_pool, (pool,)) == [("node_sets.0.pool", fix)]
    assert warned(external) == [("external_nodes.0.gres.0", fix)]
    files = {"configFiles": {"gres.conf": f"AutoDetect=nvidia\nName=gpu Type={LABEL} Cores=0-3\n"}}
    assert ("config_files.gres.conf", fix) in warned({**with_gpus("h100"), **files})
    assert warned(with_gpus("MI300X-OAM", resource="amd.com/gpu")) == [
        ("node_sets.0.machine.gpus.type", 'Write "mi300x".')
    ]


def test_lines_with_device_files_may_call_a_type_as_they_like() -> None:
    files = {"configFiles": {"gres.conf": f"Name=gpu Type={LABEL} File=/dev/nvidia[0-7]\n"}}
    assert warned({**with_gpus(LABEL), **files}) == []
