"""Real Slurm daemons, each host in namespaces of its own; see `host.py`.

Where the machine cannot run them, the tests fail in CI and are skipped elsewhere, with what is missing.
"""

from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from devcluster.slurm_images import RECIPES, SlurmImage
from tests.slurmd.cluster import Cluster
from tests.slurmd.controller import Controller
from tests.slurmd.operator_files import SLURMDBD_CONF
from tests.slurmd.releases import EARLIER, NEWEST, images_of
from tests.slurmd.sacctmgr import SacctmgrPod
from tests.slurmd.site import Site, open_sites

HERE = Path(__file__).parent
LINES_OF_A_LOG = 60
OPERATED = (EARLIER, NEWEST)
"""The series around the one that slurm-operator runs; the third one, 22.05, is for tests of ack-slurm-operator."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add the logs of the daemons that live to the report of a test that has failed."""
    report = yield
    if report.failed and HERE in item.path.parents:
        for site in open_sites:
            for daemon in site.daemons():
                report.sections.append((f"log of {daemon}", "\n".join(daemon.log.splitlines()[-LINES_OF_A_LOG:])))
    return report


@pytest.fixture(scope="session")
def images() -> dict[str, SlurmImage]:
    """Return the images by series, such as 24.11."""
    return images_of(RECIPES)


@pytest.fixture(scope="module", params=OPERATED, ids=lambda series: f"slurm-{series}")
def image(request: pytest.FixtureRequest) -> SlurmImage:
    """Return each release in turn."""
    return images_of([request.param])[request.param]


@pytest.fixture
def site(image: SlurmImage, tmp_path: Path) -> Iterator[Site]:
    """Yield a site for one test."""
    with Site(image, tmp_path) as site:
        yield site


@pytest.fixture(scope="module")
def cluster(image: SlurmImage, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Yield a cluster of which nothing runs yet."""
    with Site(image, tmp_path_factory.mktemp("site")) as site:
        yield Cluster(site)


@pytest.fixture(scope="module")
def accounted_cluster(cluster: Cluster) -> Cluster:
    """Return a cluster of which slurmdbd and its database run."""
    cluster.start_accounting({"slurmdbd.conf": SLURMDBD_CONF})
    return cluster


@pytest.fixture(scope="module")
def sacctmgr(accounted_cluster: Cluster) -> SacctmgrPod:
    """Return a host that runs the scripts of Jobs of that cluster."""
    return SacctmgrPod(accounted_cluster.site)


@pytest.fixture
def controller(site: Site) -> Controller:
    """Return a controller that runs nothing yet, on the host that the operator's slurm.conf of cluster `c` names."""
    return Controller(site.host("c-controller-0", ["c-controller", "c-controller.slurm"]))
