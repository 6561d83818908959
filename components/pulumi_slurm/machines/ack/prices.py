"""List prices, as a starting point: users replace them by `AckCatalogueSpec.prices`.

Yuan an hour, pay-as-you-go, Linux, by region, in the file `list.prices`, which tools/ack_prices.py writes: of the price
list at https://www.aliyun.com/price/ecs/ecs-pricing/zh, in the copy that
https://github.com/cloudpilot-ai/karpenter-provider-alibabacloud took of it. A price that is not in it is None; none is
estimated. So are prices of preemptible instances, which it does not have. Built-in types have those of one region;
reviews look up that of a pool.

The copy names no currency: yuan is that of the site.
"""

from functools import cache

from pulumi_slurm.machines.ack.machine_type import AckPriceSpec
from pulumi_slurm.machines.price_list import PriceList, read_price_list

REGION = "cn-beijing"
CURRENCY = "CNY"


@cache
def _listed() -> PriceList:
    return read_price_list(__package__)


def of_type(name: str, vcpus: int, region: str) -> AckPriceSpec | None:
    """Return the price of an instance type in a region, or None where the list has none.

    A family without GPUs has one line there, with the price of a vCPU and the sizes that are not listed.
    """
    names = _listed().regions.get(region, {})
    _, family, size = name.split(".")
    if f"{family}.{size}" in names:
        (price,) = map(float, names[f"{family}.{size}"])
    elif family in names and size not in names[family]:
        price = float(names[family][0]) * vcpus
    else:
        return None
    return AckPriceSpec(on_demand=round(price, 6), currency=CURRENCY, region=region, as_of=_listed().day)
