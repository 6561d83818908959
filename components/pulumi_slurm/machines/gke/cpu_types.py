"""Machine types without GPUs, in families whose sizes follow a rule.

Sizes are those of `gcloud compute machine-types list` as of 2026-07-01
(https://github.com/Cyclenerd/google-cloud-pricing-cost-calculator, tools/machinetypes.csv), and so are the names. The
local SSDs of -lssd types agree with their prices; C4N is of its state of 2026-08-20. Compact placement:
https://cloud.google.com/kubernetes-engine/docs/how-to/compact-placement.

Left out: shared cores, where slurmd has no whole CPU; bare metal; memory-optimized types but M3; Z3; TPUs.
"""

from collections.abc import Iterator
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from pulumi_slurm.machines.architecture import Architecture
from pulumi_slurm.machines.gke import prices
from pulumi_slurm.machines.gke.machine_type import GkeFabric, GkeMachineLocalSsdSpec, GkeMachineTypeSpec


class _Shape(NamedTuple):
    series: str
    name: str
    gib_per_vcpu: float
    sizes: str
    """vCPUs of each size; with ":" the GiB where they don't follow the rule."""
    lssd: str = ""
    """vCPUs and number of disks of the types that end in -lssd."""


_C3D = "8:1 16:1 30:2 60:4 90:8 180:16 360:32"
_C4 = "4:1 8:1 16:2 24:4 32:5 48:8 96:16 144:24 192:32 288:48"
_C4A = "4:1 8:2 16:4 32:6 48:10 64:14 72:16"
_C4D = "8:1 16:1 32:2 48:4 64:6 96:8 192:16 384:32"

_SHAPES = (
    _Shape("e2", "standard", 4, "2 4 8 16 32"),
    _Shape("e2", "highmem", 8, "2 4 8 16"),
    _Shape("e2", "highcpu", 1, "2 4 8 16 32"),
    _Shape("n1", "standard", 3.75, "1 2 4 8 16 32 64 96"),
    _Shape("n1", "highmem", 6.5, "2 4 8 16 32 64 96"),
    _Shape("n1", "highcpu", 0.9, "2 4 8 16 32 64 96"),
    _Shape("n2", "standard", 4, "2 4 8 16 32 48 64 80 96 128"),
    _Shape("n2", "highmem", 8, "2 4 8 16 32 48 64 80 96 128:864"),
    _Shape("n2", "highcpu", 1, "2 4 8 16 32 48 64 80 96"),
    _Shape("n2d", "standard", 4, "2 4 8 16 32 48 64 80 96 128 224"),
    _Shape("n2d", "highmem", 8, "2 4 8 16 32 48 64 80 96"),
    _Shape("n2d", "highcpu", 1, "2 4 8 16 32 48 64 80 96 128 224"),
    _Shape("n4", "standard", 4, "2 4 8 16 32 48 64 80"),
    _Shape("n4", "highmem", 8, "2 4 8 16 32 48 64 80"),
    _Shape("n4", "highcpu", 2, "2 4 8 16 32 48 64 80"),
    _Shape("n4a", "standard", 4, "1 2 4 8 16 32 48 64"),
    _Shape("n4a", "highmem", 8, "1 2 4 8 16 32 48 64"),
    _Shape("n4a", "highcpu", 2, "1 2 4 8 16 32 48 64"),
    _Shape("n4d", "standard", 4, "2 4 8 16 32 48 64 80 96"),
    _Shape("n4d", "highmem", 8, "2 4 8 16 32 48 64 80 96"),
    _Shape("n4d", "highcpu", 2, "2 4 8 16 32 48 64 80 96"),
    _Shape("t2a", "standard", 4, "1 2 4 8 16 32 48"),
    _Shape("t2d", "standard", 4, "1 2 4 8 16 32 48 60"),
    _Shape("c2", "standard", 4, "4 8 16 30 60"),
    _Shape("c2d", "standard", 4, "2 4 8 16 32 56 112"),
    _Shape("c2d", "highmem", 8, "2 4 8 16 32 56 112"),
    _Shape("c2d", "highcpu", 2, "2 4 8 16 32 56 112"),
    _Shape("c3", "standard", 4, "4 8 22 44 88 176", "4:1 8:2 22:4 44:8 88:16 176:32"),
    _Shape("c3", "highmem", 8, "4 8 22 44 88 176"),
    _Shape("c3", "highcpu", 2, "4 8 22 44 88 176"),
    _Shape("c3d", "standard", 4, "4 8 16 30 60 90 180 360", _C3D),
    _Shape("c3d", "highmem", 8, "4 8 16 30 60 90 180 360", _C3D),
    _Shape("c3d", "highcpu", 2, "4 8 16 30:59 60:118 90:177 180:354 360:708"),
    _Shape("c4", "standard", 3.75, "2:7 4 8 16 24 32 48 96 144 192 288", _C4),
    _Shape("c4", "highmem", 7.75, "2:15 4 8 16 24 32 48 96 144 192 288", _C4),
    _Shape("c4", "highcpu", 2, "2 4 8 16 24 32 48 96 144 192 288"),
    _Shape("c4n", "standard", 3.75, "2:7 4 8 16 24 48 96 192"),
    _Shape("c4n", "highmem", 7.75, "2:15 4 8 16 24 48 96 192"),
    _Shape("c4n", "highcpu", 2, "2 4 8 16 24 48 96 192"),
    _Shape("c4a", "standard", 4, "1 2 4 8 16 32 48 64 72", _C4A),
    _Shape("c4a", "highmem", 8, "1 2 4 8 16 32 48 64 72", _C4A),
    _Shape("c4a", "highcpu", 2, "1 2 4 8 16 32 48 64 72"),
    _Shape("c4d", "standard", 3.875, "2:7 4:15 8 16 32 48 64 96 192 384", _C4D),
    _Shape("c4d", "highmem", 7.875, "2:15 4:31 8 16 32 48 64 96 192 384", _C4D),
    _Shape("c4d", "highcpu", 1.875, "2:3 4:7 8 16 32 48 64 96 192 384"),
    _Shape("h3", "standard", 4, "88"),
    _Shape("h4d", "standard", 3.75, "192"),
    _Shape("h4d", "highmem", 7.75, "192", "192:10"),
    _Shape("m3", "megamem", 15.25, "64 128"),
    _Shape("m3", "ultramem", 30.5, "32 64 128"),
)

_ARM = frozenset({"c4a", "n4a", "t2a"})
_ONE_THREAD_PER_CORE = frozenset({*_ARM, "h3", "h4d", "t2d"})
_COMPACT = frozenset({"c2", "c2d", "c3", "c3d", "c4a", "c4d", "c4n", "h3", "h4d", "n2", "n2d"})

_SSD_CHOICES = MappingProxyType(
    {
        "n1": MappingProxyType({96: "1 2 3 4 5 6 7 8 16 24"}),
        "n2": MappingProxyType({10: "1 2 4 8 16 24", 20: "2 4 8 16 24", 40: "4 8 16 24", 80: "8 16 24", 128: "16 24"}),
        "n2d": MappingProxyType({16: "1 2 4 8 16 24", 48: "2 4 8 16 24", 80: "4 8 16 24", 224: "8 16 24"}),
        "c2": MappingProxyType({8: "1 2 4 8", 16: "2 4 8", 30: "4 8", 60: "8"}),
        "c2d": MappingProxyType({16: "1 2 4 8", 32: "2 4 8", 56: "4 8", 112: "8"}),
        "m3": MappingProxyType({64: "4 8", 128: "8"}),
    }
)
"""By series and up to how many vCPUs: how many disks a pool can choose, other than none."""


@cache
def cpu_types() -> dict[str, GkeMachineTypeSpec]:
    """Return the types without GPUs by name."""
    return {machine_type.name: machine_type for shape in _SHAPES for machine_type in _types(shape)}


def _types(shape: _Shape) -> Iterator[GkeMachineTypeSpec]:
    disks = dict(_pair(text) for text in shape.lssd.split())
    for text in shape.sizes.split():
        vcpus, irregular = _pair(text)
        memory_gib = irregular or vcpus * shape.gib_per_vcpu
        yield _type(shape, vcpus, memory_gib, None)
        if vcpus in disks:
            yield _type(shape, vcpus, memory_gib, disks[vcpus])


def _type(shape: _Shape, vcpus: int, memory_gib: float, disks: int | None) -> GkeMachineTypeSpec:
    series = shape.series
    h4d = series == "h4d"
    local_ssd = GkeMachineLocalSsdSpec(counts=_choices(series, vcpus) if disks is None else [disks])
    machine = GkeMachineTypeSpec(
        name=f"{series}-{shape.name}-{vcpus}" + ("" if disks is None else "-lssd"),
        vcpus=vcpus,
        memory_gib=round(memory_gib, 3),
        architecture=Architecture.ARM64 if series in _ARM else Architecture.AMD64,
        threads_per_core=1 if series in _ONE_THREAD_PER_CORE or vcpus == 1 else 2,
        local_ssd=local_ssd,
        fabric=GkeFabric.FALCON if h4d else GkeFabric.NONE,
        compact_placement=series in _COMPACT,
        flex_start=h4d,
        compact_flex_start=h4d,
    )
    return machine.model_copy(update={"price": prices.of_built_in_type(machine)})


def _choices(series: str, vcpus: int) -> list[int]:
    for max_vcpus, counts in _SSD_CHOICES.get(series, {}).items():
        if vcpus <= max_vcpus:
            return [0, *map(int, counts.split())]
    return [0]


def _pair(text: str) -> tuple[int, int]:
    first, _, second = text.partition(":")
    return int(first), int(second or 0)
