"""The real engine, API server and operator, and beside them a cloud in a folder: no account, nothing that costs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from devcluster.cluster import Cluster
from devcluster.toolchain import Toolchain, ensure
from tests.clouds.alibaba import surroundings as alibaba_surroundings
from tests.clouds.alibaba.surroundings import Alibaba
from tests.clouds.gcp import surroundings as google_surroundings
from tests.clouds.gcp.admission import apply_admission
from tests.clouds.gcp.surroundings import Google
from tests.clouds.simulator.cloud import Cloud
from tests.clouds.surroundings import apply_crds, prepared
from tests.e2e.objects import Objects
from tests.e2e.program import without_pulumi_settings


@pytest.fixture(scope="session")
def tools() -> Toolchain:
    without_pulumi_settings()
    return ensure()


@pytest.fixture(scope="session")
def shared_cluster(tools: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """An embedded cluster without nodes: they come with node pools."""
    cluster = Cluster(tmp_path_factory.mktemp("cluster"), tools, nodes=(), mutating_policies=True)
    try:
        cluster.start()
        apply_crds(cluster.api, google_surroundings.CRDS)
        apply_crds(cluster.api, alibaba_surroundings.CRDS)
        apply_admission(cluster.api)
        yield cluster
    finally:
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
def google(cluster: Cluster, objects: Objects, tmp_path: Path) -> Iterator[Google]:
    """A Google of the test's own, with its autoscaler; what is left of it on Kubernetes goes with the test."""
    with prepared(Google(tmp_path / "google", cluster), objects) as google:
        yield google


@pytest.fixture(scope="module")
def module_google(cluster: Cluster, objects: Objects, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Google]:
    """The same for all tests of a module."""
    with prepared(Google(tmp_path_factory.mktemp("google"), cluster), objects) as google:
        yield google


@pytest.fixture
def cloud(google: Google) -> Cloud:
    """What is in the test's Google: resources, faults, and what was done."""
    return google.cloud


@pytest.fixture
def alibaba(cluster: Cluster, objects: Objects, tmp_path: Path) -> Iterator[Alibaba]:
    """An Alibaba Cloud of the test's own, with its autoscaler; what is left of it on Kubernetes goes with the test."""
    with prepared(Alibaba(tmp_path / "alibaba", cluster), objects) as alibaba:
        yield alibaba


@pytest.fixture(scope="module")
def module_alibaba(cluster: Cluster, objects: Objects, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Alibaba]:
    """The same for all tests of a module."""
    with prepared(Alibaba(tmp_path_factory.mktemp("alibaba"), cluster), objects) as alibaba:
        yield alibaba
