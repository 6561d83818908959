"""The cloud: its specification, its rules, and its definition."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from pulumi_slurm.clouds.cloud import Cloud, CloudSpec, MachinePrice
from pulumi_slurm.clouds.load import load_cloud
from pulumi_slurm.clouds.pool import CloudPoolSpec
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model import MachineSpec, NodePoolSpec, SlurmSpec
from pulumi_slurm.rules.run import run_rules

LABEL = "toy.example.com/pool"
MOST_NODES = 8


class ToyPoolSpec(CloudPoolSpec):
    """A node pool."""

    _max_name_length: ClassVar = 20

    size: int
    """CPUs of a node; it has 4 GiB of memory for each."""
    nodes: int = 1
    """How many nodes there are."""


class ToySpec(CloudSpec):
    """A cluster of toy machines."""

    _max_name_length: ClassVar = 20

    pools: list[ToyPoolSpec] = []
    """The node pools."""


def pools_are_small(toy: ToySpec) -> Iterator[FieldError]:
    """Refuse pools of more nodes than there are toys."""
    for index, pool in enumerate(toy.pools):
        if pool.nodes > MOST_NODES:
            problem = f"there are {MOST_NODES} toys"
            yield FieldError(("pools", index, "nodes"), pool.nodes, problem, f"Write {MOST_NODES} or less.")


def accounting_is_left_out(toy: ToySpec, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse accounting, for which there is no database."""
    if slurm.accounting:
        problem = f"{toy.region} has no database"
        yield FieldError(("accounting",), slurm.accounting, problem, "Leave it out.")


def check_toy(toy: ToySpec) -> Iterator[FieldError]:
    return run_rules((pools_are_small,), toy)


def load_toy(data: Mapping[str, Any], *, at: Path = ()) -> ToySpec:
    return load_cloud(
        ToySpec,
        data,
        check_toy,
        {"region": "here", "zones": ["here"]},
        region_of=lambda zone: zone,
        zone_in=lambda region: region,
        at=at,
        subject="The toy specification",
    )


def node_pools(toy: ToySpec) -> list[NodePoolSpec]:
    return [
        NodePoolSpec(
            name=pool.name,
            machine=MachineSpec(cpus=pool.size, memory=f"{4 * pool.size}Gi"),
            node_labels={LABEL: pool.name},
            max_nodes=pool.nodes,
        )
        for pool in toy.pools
    ]


CLOUD = Cloud(
    key="toy",
    cluster="toy cluster",
    spec=ToySpec,
    load=load_toy,
    check=check_toy,
    rules=(pools_are_small, accounting_is_left_out),
    plan=lambda toy: toy,
    placeholders={"region": "here", "zones": ["here"]},
    example="Write toy: {region: ..., pools: [...]}.",
    pool_label=LABEL,
    pools_to_name=node_pools,
    pools=node_pools,
    check_slurm=lambda toy, slurm: run_rules((accounting_is_left_out,), toy, slurm),
    complete=lambda toy, slurm: slurm,
    price_of=lambda shape, *_: (
        MachinePrice(on_demand=2, spot=1, currency="TOY") if shape == "brick" else MachinePrice()
    ),
)
