"""Only pods on pools with a fast network name its networks: on any other node they would never start."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any

import pytest

from devcluster.folders import CHECKOUT
from pulumi_slurm.gke.plan.extra_networks import uses_fabric
from pulumi_slurm.model import PodSpec
from pulumi_slurm_stacks.gke_config import GkeConfig
from tests.shipped_stacks import shipped
from tests.stack_configuration import read_with_secrets

STACKS = [
    file.name.split(".")[1] for file in sorted(CHECKOUT.glob("Pulumi.*.yaml")) if "slurm:gke:" in file.read_text()
]
Settings = dict[str, Any]
Feature = Callable[[Settings, Settings], None]


def bucket(gke: Settings, _: Settings) -> None:
    gke["storage"].append({"name": "more", "mountPath": "/more", "bucket": {}})


def fast_network(gke: Settings, cluster: Settings) -> None:
    # Before all others: what its pods have must not reach those that follow.
    gke["pools"].insert(0, {"name": "fast", "machineType": "a3-highgpu-8g", "capacity": "spot", "nodes": 2})
    cluster["nodeSets"].insert(0, {"name": "fast", "pool": "fast", "replicas": 2})


def priorities(gke: Settings, cluster: Settings) -> None:
    options = [{"capacity": "on-demand", "maxNodes": 2}, {"capacity": "spot", "maxNodes": 2}]
    gke["pools"].append({"name": "late", "machineType": "n2-standard-8", "priorities": options})
    cluster["nodeSets"].append({"name": "late", "pool": "late", "replicas": 4})


def annotations(_: Settings, cluster: Settings) -> None:
    for node_set in cluster["nodeSets"]:
        node_set["pod"] = {"annotations": {"example.org/team": "vision"}}


def configuration(stack: str, *features: Feature) -> GkeConfig:
    settings = shipped(stack)
    for add in features:
        add(settings["slurm:gke"], settings["slurm:cluster"])
    config, _ = read_with_secrets(settings)
    assert isinstance(config, GkeConfig)
    return config


def pods(config: GkeConfig) -> Iterator[tuple[str | None, PodSpec]]:
    """Return each kind of pod, with its pool."""
    yield from ((node_set.pool, node_set.pod) for node_set in config.slurm.node_sets)
    yield from ((None, login_set.pod) for login_set in config.slurm.login_sets)


def has_networks(pod: PodSpec) -> bool:
    return any(name.startswith(("networking.gke.io/", "devices.gke.io/")) for name in pod.annotations)


def pools_with_networks(config: GkeConfig) -> set[str | None]:
    return {pool for pool, pod in pods(config) if has_networks(pod)}


def fast_pools(config: GkeConfig) -> set[str | None]:
    return {pool.name for pool in config.plan.pools if uses_fabric(pool)}


@pytest.mark.parametrize("stack", STACKS)
@pytest.mark.parametrize("features", [(), *combinations((bucket, fast_network, priorities, annotations), 2)])
def test_only_pods_on_a_fast_network_name_its_networks(stack: str, features: Sequence[Feature]) -> None:
    config = configuration(stack, *features)
    assert pools_with_networks(config) == fast_pools(config)


@pytest.mark.parametrize("first", STACKS)
@pytest.mark.parametrize("second", STACKS)
def test_a_cluster_changes_no_other_one_of_a_program(first: str, second: str) -> None:
    before = configuration(second, bucket)
    assert configuration(first, bucket, fast_network).slurm
    after = configuration(second, bucket)
    assert pools_with_networks(after) == fast_pools(after)
    assert after.slurm == before.slurm
