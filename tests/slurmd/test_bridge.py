"""The Slurm side of Slurm Bridge on real daemons: its external nodes and its jobs, beside ordinary ones."""

from collections.abc import Iterator
from typing import Any

import pytest

from devcluster.slurm_images import JOB_USER, SlurmImage
from tests.slurmd import bridge_requests as requests
from tests.slurmd.bridge import SOON, Bridge
from tests.slurmd.cluster import Cluster
from tests.slurmd.controller import Files
from tests.slurmd.host import CommandError
from tests.slurmd.operator_files import files
from tests.waiting import equals, has

KUBERNETES_NODES = ("ext-0", "ext-1", "ext-2", "ext-3")
PARTITIONS = """\
MCSPlugin=mcs/label
MCSParameters=ondemand,select
DefMemPerCPU=100
NodeSet=cpu Feature=cpu
NodeSet=pods Feature=pods
NodeSet=mixed Feature=mixed
PartitionName=cpu Nodes=cpu Default=YES
PartitionName=pods Nodes=pods
PartitionName=mixed Nodes=cpu,mixed
PartitionName=all Nodes=ALL
"""
NOT_AVAILABLE = "Requested node configuration is not available"


def conf(more: str = "") -> Files:
    return files(SOON + PARTITIONS + more)


CONF = conf()


@pytest.fixture(scope="module")
def image(images: dict[str, SlurmImage]) -> SlurmImage:
    """Return the series that has external nodes."""
    return images["26.05"]


@pytest.fixture(scope="module")
def kubernetes(cluster: Cluster) -> Cluster:
    """Return a cluster that knows a machine without slurmd, by the names of all external nodes."""
    cluster.site.host("kubernetes", KUBERNETES_NODES)
    cluster.start_controller(CONF)
    cluster.start_rest(CONF)
    return cluster


@pytest.fixture
def bridge(kubernetes: Cluster) -> Iterator[Bridge]:
    """Yield a bridge to a slurmctld that knows no nodes and jobs yet."""
    kubernetes.start_controller(CONF)
    bridge = Bridge(kubernetes)
    yield bridge
    bridge.clear()


def test_an_external_node_is_in_the_partitions_that_its_annotation_names(bridge: Bridge) -> None:
    bridge.send(
        requests.new_node("ext-0", cpus=8, memory=9000, partitions=["pods", "mixed"], gpus=2),
        requests.new_node("ext-1"),
    )
    node = bridge.node("ext-0")
    assert set(node["state"]) == {"IDLE", "EXTERNAL", "DYNAMIC_NORM"}
    assert node["features"] == ["pods", "mixed"]
    # `Nodes=ALL` has external nodes too, and then the bridge sees another list than the annotation, at each look.
    assert set(node["partitions"]) == {"pods", "mixed", "all"}
    # By these the bridge decides whether to take the node out and register it anew.
    assert (node["cpus"], node["real_memory"], node["gres"]) == (8, 9000, "gpu:gpu.nvidia.com:2")
    assert bridge.node("ext-1")["partitions"] == ["all"]
    assert bridge.refusal(requests.new_node("ext-0"))[1] == "Node already exists in the node table"


def test_a_job_of_pods_gets_as_many_of_its_nodes_as_it_has_pods(bridge: Bridge) -> None:
    bridge.send(*(requests.new_node(name, partitions=["pods"]) for name in KUBERNETES_NODES[:3]))
    number = bridge.submit(["ns/a"], ["ext-0", "ext-1"])
    assert bridge.verdict(number) in ("on ext-0", "on ext-1")
    job = bridge.job(number)
    assert "EXTERNAL_JOB" in job["flags"]
    assert (job["admin_comment"], job["mcs_label"]) == ('{"pods":["ns/a"]}', "kubernetes")
    assert (job["user_name"], job["cpus"]["number"]) == ("slurm", 4)
    (layout,) = bridge.send(requests.resources(number))["nodes"]
    assert (layout["node"], layout["core_bitmap"]) == (job["nodes"], "0xF")

    second = bridge.submit(["ns/b"], ["ext-0", "ext-1"])
    assert {bridge.verdict(number), bridge.verdict(second)} == {"on ext-0", "on ext-1"}
    pods = ["ns/c", "ns/d"]
    gang = bridge.submit(pods, ["ext-0", "ext-1"], **requests.gang(pods))
    # The third node is free, but no candidate.
    assert bridge.verdict(gang) == "waits"
    bridge.send(requests.end(number), requests.end(second))
    assert (bridge.state(number), bridge.state(second)) == ("CANCELLED", "CANCELLED")
    bridge.eventually_is(gang, "RUNNING")
    assert bridge.job(gang)["nodes"] == "ext-[0-1]"
    bridge.send(requests.end(gang))
    bridge.eventually("an idle node", lambda: bridge.node("ext-0")["state"], has("IDLE"))


def test_a_candidate_outside_the_partition_is_passed_over(bridge: Bridge) -> None:
    """The bridge names every node of Kubernetes that Slurm knows and that has room, also those of other workers."""
    bridge.cluster.start_workers({"cpu-0": "Features=cpu"})
    bridge.send(requests.new_node("ext-0", partitions=["pods"]))
    assert bridge.verdict(bridge.submit(["ns/a"], ["cpu-0", "ext-0"])) == "on ext-0"
    assert bridge.verdict(bridge.submit(["ns/b"], ["cpu-0", "ext-0"])) == "waits"


def test_a_time_limit_lets_pods_in_before_a_gang_that_waits(bridge: Bridge) -> None:
    """Backfilling: what ends before the gang can begin takes a node that stays empty until then."""
    nodes = ["ext-0", "ext-1"]
    bridge.send(*(requests.new_node(name, partitions=["pods"]) for name in nodes))
    assert bridge.verdict(bridge.submit(["ns/a"], ["ext-0"], time_limit=60)) == "on ext-0"
    pods = ["ns/b", "ns/c"]
    gang = bridge.submit(pods, nodes, **requests.gang(pods))
    bridge.eventually("a reservation", lambda: bridge.job(gang)["scheduled_nodes"], equals("ext-[0-1]"))
    long, short = (bridge.submit([pod], nodes, time_limit=limit) for pod, limit in (("ns/d", 90), ("ns/e", 30)))
    bridge.eventually_is(short, "RUNNING")
    assert bridge.job(short)["nodes"] == "ext-1"
    assert (bridge.state(gang), bridge.state(long)) == ("PENDING", "PENDING")


def test_ordinary_jobs_never_start_on_external_nodes(bridge: Bridge) -> None:
    cluster = bridge.cluster
    cluster.start_workers({"cpu-0": "Features=cpu"})
    bridge.send(*(requests.new_node(name, partitions=["pods", "mixed"]) for name in KUBERNETES_NODES))
    assert cluster.nodes("mixed") == {"cpu-0", *KUBERNETES_NODES}
    for arguments in (
        ["--partition=pods"],
        ["--partition=mixed", "--nodes=2"],
        ["--partition=all", "--nodes=2"],
        ["--partition=all", "--nodelist=ext-0"],
    ):
        with pytest.raises(CommandError, match=NOT_AVAILABLE):
            bridge.sbatch(*arguments)
    assert bridge.verdict(bridge.submit(["ns/a"], ["ext-0"], "mixed")) == "on ext-0"
    # Other nodes are free for it but for being external.
    assert bridge.verdict(bridge.sbatch("--partition=mixed")) == "on cpu-0"
    assert bridge.verdict(bridge.sbatch("--partition=all", "--exclusive")) == "waits"


def test_an_ordinary_job_that_waits_in_a_partition_with_external_nodes_has_them_reserved(bridge: Bridge) -> None:
    """Backfilling takes them for nodes that the job could have, so pods wait for a job that won't ever be there."""
    bridge.cluster.start_workers({"cpu-0": "Features=cpu"})
    bridge.send(requests.new_node("ext-0", partitions=["pods"]))
    assert bridge.verdict(bridge.sbatch("--partition=cpu", "--exclusive")) == "on cpu-0"
    elsewhere = bridge.sbatch("--partition=cpu", "--exclusive")
    assert bridge.verdict(elsewhere) == "waits"
    pod = bridge.submit(["ns/a"], ["ext-0"])
    assert bridge.verdict(pod) == "on ext-0"
    bridge.send(requests.end(pod), requests.end(elsewhere))

    ordinary = bridge.sbatch("--partition=all", "--exclusive")
    bridge.eventually("a reservation", lambda: bridge.job(ordinary)["scheduled_nodes"], equals("ext-0"))
    held_up = bridge.submit(["ns/b"], ["ext-0"])
    assert bridge.verdict(held_up) == "waits"
    bridge.send(requests.end(ordinary))
    bridge.eventually_is(held_up, "RUNNING")


def test_gpus_of_resource_slices_are_given_by_gres_with_its_prefix(bridge: Bridge) -> None:
    bridge.send(requests.new_node("ext-0", partitions=["pods"], gpus=2))

    def submit(gres: str) -> requests.Request:
        job = requests.job(["ns/a"], ["ext-0"], "pods", exclusive=False, cpus_per_task=1, tres_per_node=gres)
        return requests.submit(job)

    for gres in ("gpu:v100:2", "gpu:gpu.nvidia.com:1", "gpu:1"):
        assert bridge.refusal(submit(gres))[1] == "Invalid Trackable RESource (TRES) specification"
    typed = bridge.send(submit("gres/gpu:gpu.nvidia.com=1"))["job_id"]
    untyped = bridge.send(submit("gres/gpu=1"))["job_id"]
    more = bridge.send(submit("gres/gpu:gpu.nvidia.com:1"))["job_id"]
    assert [bridge.verdict(number) for number in (typed, untyped, more)] == ["on ext-0", "on ext-0", "waits"]
    indexes = set()
    for number in (typed, untyped):
        (layout,) = bridge.send(requests.resources(number))["nodes"]
        (gres,) = layout["gres"]
        assert (gres["name"], gres["type"], gres["count"]) == ("gpu", "gpu.nvidia.com", 1)
        indexes.add(gres["index"])
    assert indexes == {"0", "1"}


def test_without_gres_types_a_node_silently_has_no_gpus(bridge: Bridge) -> None:
    text = str(CONF["slurm.conf"]).replace("GresTypes=gpu\n", "")
    bridge.cluster.start_controller({**CONF, "slurm.conf": text, "gres.conf": ""})
    bridge.send(requests.new_node("ext-0", partitions=["pods"], gpus=2))
    assert bridge.node("ext-0")["gres"] == ""


def test_the_user_of_a_job_is_a_name_or_a_number_and_ends_its_updates(bridge: Bridge) -> None:
    def job(**info: Any) -> requests.Body:
        return requests.job(["ns/a"], ["ext-0"], "pods", **info)

    bridge.send(requests.new_node("ext-0", partitions=["pods"]))
    first = bridge.submit(["ns/first"], ["ext-0"])
    assert bridge.verdict(first) == "on ext-0"
    by_name, by_number, nobody = (bridge.submit(["ns/a"], ["ext-0"], **user) for user in (NAME, NUMBER, {}))
    users = [bridge.job(number)["user_name"] for number in (by_name, by_number, nobody)]
    assert users == [JOB_USER, JOB_USER, "slurm"]
    unknown = bridge.refusal(requests.submit(job(user_id="stranger")))
    assert unknown[1] == "Unable to resolve user ID to user name"

    bridge.send(requests.update(nobody, job(priority=500, time_limit=7)))
    changed = bridge.job(nobody)
    assert (changed["priority"]["number"], changed["time_limit"]["number"]) == (500, 7)
    # An update that names the user is taken for one by that user, who may not set the comment.
    assert bridge.refusal(requests.update(by_name, job(**NAME)))[1] == "Access/permission denied"
    assert bridge.refusal(requests.update(nobody, job(**NAME)))[1] == "Invalid user id"
    bridge.send(requests.end(first))
    following = (by_name, by_number, nobody)
    bridge.eventually("the next job", lambda: {bridge.state(number) for number in following}, has("RUNNING"))


NAME = {"user_id": JOB_USER}
NUMBER = {"user_id": "1000"}


def test_a_cordoned_node_drains_and_leaves_when_its_job_has_ended(bridge: Bridge) -> None:
    bridge.send(requests.new_node("ext-0", partitions=["pods"]))
    number = bridge.submit(["ns/a"], ["ext-0"])
    assert bridge.verdict(number) == "on ext-0"
    bridge.send(requests.drain("ext-0", "cordoned"))
    node = bridge.node("ext-0")
    assert node["reason"] == "slurm-bridge: cordoned"
    assert not requests.is_drained(node)
    assert bridge.refusal(requests.remove_node("ext-0"))[1] == "Requested nodes are busy"
    later = bridge.submit(["ns/b"], ["ext-0"])
    assert bridge.verdict(later) == "waits"

    bridge.send(requests.end(number))
    bridge.eventually("a drained node", lambda: bridge.node("ext-0"), requests.is_drained)
    assert bridge.verdict(later) == "waits"
    bridge.cluster.reconfigure(CONF)
    assert requests.is_drained(bridge.node("ext-0"))
    bridge.send(requests.undrain("ext-0", "uncordoned"))
    bridge.eventually_is(later, "RUNNING")
    assert "NOT_RESPONDING" not in bridge.node("ext-0")["state"]

    bridge.send(requests.end(later), requests.drain("ext-0", "removing"))
    bridge.eventually("a drained node", lambda: bridge.node("ext-0"), requests.is_drained)
    bridge.send(requests.remove_node("ext-0"))
    assert bridge.node("ext-0") == {}


def test_external_nodes_and_jobs_outlive_a_reconfigure_and_a_restart(bridge: Bridge) -> None:
    cluster = bridge.cluster
    bridge.send(requests.new_node("ext-0", partitions=["pods"], gpus=2), requests.new_node("ext-1"))
    running = bridge.submit(["ns/a"], ["ext-0"])
    assert bridge.verdict(running) == "on ext-0"
    waiting = bridge.submit(["ns/b"], ["ext-0"])
    # Features that come later count from the next reconfigure on.
    bridge.send(requests.new_partitions("ext-1", ["pods"]))
    assert bridge.node("ext-1")["features"] == ["pods"]
    assert bridge.node("ext-1")["partitions"] == ["all"]
    for restart in (False, True):
        if restart:
            cluster.start_controller(CONF, keep_state=True)
        else:
            cluster.reconfigure(CONF)
        assert (bridge.verdict(running), bridge.verdict(waiting)) == ("on ext-0", "waits")
        node = bridge.node("ext-0")
        assert set(node["state"]) == {"ALLOCATED", "EXTERNAL", "DYNAMIC_NORM"}
        assert (set(node["partitions"]), node["gres"]) == ({"pods", "all"}, "gpu:gpu.nvidia.com:2")
        assert set(bridge.node("ext-1")["partitions"]) == {"pods", "all"}
    bridge.send(requests.end(running))
    bridge.eventually_is(waiting, "RUNNING")


def test_after_a_node_has_left_a_reconfigure_ends_jobs_that_had_it_among_their_candidates(bridge: Bridge) -> None:
    """https://github.com/SlinkyProject/slurm-bridge/issues/43: up to 1.2.1 all feasible nodes are required ones."""
    bridge.send(*(requests.new_node(name, partitions=["pods"]) for name in ("ext-0", "ext-1")))
    apart = bridge.submit(["ns/a"], ["ext-1"])
    assert bridge.verdict(apart) == "on ext-1"
    bridge.send(requests.new_node("ext-2", partitions=["pods"]), requests.drain("ext-2", "removing"))
    number = bridge.submit(["ns/b"], ["ext-0", "ext-2"])
    assert bridge.verdict(number) == "on ext-0"
    bridge.send(requests.remove_node("ext-2"))
    assert bridge.state(number) == "RUNNING"
    bridge.cluster.reconfigure(CONF)
    bridge.eventually_is(number, "NODE_FAIL")
    assert bridge.state(apart) == "RUNNING"


def test_keep_part_info_is_not_needed_and_hides_changed_partitions(bridge: Bridge) -> None:
    cluster = bridge.cluster
    shown = ("scontrol", "--oneliner", "show", "partition", "pods")
    for flag, taken in (("ReconfigFlags=KeepPartInfo\n", False), ("", True)):
        cluster.start_controller(conf(flag))
        bridge.send(requests.new_node("ext-0", partitions=["pods"]))
        text = str(conf(flag)["slurm.conf"])
        changed = {**CONF, "slurm.conf": text.replace("Nodes=pods", "Nodes=pods MaxTime=10")}
        cluster.reconfigure(changed)
        assert ("MaxTime=00:10:00" in cluster.run(*shown)) is taken
        cluster.start_controller(changed, keep_state=True)
        assert ("MaxTime=00:10:00" in cluster.run(*shown)) is taken
        assert "Nodes=ext-0" in cluster.run(*shown)


def test_without_their_partition_external_nodes_stay_and_their_jobs_end(bridge: Bridge) -> None:
    bridge.send(requests.new_node("ext-0", partitions=["pods"]))
    number = bridge.submit(["ns/a"], ["ext-0"])
    assert bridge.verdict(number) == "on ext-0"
    lines = ("NodeSet=pods Feature=pods\n", "PartitionName=pods Nodes=pods\n")
    text = str(CONF["slurm.conf"])
    for line in lines:
        assert line in text
        text = text.replace(line, "")
    bridge.cluster.reconfigure({**CONF, "slurm.conf": text})
    bridge.eventually_is(number, "NODE_FAIL")
    assert bridge.node("ext-0")["partitions"] == ["all"]
    bridge.cluster.reconfigure(CONF)
    assert set(bridge.node("ext-0")["partitions"]) == {"pods", "all"}
