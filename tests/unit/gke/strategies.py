"""Random GKE specifications that are valid, and Slurm clusters on their pools.

Names of pools and node sets come from short lists, since the tests don't depend on their letters.
"""

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from pulumi_slurm.gke.model import GkeCapacity, GkeCapacityOptionSpec, GkePoolSpec, GkeSpec
from pulumi_slurm.gke.plan.planned_pool import planned_pools
from pulumi_slurm.gke.rules import checked_gke
from pulumi_slurm.machines.gke import GkeCatalogueSpec, GkeFabric, GkeMachineTypeSpec
from pulumi_slurm.model import (
    AutoscalingSpec,
    NodeSetSpec,
    PartitionOptionsSpec,
    PartitionSpec,
    PreemptMode,
    ScalingMode,
    SlurmSpec,
)
from pulumi_slurm.rules import checked

ZONES = ["us-central1-a", "us-central1-b"]
MACHINE_TYPES = [
    machine_type
    for machine_type in map(GkeCatalogueSpec().find, GkeCatalogueSpec().names())
    if machine_type.memory_gib >= 12 and machine_type.vcpus >= 4
]
SCALED = st.fixed_dictionaries({"min_nodes": st.integers(0, 3), "max_nodes": st.integers(3, 40)})
FIXED = st.fixed_dictionaries({"nodes": st.integers(0, 20).map(lambda half: half * 2)})


def capacities(machine_type: GkeMachineTypeSpec) -> list[GkeCapacity]:
    """Return the capacities that a machine type offers."""
    offered = [GkeCapacity.RESERVATION]
    offered += [GkeCapacity.SPOT] if machine_type.spot else []
    offered += [GkeCapacity.ON_DEMAND] if machine_type.on_demand else []
    return offered + ([GkeCapacity.FLEX_START] if machine_type.flex_start else [])


@st.composite
def options(draw: DrawFn, capacity: GkeCapacity) -> dict[str, Any]:
    """Draw the fields of a capacity option."""
    fields: dict[str, Any] = {"capacity": capacity}
    if capacity is GkeCapacity.FLEX_START:
        fields["max_nodes"] = draw(st.integers(1, 40))
        if draw(st.booleans()):
            fields["max_run_duration"] = draw(st.sampled_from(["1-00:00:00", "600"]))
        return fields
    if capacity is GkeCapacity.RESERVATION:
        fields["reservation"] = "mine"
    return {**fields, **draw(SCALED | FIXED)}


@st.composite
def pools(draw: DrawFn, name: str, with_priorities: bool | None = None) -> GkePoolSpec:
    """Draw a pool, with priorities or without."""
    machine_type = draw(st.sampled_from(MACHINE_TYPES))
    offered = st.sampled_from(capacities(machine_type))
    if draw(st.booleans()) if with_priorities is None else with_priorities:
        chosen = draw(st.lists(offered, min_size=1, max_size=4, unique=True))
        option_fields: dict[str, Any] = {
            "priorities": [GkeCapacityOptionSpec(**draw(options(capacity))) for capacity in chosen]
        }
    else:
        chosen = [draw(offered)]
        option_fields = draw(options(chosen[0]))
    has_flex_start = GkeCapacity.FLEX_START in chosen
    can_be_compact = machine_type.compact_flex_start if has_flex_start else machine_type.compact_placement
    # A reservation would need the name of its policy.
    compact = can_be_compact and GkeCapacity.RESERVATION not in chosen and draw(st.booleans())
    in_one_zone = compact or machine_type.fabric is not GkeFabric.NONE or GkeCapacity.RESERVATION in chosen
    fields: dict[str, Any] = {
        "name": name,
        "machine_type": machine_type.name,
        "compact_placement": compact,
        "zones": draw(st.sampled_from([[ZONES[0]]] if in_one_zone else [[], ZONES])),
        "image_streaming": draw(st.booleans()),
        "dedicated": draw(st.booleans()),
        "node_labels": draw(st.sampled_from([{}, {"team": "a"}])),
        "taints": draw(st.sampled_from([[], [{"key": "team", "value": "a"}]])),
    }
    return GkePoolSpec(**fields, **option_fields)


@st.composite
def gke_specs(draw: DrawFn, with_priorities: bool | None = None) -> GkeSpec:
    """Draw a GKE cluster with up to three pools."""
    names = draw(st.lists(st.sampled_from(["cpu", "gpu", "big"]), min_size=1, unique=True))
    return checked_gke(
        GkeSpec(
            project="my-project",
            region="us-central1",
            zones=ZONES,
            name="slurm",
            pools=[draw(pools(name, with_priorities)) for name in names],
        )
    )


@st.composite
def clusters(draw: DrawFn, gke: GkeSpec) -> SlurmSpec:
    """Draw a Slurm cluster with a node set on each pool, and partitions over them."""
    node_sets = [draw(node_set(pool)) for pool in gke.pools]
    partitions = [
        PartitionSpec(name=name, node_sets=draw(_members(node_sets)), **draw(partition_options()))
        for name in draw(st.lists(st.sampled_from(["short", "long"]), unique=True))
    ]
    extra = draw(st.sampled_from([{}, {"JobRequeue": 1}, {"JobRequeue": 0}, {"ResumeTimeout": 60}]))
    return checked(
        SlurmSpec(
            name="slurm",
            node_sets=node_sets,
            partitions=partitions,
            slurm_conf={"extra": extra},
            accounting=draw(st.none() | st.just({})),
        )
    )


def _members(node_sets: list[NodeSetSpec]) -> SearchStrategy[list[str]]:
    names = [node_set.name for node_set in node_sets]
    return st.just(["ALL"]) | st.lists(st.sampled_from(names), min_size=1, unique=True)


@st.composite
def node_set(draw: DrawFn, pool: GkePoolSpec) -> NodeSetSpec:
    """Draw a node set on a pool."""
    fields: dict[str, Any] = {"name": f"{pool.name}-nodes", "pool": pool.name}
    scaling = draw(st.sampled_from(["fixed", "hpa", "daemon"]))
    if scaling == "daemon":
        fields["scaling_mode"] = ScalingMode.DAEMON_SET
    elif scaling == "hpa":
        max_replicas = draw(st.integers(1, 50)) if pool.priorities else pool.most_nodes
        if max_replicas:
            fields["autoscaling"] = AutoscalingSpec(
                kind="hpa", min_replicas=draw(st.integers(1, max_replicas)), max_replicas=max_replicas
            )
    else:
        fields["replicas"] = draw(st.integers(0, pool.most_nodes))
    if scaling != "daemon" and draw(st.booleans()):
        fields["host_name_prefix"] = f"{pool.name}x-"
    if "autoscaling" not in fields and scaling != "daemon":
        fields.setdefault("replicas", 0)
    fields |= draw(
        st.fixed_dictionaries(
            {},
            optional={
                "weight": st.integers(0, 100),
                "features": st.sampled_from([["fast"], ["spot"], []]),
                "partition": partition_options().map(lambda options: PartitionOptionsSpec(**options)),
            },
        )
    )
    return NodeSetSpec(**fields)


def partition_options() -> SearchStrategy[dict[str, Any]]:
    """Draw the options of a partition that determine which capacity options suit it."""
    return st.fixed_dictionaries(
        {},
        optional={
            "max_time": st.sampled_from(["UNLIMITED", "60", "2-00:00:00", "30-00:00:00"]),
            "preempt_mode": st.just(PreemptMode.OFF),
        },
    )


def options_of(gke: GkeSpec, pool: str) -> list[Any]:
    """Return the planned pools of a pool."""
    return [planned for planned in planned_pools(gke) if planned.pool.name == pool]
