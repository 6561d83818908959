"""List prices, as a starting point: users replace them by `GkeCatalogueSpec.prices` and `gpu_prices`.

US dollars, by region, in the file `list.prices`, which tools/gke_prices.py writes: read from Google's Cloud Billing
catalogue, for VMs with their bundled local SSDs, in the form in which
https://github.com/cloudpilot-ai/karpenter-provider-gcp publishes it every week. A price that could not be read there is
None; none is estimated. Built-in types have those of one region; reviews look up that of a pool.

Spot prices change as often as daily: these show an order of magnitude.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from types import MappingProxyType

from pulumi_slurm.machines.gke.machine_type import GkeMachineTypeSpec, GkePriceSpec
from pulumi_slurm.machines.price_list import read_price_list

REGION = "us-central1"
_ELSEWHERE = MappingProxyType({"a3-megagpu-8g": "us-east4"})
"""The region whose price a built-in type has, where the list has none of `REGION`."""

_RATES = 6
"""Numbers of a series: those of `cost`, on demand and as a spot VM."""

# One GPU that is attached to an N1, on demand. The copy of Google's catalogue that these come from
# (https://github.com/skypilot-org/skypilot-catalog) bears no date; its spot prices place it between January and May
# 2026, and they are older than the machine's. P100 was not read.
_ATTACHED = MappingProxyType({"nvidia-tesla-t4": 0.35, "nvidia-tesla-p4": 0.60, "nvidia-tesla-v100": 2.48})
_ATTACHED_AS_OF = date(2026, 1, 1)


@cache
def _listed() -> tuple[date, Mapping[str, Mapping[str, Sequence[float | None]]]]:
    """Return the day of the list, and the numbers of each series and type by region."""
    listed = read_price_list(__package__)
    return listed.day, {
        region: {name: [None if word == "-" else float(word) for word in words] for name, words in names.items()}
        for region, names in listed.regions.items()
    }


def sizes(machine: GkeMachineTypeSpec) -> tuple[float, float, float]:
    """Return the vCPUs, GiB of memory and GiB of SSD that a type without GPUs comes with."""
    (disks, *_) = machine.local_ssd.counts if machine.name.endswith("-lssd") else [0]
    return machine.vcpus, machine.memory_gib, disks * machine.local_ssd.gib_each


def cost(sizes: Sequence[float], rates: Sequence[float]) -> float:
    """Return what these sizes cost an hour by what one of each costs."""
    return sum(size * rate for size, rate in zip(sizes, rates, strict=True))


def groups(name: str) -> tuple[str, str, str]:
    """Return the series of a type, its shape, and itself: any of these may be in the list."""
    series, shape, *_ = name.split("-")
    return series, f"{series}-{shape}", name


def of_type(machine: GkeMachineTypeSpec, region: str) -> GkePriceSpec | None:
    """Return the price of a built-in type in a region, or None when the list has none."""
    day, regions = _listed()
    numbers = regions.get(region, {})
    listed = next((numbers[group] for group in groups(machine.name) if group in numbers), None)
    if listed is None:
        return None
    if len(listed) == _RATES:
        rates, half = [rate or 0.0 for rate in listed], _RATES // 2
        listed = [round(cost(sizes(machine), some), 6) for some in (rates[:half], rates[half:])]
    on_demand, spot = listed
    return GkePriceSpec(on_demand=on_demand, spot=spot, region=region, as_of=day)


def of_built_in_type(machine: GkeMachineTypeSpec) -> GkePriceSpec | None:
    """Return the price that a built-in type has."""
    return of_type(machine, _ELSEWHERE.get(machine.name, REGION))


def of_attached_gpu(google_type: str) -> GkePriceSpec | None:
    """Return the price of one GPU that is attached to a machine, or None when it is not known."""
    on_demand = _ATTACHED.get(google_type)
    if on_demand is None:
        return None
    return GkePriceSpec(on_demand=on_demand, region=REGION, as_of=_ATTACHED_AS_OF)


def together(machine: GkePriceSpec | None, gpu: GkePriceSpec | None, count: int) -> GkePriceSpec | None:
    """Return the price of a machine with GPUs: what is known of both, when it is for one region."""
    if machine is None or gpu is None or machine.region != gpu.region:
        return None
    return GkePriceSpec(
        on_demand=_sum(machine.on_demand, gpu.on_demand, count),
        spot=_sum(machine.spot, gpu.spot, count),
        region=machine.region,
        as_of=min(machine.as_of, gpu.as_of),
    )


def _sum(machine: float | None, gpu: float | None, count: int) -> float | None:
    return None if machine is None or gpu is None else round(machine + gpu * count, 6)
