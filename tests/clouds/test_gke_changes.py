"""What a user changes on a running cluster: the preview shows what must change and no more, and `up` does just that.

All tests share one cluster, where each has node pools of its own. What one of them has changed stays.
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
"""The component that stands for the Slurm cluster; it shows all that it is told of pools and node sets."""

Operations = dict[str, set[str]]
"""By operation, such as "update": the types and names of resources."""


class Site:
    """A stack, its settings, and what its cluster runs."""

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
        """Return what the settings have changed, which is what the preview has shown."""
        foreseen = self.preview()
        assert operations(self.program.up()) == foreseen
        return foreseen

    def change_and_look_again(self) -> Operations:
        """Return the same, and let a second `up` find nothing to do."""
        changed = self.change()
        again = self.program.up()
        assert again.changes == {}, str(again)
        return changed

    def workers(self, node_set: str) -> list[Object]:
        """Return the pods of a node set that stay."""
        prefix = f"{NAME}-worker-{node_set}-"
        pods = [pod for pod in self._objects.all("Pod", NAME) if pod["metadata"]["name"].startswith(prefix)]
        return [pod for pod in pods if "deletionTimestamp" not in pod["metadata"]]

    def nodes(self, pool: str) -> list[Object]:
        """Return the nodes of a pool."""
        return self._objects.all("Node", labels={POOL_LABEL: pool})

    def wait_for_workers(self, node_set: str, count: int) -> None:
        """Wait until a node set has so many workers, all of them ready, on all nodes of the pool with its name."""

        def there() -> bool:
            workers, nodes = self.workers(node_set), self.nodes(node_set)
            places = {pod["spec"].get("nodeName") for pod in workers}
            return (
                len(workers) == count
                and all(map(ready, workers))
                and places == {node["metadata"]["name"] for node in nodes}
            )

        eventually(f"{count} workers of {node_set} on as many nodes", there)


@pytest.fixture(scope="module")
def site(module_google: Google, objects: Objects, tmp_path_factory: pytest.TempPathFactory) -> Site:
    made = Site(CloudProgram(module_google, tmp_path_factory.mktemp("changes"), stack="gke"), objects)
    made.program.up(made.settings)
    return made


def test_a_machine_type_changes_in_place(site: Site) -> None:
    site.wait_for_workers("machine", 1)
    site.pool("machine")["machineType"] = "n2-standard-16"
    assert site.change_and_look_again() == {"update": {*of_pool("machine"), *of_node_set("machine"), *CLUSTER}}

    def cpus() -> list[str]:
        return [pod["spec"]["containers"][0]["resources"]["limits"]["cpu"] for pod in site.workers("machine")]

    # All but what GKE keeps, what is left to DaemonSets, and what the operator's other container takes.
    eventually("a worker of the new size", lambda: cpus() == ["14"])
    site.wait_for_workers("machine", 1)
    (node,) = site.nodes("machine")
    assert node["metadata"]["labels"]["node.kubernetes.io/instance-type"] == "n2-standard-16"


def test_a_pool_with_a_node_set_comes_and_goes(site: Site) -> None:
    site.gke["pools"].append({"name": "more", "machineType": "n2-standard-4", "nodes": 1})
    site.cluster["nodeSets"].append({"name": "more", "pool": "more", "replicas": 1})
    new = {*of_pool("more"), *of_node_set("more")}
    assert site.change_and_look_again() == {"create": new, "update": CLUSTER}
    site.wait_for_workers("more", 1)

    del site.gke["pools"][-1], site.cluster["nodeSets"][-1]
    assert site.change_and_look_again() == {"delete": new, "update": CLUSTER}
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
    assert site.change_and_look_again() == {
        "replace": {"NodePool changes-cheap-pool"},
        "update": {"GkeNodePool changes-cheap"},
    }
    done = [each["operation"] for each in module_google.cloud.done() if each["name"] == "cheap"]
    assert done[-2:] == ["delete", "create"]
    (node,) = site.nodes("cheap")
    assert node["metadata"]["labels"]["cloud.google.com/gke-spot"] == "true"
    site.wait_for_workers("cheap", 1)


def test_a_priorities_takes_the_place_of_its_pool(site: Site) -> None:
    pool = site.pool("prioritised")
    del pool["nodes"], site.node_set("prioritised")["replicas"]
    pool["priorities"] = [{"capacity": "spot", "nodes": 1}, {"capacity": "on-demand", "maxNodes": 2}]
    options = ("prioritised-spot", "prioritised-on-demand")
    assert site.change_and_look_again() == {
        "create": {name for option in options for name in (*of_pool(option), *of_node_set(option))},
        "delete": {*of_pool("prioritised"), *of_node_set("prioritised")},
        "update": CLUSTER,
    }
    site.wait_for_workers("prioritised-spot", 1)
    site.wait_for_workers("prioritised-on-demand", 2)
    assert site.nodes("prioritised") == []


def test_more_nodes_than_the_ranges_hold_move_nothing(site: Site) -> None:
    """The range of pods grows where it lies.

    Only previewed: a real Google would refuse to change a range that the cluster uses, as far as we know.
    """
    before = copy.deepcopy(site.pool("wide"))
    site.pool("wide")["maxNodes"] = 2000
    assert site.preview() == {"update": {*of_pool("wide"), *CLUSTER}}
    site.pool("wide")["maxNodes"] = 3000
    ranges = {"GkeNetwork changes", "Subnetwork changes-subnetwork", "Firewall changes-internal"}
    assert site.preview() == {"update": {*of_pool("wide"), *CLUSTER, *ranges}}
    site.pool("wide").update(before)


def test_shared_storage_comes_to_all_workers(site: Site, module_google: Google, objects: Objects) -> None:
    site.gke["storage"] = [{"name": "home", "mountPath": "/home", "filestore": {}}]
    node_sets = [each["metadata"]["name"].removeprefix(f"{NAME}-worker-") for each in objects.all("NodeSet", NAME)]
    assert site.change_and_look_again() == {
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
            *(each for name in node_sets for each in of_node_set(name)),
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


def test_gpus_replace_the_pool_alone(site: Site) -> None:
    site.pool("graphics")["machineType"] = "g2-standard-8"
    assert site.change_and_look_again() == {
        "replace": {"NodePool changes-graphics-pool"},
        # The cluster collects metrics of GPUs from now on.
        "update": {
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
    """Return what was done, or would be; what replaces a resource counts once."""
    found: Operations = {}
    for event in run.events:
        metadata = event.get("resourcePreEvent", {}).get("metadata", {})
        operation = metadata.get("op", "same")
        if operation not in {"same", "create-replacement", "delete-replaced"}:
            *_, kind, name = metadata["urn"].split("::")
            found.setdefault(operation, set()).add(f"{kind.rpartition(':')[2]} {name}")
    return found


def _named(items: Iterable[Values], name: str) -> Values:
    return next(item for item in items if item["name"] == name)
