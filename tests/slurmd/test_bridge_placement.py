"""Where slurmctld puts jobs of pods: beside ordinary jobs on bridged nodes, and by the nodes' topology."""

from collections.abc import Iterator, Sequence

import pytest

from devcluster.slurm_images import SlurmImage
from tests.slurmd import bridge_requests as requests
from tests.slurmd.bridge import SOON, Bridge
from tests.slurmd.cluster import Cluster
from tests.slurmd.controller import Files
from tests.slurmd.operator_files import files
from tests.waiting import equals

NODES = ("ext-0", "ext-1", "ext-2", "ext-3")
PARTITIONS = """\
DefMemPerCPU=100
NodeSet=hybrid Feature=hybrid
NodeSet=pods Feature=pods
PartitionName=hybrid Nodes=hybrid Default=YES
PartitionName=pods Nodes=pods
"""
HYBRID = "Features=hybrid CPUs=4 Sockets=1 CoresPerSocket=4 RealMemory=4000"
TOPOLOGY = """\
- topology: topo-block
  cluster_default: true
  block: {block_sizes: [2], blocks: [{block: b1}, {block: b2}]}
- topology: topo-switch
  cluster_default: false
  tree: {switches: [{switch: root, children: "s[1-2]"}, {switch: s1}, {switch: s2}]}
"""
UNKNOWN_UNIT = "Requested topology configuration is not available"


def conf(words: str) -> Files:
    mcs = f"MCSPlugin=mcs/label\nMCSParameters={words}\n" if words else ""
    return files(SOON + mcs + PARTITIONS)


@pytest.fixture(scope="module")
def image(images: dict[str, SlurmImage]) -> SlurmImage:
    """Return the series that has external nodes."""
    return images["26.05"]


@pytest.fixture(scope="module")
def kubernetes(cluster: Cluster) -> Cluster:
    """Return a cluster that knows a machine without slurmd, by the names of all external nodes."""
    cluster.site.host("kubernetes", NODES)
    cluster.start_controller(conf(""))
    cluster.start_rest(conf(""))
    return cluster


@pytest.fixture
def bridge(kubernetes: Cluster) -> Iterator[Bridge]:
    """Yield a bridge; the tests start slurmctld with their own words."""
    bridge = Bridge(kubernetes)
    yield bridge
    bridge.clear()


def hybrid_node(cluster: Cluster, conf: Files) -> str:
    """Start slurmctld, and slurmd on a new machine: a job that is cancelled as it starts keeps its own for a minute."""
    cluster.start_controller(conf)
    name = f"hybrid-{len(cluster.workers)}"
    cluster.start_workers({name: HYBRID})
    return name


@pytest.mark.parametrize(
    ("words", "apart"),
    [("ondemand,select", True), ("select", True), ("ondemand,ondemandselect", False), ("", False)],
)
def test_pods_and_ordinary_jobs_share_no_node_with_select_alone(bridge: Bridge, words: str, apart: bool) -> None:
    """The words of upstream's docs/config.md, ondemandselect, keep nobody apart: no job of the bridge asks for it."""
    node = hybrid_node(bridge.cluster, conf(words))
    last = "waits" if apart else f"on {node}"
    shared = {"exclusive": False, "cpus_per_task": 1}

    pod = bridge.submit(["ns/a"], [node], "hybrid", **shared)
    more = bridge.submit(["ns/b"], [node], "hybrid", **shared)
    assert [bridge.verdict(number) for number in (pod, more)] == [f"on {node}"] * 2
    # The node's label outlives it.
    bridge.cluster.reconfigure(conf(words))
    ordinary = bridge.sbatch("--partition=hybrid")
    assert bridge.verdict(ordinary) == last
    bridge.send(requests.end(pod), requests.end(more))
    bridge.eventually_is(ordinary, "RUNNING")

    another = bridge.sbatch("--partition=hybrid")
    assert bridge.verdict(another) == f"on {node}"
    late = bridge.submit(["ns/c"], [node], "hybrid", **shared)
    assert bridge.verdict(late) == last


def test_whole_nodes_for_pods_need_no_labels(bridge: Bridge) -> None:
    node = hybrid_node(bridge.cluster, conf(""))
    pod = bridge.submit(["ns/a"], [node], "hybrid")
    assert bridge.verdict(pod) == f"on {node}"
    ordinary = bridge.sbatch("--partition=hybrid")
    assert bridge.verdict(ordinary) == "waits"
    bridge.send(requests.end(pod))
    bridge.eventually_is(ordinary, "RUNNING")


def test_pods_of_a_gang_lie_in_one_block_of_the_annotated_topology(bridge: Bridge) -> None:
    with_topology = {**conf(""), "topology.yaml": TOPOLOGY}
    cluster = bridge.cluster
    cluster.start_controller(with_topology)
    places = ("topo-switch:s1,topo-block:b1", "topo-switch:s2,topo-block:b2")
    for number, name in enumerate(NODES):
        bridge.send(requests.new_node(name, partitions=["pods"], topology=places[number % 2]))
        assert bridge.node(name)["topology"] == places[number % 2]

    first, second = gang(bridge, NODES), gang(bridge, NODES)
    assert {bridge.verdict(first), bridge.verdict(second)} == {"on ext-[0,2]", "on ext-[1,3]"}
    bridge.send(requests.end(first), requests.end(second))

    unknown = bridge.refusal(requests.new_topology("ext-0", "topo-block:b9"))
    assert unknown[1] == UNKNOWN_UNIT
    bridge.send(requests.remove_node("ext-3"))
    assert bridge.refusal(requests.new_node("ext-3", partitions=["pods"], topology="topo-block:b9"))[1] == UNKNOWN_UNIT
    assert bridge.node("ext-3") == {}
    bridge.send(requests.new_topology("ext-1", places[0]), requests.new_topology("ext-2", ""))
    shown = [places[0], places[0], ""]
    assert [bridge.node(name)["topology"] for name in NODES[:3]] == shown
    cluster.reconfigure(with_topology)
    assert [bridge.node(name)["topology"] for name in NODES[:3]] == shown
    cluster.start_controller(with_topology, keep_state=True)
    assert [bridge.node(name)["topology"] for name in NODES[:3]] == shown
    assert bridge.verdict(gang(bridge, NODES[:3])) == "on ext-[0-1]"


def gang(bridge: Bridge, nodes: Sequence[str]) -> int:
    """Submit the job of a PodGroup of two."""
    pods = ["ns/a", "ns/b"]
    return bridge.submit(pods, nodes, **requests.gang(pods))


def test_a_node_whose_name_nobody_knows_holds_slurmctld_up_and_runs_jobs(bridge: Bridge) -> None:
    """slurmctld asks for the address of an external node when a job starts there, and 26.05.5 goes on for 10 s."""
    bridge.cluster.start_controller(conf(""))
    bridge.send(requests.new_node("stranger", partitions=["pods"]))
    daemon = bridge.cluster.controller.daemon
    assert daemon
    number = bridge.submit(["ns/a"], ["stranger"])
    daemon.eventually_says('Unable to resolve "stranger"')
    # Meanwhile it may answer nobody.
    known = ["squeue", "--noheader", f"--jobs={number}", "--format=%T %N"]
    host = bridge.cluster.controller.host
    bridge.eventually("a running job", lambda: host.attempt(known).stdout, equals("RUNNING stranger\n"))
