"""The tree of GKE's blocks, in which nodes take places that slurmctld hasn't heard of before."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from devcluster.slurm_images import SlurmImage
from pulumi_slurm.gke.model import GkeSpec
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.topology import with_topology
from pulumi_slurm.gke.rules import checked_gke
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.rules import checked
from pulumi_slurm.slurmconf.version import Series
from tests.slurmd.cluster import Cluster
from tests.slurmd.rendered import rendered_files
from tests.slurmd.site import Site

SERIES = "26.05"
"""The older of the images reads no topology.yaml."""
PLACES = {
    "gpu-0": "Topology=gke:root:/b1:/b1/s1",
    "gpu-1": "Topology=gke:root:/b1:/b1/s2",
    "gpu-2": "Topology=gke:root:unknown",
    "gpu-3": "",
}
FILES = rendered_files(
    with_topology(
        GkePlan.of(
            checked_gke(
                GkeSpec(
                    project="my-project",
                    region="us-central1",
                    zones=["us-central1-b"],
                    pools=[{"name": "gpu", "machineType": "a3-ultragpu-8g", "capacity": "spot", "nodes": 4}],
                )
            )
        ),
        checked(
            SlurmSpec(
                **{"name": "c", "slurmVersion": SERIES, "operatorVersion": "1.2.1"},
                **{"nodeSets": [{"name": "gpu", "pool": "gpu", "replicas": 4, "partition": {}}]},
            )
        ),
    ),
    Series.of(SERIES),
)


@pytest.fixture
def cluster(images: dict[str, SlurmImage], tmp_path: Path) -> Iterator[Cluster]:
    with Site(images[SERIES], tmp_path) as site:
        cluster = Cluster(site)
        cluster.start_controller(FILES)
        cluster.start_workers({name: f"Features=gpu {topology}".strip() for name, topology in PLACES.items()})
        yield cluster


def run(cluster: Cluster, *options: str) -> list[str]:
    """Return the nodes on which a job ran."""
    return sorted(cluster.controller.host.run(["srun", "--partition=gpu", *options, "hostname"]).split())


def all_idle(cluster: Cluster) -> None:
    for name in PLACES:
        cluster.wait_idle(name)


def test_nodes_take_their_places_and_keep_them(cluster: Cluster) -> None:
    assert run(cluster, "--nodes=3") == ["gpu-0", "gpu-1", "gpu-2"]
    assert run(cluster, "--nodes=1", "--nodelist=gpu-3") == ["gpu-3"]
    topology = PLACES["gpu-0"]
    cluster.controller.host.run(["scontrol", "update", "nodename=gpu-3", topology])
    for again in (partial(cluster.start_controller, FILES, keep_state=True), partial(cluster.reconfigure, FILES)):
        assert run(cluster, "--nodes=2", "--switches=1") == ["gpu-0", "gpu-3"]
        all_idle(cluster)  # A slurmctld that ends along with a job waits long for what it missed.
        again()
        all_idle(cluster)
    assert run(cluster, "--nodes=4") == sorted(PLACES)
