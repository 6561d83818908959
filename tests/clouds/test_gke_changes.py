"""Changes on a running cluster: the preview shows only necessary changes, and `up` performs exactly these.

All tests share one cluster, in which every test has its own node pools. The changes of a test stay.
"""

import copy
from collections.abc import Iterable
from typing import Any

import pytest

from tests.clouds.gcp.surroundings import Google
from tests.clouds.gke_example_stacks import made_up
from tests.clouds.simulator.wire import Values
from tests.clouds.surroundings import CloudProgram
from tests.e2e.objects import Object, Objects, ready
from tests.e2e.program import Run
from tests.e2e.waiting import eventually

NAME = "changes"
MACHINE = "n2-standard-8"
POOL_LABEL = "cloud.google.com/gke-nodepool"
SETTINGS = made_up(
    [
        {"name": "machine", "machineType": MACHINE, "nodes": 1},
        {"name": "fixed", "machineType": MACHINE, "nodes": 3},
        {"name": "scaled", "machineType": MACHINE, "maxNodes": 16},
        {"name": "cheap", "machineType": MACHINE, "nodes": 1},
        {"name": "prioritised", "machineType": MACHINE, "nodes": 1},
        {"name": "graphics", "machineType": MACHINE, "nodes": 1},
        {"name": "wide", "machineType": MACHINE, "maxNodes": 10, "maxPodsPerNode": 256},
    ],
    name=NAME,
    namespace=NAME,
    nodeSets=[
        {"name": "machine", "pool": "machine", "replicas": 1},
        {"name": "fixed", "pool": "fixed", "replicas": 3},
        {"name": "scaled", "pool": "scaled", "replicas": 3},
        {"name": "cheap", "pool": "cheap", "replicas": 1},
        {"name": "prioritised", "pool": "prioritised", "replicas": 1},
        {"name": "graphics", "pool": "graphics", "replicas": 1},
    ],
    partitions=[{"name": "main", "nodeSets": ["ALL"], "default": True}],
)

CLUSTER = {f"SlurmCluster {NAME}"}
"""The component of the Slurm cluster; its inputs show its pools and node sets."""

DRAIN_UPDATE = {
    f"DrainJob {NAME}-drain",
    *(f"{kind} {NAME}-drain-{role}" for kind, role in (("ConfigMap", "configmap"), ("ConfigMap", "last"))),
    f"Token {NAME}-drain-token",
}
DRAIN_REPLACE = {f"Job {NAME}-drain-job"}
"""What looks for jobs whenever a node set comes or goes."""

Operations = dict[str, set[str]]
"""By operation, such as "update": the types and names of resources."""


class Site:
    """A stack, its settings, and the objects of its cluster."""

    def __init__(self, program: CloudProgram, objects: Objects) -> None:
        self.program = program
        self.settings = copy.deepcopy(SETTINGS)
        self.gke = self.settings["slurm:gke"]
        self.cluster = self.settings["slurm:cluster"]
        self._objects = objects

    def pool(self, name: str) -> dict[str, Any]:
        return _named(self.gke["pools"], name)

    def node_set(self, name: str) -> dict[str, Any]:
        return _named(self.cluster["nodeSets"], name)

    def preview(self) -> Operations:
        """Return what the settings would change."""
        return operations(self.program.preview(self.settings))

    def change(self) -> Operations:
        """Run `up`, and return its operations, which are those of the preview."""
        previewed = self.preview()
        assert operations(self.program.up()) == previewed
        return previewed

    def change_once(self) -> Operations:
        """Run `up` and return its operations; a second `up` changes nothing."""
        changed = self.change()
        again = self.program.up()
        assert again.changes == {}, str(again)
        return changed

    def workers(self, node_set: str) -> list[Object]:
        """Return the pods of a node set that aren't being deleted."""
        prefix = f"{NAME}-worker-{node_set}-"
        pods = [pod for pod in self._objects.all("Pod", NAME) if pod["metadata"]["name"].startswith(prefix)]
        return [pod for pod in pods if "deletionTimestamp" not in pod["metadata"]]

    def nodes(self, pool: str) -> list[Object]:
        """Return the nodes of a pool."""
        return self._objects.all("Node", labels={POOL_LABEL: pool})

    def wait_for_workers(self, node_set: str, count: int) -> None:
        """Wait until a node set has ``count`` ready workers, on all nodes of the pool with the same name."""

        def all_ready() -> bool:
            workers, nodes = self.workers(node_set), self.nodes(node_set)
            node_names = {pod["spec"].get("nodeName") for pod in workers}
            return (
                len(workers) == count
                and all(map(ready, workers))
                and node_names == {node["metadata"]["name"] for node in nodes}
            )

        eventually(f"{count} workers of {node_set} on as many nodes", all_ready)


@pytest.fixture(scope="module")
def site(module_google: Google, objects: Objects, tmp_path_factory: pytest.TempPathFactory) -> Site:
    new_site = Site(CloudProgram(module_google, tmp_path_factory.mktemp("changes"), stack="gke"), objects)
    new_site.program.up(new_site.settings)
    return new_site


def test_a_machine_type_changes_in_place(site: Site) -> None:
    site.wait_for_workers("machine", 1)
    site.pool("machine")["machineType"] = "n2-standard-16"
    assert site.change_once() == {"update": {*of_pool("machine"), *of_node_set("machine"), *CLUSTER}}

    def cpus() -> list[str]:
        return [pod["spec"]["containers"][0]["resources"]["limits"]["cpu"] for pod in site.workers("machine")]

    # All CPUs except those of GKE, of DaemonSets, and of the operator's other container.
    eventually("a worker of the new size", lambda: cpus() == ["14"])
    site.wait_for_workers("machine", 1)
    (node,) = site.nodes("machine")
    assert node["metadata"]["labels"]["node.kubernetes.io/instance-type"] == "n2-standard-16"


def test_a_pool_with_a_node_set_is_added_and_removed(site: Site) -> None:
    site.gke["pools"].append({"name": "more", "machineType": "n2-standard-4", "nodes": 1})
    site.cluster["nodeSets"].append({"name": "more", "pool": "more", "replicas": 1})
    new = {*of_pool("more"), *of_node_set("more")}
    assert site.change_once() == {"create": new, "replace": DRAIN_REPLACE, "update": CLUSTER | DRAIN_UPDATE}
    site.wait_for_workers("more", 1)

    del site.gke["pools"][-1], site.cluster["nodeSets"][-1]
    assert site.change_once() == {"delete": new, "replace": DRAIN_REPLACE, "update": CLUSTER | DRAIN_UPDATE}
    assert site.nodes("more") == []
    eventually("its workers are gone", lambda: not site.workers("more"))


def test_three_nodes_become_none_and_sixteen(site: Site) -> None:
    for count in (0, 16):
        site.pool("fixed")["nodes"] = count
        for name in ("fixed", "scaled"):
            site.node_set(name)["replicas"] = count
        # GKE's autoscaler changes the other pool by itself.
        changed = {*of_pool("fixed"), *of_node_set("fixed"), *of_node_set("scaled"), *CLUSTER}
        assert site.change() == {"update": changed}
        site.wait_for_workers("fixed", count)
        site.wait_for_workers("scaled", count)
    again = site.program.up(None, "--refresh")
    assert again.changes == {}, str(again)


def test_spot_replaces_the_pool_and_deletes_it_first(site: Site, module_google: Google) -> None:
    site.pool("cheap")["capacity"] = "spot"
    assert site.change_once() == {
        "replace": {"NodePool changes-cheap-pool"},
        "update": {"GkeNodePool changes-cheap"},
    }
    log = [line["operation"] for line in module_google.cloud.done() if line["name"] == "cheap"]
    assert log[-2:] == ["delete", "create"]
    (node,) = site.nodes("cheap")
    assert node["metadata"]["labels"]["cloud.google.com/gke-spot"] == "true"
    site.wait_for_workers("cheap", 1)


def test_priorities_replace_the_pool(site: Site) -> None:
    pool = site.pool("prioritised")
    del pool["nodes"]
    site.node_set("prioritised")["replicas"] = 3
    pool["priorities"] = [{"capacity": "spot", "nodes": 1}, {"capacity": "on-demand", "maxNodes": 2}]
    options = ("prioritised-spot", "prioritised-on-demand")
    assert site.change_once() == {
        "create": {name for option in options for name in (*of_pool(option), *of_node_set(option))},
        "delete": {*of_pool("prioritised"), *of_node_set("prioritised")},
        "replace": DRAIN_REPLACE,
        "update": CLUSTER | DRAIN_UPDATE,
    }
    site.wait_for_workers("prioritised-spot", 1)
    site.wait_for_workers("prioritised-on-demand", 2)
    assert site.nodes("prioritised") == []


def test_more_nodes_than_fit_into_the_ranges_move_nothing(site: Site) -> None:
    """The range of pods grows in place.

    Only previewed: the real Google would probably refuse to change a range that the cluster uses.
    """
    before = copy.deepcopy(site.pool("wide"))
    site.pool("wide")["maxNodes"] = 2000
    assert site.preview() == {"update": {*of_pool("wide"), *CLUSTER}}
    site.pool("wide")["maxNodes"] = 3000
    ranges = {"GkeNetwork changes", "Subnetwork changes-subnetwork", "Firewall changes-internal"}
    assert site.preview() == {"update": {*of_pool("wide"), *CLUSTER, *ranges}}
    site.pool("wide").update(before)


def test_all_workers_mount_new_shared_storage(site: Site, module_google: Google, objects: Objects) -> None:
    site.gke["storage"] = [{"name": "home", "mountPath": "/home", "filestore": {}}]
    object_names = [node_set["metadata"]["name"] for node_set in objects.all("NodeSet", NAME)]
    node_sets = [name.removeprefix(f"{NAME}-worker-") for name in object_names]
    assert site.change_once() == {
        "create": {
            "Service changes-file",
            "Service changes-servicenetworking",
            "GlobalAddress changes-private-services",
            "Connection changes-private-services",
            "GkeSharedStorage changes-home",
            "Instance changes-home-filestore",
            "PersistentVolume changes-home-volume",
            "PersistentVolumeClaim changes-home-claim",
            "SharedVolume changes-home",
        },
        # The cluster gets the driver, and network and services get what Filestore needs.
        "update": {
            "GkeCluster changes",
            "Cluster changes-cluster",
            "GkeNetwork changes",
            "GkeServices changes",
            *CLUSTER,
            *(resource for name in node_sets for resource in of_node_set(name)),
        },
    }
    assert module_google.cloud.find("Instance", "changes-home").state["tier"] == "ZONAL"

    def mounted() -> bool:
        return all(
            "/home" in {mount["mountPath"] for mount in pod["spec"]["containers"][0]["volumeMounts"]}
            for pod in site.workers("machine")
        )

    eventually("a worker with /home", mounted)
    site.wait_for_workers("machine", 1)


def test_gpus_replace_the_pool_alone_of_google(site: Site) -> None:
    site.pool("graphics")["machineType"] = "g2-standard-8"
    assert site.change_once() == {
        # slurmctld has a further file, the TaskProlog by which jobs find NVIDIA's driver.
        "replace": {"NodePool changes-graphics-pool", "ConfigMap changes-configFile"},
        # The cluster collects metrics of GPUs from now on.
        "update": {
            "Controller changes",
            "Controller changes-controller",
            "GkeNodePool changes-graphics",
            "GkeCluster changes",
            "Cluster changes-cluster",
            *of_node_set("graphics"),
            *CLUSTER,
        },
    }

    def gpus() -> list[str | None]:
        return [
            pod["spec"]["containers"][0]["resources"]["limits"].get("nvidia.com/gpu")
            for pod in site.workers("graphics")
        ]

    eventually("a worker with a GPU", lambda: gpus() == ["1"])
    site.wait_for_workers("graphics", 1)


def of_pool(name: str) -> set[str]:
    return {f"GkeNodePool {NAME}-{name}", f"NodePool {NAME}-{name}-pool"}


def of_node_set(name: str) -> set[str]:
    return {f"NodeSet {NAME}-{name}", f"NodeSet {NAME}-{name}-nodeset"}


def operations(run: Run) -> Operations:
    """Return the operations of an update or a preview; a replacement counts once."""
    resources: Operations = {}
    for event in run.events:
        metadata = event.get("resourcePreEvent", {}).get("metadata", {})
        operation = metadata.get("op", "same")
        if operation not in {"same", "create-replacement", "delete-replaced"}:
            *_, resource_type, name = metadata["urn"].split("::")
            resources.setdefault(operation, set()).add(f"{resource_type.rpartition(':')[2]} {name}")
    return resources


def _named(items: Iterable[Values], name: str) -> Values:
    return next(item for item in items if item["name"] == name)
