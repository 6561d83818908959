"""The number of nodes of a pool, and their price limits.

Source: the provider's description of scaling_config, desired_size, spot_strategy and compensate_with_on_demand of
alicloud_cs_kubernetes_node_pool.
"""

from collections.abc import Iterator, Sequence
from types import MappingProxyType

from pulumi_slurm.ack.model.pool import AckCapacity, AckPoolSpec
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.clouds.rules.pools import a_fixed_number_has_no_bounds, number_is_missing
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.rules.run import Rule, warns

_MACHINES = MappingProxyType(
    {AckCapacity.SPOT: "spot machines", AckCapacity.SUBSCRIPTION: "machines that are paid for in advance"}
)


def numbers_agree(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse numbers of nodes that are missing or contradict each other."""
    for index, pool in enumerate(plan.spec.pools):
        at: Path = ("pools", index)
        if pool.nodes is not None:
            yield from a_fixed_number_has_no_bounds(at, pool)
        elif pool.max_nodes is None:
            yield number_is_missing(at)
        elif pool.max_nodes <= pool.min_nodes:
            yield FieldError(
                (*at, "max_nodes"),
                pool.max_nodes,
                f"ACK requires it to be above minNodes, {pool.min_nodes}",
                f"Write {pool.min_nodes + 1} or more, or nodes: {pool.min_nodes} for a fixed number.",
                depends_on_fields=((*at, "min_nodes"),),
            )


@warns
def system_pool_is_not_scaled(plan: AckPlan) -> Iterator[FieldError]:
    """Warn about a system pool that ACK scales: it keeps some of its components off nodes that it scales.

    Those nodes have the label k8s.aliyun.com=true for this purpose, as Terraform's provider alicloud says in
    website/docs/r/cs_kubernetes_node_pool.html.markdown. Also, Slurm's pods have to move when a node is removed.
    """
    pool = plan.spec.system_pool
    if pool.min_nodes < pool.max_nodes:
        yield FieldError(
            ("system_pool", "max_nodes"),
            pool.max_nodes if "max_nodes" in pool.model_fields_set else FieldError.ABSENT,
            f"above minNodes, {pool.min_nodes}, ACK scales this pool: some of its own components avoid such nodes, and "
            "slurmctld is restarted whenever its node is removed",
            "Write the same number as minNodes.",
            depends_on_fields=(("system_pool", "min_nodes"),),
        )


def repairs_agree(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse restarts for the sake of repairs in pools without repairs."""
    for index, pool in enumerate(plan.spec.pools):
        if pool.restart_to_repair and not pool.auto_repair:
            yield FieldError(
                ("pools", index, "restart_to_repair"),
                True,
                "autoRepair is false, so ACK repairs nothing",
                "Leave it out, or leave autoRepair out.",
                depends_on_fields=(("pools", index, "auto_repair"),),
            )


@warns
def subscriptions_stay(plan: AckPlan) -> Iterator[FieldError]:
    """Warn of machines that are paid for in advance in a pool that ACK scales."""
    for index, pool in enumerate(plan.spec.pools):
        if pool.capacity is AckCapacity.SUBSCRIPTION and pool.is_scaled:
            yield FieldError(
                ("pools", index, "capacity"),
                str(pool.capacity),
                "ACK scales this pool, and a machine that it takes away is paid for to the end of its time",
                "Write nodes for a fixed number, or capacity on-demand.",
                depends_on_fields=(("pools", index, "nodes"),),
            )


def spot_fields_agree(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse fields of spot machines in other pools and the other way round, price limits for only some of the instance
    types, and on-demand machines instead in a pool that ACK scales.

    Source of the last: https://www.alibabacloud.com/help/en/ack/ack-managed-and-ack-dedicated/user-guide/faq-about-node-instant-scaling.
    """
    for index, pool in enumerate(plan.spec.pools):
        at: Path = ("pools", index)
        if pool.capacity is not AckCapacity.SPOT:
            yield from _fields_of(AckCapacity.SPOT, ("spot_price_limits", "on_demand_instead"), at, pool)
            continue
        if pool.on_demand_instead and pool.is_scaled:
            yield FieldError(
                (*at, "on_demand_instead"),
                True,
                "ACK's autoscaler doesn't see whether there are spot machines, so it would always buy on-demand ones",
                "Leave it out, and add a pool with capacity on-demand; or write nodes for a fixed number.",
                depends_on_fields=((*at, "nodes"),),
            )
        for name in pool.spot_price_limits:
            if name not in pool.instance_types:
                yield FieldError(
                    (*at, "spot_price_limits", name),
                    pool.spot_price_limits[name],
                    "the pool has no such instance type",
                    f"Write one of: {', '.join(pool.instance_types)}.",
                    depends_on_fields=((*at, "instance_types"),),
                )
        unlimited = [name for name in pool.instance_types if name not in pool.spot_price_limits]
        if pool.spot_price_limits and unlimited:
            yield FieldError(
                (*at, "spot_price_limits"),
                pool.spot_price_limits,
                f"there is no limit for {' and '.join(unlimited)}, and ACK takes limits for all types or for none",
                "Add one for each instance type, or leave spotPriceLimits out.",
                depends_on_fields=((*at, "instance_types"),),
            )


def subscription_fields_agree(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse fields of subscriptions in other pools."""
    for index, pool in enumerate(plan.spec.pools):
        if pool.capacity is not AckCapacity.SUBSCRIPTION:
            fields = ("subscription_months", "subscription_renewed")
            yield from _fields_of(AckCapacity.SUBSCRIPTION, fields, ("pools", index), pool)


def _fields_of(capacity: AckCapacity, fields: Sequence[str], at: Path, pool: AckPoolSpec) -> Iterator[FieldError]:
    """Yield errors of fields that are only for one capacity, in a pool of another one."""
    for field in fields:
        if (value := getattr(pool, field)) != AckPoolSpec.model_fields[field].get_default(call_default_factory=True):
            yield FieldError(
                (*at, field),
                value,
                f"this is only for {_MACHINES[capacity]}, and capacity is {pool.capacity}",
                f'Leave it out, or write capacity "{capacity}".',
                depends_on_fields=((*at, "capacity"),),
            )


RULES: tuple[Rule, ...] = (
    numbers_agree,
    system_pool_is_not_scaled,
    spot_fields_agree,
    subscription_fields_agree,
    subscriptions_stay,
    repairs_agree,
)
