"""The shipped examples on a simulated Alibaba Cloud: both with ack-slurm-operator from the first `pulumi up` to a
destroy as docs/ack-services.md says, and the one with Slinky.

Nothing here reconciles SlurmCluster objects: ack-slurm-operator isn't public, and nobody plays it. With its runtime
there are no pods of Slurm; the API server checks what is made by the reconstructed schema, and the objects that it
names have to be there. Where a test needs a worker's pod or what Slurm's scaler writes, it makes that itself, once, and
says so.

The protection against a destroy is looked at in the first one's life alone: the other one is without it from the
beginning.
"""

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from devcluster.cluster import Cluster
from pulumi_slurm.ack_slurm.manifests.names import CLUSTER_LABEL, TYPE_LABEL
from tests.clouds.ack_example_stacks import (
    EXAMPLES,
    OPERATOR_NAMESPACE,
    Settings,
    shipped,
    unprotected,
    with_slinky,
)
from tests.clouds.alibaba.surroundings import Alibaba
from tests.clouds.simulator.cloud import Cloud
from tests.clouds.simulator.wire import Values
from tests.clouds.surroundings import CloudProgram, prepared
from tests.clouds.whole_life import (
    ADOPTED,
    Made,
    began_and_ended,
    made_in,
    not_ready,
    running,
    steady,
    unlike_recorded,
    up_from_before,
)
from tests.e2e.objects import Key, Object, Objects, ready, uid
from tests.e2e.program import Run
from tests.waiting import eventually, eventually_nothing

FIRST = EXAMPLES[0]
COLOCATED = pytest.mark.repeats("tests/clouds/test_ack_whole_life.py, with pools that others share")
POOL = "slurm.pulumi.com/pool"
"""The label with the pool of a node."""
SYSTEM = "system"
"""The pool of everything but workers."""
NAMESPACE = "slurm"
GPU = "nvidia.com/gpu"
GPUS = {"cpu": 0, "shared": 0, "gpu": 1}
"""The number of GPUs of a node, by the examples' pools."""
PARTS = {
    "cs/managedKubernetes": 1,
    "cs/nodePool": 3,
    "ecs/eipAddress": 1,
    "nas/fileSystem": 1,
    "rds/instance": 1,
    "vpc/natGateway": 1,
    "vpc/network": 1,
}
"""How many of the larger things the first example has at Alibaba; the other one differs in these:"""
COLOCATED_PARTS = {"nas/fileSystem": 2}

READY_AFTER = 5.0
"""The seconds from a SlurmCluster's creation until the test sets its status."""

Scale = list[dict[str, Any]]
"""The fields that Slurm's scaler writes, by worker group."""
Workers = list[tuple[Object, Object]]
"""Pods with their nodes."""


@dataclass
class Protection:
    """The observations of a stack that is protected."""

    objects: dict[Key, str]
    refused: Run
    kept: Made
    kept_objects: dict[Key, str]
    lifted: Run
    after_lifting: Scale


@dataclass
class Life:
    """The observations of one stack."""

    stack: str
    settings: Settings
    before: dict[Key, str]
    up: Run
    unlike_recorded: list[str]
    ready_at: float
    created: Made
    nodes: list[Object]
    pods: list[Object]
    slurm_cluster: Object
    slurm_cluster_inputs: Values
    mounted: set[Key]
    outputs: dict[str, Any]
    again: Run
    one_node_set_more: Run | None
    from_before: Run | None
    refresh: Run
    workers: dict[str, Workers]
    neighbours: dict[str, Workers]
    scaled: Scale
    up_after_scaling: Run
    after_up: Scale
    refreshing_up: Run
    after_refresh: Scale
    protection: Protection | None
    destroy: Run
    remaining: Made

    @property
    def cluster(self) -> str:
        """The Slurm cluster's name."""
        return str(self.settings["slurm:cluster"]["name"])

    def pool_of(self, group: str) -> str:
        """Return the pool that is configured for a worker group."""
        (pool,) = [
            node_set["pool"] for node_set in self.settings["slurm:cluster"]["nodeSets"] if node_set["name"] == group
        ]
        return str(pool)

    @property
    def groups(self) -> list[Values]:
        """The worker groups as they were created."""
        groups: list[Values] = self.slurm_cluster["spec"]["workerGroupSpecs"]
        return groups

    @property
    def templates(self) -> list[Values]:
        """The pod templates of all daemons."""
        spec = self.slurm_cluster["spec"]
        return [
            daemon["template"] for daemon in (spec["slurmctld"], spec["slurmdbd"], spec["slurmrestd"], *self.groups)
        ]


@pytest.fixture(scope="module", params=[FIRST, *(pytest.param(name, marks=COLOCATED) for name in EXAMPLES[1:])])
def life(
    request: pytest.FixtureRequest, cluster: Cluster, objects: Objects, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Life]:
    folder = tmp_path_factory.mktemp(request.param)
    with prepared(Alibaba(folder / "alibaba", cluster), objects) as alibaba:
        yield live(request.param, CloudProgram(alibaba, folder, stack=request.param), alibaba, objects)


def live(stack: str, program: CloudProgram, alibaba: Alibaba, objects: Objects) -> Life:
    cloud, settings = alibaba.cloud, shipped(stack)
    is_protected = stack == FIRST
    operators_namespace(objects)
    before = objects.uids()
    status = StatusWriter(objects)
    up = program.up(settings if is_protected else unprotected(settings))
    unlike = unlike_recorded(program, up)
    status.join()
    eventually_nothing("pods that are not ready", lambda: not_ready(objects))
    created, nodes, pods, outputs = made_in(cloud), objects.all("Node"), running(objects), program.outputs()
    slurm_cluster = the_slurm_cluster(objects)
    (slurm_cluster_inputs,) = [
        resource["inputs"] for resource in program.resources() if resource["type"].endswith(":SlurmCluster")
    ]
    mounted = {key for key in objects.uids() if key[1] == NAMESPACE}
    again, refresh = program.up(), program.refresh("--diff")
    one_node_set_more = None
    if is_protected:
        one_node_set_more = program.preview(with_one_node_set_more(settings))
        program.configure(settings)
    from_before = up_from_before(program, "AckSlurm") if is_protected else None
    workers, neighbours = workers_of(slurm_cluster, objects)
    scaled = scale(objects)
    up_after_scaling, after_up = program.up(), scale_of(objects)
    refreshing_up, after_refresh = program.up(None, "--refresh"), scale_of(objects)
    protection = protected(program, settings, cloud, objects) if is_protected else None
    destroy = program.destroy()
    return Life(
        stack=stack,
        settings=settings,
        before=before,
        up=up,
        unlike_recorded=unlike,
        ready_at=status.ready_at,
        created=created,
        nodes=nodes,
        pods=pods,
        slurm_cluster=slurm_cluster,
        slurm_cluster_inputs=slurm_cluster_inputs,
        mounted=mounted,
        outputs=outputs,
        again=again,
        one_node_set_more=one_node_set_more,
        from_before=from_before,
        refresh=refresh,
        workers=workers,
        neighbours=neighbours,
        scaled=scaled,
        up_after_scaling=up_after_scaling,
        after_up=after_up,
        refreshing_up=refreshing_up,
        after_refresh=after_refresh,
        protection=protection,
        destroy=destroy,
        remaining=made_in(cloud),
    )


def with_one_node_set_more(settings: Settings) -> Settings:
    """Return the settings with a node set behind the others, so that the SlurmCluster has one group more."""
    cluster = settings["slurm:cluster"]
    more = {"name": "more", "pool": cluster["nodeSets"][0]["pool"], "replicas": 1}
    return {**settings, "slurm:cluster": {**cluster, "nodeSets": [*cluster["nodeSets"], more]}}


def protected(program: CloudProgram, settings: Settings, cloud: Cloud, objects: Objects) -> Protection:
    there = steady(objects)
    refused = program.run("destroy", "--yes", check=False)
    kept, kept_objects = made_in(cloud), steady(objects)
    lifted = program.up(unprotected(settings))
    return Protection(there, refused, kept, kept_objects, lifted, scale_of(objects))


class StatusWriter(Thread):
    """Sets a SlurmCluster's status to ready some seconds after its creation, as the operator would."""

    def __init__(self, objects: Objects) -> None:
        super().__init__(daemon=True)
        self._objects = objects
        self.ready_at = 0.0
        self.start()

    def run(self) -> None:
        eventually("a SlurmCluster", lambda: self._objects.all("SlurmCluster.kai.alibabacloud.com"))
        time.sleep(READY_AFTER)
        item = the_slurm_cluster(self._objects)
        path = self._objects.kind("SlurmCluster.kai.alibabacloud.com").path(NAMESPACE, item["metadata"]["name"])
        item["status"] = {"state": "ready"}
        self.ready_at = time.time()
        self._objects.api.request("PUT", f"{path}/status", item)


def operators_namespace(objects: Objects) -> None:
    """Create it, and wait for the objects that Kubernetes creates there."""
    objects.namespace(OPERATOR_NAMESPACE)
    for object_kind, name in (("ConfigMap", "kube-root-ca.crt"), ("ServiceAccount", "default")):
        eventually(f"{object_kind} {name}", partial(objects.find, object_kind, OPERATOR_NAMESPACE, name))


def the_slurm_cluster(objects: Objects) -> Object:
    (slurm_cluster,) = objects.all("SlurmCluster.kai.alibabacloud.com")
    return slurm_cluster


def workers_of(slurm_cluster: Object, objects: Objects) -> tuple[dict[str, Workers], dict[str, Workers]]:
    """Create at least one pod of each worker group by its template, with the operator's labels.

    Where their requests are less than their limits, create another pod for each of their nodes, which requests half of
    it. Return the workers and the others when they are ready; delete them.
    """
    name, group_of_pod = slurm_cluster["metadata"]["name"], dict[str, str]()
    for group in slurm_cluster["spec"]["workerGroupSpecs"]:
        for number in range(max(group["replicas"], 1)):
            pod = f"{name}-worker-{group['groupName']}-{number}"
            create_pod(objects, pod, group["template"], {CLUSTER_LABEL: name, TYPE_LABEL: "worker"})
            group_of_pod[pod] = group["groupName"]
    workers = when_all_ready(objects, group_of_pod)
    group_of_neighbour: dict[str, str] = {}
    for group in slurm_cluster["spec"]["workerGroupSpecs"]:
        resources = group["template"]["spec"]["containers"][0]["resources"]
        if resources["requests"] != resources["limits"]:
            for worker, _ in workers[group["groupName"]]:
                neighbour = worker["metadata"]["name"].replace("worker", "neighbour")
                create_pod(objects, neighbour, neighbour_template(group["template"]))
                group_of_neighbour[neighbour] = group["groupName"]
    neighbours = when_all_ready(objects, group_of_neighbour)
    pods = {**group_of_pod, **group_of_neighbour}
    for pod in pods:
        objects.delete("Pod", NAMESPACE, pod)
    eventually_nothing("workers", lambda: pods.keys() & objects.names("Pod", NAMESPACE))
    return workers, neighbours


def create_pod(objects: Objects, name: str, template: Values, labels: dict[str, str] | None = None) -> None:
    metadata = {**template.get("metadata", {}), "namespace": NAMESPACE, "name": name}
    metadata["labels"] = {**metadata.get("labels", {}), **(labels or {})}
    objects.create({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": template["spec"]})


def neighbour_template(worker: Values) -> Values:
    """Return the template of a pod for the workers' nodes that requests half of the CPUs and memory of one."""
    limits = worker["spec"]["containers"][0]["resources"]["limits"]
    memory = int(limits["memory"].removesuffix("Mi")) // 2
    requests = {"cpu": str(int(limits["cpu"]) // 2), "memory": f"{memory}Mi"}
    container = {"name": "nginx", "image": "nginx", "resources": {"requests": requests}}
    return {"spec": {"containers": [container], "nodeSelector": worker["spec"]["nodeSelector"]}}


def when_all_ready(objects: Objects, group_of_pod: dict[str, str]) -> dict[str, Workers]:
    """Return pods with their nodes, by group, when they are ready."""
    pods: dict[str, Workers] = {}
    for name, group_name in group_of_pod.items():
        pod = eventually(f"{name}, ready", partial(objects.get, "Pod", NAMESPACE, name), ready)
        pods.setdefault(group_name, []).append((pod, objects.get("Node", None, pod["spec"]["nodeName"])))
    return pods


def scale(objects: Objects) -> Scale:
    """Start two more workers of each group and stop one of them, as Slurm's scaler does; return the written fields.

    It names pods to be made by their number, and pods to be ended by their name.
    """
    item = the_slurm_cluster(objects)
    path = objects.kind("SlurmCluster.kai.alibabacloud.com").path(NAMESPACE, item["metadata"]["name"])
    for group in item["spec"]["workerGroupSpecs"]:
        first = group["replicas"]
        group["podsToBeCreated"] = [first, first + 1]
        group["podsToBeDeleted"] = [f"{item['metadata']['name']}-worker-{group['groupName']}-{first}"]
        group["replicas"] += 2 - 1
    objects.api.request("PUT", path, item)
    return scale_of(objects)


def scale_of(objects: Objects) -> Scale:
    return [scale_of_group(group) for group in the_slurm_cluster(objects)["spec"]["workerGroupSpecs"]]


def scale_of_group(group: Values) -> dict[str, Any]:
    return {name: group.get(name) for name in ("groupName", "replicas", "podsToBeCreated", "podsToBeDeleted")}


def by_pool(nodes: list[Object]) -> dict[str, int]:
    return dict(Counter(node["metadata"]["labels"][POOL] for node in nodes))


def fixed_nodes(settings: Settings) -> dict[str, int]:
    """Return how many nodes pools with a fixed number have."""
    return {pool["name"]: pool["nodes"] for pool in settings["slurm:ack"]["pools"] if "nodes" in pool}


def test_what_is_shown_without_an_engine_is_what_it_makes(life: Life) -> None:
    assert life.unlike_recorded == []


def test_up_creates_every_part(life: Life) -> None:
    counted = Counter(token.removeprefix("alicloud:").rpartition(":")[0] for token, _ in life.created)
    expected = {**PARTS, **(COLOCATED_PARTS if life.stack == "ack-colocated" else {})}
    assert {part: counted[part] for part in expected} == expected


def test_up_waits_for_the_status_of_the_slurm_cluster(life: Life) -> None:
    (created_at,) = (
        event["timestamp"]
        for event in life.up.events
        if "resOutputsEvent" in event and "/v1:SlurmCluster::" in event["resOutputsEvent"]["metadata"]["urn"]
    )
    assert created_at >= int(life.ready_at) > 0


def test_pools_have_the_configured_nodes_and_no_others(life: Life) -> None:
    """Those from zero have none, since there are no workers."""
    nodes = by_pool(life.nodes)
    assert nodes.pop(SYSTEM) >= 1
    assert nodes == fixed_nodes(life.settings)


def test_the_schema_has_every_field_of_the_slurm_cluster(life: Life) -> None:
    """The API server drops what a schema doesn't have, and fills in defaults."""
    assert life.slurm_cluster["spec"] == life.slurm_cluster_inputs["spec"]
    assert life.slurm_cluster["apiVersion"] == "kai.alibabacloud.com/v1"
    assert "headGroupSpec" not in life.slurm_cluster["spec"]


def test_there_is_a_worker_group_for_each_node_set(life: Life) -> None:
    expected = [
        (node_set["name"], node_set.get("replicas", 0)) for node_set in life.settings["slurm:cluster"]["nodeSets"]
    ]
    assert [(group["groupName"], group["replicas"]) for group in life.groups] == expected


def test_whatever_daemons_mount_is_there(life: Life) -> None:
    for template in life.templates:
        assert needs(template["spec"]) <= life.mounted, template["spec"]["containers"][0]["name"]


def needs(pod: Values) -> set[Key]:
    """Return the objects without which a pod wouldn't start."""
    keys: set[Key] = set()
    for volume in pod["volumes"]:
        sources = [volume, *volume.get("projected", {}).get("sources", [])]
        for source in sources:
            if secret := source.get("secret"):
                keys.add(("Secret", NAMESPACE, secret.get("secretName") or secret["name"]))
            if files := source.get("configMap"):
                keys.add(("ConfigMap", NAMESPACE, files["name"]))
            if claim := source.get("persistentVolumeClaim"):
                keys.add(("PersistentVolumeClaim", NAMESPACE, claim["claimName"]))
    if account := pod.get("serviceAccountName"):
        keys.add(("ServiceAccount", NAMESPACE, account))
    return keys


def test_jobs_end_neither_by_repairs_nor_by_the_autoscaler(life: Life) -> None:
    """ACK's own defaults restart nodes to repair them, and remove nodes that are less than half used."""
    pools = {state["nodePoolName"]: state for (token, _), state in life.created.items() if "nodePool" in token}
    for group in life.groups:
        assert pools[life.pool_of(group["groupName"])]["management"]["autoRepairPolicy"] == {"restartNode": False}
        assert group["template"]["metadata"]["annotations"]["goatscaler.io/safe-to-evict"] == "false"
    assert "scalingConfig" not in pools[SYSTEM] or pools[SYSTEM]["scalingConfig"] == {"enable": False}


def test_workers_of_each_group_find_nodes_of_its_pool(life: Life) -> None:
    """Pods from the groups' templates, created by the test; pools from zero get a node for them."""
    for group in life.groups:
        pool = life.pool_of(group["groupName"])
        workers = life.workers[group["groupName"]]
        # No two workers are on the same node.
        assert len({uid(node) for _, node in workers}) == max(group["replicas"], 1)
        assert {node["metadata"]["labels"][POOL] for _, node in workers} == {pool}
        for pod, node in workers:
            limits = pod["spec"]["containers"][0]["resources"]["limits"]
            assert int(limits.get(GPU, 0)) == int(node["status"]["allocatable"].get(GPU, 0)) == GPUS[pool]


def test_other_pods_find_room_beside_the_workers_of_shared_pools(life: Life) -> None:
    """Each requests half of a node, so two of them fill one."""
    shared = {pool["name"] for pool in life.settings["slurm:ack"]["pools"] if not pool.get("dedicated", True)}
    assert {life.pool_of(group) for group in life.neighbours} == shared
    for group, neighbours in life.neighbours.items():
        workers_nodes = {uid(node) for _, node in life.workers[group]}
        assert {uid(node) for _, node in neighbours} <= workers_nodes


def test_other_pods_are_not_on_dedicated_pools(life: Life) -> None:
    """The server of users is the one daemon that isn't ack-slurm-operator's."""
    pools = {node["metadata"]["name"]: node["metadata"]["labels"][POOL] for node in life.nodes}
    dedicated_pools = {pool["name"] for pool in life.settings["slurm:ack"]["pools"] if pool.get("dedicated", True)}
    assert life.pods
    assert not dedicated_pools & {pools[pod["spec"]["nodeName"]] for pod in life.pods}


def test_outputs_help_with_the_next_steps(life: Life) -> None:
    assert life.outputs["kubernetesCluster"] == life.cluster
    assert life.outputs["namespace"] == NAMESPACE
    assert life.outputs["partitions"] == [
        partition["name"] for partition in life.settings["slurm:cluster"]["partitions"]
    ]
    assert life.outputs["sshCommands"].keys() == {"controller"}
    assert set(life.outputs["keySecrets"].values()) <= {
        name for object_kind, _, name in life.mounted if object_kind == "Secret"
    }


def test_the_second_up_changes_nothing(life: Life) -> None:
    assert life.again.changes == {}, str(life.again)


def test_refresh_finds_no_drift(life: Life) -> None:
    assert life.refresh.changes == {}, str(life.refresh)


def test_an_up_does_not_change_what_slurm_has_scaled(life: Life) -> None:
    assert life.up_after_scaling.changes == {}, str(life.up_after_scaling)
    assert life.after_up == life.scaled


def test_an_up_with_refresh_does_so_only_where_slurm_may_scale(life: Life) -> None:
    """The colocated example has a fixed number of workers, which is restored."""
    initial_scale = [scale_of_group(group) for group in life.groups]
    assert life.scaled != initial_scale
    assert life.after_refresh == (life.scaled if life.stack == "ack-slurm-operator" else initial_scale)
    assert life.refreshing_up.replaced == set(), str(life.refreshing_up)


@pytest.fixture
def protection(life: Life) -> Protection:
    assert life.protection
    return life.protection


of_the_first = pytest.mark.parametrize("life", [FIRST], indirect=True, scope="module")


@of_the_first
def test_a_node_set_more_changes_the_slurm_cluster_in_place(life: Life) -> None:
    """As `replace_on_changes` is meant, and as reviews of two files say: the groups that were there stay."""
    preview = life.one_node_set_more
    assert preview
    assert f"{life.cluster}-slurmcluster" in preview.resources("update"), str(preview)
    assert f"{life.cluster}-slurmcluster" not in preview.replaced, str(preview)


@of_the_first
def test_a_stack_from_before_its_parts_had_a_component_keeps_all_of_them(life: Life) -> None:
    assert life.from_before
    assert life.from_before.changes == ADOPTED, str(life.from_before)
    assert life.from_before.resources("create") == {life.cluster}


@of_the_first
def test_a_destroy_is_refused_while_protected_before_it_touches_anything(life: Life, protection: Protection) -> None:
    assert protection.refused.code != 0
    assert "Preview failed" in protection.refused.output
    assert "it is protected" in protection.refused.output
    assert protection.kept.keys() == life.created.keys()
    assert protection.kept_objects == protection.objects


@of_the_first
def test_lifting_the_protection_updates_protected_resources(life: Life, protection: Protection) -> None:
    assert protection.lifted.changes.keys() == {"update"}, str(protection.lifted)
    assert protection.after_lifting == life.after_refresh


def test_a_destroy_then_leaves_nothing(life: Life, objects: Objects) -> None:
    """The operator's namespace was there before."""
    assert life.remaining == {}
    eventually_nothing("objects of the stack", lambda: objects.uids().keys() - life.before.keys())


def test_nodes_go_when_slurm_is_gone(life: Life) -> None:
    """Without nodes no pod could end in order."""
    began, ended = began_and_ended(life.destroy)
    last = max(at for urn, at in ended.items() if urn.startswith("kubernetes:"))
    first = min(at for urn, at in began.items() if urn.startswith("alicloud:cs/nodePool"))
    assert last < first


@pytest.mark.repeats("tests/components/ack/test_stack.py, on the simulated cloud with slurm-operator")
def test_slinky_runs_a_cluster(objects: Objects, alibaba: Alibaba, tmp_path: Path) -> None:
    """Here slurm-operator creates the pods."""
    program, settings = CloudProgram(alibaba, tmp_path, stack="ack"), with_slinky()
    before = objects.uids()
    program.up(unprotected(settings))
    eventually_nothing("pods that are not ready", lambda: not_ready(objects))
    pools = {node["metadata"]["name"]: node["metadata"]["labels"][POOL] for node in objects.all("Node")}
    pools_of_group: dict[str, list[str]] = {}
    for pod in running(objects):
        _, worker, group = pod["metadata"]["name"].partition("-worker-")
        pools_of_group.setdefault(group.split("-")[0] if worker else SYSTEM, []).append(pools[pod["spec"]["nodeName"]])
    assert set(pools_of_group.pop(SYSTEM)) == {SYSTEM}
    assert pools_of_group == {"cpu": ["cpu"] * 4, "gpu": ["gpu"] * 2}
    assert program.up().changes == {}
    program.destroy()
    assert made_in(alibaba.cloud) == {}
    eventually_nothing("objects of the stack", lambda: objects.uids().keys() - before.keys())
