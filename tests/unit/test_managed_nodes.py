"""Pools of clouds whose nodes run pods of the bridge."""

from typing import Any

import pytest

from pulumi_slurm.errors import SpecError
from tests.shipped_stacks import shipped
from tests.stack_configuration import read_with_secrets

MANAGED = ("slinky.slurm.net/managed-node", "slurm-bridge-scheduler", "NoExecute")
OWN = ("slurm.pulumi.com/pool", "bridged", "NoSchedule")


def with_bridge(kind: str, **pool: Any) -> dict[str, Any]:
    """Return a shipped stack with a bridge and one more pool, whose nodes have no slurmd."""
    settings = shipped(kind)
    cluster = settings["slurm:cluster"]
    settings[f"slurm:{kind}"]["pools"].append({"name": "bridged", "nodes": 2, **pool})
    cluster["bridge"] = {
        "partition": "pods",
        "namespaces": [{"name": "team-a"}],
        "externalNodes": [{"name": "kubernetes", "pool": "bridged"}],
    }
    node_sets = [node_set["name"] for node_set in cluster["nodeSets"]]
    cluster["partitions"] = [{"name": "all", "nodeSets": node_sets}, {"name": "pods", "nodeSets": ["kubernetes"]}]
    return settings


def taints(kind: str, **pool: Any) -> dict[str, list[tuple[str, str | None, str]]]:
    """Return the taints of each pool of such a stack."""
    config, _ = read_with_secrets(with_bridge(kind, **pool))
    return {
        planned.name: [(taint.key, taint.value, taint.effect.value) for taint in planned.pool.taints]
        + ([OWN] if planned.pool.dedicated else [])
        for planned in config.plan.pools  # type: ignore[attr-defined]
    }


POOLS: dict[str, dict[str, Any]] = {
    "gke": {"machineType": "n2-standard-16"},
    "ack": {"instanceTypes": ["ecs.g7.4xlarge"]},
}


@pytest.mark.parametrize("kind", POOLS)
def test_nodes_are_born_with_the_taint_of_the_bridge_in_place_of_the_pool_s(kind: str) -> None:
    found = taints(kind, **POOLS[kind])
    assert found.pop("bridged") == [MANAGED]
    assert found
    assert not any(MANAGED in others for others in found.values())


@pytest.mark.parametrize("kind", POOLS)
def test_a_pool_that_is_to_be_dedicated_stays_so(kind: str) -> None:
    assert taints(kind, dedicated=True, **POOLS[kind])["bridged"] == [MANAGED, OWN]


@pytest.mark.parametrize(
    ("kind", "old", "new"), [("gke", "1.33.9-gke.99", "1.34"), ("ack", "1.33.3-aliyun.1", "1.34.1-aliyun.1")]
)
def test_the_bridge_needs_a_version_of_kubernetes(kind: str, old: str, new: str) -> None:
    settings = with_bridge(kind, **POOLS[kind])
    cloud = settings[f"slurm:{kind}"]
    cloud.setdefault("controlPlane", {})["version"] = old
    with pytest.raises(SpecError) as refused:
        read_with_secrets(settings)
    (error,) = refused.value.errors
    assert str(error) == (
        f'slurm:cluster.bridge: slurm-bridge needs Kubernetes 1.34, and {kind}.controlPlane.version is "{old}". '
        "Write 1.34 or a later version there, or leave bridge out."
    )
    cloud["controlPlane"]["version"] = new
    read_with_secrets(settings)
