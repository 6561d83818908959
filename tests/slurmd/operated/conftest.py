"""One embedded control plane with slurm-operator for the tests of this folder."""

from collections.abc import Iterator

import pytest

from devcluster.cluster import Cluster
from devcluster.toolchain import ensure
from tests.e2e.objects import Objects
from tests.slurmd.operated.operator import Operator


@pytest.fixture(scope="package")
def control_plane(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    cluster = Cluster(tmp_path_factory.mktemp("control-plane"), ensure())
    cluster.start()
    yield cluster
    cluster.stop()


@pytest.fixture(scope="package")
def operator(control_plane: Cluster) -> Operator:
    return Operator(Objects(control_plane.api))
