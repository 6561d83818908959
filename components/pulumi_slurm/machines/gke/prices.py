"""List prices of one region, as a starting point: users replace them by `GkeCatalogueSpec.prices` and `gpu_prices`.

US dollars. Read from Google's Cloud Billing catalogue on the day below, in the form in which
https://github.com/cloudpilot-ai/karpenter-provider-gcp publishes it every week (pkg/providers/pricing), for VMs with
their bundled local SSDs. A price that could not be read there is None; none is estimated.

Spot prices change as often as daily: these show an order of magnitude.
"""

from datetime import date
from types import MappingProxyType
from typing import NamedTuple

from pulumi_slurm.machines.gke.machine_type import GkePriceSpec

REGION = "us-central1"
AS_OF = date(2026, 8, 3)

_HOURS_A_MONTH = 730


class _Rates(NamedTuple):
    """Dollars an hour."""

    vcpu: float
    gib: float
    spot_vcpu: float
    spot_gib: float


# Series with one shape have one price; it stands with the vCPUs. H4D is not in the source.
_SERIES = MappingProxyType(
    {
        "c2": _Rates(0.052202, 0, 0.02492, 0),
        "c2d": _Rates(0.029563, 0.003959, 0.00993, 0.00133),
        "c3": _Rates(0.03465, 0.003938, 0.00849, 0.000965),
        "c3d": _Rates(0.029563, 0.003959, 0.00659, 0.000882),
        "c4": _Rates(0.03465, 0.003938, 0.02079, 0.002363),
        "c4a": _Rates(0.03086, 0.00351, 0.01334, 0.001517),
        "c4d": _Rates(0.0327035, 0.003753348, 0.01148, 0.001317481),
        "e2": _Rates(0.02181159, 0.00292353, 0.01309, 0.001754),
        "h3": _Rates(0.05595, 0, 0.03053, 0),
        "m3": _Rates(0.0348, 0.0051, 0.02015, 0.002953),
        "n1": _Rates(0.031611, 0.004237, 0.01115, 0.001494),
        "n2": _Rates(0.031611, 0.004237, 0.01499, 0.00201),
        "n2d": _Rates(0.027502, 0.003686, 0.00796, 0.001067),
        "n4": _Rates(0.03119, 0.00354, 0.0154, 0.001748),
        "n4a": _Rates(0.02646, 0.00301, 0.01111, 0.001264),
        "n4d": _Rates(0.02911, 0.00331, 0.01412, 0.001606),
        "t2a": _Rates(0.0385, 0, 0.016392, 0),
        "t2d": _Rates(0.042246, 0, 0.01576, 0),
    }
)

# Dollars a GiB and month of local SSDs that come with a type: on demand, spot.
_SSD = MappingProxyType(
    {
        "c3": (0.08, 0.0428),
        "c3d": (0.08, 0.0428),
        "c4": (0.16, 0.096),
        "c4a": (0.12, 0.0519),
        "c4d": (0.16, 0.0562),
    }
)

# One GPU that is attached to an N1, on demand. The copy of Google's catalogue that these come from
# (https://github.com/skypilot-org/skypilot-catalog) bears no date; its spot prices place it between January and May
# 2026, and they are older than the machine's. P100 was not read.
_ATTACHED = MappingProxyType({"nvidia-tesla-t4": 0.35, "nvidia-tesla-p4": 0.60, "nvidia-tesla-v100": 2.48})
_ATTACHED_AS_OF = date(2026, 1, 1)


def of_size(series: str, vcpus: int, memory_gib: float, ssd_gib: int = 0) -> GkePriceSpec | None:
    """Return the price of a type without GPUs, or None when that of its series is not known."""
    rates = _SERIES.get(series)
    if rates is None:
        return None
    on_demand = vcpus * rates.vcpu + memory_gib * rates.gib
    spot = vcpus * rates.spot_vcpu + memory_gib * rates.spot_gib
    if ssd_gib:
        ssd, spot_ssd = _SSD[series]
        on_demand += ssd_gib * ssd / _HOURS_A_MONTH
        spot += ssd_gib * spot_ssd / _HOURS_A_MONTH
    return GkePriceSpec(on_demand=round(on_demand, 6), spot=round(spot, 6), region=REGION, as_of=AS_OF)


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
