"""Jobs find NVIDIA's programs and libraries where clouds have them."""

import pytest

from pulumi_slurm.slurmconf.version import Series
from tests.gpu.gpus import GKE, TOOLKIT, Gpus
from tests.slurmd.proof_bed import SENDS_TASK_PROLOGS, ProofBed


def gpus_of_a_job(bed: ProofBed) -> int:
    """Return how many nvidia-smi finds in a job with one."""
    lines = bed.as_user("srun", "--quiet", "--gpus=1", "nvidia-smi", "-L").splitlines()
    return sum(line.startswith("GPU ") for line in lines)


def test_a_job_finds_the_driver_where_gke_mounts_it(bed: ProofBed, gpus: Gpus) -> None:
    if Series.of(bed.cluster.site.image.version) < SENDS_TASK_PROLOGS:
        pytest.skip("this release sends no TaskProlog to its nodes")
    with gpus.driver_in(bed.worker, GKE):
        assert gpus_of_a_job(bed) == 1


@pytest.mark.parametrize("distribution", TOOLKIT)
def test_a_job_finds_the_driver_where_the_toolkit_mounts_it(bed: ProofBed, gpus: Gpus, distribution: str) -> None:
    with gpus.driver_in(bed.worker, TOOLKIT[distribution]):
        assert gpus_of_a_job(bed) == 1
