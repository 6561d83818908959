"""Pods that Slurm schedules beside its own jobs, on nodes with slurmd and without; slurm-bridge is a stand-in."""

import contextlib
import copy
import os
import re
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from devcluster.api import ApiError
from devcluster.cluster import Cluster
from devcluster.login import Login
from devcluster.real_nodes import RealNode
from devcluster.toolchain import Toolchain
from tests.doc_blocks import Block, blocks
from tests.e2e.objects import Object, Objects
from tests.e2e.program import Program
from tests.jobs.bridge_stand_in import ANNOTATION, EXTERNAL, FINALIZER, JOB, POD_GROUP, StandIn, labels
from tests.jobs.conftest import Settings, running
from tests.jobs.slurm import Slurm
from tests.shipped_stacks import shipped
from tests.waiting import HANGS, eventually, has

pytestmark = pytest.mark.repeats("tests/e2e/test_bridge.py, with real daemons and pods that jobs run in")

SCHEDULER = "slurm-bridge-scheduler"
MANAGED = {"key": "slinky.slurm.net/managed-node", "value": SCHEDULER, "effect": "NoExecute"}
POOL = "pool"
NODES = (
    RealNode("cpu-0", 0, labels={POOL: "cpu"}),
    RealNode("shared-0", 1, labels={POOL: "shared"}, taints=(MANAGED,)),
    RealNode("shared-1", 2, labels={POOL: "shared"}, taints=(MANAGED,)),
    RealNode("batch-0", 3, labels={POOL: "batch"}, taints=(MANAGED,)),
    RealNode("own-0", 4, labels={POOL: "own"}),
)
EXTERNAL_NODE = next(node for node in NODES if node.name == "batch-0")
NAMESPACE = "science"
SMALL = {"cpus": 2, "memory": "4Gi"}


def settings_with_bridge() -> Settings:
    """The shipped settings with the bridge of its page: two nodes with slurmd, which pods and jobs share, and one
    without. A further node with slurmd has no pods, and the bridge takes it for its own all the same."""
    settings = copy.deepcopy(shipped("local"))
    settings["slurm:pools"] = [
        {"name": "cpu", "machine": SMALL, "nodeLabels": {POOL: "cpu"}, "maxNodes": 1},
        {"name": "shared", "machine": SMALL, "nodeLabels": {POOL: "shared"}, "maxNodes": 2, "taints": [MANAGED]},
        {"name": "own", "machine": SMALL, "nodeLabels": {POOL: "own"}, "maxNodes": 1},
    ]
    (page,) = (block for block in blocks("cluster") if block.file.name == "bridge.md")
    cluster = settings["slurm:cluster"]
    cluster |= yaml.safe_load(page.text)["config"]["slurm:cluster"]
    cluster["nodeSets"].append({"name": "own", "pool": "own", "scalingMode": "DaemonSet", "partition": {}})
    # Its images and cert-manager's can't be had.
    cluster["bridge"]["wait"] = False
    cluster["configFiles"].pop("gres.conf")
    # slurmctld looks the name of an external node up, for ten seconds where nobody knows it.
    alias = {"ip": EXTERNAL_NODE.address, "hostnames": [EXTERNAL_NODE.name]}
    cluster["controller"] = {"overrides": {"template": {"spec": {"hostAliases": [alias]}}}}
    return settings


@pytest.fixture(scope="module")
def cluster(tools: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with running(Cluster(tmp_path_factory.mktemp("bridge-nodes"), tools, nodes=(), real_nodes=NODES)) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def objects(cluster: Cluster) -> Objects:
    return Objects(cluster.api)


@pytest.fixture(scope="module")
def program(tools: Toolchain, cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Program:
    program = Program(tools, tmp_path_factory.mktemp("bridge"), cluster.kubeconfig)
    program.up(settings_with_bridge())
    return program


@pytest.fixture(scope="module")
def slurm(cluster: Cluster, program: Program) -> Slurm:
    login = Login(cluster)
    login.add_user()
    slurm = Slurm(cluster, "slurm", login)
    slurm.wait_for_nodes({"own-0": "idle", "shared-0": "idle", "shared-1": "idle"})
    return slurm


@pytest.fixture(scope="module")
def bridge(cluster: Cluster, objects: Objects, slurm: Slurm) -> StandIn:
    """The stand-in; without the admission's programs nothing could be made in the namespace."""
    for kind in ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"):
        for name in [name for name in objects.names(kind) if "bridge" in name]:
            objects.delete(kind, None, name)
    # What the Deployment for it would do, whose image can't be had.
    mark = {
        "labels": {EXTERNAL: "true"},
        "annotations": {"scheduler.slinky.slurm.net/external-node-partitions": "pods"},
    }
    objects.api.request("PATCH", "/api/v1/nodes/batch-0", {"metadata": mark}, "application/merge-patch+json")
    bridge = StandIn(cluster, objects, "slurm")
    wait_until_idle(bridge, slurm, "batch-0")
    return bridge


@pytest.fixture(autouse=True)
def nothing_left(bridge: StandIn, objects: Objects, slurm: Slurm) -> Iterator[None]:
    yield
    if objects.find("Namespace", None, NAMESPACE) is None:
        # The last test has destroyed the stack.
        return
    numbers = slurm.run("squeue", "-h", "-o", "%A").split()
    if numbers:
        slurm.root("scancel", *numbers)
    for kind in ("Job", "JobSet", "LeaderWorkerSet", "PodGroup", "Pod"):
        for name in objects.names(kind, NAMESPACE):
            with contextlib.suppress(ApiError):
                objects.delete(kind, NAMESPACE, name)
    bridge.eventually_nothing("pods", lambda: objects.all("Pod", NAMESPACE))
    bridge.eventually_nothing("jobs", lambda: slurm.run("squeue", "-h").splitlines())


def pod_spec(slurm: Slurm, script: str) -> dict[str, Any]:
    """Return a pod's spec, in an image that the nodes have."""
    (worker, *_) = slurm.pods("slurmd")
    (image,) = (item["image"] for item in worker["spec"]["containers"] if item["name"] == "slurmd")
    requests = {"cpu": "100m", "memory": "64Mi"}
    container = {"name": "main", "image": image, "command": ["sh", "-c", script], "resources": {"requests": requests}}
    return {
        "schedulerName": SCHEDULER,
        "restartPolicy": "Never",
        "terminationGracePeriodSeconds": 1,
        "containers": [container],
    }


def make(objects: Objects, kind: str, version: str, name: str, **rest: Any) -> Object:
    """Make an object in the managed namespace, with what ``metadata`` adds."""
    metadata = {"name": name, "namespace": NAMESPACE, **rest.pop("metadata", {})}
    return objects.create({"apiVersion": version, "kind": kind, "metadata": metadata, **rest})


def states(objects: Objects) -> dict[str, str]:
    """Return the phase of each pod in the managed namespace."""
    return {pod["metadata"]["name"]: pod["status"]["phase"] for pod in objects.all("Pod", NAMESPACE)}


def hosts(objects: Objects) -> dict[str, str]:
    """Return the node of each pod that runs."""
    pods = objects.all("Pod", NAMESPACE)
    return {pod["metadata"]["name"]: pod["spec"]["nodeName"] for pod in pods if pod["status"]["phase"] == "Running"}


def jobs(slurm: Slurm) -> dict[str, tuple[str, str]]:
    """Return state and nodes of each job by name."""
    lines = slurm.run("squeue", "-h", "-o", "%j|%T|%N").splitlines()
    return {name: (state, nodes) for name, state, nodes in (line.split("|") for line in lines)}


def wait_for_pods(bridge: StandIn, objects: Objects, count: int) -> None:
    """Wait until so many pods run in the managed namespace."""
    bridge.eventually(
        f"{count} pods that run",
        lambda: objects.all("Pod", NAMESPACE),
        lambda pods: [pod["status"]["phase"] for pod in pods].count("Running") == count,
    )


def wait_for_two_ended(bridge: StandIn, objects: Objects) -> None:
    """Wait until the pods of the managed namespace are two that have ended well."""
    two = ["Succeeded"] * 2
    bridge.eventually("two pods that have ended", lambda: states(objects), lambda seen: [*seen.values()] == two)


def wait_for_job(bridge: StandIn, slurm: Slurm, name: str, state: str) -> None:
    """Wait until a job has a state."""
    bridge.eventually(f"{name} is {state}", lambda: jobs(slurm), lambda seen: seen.get(name, ("",))[0] == state)


def wait_until_idle(bridge: StandIn, slurm: Slurm, node: str) -> None:
    """Wait until a node is idle."""
    bridge.eventually(f"{node} is idle", slurm.nodes, lambda nodes: nodes.get(node) == "idle")


def test_a_pod_is_a_job_from_its_begin_to_its_end(bridge: StandIn, objects: Objects, slurm: Slurm) -> None:
    notes = {f"{ANNOTATION}{key}": value for key, value in {"job-name": "one", "timelimit": "5"}.items()}
    make(objects, "Pod", "v1", "one", metadata={"annotations": notes}, spec=pod_spec(slurm, "sleep 3600"))
    wait_for_pods(bridge, objects, 1)
    (node,) = hosts(objects).values()
    assert jobs(slurm)["one"] == ("RUNNING", node)
    pod = objects.get("Pod", NAMESPACE, "one")
    assert FINALIZER in pod["metadata"]["finalizers"]
    shown = slurm.run("scontrol", "show", "job", labels(pod)[JOB])
    for text in ("TimeLimit=00:05:00", "MCS_label=kubernetes", 'AdminComment={"pods": ["science/one"]}'):
        assert text in shown
    objects.delete("Pod", NAMESPACE, "one")
    bridge.eventually_nothing("pods", lambda: states(objects))
    bridge.eventually("no job", lambda: jobs(slurm), lambda seen: "one" not in seen)


def test_a_cancelled_job_deletes_its_pod(bridge: StandIn, objects: Objects, slurm: Slurm) -> None:
    make(objects, "Pod", "v1", "cancelled", spec=pod_spec(slurm, "sleep 3600"))
    wait_for_pods(bridge, objects, 1)
    slurm.root("scancel", labels(objects.get("Pod", NAMESPACE, "cancelled"))[JOB])
    bridge.eventually_nothing("pods", lambda: states(objects))


def test_a_job_of_kubernetes_ends_its_job_of_slurm(bridge: StandIn, objects: Objects, slurm: Slurm) -> None:
    template = {"spec": pod_spec(slurm, "sleep 2")}
    notes = {f"{ANNOTATION}job-name": "batch"}
    spec = {"template": template, "completions": 2, "parallelism": 2, "backoffLimit": 0}
    make(objects, "Job", "batch/v1", "batch", metadata={"annotations": notes}, spec=spec)
    wait_for_two_ended(bridge, objects)
    bridge.eventually("no job", lambda: jobs(slurm), lambda seen: "batch" not in seen)
    assert len({labels(pod)[JOB] for pod in objects.all("Pod", NAMESPACE)}) == 2
    eventually(
        "its Job is complete",
        lambda: objects.get("Job", NAMESPACE, "batch"),
        lambda job: job["status"].get("succeeded") == 2,
    )


def test_priority_decides_between_a_pod_group_and_a_batch_job(bridge: StandIn, objects: Objects, slurm: Slurm) -> None:
    first = slurm.submit("sleep 3600", "-N2", "--exclusive", "--job-name=first")
    slurm.wait_for(first, "RUNNING")
    cordon(objects, "batch-0", True)
    try:
        waiting = slurm.submit("sleep 3600", "-N2", "--exclusive", "--job-name=waiting")
        slurm.root("scontrol", "update", f"JobId={waiting}", "Priority=100")
        notes = {f"{ANNOTATION}job-name": "group", f"{ANNOTATION}priority": "1000"}
        spec = {"minMember": 2}
        make(objects, "PodGroup", "scheduling.x-k8s.io/v1alpha1", "group", metadata={"annotations": notes}, spec=spec)
        for index in range(2):
            metadata = {"labels": {POD_GROUP: "group"}}
            make(objects, "Pod", "v1", f"member-{index}", metadata=metadata, spec=pod_spec(slurm, "sleep 3600"))
        wait_for_job(bridge, slurm, "group", "PENDING")
        slurm.root("scancel", str(first))
        wait_for_pods(bridge, objects, 2)
        assert sorted(hosts(objects).values()) == ["shared-0", "shared-1"]
        assert jobs(slurm) == {"group": ("RUNNING", "shared-[0-1]"), "waiting": ("PENDING", "")}
        for name in states(objects):
            objects.delete("Pod", NAMESPACE, name)
        wait_for_job(bridge, slurm, "waiting", "RUNNING")
    finally:
        cordon(objects, "batch-0", False)
        wait_until_idle(bridge, slurm, "batch-0")


def test_a_leader_worker_set_is_one_job(bridge: StandIn, objects: Objects, slurm: Slurm) -> None:
    template = {"size": 3, "workerTemplate": {"spec": pod_spec(slurm, "sleep 3600")}}
    spec = {"replicas": 1, "leaderWorkerTemplate": template}
    make(objects, "LeaderWorkerSet", "leaderworkerset.x-k8s.io/v1", "vllm", spec=spec)
    make_group(objects, template)
    wait_for_pods(bridge, objects, 3)
    assert sorted(hosts(objects).values()) == ["batch-0", "shared-0", "shared-1"]
    assert jobs(slurm) == {"vllm-0": ("RUNNING", "batch-0,shared-[0-1]")}


def test_a_job_set_is_a_job_for_each_pod(bridge: StandIn, objects: Objects, slurm: Slurm) -> None:
    """Its Jobs are made here as its controller would, which can't be had."""
    template = {"spec": {"template": {"spec": pod_spec(slurm, "sleep 2")}, "backoffLimit": 0}}
    notes = {f"{ANNOTATION}job-name": "set"}
    replicated = [{"name": "workers", "replicas": 2, "template": template}]
    made = make(
        objects,
        "JobSet",
        "jobset.x-k8s.io/v1alpha2",
        "set",
        metadata={"annotations": notes},
        spec={"replicatedJobs": replicated},
    )
    owner = {"apiVersion": made["apiVersion"], "kind": "JobSet", "name": "set", "uid": made["metadata"]["uid"]}
    for index in range(2):
        metadata = {"ownerReferences": [{**owner, "controller": True}]}
        make(objects, "Job", "batch/v1", f"set-workers-{index}", metadata=metadata, spec=template["spec"])
    wait_for_two_ended(bridge, objects)
    numbers = {labels(pod)[JOB] for pod in objects.all("Pod", NAMESPACE)}
    assert len(numbers) == 2
    for number in numbers:
        assert "JobName=set\n" in slurm.run("scontrol", "show", "job", number)
    ended = [int(number) for number in numbers]
    bridge.eventually(
        "their end",
        lambda: [slurm.accounted(number) for number in ended],
        lambda seen: all(state.startswith("CANCELLED") for state in seen),
    )


def test_slurm_s_own_jobs_stay_off_nodes_without_slurmd(bridge: StandIn, slurm: Slurm) -> None:
    command = slurm.login.slurm(["sbatch", "--partition=pods", "-N3", "--wrap=true"])
    assert "Requested node configuration is not available" in slurm.failing(command, 1)
    assert sorted(slurm.run("srun", "--partition=pods", "-N2", "hostname").split()) == ["shared-0", "shared-1"]


def test_a_node_that_loses_its_label_leaves_slurm(bridge: StandIn, objects: Objects, slurm: Slurm) -> None:
    mark(objects, None)
    bridge.eventually("the node is gone", slurm.nodes, lambda nodes: "batch-0" not in nodes)
    node = objects.get("Node", None, "batch-0")
    assert MANAGED["key"] not in {taint["key"] for taint in node["spec"].get("taints", [])}
    mark(objects, "true")
    wait_until_idle(bridge, slurm, "batch-0")


def test_workers_that_are_not_bridged_outlive_the_taint_of_their_node(
    bridge: StandIn, objects: Objects, slurm: Slurm
) -> None:
    def taints() -> set[str]:
        return {taint["key"] for taint in objects.get("Node", None, "own-0")["spec"].get("taints", [])}

    bridge.eventually("the taint of the node", taints, has(MANAGED["key"]))
    number = slurm.submit("sleep 3600", "--partition=own")
    slurm.wait_for(number, "RUNNING")
    (worker,) = (pod for pod in slurm.pods("slurmd") if pod["spec"]["nodeName"] == "own-0")
    for _ in range(3):
        bridge.act()
    (same,) = (pod for pod in slurm.pods("slurmd") if pod["spec"]["nodeName"] == "own-0")
    assert (same["metadata"]["uid"], same["metadata"].get("deletionTimestamp")) == (worker["metadata"]["uid"], None)
    assert MANAGED["key"] in taints()
    slurm.wait_for(number, "RUNNING")


def test_the_page_says_what_happens(bridge: StandIn, objects: Objects, slurm: Slurm) -> None:
    """With UPDATE_DOCS=1 in the environment the page's answers are written anew."""
    group, member, leader_set = (yaml.safe_load(block.text) for block in blocks("bridged"))
    of_the_pair, of_the_set = blocks("bridged-session")
    # Which two of three nodes Slurm takes is its own choice.
    cordon(objects, "batch-0", True)
    try:
        objects.create(group)
        for _ in range(group["spec"]["minMember"]):
            objects.create(member)
        wait_for_pods(bridge, objects, 2)
        shown = [answers(slurm, of_the_pair)]
        for name in states(objects):
            objects.delete("Pod", NAMESPACE, name)
    finally:
        cordon(objects, "batch-0", False)
    bridge.eventually_nothing("pods and jobs", lambda: {**states(objects), **jobs(slurm)})
    wait_until_idle(bridge, slurm, "batch-0")
    objects.create(leader_set)
    make_group(objects, leader_set["spec"]["leaderWorkerTemplate"])
    wait_for_pods(bridge, objects, 3)
    shown.append(answers(slurm, of_the_set))
    if os.environ.get("UPDATE_DOCS"):
        text = of_the_pair.file.read_text()
        for block, answer in zip((of_the_pair, of_the_set), shown, strict=True):
            before, found, after = text.rpartition(block.text) if block is of_the_set else text.partition(block.text)
            assert found
            text = before + answer + after
        of_the_pair.file.write_text(text)
    assert shown == [of_the_pair.text, of_the_set.text]


def test_destroy_lets_the_bridge_clean_up_first(
    bridge: StandIn, program: Program, objects: Objects, slurm: Slurm
) -> None:
    """Where slurmrestd or the bridge went before the namespace, its pods would stay for ever, by their finalizer."""
    make(objects, "Pod", "v1", "last", spec=pod_spec(slurm, "sleep 3600"))
    wait_for_pods(bridge, objects, 1)
    assert FINALIZER in objects.get("Pod", NAMESPACE, "last")["metadata"]["finalizers"]
    engine = program.engine
    command = program.command(engine, "destroy", "--yes", "--skip-preview")
    with subprocess.Popen(command, env=engine.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        # It acts through slurmrestd all the while, and would fail without it.
        bridge.eventually_nothing("pods", lambda: objects.all("Pod", NAMESPACE))
        assert process.wait(HANGS) == 0
    assert objects.find("Namespace", None, "slurm") is None


def answers(slurm: Slurm, block: Block) -> str:
    """Return the commands of a block with their answers."""
    commands = re.findall(r"^\$ (.*)$", block.text, re.M)
    return "".join(f"$ {command}\n{trimmed(slurm.run(*command.split()))}" for command in commands)


def trimmed(text: str) -> str:
    """Return text without blanks at the ends of lines."""
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


def make_group(objects: Objects, template: Object) -> None:
    """Make the pods of the first group of the LeaderWorkerSet vllm, as its controller would, which can't be had."""
    group = {"name": "vllm", "group-index": "0", "group-key": "0123456789abcdef"}
    own = {f"leaderworkerset.sigs.k8s.io/{key}": value for key, value in group.items()}
    for index in range(template["size"]):
        metadata = {"labels": own}
        make(objects, "Pod", "v1", f"vllm-0-{index}", metadata=metadata, spec=template["workerTemplate"]["spec"])


def mark(objects: Objects, value: str | None) -> None:
    """Give the node without slurmd its label, or take it away."""
    change = {"metadata": {"labels": {EXTERNAL: value}}}
    objects.api.request("PATCH", "/api/v1/nodes/batch-0", change, "application/merge-patch+json")


def cordon(objects: Objects, node: str, value: bool) -> None:
    """Cordon a node, or uncordon it."""
    change = {"spec": {"unschedulable": value}}
    objects.api.request("PATCH", f"/api/v1/nodes/{node}", change, "application/merge-patch+json")
