"""Machine types that come with GPUs.

Sizes are those of `gcloud compute machine-types list` as of 2026-07-01
(https://github.com/Cyclenerd/google-cloud-pricing-cost-calculator, tools/machinetypes.csv); labels are those of
Google's Cluster Toolkit (pkg/config/machine_mappings.json), but for A2 Ultra, which it has wrong. Flex-start with
compact placement follows a condition of its module gke-node-pool. Prices: see `prices`, except where a line says
otherwise.

Left out: types with a fraction of a GPU (g4-standard-6, -12 and -24), A3 Edge, A4X Max.
"""

from datetime import date
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from pulumi_slurm.machines.architecture import Architecture
from pulumi_slurm.machines.gke import prices
from pulumi_slurm.machines.gke.machine_type import (
    GkeFabric,
    GkeGpuSpec,
    GkeMachineLocalSsdSpec,
    GkeMachineTypeSpec,
    GkePriceSpec,
)


class _Family(NamedTuple):
    google_type: str
    gres_type: str
    fabric: GkeFabric = GkeFabric.NONE
    compact_placement: bool = True
    flex_start: bool = True
    compact_flex_start: bool = False
    spot: bool = True
    on_demand: bool = True
    arm: bool = False
    gib_each: int = 375


_G2 = _Family("nvidia-l4", "l4")
_G4 = _Family("nvidia-rtx-pro-6000", "rtx_pro_6000", compact_placement=False)
_A2 = _Family("nvidia-tesla-a100", "a100")
_A2_ULTRA = _Family("nvidia-a100-80gb", "a100")
_A3_PART = _Family("nvidia-h100-80gb", "h100", on_demand=False)
_A3_HIGH = _Family("nvidia-h100-80gb", "h100", GkeFabric.TCPX)
_A3_MEGA = _Family("nvidia-h100-mega-80gb", "h100", GkeFabric.TCPXO)
# What is sold of these three: https://cloud.google.com/ai-hypercomputer/docs/consumption-models, and
# https://docs.cloud.google.com/compute/docs/accelerator-optimized-machines#consumption_option_availability_by_machine_type
_A3_ULTRA = _Family("nvidia-h200-141gb", "h200", GkeFabric.ROCE, compact_flex_start=True, on_demand=False)
_A4 = _Family("nvidia-b200", "b200", GkeFabric.ROCE, compact_flex_start=True, on_demand=False)
_A4X = _Family(
    "nvidia-gb200",
    "gb200",
    GkeFabric.ROCE,
    flex_start=False,
    spot=False,
    on_demand=False,
    arm=True,
    gib_each=3000,
)


class _Row(NamedTuple):
    family: _Family
    name: str
    vcpus: int
    gib: int
    gpus: int
    ssds: str
    """Numbers of local SSDs: one that comes with the type, or those of which the pool chooses."""


_ROWS = (
    _Row(_G2, "g2-standard-4", 4, 16, 1, "0 1"),
    _Row(_G2, "g2-standard-8", 8, 32, 1, "0 1"),
    _Row(_G2, "g2-standard-12", 12, 48, 1, "0 1"),
    _Row(_G2, "g2-standard-16", 16, 64, 1, "0 1"),
    _Row(_G2, "g2-standard-24", 24, 96, 2, "0 2"),
    _Row(_G2, "g2-standard-32", 32, 128, 1, "0 1"),
    _Row(_G2, "g2-standard-48", 48, 192, 4, "0 4"),
    _Row(_G2, "g2-standard-96", 96, 384, 8, "0 8"),
    _Row(_G4, "g4-standard-48", 48, 180, 1, "0 4"),
    _Row(_G4, "g4-standard-96", 96, 360, 2, "0 8"),
    _Row(_G4, "g4-standard-192", 192, 720, 4, "0 16"),
    _Row(_G4, "g4-standard-384", 384, 1440, 8, "0 32"),
    _Row(_A2, "a2-highgpu-1g", 12, 85, 1, "0 1 2 4 8"),
    _Row(_A2, "a2-highgpu-2g", 24, 170, 2, "0 2 4 8"),
    _Row(_A2, "a2-highgpu-4g", 48, 340, 4, "0 4 8"),
    _Row(_A2, "a2-highgpu-8g", 96, 680, 8, "0 8"),
    _Row(_A2, "a2-megagpu-16g", 96, 1360, 16, "0 8"),
    _Row(_A2_ULTRA, "a2-ultragpu-1g", 12, 170, 1, "1"),
    _Row(_A2_ULTRA, "a2-ultragpu-2g", 24, 340, 2, "2"),
    _Row(_A2_ULTRA, "a2-ultragpu-4g", 48, 680, 4, "4"),
    _Row(_A2_ULTRA, "a2-ultragpu-8g", 96, 1360, 8, "8"),
    _Row(_A3_PART, "a3-highgpu-1g", 26, 234, 1, "2"),
    _Row(_A3_PART, "a3-highgpu-2g", 52, 468, 2, "4"),
    _Row(_A3_PART, "a3-highgpu-4g", 104, 936, 4, "8"),
    _Row(_A3_HIGH, "a3-highgpu-8g", 208, 1872, 8, "16"),
    _Row(_A3_MEGA, "a3-megagpu-8g", 208, 1872, 8, "16"),
    _Row(_A3_ULTRA, "a3-ultragpu-8g", 224, 2952, 8, "32"),
    _Row(_A4, "a4-highgpu-8g", 224, 3968, 8, "32"),
    _Row(_A4X, "a4x-highgpu-4g", 140, 884, 4, "4"),
)

_OTHER_PRICES = MappingProxyType(
    {
        # Of a reservation too. 8 x 10.4365 for the machine, and 12,000 GiB of SSD:
        # https://huggingface.co/datasets/tanod/cloud-gpu-list-prices.
        "a3-ultragpu-8g": GkePriceSpec(on_demand=84.806908, region="us-central1", as_of=date(2026, 10, 13)),
    }
)


@cache
def gpu_types() -> dict[str, GkeMachineTypeSpec]:
    """Return the types with GPUs by name."""
    return {row.name: _type(row) for row in _ROWS}


def _type(row: _Row) -> GkeMachineTypeSpec:
    family = row.family
    machine = GkeMachineTypeSpec(
        name=row.name,
        vcpus=row.vcpus,
        memory_gib=row.gib,
        architecture=Architecture.ARM64 if family.arm else Architecture.AMD64,
        threads_per_core=1 if family.arm else 2,
        gpus=GkeGpuSpec(google_type=family.google_type, count=row.gpus, gres_type=family.gres_type),
        local_ssd=GkeMachineLocalSsdSpec(counts=[int(count) for count in row.ssds.split()], gib_each=family.gib_each),
        fabric=family.fabric,
        compact_placement=family.compact_placement,
        flex_start=family.flex_start,
        compact_flex_start=family.compact_flex_start,
        spot=family.spot,
        on_demand=family.on_demand,
    )
    price = _OTHER_PRICES.get(row.name) or prices.of_built_in_type(machine)
    return machine.model_copy(update={"price": price})
