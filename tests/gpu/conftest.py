"""Slurm with the GPUs of this machine, on both releases; without one each test is skipped, and says so."""

from collections.abc import Iterator

import pytest

from devcluster.slurm_images import SlurmImage
from tests.gpu.gpus import DEVICE, Gpus
from tests.slurmd.proof_bed import ProofBed
from tests.slurmd.releases import EARLIER, NEWEST, images_of
from tests.slurmd.site import Site


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Skip what needs a GPU."""
    if not DEVICE.exists():
        pytest.skip(f"no NVIDIA GPU: {DEVICE} is not there")


@pytest.fixture(scope="session")
def gpus() -> Gpus:
    """Return the machine's GPUs."""
    return Gpus()


@pytest.fixture(scope="session", params=(NEWEST, EARLIER), ids=lambda series: f"slurm-{series}")
def image(request: pytest.FixtureRequest) -> SlurmImage:
    """Return each release in turn."""
    return images_of([request.param])[request.param]


@pytest.fixture(scope="session")
def bed(image: SlurmImage, gpus: Gpus, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProofBed]:
    """Yield a cluster whose node has all GPUs, and no driver's files."""
    machine = {"cpus": 1, "memory": "12Gi", "gpus": {"count": gpus.count, "type": gpus.type}}
    node_set = {"name": "gpu", "replicas": 1, "machine": machine, "partition": {"default": True}}
    with Site(image, tmp_path_factory.mktemp("gpu")) as site:
        yield ProofBed.started(site, node_set, gpus.devices_in)
