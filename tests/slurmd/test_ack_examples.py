"""The examples for Alibaba Cloud that the repository ships, with real daemons; see `ack_pods.py` for what differs.

Their machines are larger than this one, so no worker is started: slurmctld takes the files, and asks for nodes.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from devcluster.slurm_images import SlurmImage
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.pools import node_pools
from pulumi_slurm_stacks.ack_config import AckConfig
from tests.shipped_stacks import shipped
from tests.slurmd.ack_pods import AckCluster
from tests.slurmd.site import Site
from tests.slurmd.test_ack import complaints


def example(name: str) -> AckConfig:
    """Return an example; its Slurm is the only one here with munge (difference 2)."""
    config = {key.removeprefix("slurm:"): value for key, value in shipped(name).items()}
    config["ack"]["slurm"] = {**config["ack"].get("slurm", {}), "slurmVersion": "24.11.5"}
    reading = AckConfig.read(config)
    assert isinstance(reading.config, AckConfig), reading.errors
    return reading.config


@pytest.fixture(params=["ack-slurm-operator", "ack-colocated"])
def cluster(request: pytest.FixtureRequest, images: dict[str, SlurmImage], tmp_path: Path) -> Iterator[AckCluster]:
    config = example(request.param)
    with Site(images["24.11"], tmp_path) as site:
        cluster = AckCluster(site, config.slurm, node_pools(AckPlan.of(config.ack)), config.ack.slurm)
        cluster.start_slurmdbd()
        cluster.start_slurmctld()
        yield cluster


def test_the_daemons_start_with_its_files(cluster: AckCluster) -> None:
    for name in ("slurmdbd", "slurmctld"):
        assert complaints(cluster.daemons[name].complaints) == [], name
    partitions = cluster.run("sinfo", "--noheader", "--format=%R").split()
    assert partitions == [partition.name for partition in cluster.spec.partitions]
    counts = {node_set.name: node_set.replicas or 0 for node_set in cluster.spec.node_sets if cluster.ack.copilot}
    listed = {f"{cluster.spec.name}-worker-{name}": count for name, count in {**counts, **scaled(cluster)}.items()}
    assert cluster.node_states().keys() == {f"{group}-{at}" for group, count in listed.items() for at in range(count)}


def scaled(cluster: AckCluster) -> dict[str, int]:
    return cluster.ack.power_saving.groups
