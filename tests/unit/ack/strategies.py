"""Random ACK specifications that are valid, and Slurm clusters on their pools.

Names of pools and node sets come from short lists, since what is tested doesn't depend on letters.
"""

from typing import Any

from hypothesis import assume, strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from pulumi_slurm.ack.model import AckCapacity, AckOperator, AckPoolSpec, AckSpec, Cni
from pulumi_slurm.ack.rules import check_ack
from pulumi_slurm.errors import Severity
from pulumi_slurm.machines.ack import AckCatalogueSpec, AckMachineTypeSpec, Architecture, terway_pods
from pulumi_slurm.model import NodeSetSpec, ScalingMode, SlurmSpec
from pulumi_slurm.rules import checked

REGIONS = {
    "cn-hangzhou": ["cn-hangzhou-h", "cn-hangzhou-i", "cn-hangzhou-j"],
    "us-west-1": ["us-west-1a", "us-west-1b"],
}
TYPES = [
    machine_type
    for name in AckCatalogueSpec().names()
    if (machine_type := AckCatalogueSpec().find(name)).memory_gib >= 8
    and machine_type.vcpus >= 4
    and (terway_pods(machine_type) or 12) > 11
]
SCALED = st.fixed_dictionaries({"min_nodes": st.integers(0, 3), "max_nodes": st.integers(4, 60)})
FIXED = st.fixed_dictionaries({"nodes": st.integers(0, 40)})
VPCS = ["10.0.0.0/8", "10.32.0.0/12", "172.16.0.0/12", "192.168.0.0/16"]


def alike(machine_type: AckMachineTypeSpec) -> list[str]:
    """Return the instance types that can share a pool with one, itself first."""
    gpus = machine_type.gpus and (machine_type.gpus.nvidia_name, machine_type.gpus.count)
    others = [
        other.name
        for other in TYPES
        if other.architecture is machine_type.architecture
        and (other.gpus and (other.gpus.nvidia_name, other.gpus.count)) == gpus
    ]
    return [machine_type.name, *(name for name in others if name != machine_type.name)]


@st.composite
def pools(draw: DrawFn, name: str, zones: list[str]) -> AckPoolSpec:
    """Draw a pool."""
    machine_type = draw(st.sampled_from(TYPES))
    capacity = draw(st.sampled_from(AckCapacity))
    private_pool = None if capacity is AckCapacity.SPOT else draw(st.sampled_from([None, "eap-bp1example"]))
    chosen = alike(machine_type)[: 1 if private_pool else draw(st.integers(1, 3))]
    limits = capacity is AckCapacity.SPOT and draw(st.booleans())
    arm = machine_type.architecture is Architecture.ARM64
    size = draw(SCALED | FIXED)
    fields: dict[str, Any] = {
        "name": name,
        "instance_types": chosen,
        "zones": zones[:1] if private_pool else draw(st.lists(st.sampled_from(zones), unique=True)),
        "capacity": capacity,
        "spot_price_limits": dict.fromkeys(chosen, 2.5) if limits else {},
        "subscription_months": draw(st.sampled_from([1, 12])) if capacity is AckCapacity.SUBSCRIPTION else 1,
        "private_pool": private_pool,
        "user_data": draw(st.sampled_from([None, "#!/bin/sh\n"])),
        "on_demand_instead": capacity is AckCapacity.SPOT and "nodes" in size and draw(st.booleans()),
        "image_type": draw(st.sampled_from(["AliyunLinux3"] if arm else ["AliyunLinux3", "ContainerOS", "Ubuntu"])),
        "driver_version": "550.144.03" if machine_type.gpus and draw(st.booleans()) else None,
        "dedicated": draw(st.booleans()),
        "node_labels": draw(st.sampled_from([{}, {"team": "a"}])),
        "taints": draw(st.sampled_from([[], [{"key": "team", "value": "a"}]])),
        **size,
    }
    return AckPoolSpec(**fields)


@st.composite
def ack_specs(draw: DrawFn) -> AckSpec:
    """Draw an ACK cluster with up to three pools."""
    region = draw(st.sampled_from(sorted(REGIONS)))
    zones = draw(st.permutations(REGIONS[region]).map(lambda all_: all_[: len(all_) - 1]))
    names = draw(st.lists(st.sampled_from(["cpu", "gpu", "big"]), min_size=1, unique=True))
    cni = draw(st.sampled_from(Cni))
    fields = {
        "region": region,
        "zones": zones,
        "name": "slurm",
        "pools": [draw(pools(name, REGIONS[region])) for name in names],
        "network": {"vpc_range": draw(st.sampled_from(VPCS))},
        "controlPlane": {"cni": cni},
        "slurmOperator": draw(st.sampled_from(AckOperator)),
        "storage": draw(st.sampled_from([[], [{"name": "home", "mount_path": "/home"}]])),
        "database": draw(st.sampled_from([None, {}])),
    }
    drawn = AckSpec.model_validate(fields)
    # A small VPC may have no room, and a vSwitch not enough for so many pods; warnings are for users.
    assume(all(error.severity is Severity.WARNING for error in check_ack(drawn)))
    return drawn


@st.composite
def clusters(draw: DrawFn, ack: AckSpec) -> SlurmSpec:
    """Draw a Slurm cluster with a node set on each pool."""
    extra = draw(st.sampled_from([{}, {"ResumeTimeout": 900}, {"SlurmctldTimeout": 60}]))
    return checked(
        SlurmSpec(
            name="slurm",
            node_sets=[draw(node_set(pool)) for pool in ack.pools],
            slurm_conf={"extra": extra},
            accounting=draw(st.none() | st.just({})),
        )
    )


def node_set(pool: AckPoolSpec) -> SearchStrategy[NodeSetSpec]:
    """Draw a node set on a pool."""
    fixed = st.integers(0, pool.most_nodes).map(
        lambda replicas: NodeSetSpec(name=f"{pool.name}-nodes", pool=pool.name, replicas=replicas)
    )
    daemon = NodeSetSpec(name=f"{pool.name}-nodes", pool=pool.name, scaling_mode=ScalingMode.DAEMON_SET)
    return fixed | st.just(daemon)
