"""Topologies from labels of Kubernetes nodes, with real slurmctld and slurmds: where jobs run, and what nodes keep.

The places of nodes are those that the program of the Deployment writes, which slurm-operator passes on to slurmd.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from devcluster.slurm_images import SlurmImage
from pulumi_slurm.manifests.topology import ANNOTATION, node_topology
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.rules import checked
from pulumi_slurm.slurmconf.version import Series
from tests.annotating import annotate, nodes_of
from tests.doc_blocks import blocks
from tests.kubectl import node
from tests.slurmd.cluster import Cluster
from tests.slurmd.host import CommandError
from tests.slurmd.rendered import rendered_files
from tests.slurmd.site import Site
from tests.waiting import equals

SERIES = "26.05"
PAGE = [block for block in blocks() if block.file.name == "topology.md"]
(NET, RACKS) = next(
    yaml.safe_load(block.text)["config"]["slurm:cluster"]["topologies"] for block in PAGE if block.check == "config"
)
"""The topologies of the page: a tree of zones and racks, and blocks that are racks."""
LABELS = {
    "w-0": ("z1", "r1"),
    "w-1": ("z2", "r2"),
    "w-2": ("z1", "r1"),
    "w-3": ("z2", "r2"),
    "w-4": ("z1", "r3"),
    "w-5": ("", "r3"),
}
"""Zone and rack. Nodes beside each other by name are not near each other."""


def spec(*topologies: dict[str, Any]) -> SlurmSpec:
    """Return a cluster with a partition for each topology, and one that names none."""
    names = [topology["name"] for topology in topologies]
    return checked(
        SlurmSpec(
            **{"name": "c", "slurmVersion": SERIES, "operatorVersion": "1.2.1", "topologies": list(topologies)},
            **{"nodeSets": [{"name": "w", "replicas": 6, "machine": {"cpus": 2, "memory": "2Gi"}}]},
            partitions=[
                {"name": "main", "nodeSets": ["ALL"], "default": True},
                *({"name": name, "nodeSets": ["ALL"], "topology": name} for name in names),
            ],
        )
    )


def files(*topologies: dict[str, Any]) -> dict[str, str | bytes]:
    """Return /etc/slurm of slurmctld."""
    return rendered_files(spec(*topologies), Series.of(SERIES))


@pytest.fixture
def confs(tmp_path: Path) -> dict[str, str]:
    """Return what --conf of each slurmd says."""
    cluster = spec(NET, RACKS)
    *_, deployment = node_topology(ClusterRef.of(cluster), cluster.topologies, [{}])
    places = annotate(deployment, nodes_of(NET["nodeLabels"], LABELS), tmp_path / "kubectl").places
    return {name: f"Features=w Topology={place}" for name, place in places.items()}


@pytest.fixture
def cluster(images: dict[str, SlurmImage], tmp_path: Path, confs: dict[str, str]) -> Iterator[Cluster]:
    with Site(images[SERIES], tmp_path) as site:
        cluster = Cluster(site)
        cluster.start_controller(files(NET, RACKS))
        cluster.start_workers(confs)
        yield cluster


def run(cluster: Cluster, partition: str, nodes: int, *options: str) -> list[str]:
    """Run a job; return its nodes in the order of its tasks."""
    all_idle(cluster)
    output = cluster.run("srun", f"--partition={partition}", f"--nodes={nodes}", "--label", *options, "hostname")
    return [line.partition(": ")[2] for line in sorted(output.splitlines())]


def all_idle(cluster: Cluster) -> None:
    for name in LABELS:
        cluster.wait_idle(name)


def place(cluster: Cluster, node: str) -> str:
    """Return where slurmctld has a node."""
    lines = cluster.run("scontrol", "show", "node", node).split()
    return next((line.removeprefix("Topology=") for line in lines if line.startswith("Topology=")), "")


def test_each_partition_has_its_topology(cluster: Cluster) -> None:
    (shown,) = (block.text for block in PAGE if block.check == "places")
    racks = cluster.run("scontrol", "show", "topology", "racks").strip()
    assert shown.endswith(f"\n{place(cluster, 'w-0')}\n$ scontrol show topology racks\n{racks}\n".replace("w-", "gpu-"))
    assert "SwitchName=/z1 Level=1 LinkSpeed=0 Nodes=w-[0,2,4] Switches=/z1/r1,/z1/r3" in cluster.run(
        "scontrol", "show", "topology", "net"
    )
    assert run(cluster, "main", 3) == ["w-0", "w-1", "w-2"]
    assert run(cluster, "net", 3) == ["w-0", "w-2", "w-4"]
    assert run(cluster, "net", 2, "--switches=1") in (["w-0", "w-2"], ["w-1", "w-3"])
    assert sorted(run(cluster, "racks", 4)) == ["w-0", "w-1", "w-2", "w-3"]


def test_a_job_runs_within_one_block(cluster: Cluster) -> None:
    held = ["sbatch", "--parsable", "--exclusive", "--nodelist=w-0", "--wrap=sleep 3600"]
    job = cluster.run(*held).strip()
    assert cluster.workers["w-0"].daemon
    cluster.workers["w-0"].daemon.eventually("having a job", lambda: cluster.node_state("w-0"), equals("allocated"))
    first = cluster.run("srun", "--partition=racks", "--nodes=2", "hostname").split()
    assert sorted(first) in (["w-1", "w-3"], ["w-4", "w-5"])
    cluster.run("scancel", job)
    with pytest.raises(CommandError, match="Requested node configuration is not available"):
        run(cluster, "racks", 5)


def test_a_group_of_all_blocks_takes_a_job_of_all_nodes(cluster: Cluster) -> None:
    all_idle(cluster)
    cluster.reconfigure(files(NET, RACKS | {"blockSizes": [2, 8]}))
    assert sorted(run(cluster, "racks", 6)) == sorted(LABELS)


def test_nodes_that_return_are_where_they_were_in_another_order(cluster: Cluster, confs: dict[str, str]) -> None:
    for name in ("w-0", "w-1"):
        daemon = cluster.workers[name].daemon
        assert daemon
        daemon.stop()
        cluster.run("scontrol", "delete", f"nodename={name}")
    assert "BlockName=r1 BlockIndex=0 Nodes=w-2 " in cluster.run("scontrol", "show", "topology", "racks")
    for name in ("w-1", "w-0"):
        cluster.start_workers({name: confs[name]})
    assert place(cluster, "w-0") == "net:root:/z1:/z1/r1,racks:r1"
    for _ in range(2):
        # slurmctld has given each the first free slot of its table. Blocks and switches keep their order.
        assert run(cluster, "main", 6) == ["w-1", "w-0", "w-2", "w-3", "w-4", "w-5"]
        assert run(cluster, "racks", 4) == ["w-0", "w-2", "w-1", "w-3"]
        all_idle(cluster)
        cluster.start_controller(files(NET, RACKS), keep_state=True)


def test_slurmctld_takes_a_place_whole_or_not(cluster: Cluster, confs: dict[str, str]) -> None:
    """What the operator asks for when an annotation changes; slurmd's own words count when a node registers first."""
    with pytest.raises(CommandError, match="Requested topology configuration is not available"):
        cluster.run("scontrol", "update", "nodename=w-5", "Topology=net:root:unknown,racks:r9")
    assert place(cluster, "w-5") == "net:root:unknown,racks:r3"
    cluster.run("scontrol", "update", "nodename=w-5", "Topology=net:root:/z1:/z1/r3,racks:r2")
    cluster.start_workers({"w-5": confs["w-5"]})
    assert place(cluster, "w-5") == "net:root:/z1:/z1/r3,racks:r2"


def test_a_block_goes_when_no_node_is_in_it(cluster: Cluster) -> None:
    fewer = files(NET, RACKS | {"blocks": ["r1", "r2"]})
    for name in ("w-4", "w-5"):
        cluster.run("scontrol", "update", f"nodename={name}", "Topology=net:root:unknown")
    all_idle(cluster)
    cluster.reconfigure(fewer)
    all_idle(cluster)
    assert place(cluster, "w-3") == "net:root:/z2:/z2/r2,racks:r2"
    refusal = cluster.refusal(files(NET, RACKS | {"blocks": ["r1"], "blockSizes": [2]}), keep_state=True)
    assert re.search(r"Invalid node topology specified .*racks:r2", refusal)


def test_topologies_go_by_becoming_flat_first(cluster: Cluster, tmp_path: Path) -> None:
    flat = [{"name": name, "kind": "flat"} for name in ("net", "racks")]
    all_idle(cluster)
    cluster.reconfigure(files(*flat))
    all_idle(cluster)
    before = [node(name, annotations={ANNOTATION: place(cluster, name)}) for name in LABELS]
    *_, deployment = node_topology(ClusterRef.of(spec(*flat)), spec(*flat).topologies, [{}])
    places = annotate(deployment, before, tmp_path / "flat").places
    assert places == dict.fromkeys(LABELS, "")
    for name, nowhere in places.items():
        cluster.run("scontrol", "update", f"nodename={name}", f"Topology={nowhere}")
    cluster.reconfigure(files())
    assert run(cluster, "main", 6) == sorted(LABELS)
