"""A stand-in for slurm-bridge, whose programs can't be had: what its scheduler and controllers do, one pass at a time.

Source: https://github.com/SlinkyProject/slurm-bridge, v1.2.1; each function names the files that say so. It leaves out
claims of devices, topology, and the feasibility of nodes other than by taints.
"""

import http.client
import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from devcluster.api import ApiError
from devcluster.cluster import Cluster
from pulumi_slurm.model.units import quantity
from pulumi_slurm.slurmconf.hostlist import expand
from tests.e2e.objects import Object, Objects
from tests.jobs.bridge_clients import JsonObject, Kubernetes, Settings, Slurmrestd, SlurmrestdError
from tests.waiting import T, eventually

JOB = "scheduler.slinky.slurm.net/slurm-jobid"
NODE = "slinky.slurm.net/slurm-node"
FINALIZER = "scheduler.slinky.slurm.net/finalizer"
EXTERNAL = "scheduler.slinky.slurm.net/external-node"
PARTITIONS = "scheduler.slinky.slurm.net/external-node-partitions"
TAINT = "slinky.slurm.net/managed-node"
ANNOTATION = "slurmjob.slinky.slurm.net/"
POD_GROUP = "scheduling.x-k8s.io/pod-group"
SET, GROUP, GROUP_HASH = (f"leaderworkerset.sigs.k8s.io/{name}" for name in ("name", "group-index", "group-key"))
OWNERS = ("ReplicaSet", "StatefulSet", "Job", "JobSet", "LeaderWorkerSet")
MIB = 2**20
REASON = "slurm-bridge:"
FAULTS = (ApiError, SlurmrestdError, OSError, http.client.HTTPException)


@dataclass(frozen=True)
class Workload:
    """What becomes one job of Slurm: its pods, how many there have to be, and where its annotations are."""

    pods: list[Object]
    needed: int
    annotations: dict[str, str]
    name: str | None = None
    nodes: int | None = None
    """Nodes of the job, where its kind says."""

    @property
    def job(self) -> str | None:
        """The job that its pods are labelled with."""
        return next((labels(pod)[JOB] for pod in self.pods if JOB in labels(pod)), None)


class StandIn:
    """Acts for the bridge of one Slurm cluster."""

    def __init__(self, cluster: Cluster, objects: Objects, namespace: str) -> None:
        self.settings = Settings.of(objects, namespace)
        self.slurm = Slurmrestd(cluster, objects, self.settings)
        self.kubernetes = Kubernetes(objects)

    def eventually(self, subject: str, look: Callable[[], T | None], until: Callable[[T], object] = bool) -> T:
        """Act until what is seen is as wanted, and return it.

        What a pass meets, such as a server that is away or an object that somebody else has changed, is met by the next
        one again or not, as by those of a controller; it is shown if nothing comes.
        """
        met: list[Exception] = []

        def act_and_look() -> T | None:
            met.clear()
            try:
                self.act()
            except FAULTS as error:
                met.append(error)
            return look()

        try:
            return eventually(subject, act_and_look, until)
        except AssertionError as error:
            for fault in met:
                error.add_note(f"met by the last pass: {fault!r}")
            raise

    def eventually_nothing(self, subject: str, look: Callable[[], object]) -> None:
        """Act until there is nothing of it."""
        self.eventually(f"no more {subject}", lambda: [look()], lambda seen: not seen[0])

    def act(self) -> None:
        """Make one pass over everything."""
        self.register_nodes()
        self.taint_nodes()
        self.clean_up()
        for workload in self.workloads():
            self.schedule(workload)

    def register_nodes(self) -> None:
        """Tell Slurm the nodes with the label, and drain and remove those that lost it.

        internal/controller/node/node_sync.go, slurmcontrol/slurmcontrol.go: AddNode, MakeNodeDrain, IsNodeDrained.
        """
        known = self.slurm.nodes()
        for node in self.kubernetes.objects.all("Node"):
            name = node["metadata"]["name"]
            state = set(known.get(name, {}).get("state", ()))
            if EXTERNAL in labels(node) and name not in known:
                self.slurm.ask("POST", "new/node/", {"node_conf": self._node_conf(node)})
            elif EXTERNAL not in labels(node) and "EXTERNAL" in state:
                # A busy one is drained, and undrained by the same pass unless it is cordoned.
                if not state & {"ALLOCATED", "MIXED", "COMPLETING"}:
                    self._update_node(name, {"state": ["DRAIN"], "reason": f"{REASON} no longer external"})
                    self.slurm.ask("DELETE", f"node/{name}")
            elif name in known and node["spec"].get("unschedulable") and "DRAIN" not in state:
                self._update_node(name, {"state": ["DRAIN"], "reason": f"{REASON} node is unschedulable"})
            elif "DRAIN" in state and not node["spec"].get("unschedulable") and REASON in known[name]["reason"]:
                self._update_node(name, {"state": ["UNDRAIN"], "reason": f"{REASON} node is schedulable"})

    def _node_conf(self, node: Object) -> str:
        capacity = node["status"]["capacity"]
        cpus, memory = int(capacity["cpu"]), int(capacity["memory"].removesuffix("Ki")) // 1024
        parts = [p for p in annotations(node).get(PARTITIONS, "").split(",") if p]
        for name in parts:
            assert self.slurm.ask("GET", f"partition/{name}"), f"could not validate partition {name}"
        features = f" Feature={','.join(parts)}" if parts else ""
        shape = f"Sockets=1 CoresPerSocket={cpus} ThreadsPerCore=1 CPUs={cpus} RealMemory={memory}"
        return f'NodeName={node["metadata"]["name"]} {shape} State=External{features} Gres="" GresConf=""'

    def _update_node(self, name: str, change: JsonObject) -> None:
        self.slurm.ask("POST", f"node/{name}", change)

    def taint_nodes(self) -> None:
        """Keep off other pods where Slurm knows the node's name: syncTaint in internal/controller/node/node_sync.go."""
        known = self.slurm.nodes()
        ours = {"key": TAINT, "value": self.settings.scheduler, "effect": "NoExecute"}
        for node in self.kubernetes.objects.all("Node"):
            taints = node["spec"].get("taints", [])
            others = [taint for taint in taints if taint["key"] != TAINT]
            wanted = [*others, ours] if node["metadata"]["name"] in known else others
            if len(wanted) != len(taints):
                self.kubernetes.patch("Node", node, {"spec": {"taints": wanted}})

    def workloads(self) -> Iterator[Workload]:
        """Yield what waits for nodes, by the order of choice in internal/utils/slurmjobir/slurmjobir.go."""
        every = self.kubernetes.pods(self.settings.scheduler)
        groups: dict[tuple[str, ...], list[Object]] = {}
        for pod in every:
            groups.setdefault(_group(pod), []).append(pod)
        for pods in groups.values():
            if any("nodeName" not in pod["spec"] and not is_ending(pod) for pod in pods):
                yield self._workload(pods)

    def _workload(self, pods: list[Object]) -> Workload:
        """podgroup_coscheduling.go, leaderworkerset.go, owner.go: annotations are those of the highest owner."""
        first, namespace = pods[0], pods[0]["metadata"]["namespace"]
        find = self.kubernetes.objects.find
        group = find("PodGroup", namespace, labels(first)[POD_GROUP]) if POD_GROUP in labels(first) else None
        if group:
            return Workload(pods, group["spec"].get("minMember", 0), annotations(group), nodes=len(pods))
        if SET in labels(first):
            owner = self.kubernetes.objects.get("LeaderWorkerSet", namespace, labels(first)[SET])
            size = owner["spec"]["leaderWorkerTemplate"]["size"]
            name = f"{labels(first)[SET]}-{labels(first)[GROUP]}"
            return Workload(pods, size, annotations(owner), name, size)
        owner = first
        while references := [item for item in owner["metadata"].get("ownerReferences", []) if item["kind"] in OWNERS]:
            owner = self.kubernetes.objects.get(references[0]["kind"], namespace, references[0]["name"])
        return Workload(pods, 1, annotations(owner))

    def schedule(self, workload: Workload) -> None:
        """Submit a job, or give its nodes to the pods: PreFilter, PostFilter in plugins/slurmbridge/slurmbridge.go."""
        job = self.slurm.job(workload.job) if workload.job else None
        if job and not set(job["job_state"]) & {"CANCELLED", "COMPLETED"}:
            nodes = expand(job["nodes"])
            waiting = [pod for pod in workload.pods if "nodeName" not in pod["spec"] and not is_ending(pod)]
            taken = {pod["spec"].get("nodeName") for pod in workload.pods}
            for pod, node in zip(waiting, (node for node in nodes if node not in taken), strict=False):
                self.kubernetes.patch("Pod", pod, {"metadata": {"annotations": {NODE: node}}})
                self.kubernetes.bind(pod, node)
            return
        feasible = [node for node in self._known_nodes() if _tolerated(node, workload.pods[0])]
        if len(workload.pods) < workload.needed or len(feasible) < len(workload.pods):
            return
        names = [node["metadata"]["name"] for node in feasible]
        answer = self.slurm.ask("POST", "job/submit", {"job": self._description(workload, names)})
        assert answer
        for pod in workload.pods:
            finalizers = {*pod["metadata"].get("finalizers", []), FINALIZER}
            change = {"labels": {JOB: str(answer["job_id"])}, "finalizers": sorted(finalizers)}
            # PreEnqueue has added the toleration.
            ours = {"key": TAINT, "operator": "Equal", "value": self.settings.scheduler, "effect": "NoExecute"}
            tolerations = [*pod["spec"].get("tolerations", []), ours]
            self.kubernetes.patch("Pod", pod, {"metadata": change, "spec": {"tolerations": tolerations}})

    def _known_nodes(self) -> list[Object]:
        known = self.slurm.nodes()
        return [node for node in self.kubernetes.objects.all("Node") if node["metadata"]["name"] in known]

    def _description(self, workload: Workload, nodes: list[str]) -> JsonObject:
        """submitJob in plugins/slurmbridge/slurmcontrol/slurmcontrol.go, parseAnnotations in slurmjobir.go."""
        given = {key.removeprefix(ANNOTATION): value for key, value in workload.annotations.items()}
        pods = [f"{pod['metadata']['namespace']}/{pod['metadata']['name']}" for pod in workload.pods]
        cpus, memory = (max(_requested(pod, kind) for pod in workload.pods) for kind in ("cpu", "memory"))
        optional = {
            "account": given.get("account"),
            "user_id": given.get("user-id"),
            "qos": given.get("qos"),
            "name": given.get("job-name", workload.name),
            "cpus_per_task": math.ceil(cpus) or None,
            "memory_per_node": {"set": True, "number": int(memory) // MIB} if memory else None,
            "time_limit": {"set": True, "number": int(given["timelimit"])} if "timelimit" in given else None,
            "priority": {"set": True, "number": int(given["priority"])} if "priority" in given else None,
            "minimum_nodes": workload.nodes,
            "maximum_nodes": workload.nodes,
            "tasks_per_node": 1 if workload.nodes else None,
        }
        return {
            "admin_comment": json.dumps({"pods": pods}),
            "current_working_directory": "/tmp",
            "flags": ["EXTERNAL_JOB"],
            "mcs_label": self.settings.mcs_label,
            "nodes": str(len(pods)),
            "required_nodes": nodes,
            "partition": given.get("partition", self.settings.partition),
            "shared": [] if given.get("exclusive") == "false" else ["none"],
            **{key: value for key, value in optional.items() if value is not None},
        }

    def clean_up(self) -> None:
        """End jobs whose pods have ended, and pods whose job has: controller/pod/pod_sync.go, runnable/slurmjob."""
        every = self.kubernetes.pods(self.settings.scheduler)
        jobs = {str(job["job_id"]): job for job in self.slurm.jobs()}
        for pod in every:
            state = set(jobs.get(labels(pod).get(JOB, ""), {}).get("job_state", ()))
            others = [item for item in every if labels(item).get(JOB) == labels(pod).get(JOB)]
            if is_terminal(pod):
                if state & {"PENDING", "RUNNING"} and all(map(is_terminal, others)):
                    self.slurm.ask("DELETE", f"job/{labels(pod)[JOB]}")
                if FINALIZER in (finalizers := pod["metadata"].get("finalizers", [])):
                    remaining = [name for name in finalizers if name != FINALIZER]
                    self.kubernetes.patch("Pod", pod, {"metadata": {"finalizers": remaining}})
            elif "nodeName" in pod["spec"] and "RUNNING" not in state and not is_ending(pod):
                self.kubernetes.delete(pod)
        there = {f"{pod['metadata']['namespace']}/{pod['metadata']['name']}" for pod in every}
        for number, job in jobs.items():
            named = _pods_of(job)
            if named and not there & named and set(job["job_state"]) & {"PENDING", "RUNNING"}:
                self.slurm.ask("DELETE", f"job/{number}")


def labels(item: Object) -> dict[str, str]:
    return dict(item["metadata"].get("labels") or {})


def annotations(item: Object) -> dict[str, str]:
    return dict(item["metadata"].get("annotations") or {})


def is_terminal(pod: Object) -> bool:
    return pod["status"].get("phase") in {"Succeeded", "Failed"}


def is_ending(pod: Object) -> bool:
    return is_terminal(pod) or "deletionTimestamp" in pod["metadata"]


def _group(pod: Object) -> tuple[str, ...]:
    """Return what pods of one job have in common."""
    own = labels(pod)
    # Of all namespaces: podgroup_coscheduling.go and leaderworkerset.go list by the label alone.
    shared = own.get(POD_GROUP) or own.get(GROUP_HASH)
    return ("group", shared) if shared else (pod["metadata"]["namespace"], pod["metadata"]["name"])


def _pods_of(job: JsonObject) -> set[str]:
    try:
        return set(json.loads(job["admin_comment"])["pods"])
    except (ValueError, KeyError, TypeError):
        return set()


def _requested(pod: Object, kind: str) -> Fraction:
    """Return the most that a container asks for, or may have."""
    every = [container.get("resources", {}) for container in pod["spec"]["containers"]]
    stated = [item.get(field, {}).get(kind) for item in every for field in ("requests", "limits")]
    return max((quantity(text) for text in stated if text), default=Fraction(0))


def _tolerated(node: Object, pod: Object) -> bool:
    """Whether a pod tolerates a node's taints; PreEnqueue gives it the toleration of the bridge's own."""
    keys = {toleration.get("key") for toleration in pod["spec"].get("tolerations", [])}
    taints = [taint for taint in node["spec"].get("taints", []) if taint["effect"] != "PreferNoSchedule"]
    return all(taint["key"] in {*keys, TAINT} for taint in taints)
