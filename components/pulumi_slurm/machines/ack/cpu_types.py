"""Instance types without GPUs, in families whose sizes follow a rule.

Sizes, memory, network interfaces, local disks and which families have eRDMA are from Alibaba's page of instance
families, read in copies of unknown date that name the 9th generation:
https://www.alibabacloud.com/help/en/ecs/user-guide/overview-of-instance-families. That a vCPU of an Arm instance is a
core, and of others a thread, is from https://www.alibabacloud.com/help/en/ecs/user-guide/instance-specification-naming-and-classification.
Prices: see `prices`.

eRDMA is stated only where the family's own section names it; hfr8i's does not, unlike those of hfc8i and hfg8i. The
interfaces of i4 are not on the page.

Left out: shared and burstable types, earlier generations, g9a and g9ae and their kin, network-, storage- and
security-enhanced families, big data, most of bare metal, and sizes of one vCPU, where slurmd has no CPU of its own.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from pulumi_slurm.machines.ack.machine_type import AckEnisSpec, AckFabric, AckLocalDisksSpec, AckMachineTypeSpec
from pulumi_slurm.machines.ack.prices import REGION, of_type
from pulumi_slurm.machines.architecture import Architecture


class _Shape(NamedTuple):
    family: str
    gib_per_vcpu: float
    sizes: str
    """vCPUs of each size; with ":" the GiB where they don't follow the rule."""
    erdma: bool = False
    by_request: str = ""
    """vCPUs of the sizes that Alibaba gives out on request only."""


_I7 = "2 4 8 12 16 24 32 64 128"
_I8 = "2 4 8 12 16 24 32 48 64 96"
_R8I = "2 4 8 12 16 24 32 48 64 128"
_I9 = "2 4 8 12 16 24 32 48 64 96 128 192"
_A8 = "2 4 8 16 32 48 64 96 128 192"
_AE8 = "2 4 8 16 32 64 128"
_Y8 = "2 4 8 16 32 64 128"
_HF7 = "2 4 8 12 16 24 32 48 96"
_HF8 = "2 4 8 12 16 24 32 64 128"

_SHAPES = (
    _Shape("c7", 2, _I7),
    _Shape("g7", 4, _I7),
    _Shape("r7", 8, _I7),
    _Shape("c8i", 2, f"{_I8} 192:512", erdma=True),
    _Shape("g8i", 4, f"{_I8} 192:1024", erdma=True),
    _Shape("r8i", 8, _R8I, erdma=True, by_request="64 128"),
    _Shape("c9i", 2, _I9, erdma=True),
    _Shape("g9i", 4, _I9, erdma=True),
    _Shape("r9i", 8, _I9, erdma=True),
    _Shape("c8a", 2, _A8, erdma=True),
    _Shape("g8a", 4, _A8, erdma=True),
    _Shape("r8a", 8, _A8, erdma=True, by_request="192"),
    _Shape("c8ae", 2, _AE8, erdma=True),
    _Shape("g8ae", 4, _AE8, erdma=True),
    _Shape("r8ae", 8, "2 4 8 16 32", erdma=True),
    _Shape("c8y", 2, _Y8, erdma=True, by_request="128"),
    _Shape("g8y", 4, _Y8, erdma=True, by_request="128"),
    _Shape("r8y", 8, _Y8, erdma=True, by_request="128"),
    _Shape("hfc7", 2, _HF7),
    _Shape("hfg7", 4, _HF7),
    _Shape("hfr7", 8, _HF7),
    _Shape("hfc8i", 2, _HF8, erdma=True),
    _Shape("hfg8i", 4, _HF8, erdma=True),
    _Shape("hfr8i", 8, _HF8),
    _Shape("i4", 8, "2 4 8 16 32 64 128", erdma=True),
    _Shape("ebmc7", 2, "128"),
    _Shape("ebmg7", 4, "128"),
    _Shape("ebmr7", 8, "128"),
    _Shape("ebmc8i", 2, "192:512", erdma=True),
    _Shape("ebmg8i", 4, "192:1024", erdma=True),
)

_ARM = frozenset({"c8y", "g8y", "r8y"})

_SAME_ENIS = MappingProxyType(
    {8: (4, 15), 16: (8, 30), 24: (8, 30), 32: (8, 30), 48: (8, 30), 64: (8, 30), 96: (15, 30)}
)
_ENIS = MappingProxyType({**_SAME_ENIS, 2: (3, 6), 4: (4, 15), 12: (8, 15), 128: (15, 30), 192: (15, 50)})
_HF7_ENIS = MappingProxyType({**_SAME_ENIS, 2: (2, 6), 4: (3, 15), 12: (6, 15)})
_HF8_ENIS = MappingProxyType({**_ENIS, 128: (15, 50)})
_EBM7_ENIS = MappingProxyType({128: (32, 20)})
_EBM8_ENIS = MappingProxyType({192: (72, 30)})
_OTHER_ENIS: Mapping[str, Mapping[int, tuple[int, int]]] = MappingProxyType(
    {
        "hfc7": _HF7_ENIS,
        "hfg7": _HF7_ENIS,
        "hfr7": _HF7_ENIS,
        "hfc8i": _HF8_ENIS,
        "hfg8i": _HF8_ENIS,
        "hfr8i": _HF8_ENIS,
        "i4": MappingProxyType({}),
        "ebmc7": _EBM7_ENIS,
        "ebmg7": _EBM7_ENIS,
        "ebmr7": _EBM7_ENIS,
        "ebmc8i": _EBM8_ENIS,
        "ebmg8i": _EBM8_ENIS,
    }
)
"""By family and vCPUs, where not as in `_ENIS`: how many interfaces, and how many addresses each has."""

_LOCAL_DISKS: Mapping[str, Mapping[int, tuple[int, int]]] = MappingProxyType(
    {
        "i4": MappingProxyType(
            {2: (1, 447), 4: (1, 894), 8: (1, 1788), 16: (1, 3576), 32: (2, 3576), 64: (4, 3576), 128: (8, 3576)}
        )
    }
)
"""By family and vCPUs: how many disks, and the GiB of each."""


@cache
def cpu_types() -> tuple[AckMachineTypeSpec, ...]:
    """Return the types without GPUs."""
    return tuple(instance_type for shape in _SHAPES for instance_type in _types(shape))


def _types(shape: _Shape) -> Iterator[AckMachineTypeSpec]:
    family = shape.family
    enis = _OTHER_ENIS.get(family, _ENIS)
    disks = _LOCAL_DISKS.get(family, {})
    for text in shape.sizes.split():
        size, _, gib = text.partition(":")
        vcpus = int(size)
        name = f"ecs.{family}.{_size(vcpus)}"
        yield AckMachineTypeSpec(
            name=name,
            vcpus=vcpus,
            memory_gib=float(gib or vcpus * shape.gib_per_vcpu),
            architecture=Architecture.ARM64 if family in _ARM else Architecture.AMD64,
            threads_per_core=1 if family in _ARM else 2,
            bare_metal=family.startswith("ebm"),
            local_disks=AckLocalDisksSpec(count=disks[vcpus][0], gib_each=disks[vcpus][1])
            if vcpus in disks
            else AckLocalDisksSpec(),
            fabric=AckFabric.ERDMA if shape.erdma else AckFabric.NONE,
            enis=AckEnisSpec(count=enis[vcpus][0], addresses=enis[vcpus][1]) if vcpus in enis else None,
            by_request=size in shape.by_request.split(),
            price=of_type(name, vcpus, REGION),
        )


def _size(vcpus: int) -> str:
    return {2: "large", 4: "xlarge"}.get(vcpus) or f"{vcpus // 4}xlarge"
