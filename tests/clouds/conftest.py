"""The real engine, API server and operator, and beside them a cloud in a folder: no account, nothing that costs."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

import pytest

from devcluster.cluster import Cluster
from devcluster.toolchain import Toolchain, ensure
from tests.clouds.alibaba import nodes as alibaba_nodes
from tests.clouds.alibaba import surroundings as alibaba_surroundings
from tests.clouds.alibaba.clusters import NODE_POOL as ALIBABA_NODE_POOL
from tests.clouds.alibaba.surroundings import AlibabaProgram
from tests.clouds.alibaba.surroundings import Surroundings as AlibabaSurroundings
from tests.clouds.gcp import nodes
from tests.clouds.gcp import surroundings as google_surroundings
from tests.clouds.gcp.clusters import NODE_POOL
from tests.clouds.gcp.surroundings import GoogleProgram, Surroundings
from tests.clouds.leftovers import Leftovers
from tests.clouds.simulator.autoscaler import Autoscaler
from tests.clouds.simulator.cloud import Cloud
from tests.e2e.objects import Objects
from tests.e2e.program import without_pulumi_settings

Settings = Mapping[str, Any]


@pytest.fixture(scope="session")
def tools() -> Toolchain:
    without_pulumi_settings()
    return ensure()


@pytest.fixture(scope="session")
def shared_cluster(tools: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """An embedded cluster without nodes: they come with node pools."""
    cluster = Cluster(tmp_path_factory.mktemp("cluster"), tools, nodes=())
    cluster.start()
    google_surroundings.apply_crds(cluster.api)
    alibaba_surroundings.apply_crds(cluster.api)
    yield cluster
    cluster.stop()


@pytest.fixture(scope="module")
def cluster(shared_cluster: Cluster) -> Cluster:
    """The session's cluster, whole again if a test before has broken it."""
    if not shared_cluster.running:
        shared_cluster.start()
    return shared_cluster


@pytest.fixture(scope="module")
def objects(cluster: Cluster) -> Objects:
    return Objects(cluster.api)


@pytest.fixture
def google(cluster: Cluster, objects: Objects, tmp_path: Path) -> Iterator[Surroundings]:
    """A Google of the test's own, with its autoscaler; what is left of it on Kubernetes goes with the test."""
    yield from new_google(cluster, objects, tmp_path / "google")


@pytest.fixture(scope="module")
def module_google(
    cluster: Cluster, objects: Objects, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Surroundings]:
    """The same for all tests of a module."""
    yield from new_google(cluster, objects, tmp_path_factory.mktemp("google"))


@pytest.fixture
def cloud(google: Surroundings) -> Cloud:
    """What is in the test's Google: resources, faults, and what was done."""
    return google.cloud


class GkeStack(Protocol):
    """Makes a stack of the project's own program with these settings; ``name`` is also the stack's."""

    def __call__(self, settings: Settings, name: str = "gke") -> GoogleProgram: ...


@pytest.fixture
def gke_stack(google: Surroundings, tmp_path: Path) -> GkeStack:
    def make(settings: Settings, name: str = "gke") -> GoogleProgram:
        program = GoogleProgram(google, tmp_path / name, stack=name)
        program.configure(settings)
        return program

    return make


@pytest.fixture
def alibaba(cluster: Cluster, objects: Objects, tmp_path: Path) -> Iterator[AlibabaSurroundings]:
    """An Alibaba Cloud of the test's own, with its autoscaler; what is left of it on Kubernetes goes with the test."""
    yield from new_alibaba(cluster, objects, tmp_path / "alibaba")


@pytest.fixture(scope="module")
def module_alibaba(
    cluster: Cluster, objects: Objects, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[AlibabaSurroundings]:
    """The same for all tests of a module."""
    yield from new_alibaba(cluster, objects, tmp_path_factory.mktemp("alibaba"))


class AckStack(Protocol):
    """Makes a stack of the project's own program with these settings; ``name`` is also the stack's."""

    def __call__(self, settings: Settings, name: str = "ack") -> AlibabaProgram: ...


@pytest.fixture
def ack_stack(alibaba: AlibabaSurroundings, tmp_path: Path) -> AckStack:
    def make(settings: Settings, name: str = "ack") -> AlibabaProgram:
        program = AlibabaProgram(alibaba, tmp_path / name, stack=name)
        program.configure(settings)
        return program

    return make


def new_google(cluster: Cluster, objects: Objects, folder: Path) -> Iterator[Surroundings]:
    """Return a Google in a folder; a generator, for fixtures."""
    surroundings = Surroundings(folder, cluster)
    surroundings.prepare()
    leftovers = Leftovers(objects)
    with Autoscaler(surroundings.cloud, NODE_POOL, nodes):
        yield surroundings
        surroundings.cloud.heal()
    leftovers.remove()


def new_alibaba(cluster: Cluster, objects: Objects, folder: Path) -> Iterator[AlibabaSurroundings]:
    """Return an Alibaba Cloud in a folder; a generator, for fixtures."""
    surroundings = AlibabaSurroundings(folder, cluster)
    surroundings.prepare()
    leftovers = Leftovers(objects)
    with Autoscaler(surroundings.cloud, ALIBABA_NODE_POOL, alibaba_nodes):
        yield surroundings
        surroundings.cloud.heal()
    leftovers.remove()
    alibaba_surroundings.remove_generic_nodes(cluster.api)
