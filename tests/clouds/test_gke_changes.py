"""Changes on a running cluster: the preview shows only necessary changes, and `up` performs exactly these.

All tests share one cluster. Two updates change many things at once, each in a node pool of its own: what changes is
known by its name, so nothing is lost by asking for all of it in one update.
"""

import copy
from collections.abc import Iterable
from typing import Any

import pytest

from tests.clouds.gcp.surroundings import Google
from tests.clouds.gke_example_stacks import made_up
from tests.clouds.simulator.wire import Values
from tests.clouds.surroundings import CloudProgram
from tests.e2e.golden_reviews import NO_LOOK, check_review, reviewed
from tests.e2e.objects import Object, Objects, ready
from tests.e2e.program import Run
from tests.waiting import equals, eventually, eventually_nothing

NAME = "changes"
MACHINE = "n2-standard-8"
POOL_LABEL = "cloud.google.com/gke-nodepool"
SETTINGS = made_up(
    [
        {"name": "machine", "machineType": MACHINE, "nodes": 1},
        {"name": "fixed", "machineType": MACHINE, "nodes": 3},
        {"name": "scaled", "machineType": MACHINE, "maxNodes": 16},
        {"name": "cheap", "machineType": MACHINE, "nodes": 1},
        {"name": "held", "machineType": MACHINE, "nodes": 1, "capacity": "reservation", "reservation": "bought"},
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
        {"name": "held", "pool": "held", "replicas": 1},
        {"name": "prioritised", "pool": "prioritised", "replicas": 1},
        {"name": "graphics", "pool": "graphics", "replicas": 1},
        {"name": "left", "pool": "wide", "replicas": 1},
        {"name": "right", "pool": "wide", "replicas": 1},
    ],
    partitions=[{"name": "main", "nodeSets": ["ALL"], "default": True}],
)

CLUSTER = {f"SlurmCluster {NAME}", f"GkeSlurm {NAME}"}
"""The components of the Slurm cluster and of all: their inputs show pools and node sets."""

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
        self.reviews: dict[str, str] = {}
        self._objects = objects

    def pool(self, name: str) -> dict[str, Any]:
        return _named(self.gke["pools"], name)

    def node_set(self, name: str) -> dict[str, Any]:
        return _named(self.cluster["nodeSets"], name)

    def preview(self) -> Operations:
        """Return what the settings would change."""
        return operations(self.program.preview(self.settings))

    def change(self, review: str) -> Operations:
        """Run `up`, and return its operations, which are those of the preview; its review has the name ``review``."""
        preview = self.program.preview(self.settings)
        self.reviews[review] = reviewed(preview, {NAME: NO_LOOK})
        previewed = operations(preview)
        assert operations(self.program.up()) == previewed
        return previewed

    def workers(self, node_set: str) -> list[Object]:
        """Return the pods of a node set that aren't being deleted."""
        prefix = f"{NAME}-worker-{node_set}-"
        pods = [pod for pod in self._objects.all("Pod", NAME) if pod["metadata"]["name"].startswith(prefix)]
        return [pod for pod in pods if "deletionTimestamp" not in pod["metadata"]]

    def nodes(self, pool: str) -> list[Object]:
        """Return the nodes of a pool."""
        return self._objects.all("Node", labels={POOL_LABEL: pool})

    def set_nodes(self, count: int) -> None:
        """Let a fixed pool have so many nodes, and its node set and an autoscaled one as many workers."""
        self.pool("fixed")["nodes"] = count
        for name in ("fixed", "scaled"):
            self.node_set(name)["replicas"] = count

    def limits(self, node_set: str, resource: str) -> list[str | None]:
        """Return the limits of slurmd in each worker of a node set."""
        return [pod["spec"]["containers"][0]["resources"]["limits"].get(resource) for pod in self.workers(node_set)]

    def wait_for_workers(self, node_set: str, count: int) -> None:
        """Wait until a node set has ``count`` ready workers, on all nodes of the pool with the same name."""

        def are_ready(seen: tuple[list[Object], list[Object]]) -> bool:
            workers, nodes = seen
            node_names = {pod["spec"].get("nodeName") for pod in workers}
            return (
                len(workers) == count
                and all(map(ready, workers))
                and node_names == {node["metadata"]["name"] for node in nodes}
            )

        subject = f"{count} workers of {node_set} on as many nodes"
        eventually(subject, lambda: (self.workers(node_set), self.nodes(node_set)), are_ready)


@pytest.fixture(scope="module")
def site(module_google: Google, objects: Objects, tmp_path_factory: pytest.TempPathFactory) -> Site:
    new_site = Site(CloudProgram(module_google, tmp_path_factory.mktemp("changes"), stack="gke"), objects)
    new_site.program.up(new_site.settings)
    return new_site


def test_node_sets_that_share_a_pool_have_nodes_of_their_own(site: Site) -> None:
    workers = eventually("both workers", lambda: [*site.workers("left"), *site.workers("right")], both_ready)
    nodes = {pod["spec"]["nodeName"] for pod in workers}
    assert len(nodes) == 2
    assert nodes <= {node["metadata"]["name"] for node in site.nodes("wide")}
    assert len({pod["spec"]["hostname"] for pod in workers}) == 2


def both_ready(workers: list[Object]) -> bool:
    return len(workers) == 2 and all(map(ready, workers))


@pytest.fixture(scope="module")
def first_change(site: Site) -> Operations:
    """A larger machine, spot, GPUs, a pool more, and no nodes any more."""
    site.wait_for_workers("machine", 1)
    site.pool("machine")["machineType"] = "n2-standard-16"
    site.pool("cheap")["capacity"] = "spot"
    del site.pool("held")["capacity"], site.pool("held")["reservation"]
    site.pool("graphics")["machineType"] = "g2-standard-8"
    site.gke["pools"].append({"name": "more", "machineType": "n2-standard-4", "nodes": 1})
    site.cluster["nodeSets"].append({"name": "more", "pool": "more", "replicas": 1})
    site.set_nodes(0)
    return site.change("gke-machines-and-spot")


@pytest.mark.usefixtures("first_change")
class TestFirstChange:
    """What the first update did."""

    def test_only_what_is_necessary_changes(self, first_change: Operations) -> None:
        assert first_change == {
            "create": {*of_pool("more"), *of_node_set("more")},
            "replace": {
                "NodePool changes-cheap-pool",
                "NodePool changes-graphics-pool",
                # It would keep its reservation.
                "NodePool changes-held-pool",
                # slurmctld has a further file, the TaskProlog by which jobs find NVIDIA's driver.
                "ConfigMap changes-configFile",
                *DRAIN_REPLACE,
            },
            "update": {
                *of_pool("machine"),
                *of_node_set("machine"),
                "GkeNodePool changes-cheap",
                # Nobody waits for a worker on spot machines.
                *of_node_set("cheap"),
                "GkeNodePool changes-graphics",
                "GkeNodePool changes-held",
                *of_node_set("graphics"),
                # The cluster collects metrics of GPUs from now on.
                "GkeCluster changes",
                "Cluster changes-cluster",
                "Controller changes",
                "Controller changes-controller",
                # GKE's autoscaler changes the other pool by itself.
                *of_pool("fixed"),
                *of_node_set("fixed"),
                *of_node_set("scaled"),
                *CLUSTER,
                *DRAIN_UPDATE,
            },
        }

    def test_its_review_says_so(self, site: Site) -> None:
        check_review("gke-machines-and-spot", site.reviews["gke-machines-and-spot"])

    def test_a_machine_type_changes_in_place(self, site: Site) -> None:
        # All CPUs except those of GKE, of DaemonSets, and of the operator's other container.
        eventually("a worker of the new size", lambda: site.limits("machine", "cpu"), equals(["14"]))
        site.wait_for_workers("machine", 1)
        (node,) = site.nodes("machine")
        assert node["metadata"]["labels"]["node.kubernetes.io/instance-type"] == "n2-standard-16"

    def test_a_pool_with_a_node_set_is_added(self, site: Site) -> None:
        site.wait_for_workers("more", 1)

    def test_nodes_and_workers_become_none(self, site: Site) -> None:
        for name in ("fixed", "scaled"):
            site.wait_for_workers(name, 0)

    def test_spot_replaces_the_pool_and_deletes_it_first(self, site: Site, module_google: Google) -> None:
        log = [line["operation"] for line in module_google.cloud.done() if line["name"] == "cheap"]
        assert log[-2:] == ["delete", "create"]
        (node,) = site.nodes("cheap")
        assert node["metadata"]["labels"]["cloud.google.com/gke-spot"] == "true"
        site.wait_for_workers("cheap", 1)

    def test_gpus_replace_the_pool_alone_of_google(self, site: Site) -> None:
        eventually("a worker with a GPU", lambda: site.limits("graphics", "nvidia.com/gpu"), equals(["1"]))
        site.wait_for_workers("graphics", 1)


@pytest.fixture(scope="module")
def second_change(site: Site, first_change: Operations) -> Operations:
    """A pool less, priorities, shared storage, and four nodes."""
    assert first_change
    del site.gke["pools"][-1], site.cluster["nodeSets"][-1]
    pool = site.pool("prioritised")
    del pool["nodes"]
    site.node_set("prioritised")["replicas"] = 3
    pool["priorities"] = [{"capacity": "spot", "nodes": 1}, {"capacity": "on-demand", "maxNodes": 2}]
    site.gke["storage"] = [{"name": "home", "mountPath": "/home", "filestore": {}}]
    site.set_nodes(4)
    run = site.program.up(site.settings)
    # An update tells the same events as its preview.
    site.reviews["gke-pools-removed"] = reviewed(run, {NAME: NO_LOOK})
    return operations(run)


@pytest.mark.repeats("tests/clouds/test_gke_changes.py, with a second change")
@pytest.mark.usefixtures("second_change")
class TestSecondChange:
    """What the second update did."""

    def test_only_what_is_necessary_changes(self, second_change: Operations) -> None:
        options = ("prioritised-spot", "prioritised-on-demand")
        remaining = ("machine", "fixed", "scaled", "cheap", "held", "graphics", "left", "right")
        assert second_change == {
            "create": {
                *(name for option in options for name in (*of_pool(option), *of_node_set(option))),
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
            "delete": {
                *of_pool("more"),
                *of_node_set("more"),
                *of_pool("prioritised"),
                *of_node_set("prioritised"),
            },
            "replace": DRAIN_REPLACE,
            "update": {
                # The cluster gets the driver, and network and services get what Filestore needs.
                "GkeCluster changes",
                "Cluster changes-cluster",
                "GkeNetwork changes",
                "GkeServices changes",
                *of_pool("fixed"),
                *(resource for name in remaining for resource in of_node_set(name)),
                *CLUSTER,
                *DRAIN_UPDATE,
            },
        }

    def test_its_review_says_so(self, site: Site) -> None:
        check_review("gke-pools-removed", site.reviews["gke-pools-removed"])

    def test_a_pool_with_a_node_set_is_removed(self, site: Site) -> None:
        assert site.nodes("more") == []
        eventually_nothing("its workers", lambda: site.workers("more"))

    def test_priorities_replace_the_pool(self, site: Site) -> None:
        site.wait_for_workers("prioritised-spot", 1)
        site.wait_for_workers("prioritised-on-demand", 2)
        assert site.nodes("prioritised") == []

    def test_all_workers_mount_new_shared_storage(self, site: Site, module_google: Google) -> None:
        assert module_google.cloud.find("Instance", "changes-home").state["tier"] == "ZONAL"

        def mounted() -> dict[str, list[str]]:
            return {
                pod["metadata"]["name"]: [item["mountPath"] for item in pod["spec"]["containers"][0]["volumeMounts"]]
                for pod in site.workers("machine")
            }

        eventually("workers with /home", mounted, lambda found: all("/home" in paths for paths in found.values()))
        site.wait_for_workers("machine", 1)

    def test_nodes_and_workers_become_four(self, site: Site) -> None:
        for name in ("fixed", "scaled"):
            site.wait_for_workers(name, 4)

    def test_the_next_up_changes_nothing(self, site: Site) -> None:
        again = site.program.up(None, "--refresh")
        assert again.changes == {}, str(again)


@pytest.mark.repeats("tests/components/gke/test_network.py, with a preview of a stack that is up")
def test_more_nodes_than_fit_into_the_ranges_move_nothing(site: Site) -> None:
    """The range of pods grows in place.

    Only previewed: the real Google would probably refuse to change a range that the cluster uses.
    """
    before = copy.deepcopy(site.pool("wide"))
    site.pool("wide")["maxNodes"] = 2000
    # The components of the node sets on it show their pool.
    changed = {*of_pool("wide"), f"NodeSet {NAME}-left", f"NodeSet {NAME}-right", *CLUSTER}
    assert site.preview() == {"update": changed}
    site.pool("wide")["maxNodes"] = 3000
    ranges = {"GkeNetwork changes", "Subnetwork changes-subnetwork", "Firewall changes-internal"}
    assert site.preview() == {"update": {*changed, *ranges}}
    site.pool("wide").update(before)


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
