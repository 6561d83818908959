"""List prices of one region, as a starting point: users replace them by `AckCatalogueSpec.prices`.

Yuan an hour, pay-as-you-go, Linux, of the price list at https://www.aliyun.com/price/ecs/ecs-pricing/zh, in the copy
that https://github.com/cloudpilot-ai/karpenter-provider-alibabacloud took of it on the day below
(pkg/providers/pricing/initial-on-demand-prices.json). A price that is not in it is None; none is estimated. So are
prices of preemptible instances, which it does not have.

The copy names no currency: yuan is that of the site.
"""

from datetime import date

from pulumi_slurm.machines.ack.machine_type import AckPriceSpec

REGION = "cn-beijing"
CURRENCY = "CNY"
AS_OF = date(2024, 12, 30)


def listed(on_demand: float | None) -> AckPriceSpec | None:
    """Return a price of the list, or None where the list has none."""
    if on_demand is None:
        return None
    return AckPriceSpec(on_demand=round(on_demand, 6), currency=CURRENCY, region=REGION, as_of=AS_OF)
