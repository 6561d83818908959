"""More and more node sets, on one node pool and on several: all have their names, partitions and nodes."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from devcluster.cluster import Cluster
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, parse
from pulumi_slurm.slurmconf.partition_nodes import Nodes
from pulumi_slurm.slurmconf.version import Series
from tests.clouds.gcp.nodes import POOL_LABEL
from tests.clouds.gcp.surroundings import Google
from tests.clouds.gke_example_stacks import Settings, made_up
from tests.clouds.surroundings import CloudProgram, prepared
from tests.e2e.objects import Object, Objects, ready, uid
from tests.e2e.program import Run
from tests.waiting import eventually

pytestmark = pytest.mark.repeats("tests/clouds/test_gke_changes.py, with more node sets")
NAME = "many"
SERIES = "25.11"
MACHINES = ("n2-standard-8", "n2-standard-16", "c3-standard-22", "g2-standard-4", "n1-standard-8")
"""The machine types of the pools. A stack with a single pool has the first one."""


def pool_of(number: int, pools: int) -> str:
    """Return the pool that a node set is on; they take turns."""
    return f"pool-{number % pools}"


def settings(node_sets: int, pools: int) -> Settings:
    names = [f"set-{number}" for number in range(node_sets)]
    return made_up(
        [
            {"name": f"pool-{number}", "machineType": machine, "maxNodes": 20}
            for number, machine in enumerate(MACHINES[:pools])
        ],
        name=NAME,
        slurmVersion=SERIES,
        nodeSets=[{"name": name, "pool": pool_of(number, pools), "replicas": 1} for number, name in enumerate(names)],
        partitions=[
            {"name": "all", "nodeSets": ["ALL"], "default": True},
            *({"name": f"only-{name}", "nodeSets": [name]} for name in names),
            {"name": "ends", "nodeSets": [names[0], names[-1]]},
        ],
    )


@dataclass
class Observed:
    """The state of a stack with a number of node sets."""

    up: Run
    node_sets: dict[str, str]
    """UIDs by name."""
    workers: dict[str, Object]
    pools: dict[str, str]
    """The pool of each node."""
    conf: Conf
    cloud: set[tuple[str, str]]
    """Types and names of the resources in Google Cloud."""


@dataclass
class Growth:
    """A stack with some node sets, and then with twice as many."""

    pools: int
    observed: dict[int, Observed]
    """By the number of node sets."""
    again: Run


GROWTHS = [
    pytest.param((len(MACHINES), 10), id="10 and 20 node sets on 5 pools"),
    pytest.param((1, 10), id="10 and 20 node sets on one pool"),
]


@pytest.fixture(scope="module", params=GROWTHS)
def growth(
    request: pytest.FixtureRequest, cluster: Cluster, objects: Objects, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Growth]:
    pools, few = request.param
    folder = tmp_path_factory.mktemp(NAME)
    with prepared(Google(folder / "google", cluster), objects) as google:
        program = CloudProgram(google, folder, stack=NAME)
        observed = {}
        for size in (few, 2 * few):
            up = program.up(settings(size, pools))
            wait_for_workers(objects, size)
            observed[size] = observe(up, objects, set(google.cloud.resources()))
        yield Growth(pools, observed, program.up())


def wait_for_workers(objects: Objects, count: int) -> None:
    """Wait until so many workers are ready."""
    eventually(f"{count} workers", lambda: all_workers(objects), lambda pods: sum(map(ready, pods)) == count)


def all_workers(objects: Objects) -> list[Object]:
    """Return the pods of workers."""
    return [pod for pod in objects.all("Pod", "slurm") if pod["metadata"]["name"].startswith(f"{NAME}-worker-")]


def workers(objects: Objects) -> dict[str, Object]:
    """Return the pods of workers that are ready, by name."""
    return {pod["metadata"]["name"]: pod for pod in all_workers(objects) if ready(pod)}


def observe(up: Run, objects: Objects, cloud: set[tuple[str, str]]) -> Observed:
    nodes = objects.all("Node")
    text = objects.get("ConfigMap", "slurm", f"{NAME}-config")["data"]["slurm.conf"]
    return Observed(
        up,
        {item["metadata"]["name"]: uid(item) for item in objects.all("NodeSet", "slurm")},
        workers(objects),
        {node["metadata"]["name"]: node["metadata"]["labels"][POOL_LABEL] for node in nodes},
        parse(text, File.SLURM, Series.of(SERIES)),
        cloud,
    )


def test_every_node_set_has_its_worker_on_its_pool(growth: Growth) -> None:
    for size, observed in growth.observed.items():
        assert observed.node_sets.keys() == {f"{NAME}-worker-set-{number}" for number in range(size)}
        pools = {name: observed.pools[pod["spec"]["nodeName"]] for name, pod in observed.workers.items()}
        assert pools == {f"{NAME}-worker-set-{number}-0": pool_of(number, growth.pools) for number in range(size)}
        assert len({pod["spec"]["nodeName"] for pod in observed.workers.values()}) == size
        # Slurm's name for a node is its pod's host name.
        assert len({pod["spec"]["hostname"] for pod in observed.workers.values()}) == size


def test_every_node_set_has_its_partition(growth: Growth) -> None:
    for size, observed in growth.observed.items():
        nodes = Nodes(observed.conf)
        partitions = {entry.name: nodes.of(entry.options["Nodes"]) for entry in observed.conf.of("PartitionName")}
        assert partitions == {
            "all": {"ALL"},
            **{f"only-set-{number}": {f"Feature=set-{number}"} for number in range(size)},
            "ends": {"Feature=set-0", f"Feature=set-{size - 1}"},
        }
        for number in range(size):
            pod = observed.workers[f"{NAME}-worker-set-{number}-0"]
            (slurmd,) = [container for container in pod["spec"]["containers"] if container["name"] == "slurmd"]
            assert features(slurmd) == {f"set-{number}"}


def features(slurmd: Object) -> set[str]:
    """Return the features with which a worker registers; one of them puts it in its node set."""
    words = [word for arg in slurmd["args"] for word in arg.strip("'").split()]
    options = dict(word.split("=", 1) for word in words if "=" in word)
    return set(options["Features"].split(","))


def test_growing_replaces_nothing_but_the_look_for_jobs(growth: Growth) -> None:
    few, many = growth.observed.values()
    assert many.up.replaced == {f"{NAME}-drain-job"}, str(many.up)
    assert few.node_sets.items() <= many.node_sets.items()
    assert few.cloud == many.cloud


def test_the_second_up_changes_nothing(growth: Growth) -> None:
    assert growth.again.changes == {}, str(growth.again)
