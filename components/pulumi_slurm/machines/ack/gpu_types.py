"""Instance types that come with GPUs.

Sizes, memory, GPUs, network interfaces, eRDMA and what has to be asked for are from Alibaba's pages
https://www.alibabacloud.com/help/en/egs/gpu-accelerated-compute-optimized-instance-families and, for ebmgn7ex and
ebmgn7ix, which the English page has dropped, the Chinese one of bare metal. Both were read in copies of unknown date
that name the 9th generation. Prices: see `prices`.

Alibaba's pages give only the memory of some GPUs. That those of gn7 and gn7e and their bare metal are A100 is common
knowledge (the README of Alibaba's Deep-NCCL says so of ebmgn7ex). That those of gn8v and ebmgn8v are H20 is what
users write, and agrees with the page's 96 GB of HBM3, 4 TB/s and 900 GB/s of NVLink. If it is wrong, Slurm's AutoDetect
does not find them: add the type to the configuration, with its GRES.

Left out: parts of GPUs (vgn, sgn), gn5 and gn5i (not recommended), gn7r, Arm (ebmgn6ia), gn8v-tee (one image only), and
the ebmgn9 families (by invitation, and the page does not name their GPU).
"""

from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from pulumi_slurm.machines.ack.machine_type import AckEnisSpec, AckFabric, AckGpuSpec, AckMachineTypeSpec
from pulumi_slurm.machines.ack.prices import REGION, of_type


class _Family(NamedTuple):
    gpu: str
    gb: int
    erdma: bool = False
    by_request: bool = False


_FAMILIES = MappingProxyType(
    {
        "gn6i": _Family("T4", 16),
        "gn6v": _Family("V100", 16),
        "gn6e": _Family("V100", 32),
        "gn7": _Family("A100", 40),
        "gn7e": _Family("A100", 80),
        "gn7i": _Family("A10", 24),
        "gn7s": _Family("A30", 24, by_request=True),
        "gn8is": _Family("L20", 48, erdma=True, by_request=True),
        "gn8v": _Family("H20", 96, erdma=True, by_request=True),
        "ebmgn6i": _Family("T4", 16),
        "ebmgn6v": _Family("V100", 16),
        "ebmgn6e": _Family("V100", 32),
        "ebmgn7": _Family("A100", 40),
        "ebmgn7e": _Family("A100", 80),
        "ebmgn7ex": _Family("A100", 80, erdma=True),
        "ebmgn7i": _Family("A10", 24),
        "ebmgn7ix": _Family("A10", 24, erdma=True),
        "ebmgn8ia": _Family("L20", 48, erdma=True, by_request=True),
        "ebmgn8is": _Family("L20", 48, erdma=True, by_request=True),
        "ebmgn8v": _Family("H20", 96, erdma=True, by_request=True),
    }
)


class _Row(NamedTuple):
    name: str
    vcpus: int
    gib: int
    gpus: int
    enis: str
    """How many network interfaces, and how many addresses each has."""


_ROWS = (
    _Row("gn6i-c4g1.xlarge", 4, 15, 1, "2x10"),
    _Row("gn6i-c8g1.2xlarge", 8, 31, 1, "2x10"),
    _Row("gn6i-c16g1.4xlarge", 16, 62, 1, "3x10"),
    _Row("gn6i-c24g1.6xlarge", 24, 93, 1, "4x10"),
    _Row("gn6i-c40g1.10xlarge", 40, 155, 1, "10x10"),
    _Row("gn6i-c24g1.12xlarge", 48, 186, 2, "6x10"),
    _Row("gn6i-c24g1.24xlarge", 96, 372, 4, "8x10"),
    _Row("gn6v-c8g1.2xlarge", 8, 32, 1, "4x10"),
    _Row("gn6v-c8g1.4xlarge", 16, 64, 2, "8x20"),
    _Row("gn6v-c8g1.8xlarge", 32, 128, 4, "8x20"),
    _Row("gn6v-c8g1.16xlarge", 64, 256, 8, "8x20"),
    _Row("gn6v-c10g1.20xlarge", 82, 336, 8, "8x20"),
    _Row("gn6e-c12g1.3xlarge", 12, 92, 1, "6x10"),
    _Row("gn6e-c12g1.6xlarge", 24, 184, 2, "8x20"),
    _Row("gn6e-c12g1.12xlarge", 48, 368, 4, "8x20"),
    _Row("gn6e-c12g1.24xlarge", 96, 736, 8, "8x20"),
    _Row("gn7-c12g1.3xlarge", 12, 94, 1, "8x10"),
    _Row("gn7-c13g1.13xlarge", 52, 378, 4, "8x30"),
    _Row("gn7-c13g1.26xlarge", 104, 756, 8, "15x10"),
    _Row("gn7e-c16g1.4xlarge", 16, 125, 1, "8x10"),
    _Row("gn7e-c16g1.8xlarge", 32, 250, 2, "8x10"),
    _Row("gn7e-c16g1.16xlarge", 64, 500, 4, "8x10"),
    _Row("gn7e-c16g1.32xlarge", 128, 1000, 8, "16x15"),
    _Row("gn7i-c8g1.2xlarge", 8, 30, 1, "4x15"),
    _Row("gn7i-c16g1.4xlarge", 16, 60, 1, "8x30"),
    _Row("gn7i-c32g1.8xlarge", 32, 188, 1, "8x30"),
    _Row("gn7i-c48g1.12xlarge", 48, 310, 1, "8x30"),
    _Row("gn7i-c56g1.14xlarge", 56, 346, 1, "8x30"),
    _Row("gn7i-c32g1.16xlarge", 64, 376, 2, "15x30"),
    _Row("gn7i-c32g1.32xlarge", 128, 752, 4, "15x30"),
    _Row("gn7i-2x.8xlarge", 32, 128, 2, "8x30"),
    _Row("gn7i-4x.8xlarge", 32, 128, 4, "8x30"),
    _Row("gn7i-4x.16xlarge", 64, 256, 4, "8x30"),
    _Row("gn7i-8x.16xlarge", 64, 256, 8, "8x30"),
    _Row("gn7i-8x.32xlarge", 128, 512, 8, "16x30"),
    _Row("gn7s-c8g1.2xlarge", 8, 60, 1, "4x5"),
    _Row("gn7s-c16g1.4xlarge", 16, 120, 1, "8x5"),
    _Row("gn7s-c32g1.8xlarge", 32, 250, 1, "8x5"),
    _Row("gn7s-c48g1.12xlarge", 48, 380, 1, "8x8"),
    _Row("gn7s-c56g1.14xlarge", 56, 440, 1, "8x8"),
    _Row("gn7s-c32g1.16xlarge", 64, 500, 2, "15x5"),
    _Row("gn7s-c32g1.32xlarge", 128, 1000, 4, "15x10"),
    _Row("gn8is.2xlarge", 8, 64, 1, "4x15"),
    _Row("gn8is.4xlarge", 16, 128, 1, "8x30"),
    _Row("gn8is-2x.8xlarge", 32, 256, 2, "8x30"),
    _Row("gn8is-4x.16xlarge", 64, 512, 4, "8x30"),
    _Row("gn8is-8x.32xlarge", 128, 1024, 8, "15x50"),
    _Row("gn8v.4xlarge", 16, 96, 1, "8x30"),
    _Row("gn8v.6xlarge", 24, 128, 1, "8x30"),
    _Row("gn8v-2x.8xlarge", 32, 192, 2, "8x30"),
    _Row("gn8v-4x.8xlarge", 32, 384, 4, "8x30"),
    _Row("gn8v-2x.12xlarge", 48, 256, 2, "8x30"),
    _Row("gn8v-8x.16xlarge", 64, 768, 8, "8x30"),
    _Row("gn8v-4x.24xlarge", 96, 512, 4, "15x30"),
    _Row("gn8v-8x.48xlarge", 192, 1024, 8, "15x50"),
    _Row("ebmgn6i.24xlarge", 96, 384, 4, "32x10"),
    _Row("ebmgn6v.24xlarge", 96, 384, 8, "32x10"),
    _Row("ebmgn6e.24xlarge", 96, 768, 8, "15x10"),
    _Row("ebmgn7.26xlarge", 104, 768, 8, "15x10"),
    _Row("ebmgn7e.32xlarge", 128, 1024, 8, "32x10"),
    _Row("ebmgn7ex.32xlarge", 128, 1024, 8, "16x30"),
    _Row("ebmgn7i.32xlarge", 128, 768, 4, "32x10"),
    _Row("ebmgn7ix.32xlarge", 128, 512, 8, "16x30"),
    _Row("ebmgn8ia.64xlarge", 256, 1536, 4, "32x30"),
    _Row("ebmgn8is.32xlarge", 128, 1024, 8, "32x30"),
    _Row("ebmgn8v.48xlarge", 192, 1024, 8, "32x30"),
)


@cache
def gpu_types() -> tuple[AckMachineTypeSpec, ...]:
    """Return the types with GPUs."""
    return tuple(map(_type, _ROWS))


def _type(row: _Row) -> AckMachineTypeSpec:
    family = _FAMILIES[row.name.split(".")[0].split("-")[0]]
    enis, addresses = map(int, row.enis.split("x"))
    name = f"ecs.{row.name}"
    return AckMachineTypeSpec(
        name=name,
        vcpus=row.vcpus,
        memory_gib=row.gib,
        bare_metal=row.name.startswith("ebm"),
        gpus=AckGpuSpec(nvidia_name=family.gpu, memory_gb=family.gb, count=row.gpus, gres_type=family.gpu.lower()),
        fabric=AckFabric.ERDMA if family.erdma else AckFabric.NONE,
        enis=AckEnisSpec(count=enis, addresses=addresses),
        by_request=family.by_request,
        price=of_type(name, row.vcpus, REGION),
    )
