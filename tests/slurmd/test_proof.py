"""The steps of `pulumi-slurm prove` on daemons, as the tests of GPUs run them; in pods: tests/jobs/test_prove.py."""

from devcluster.slurm_images import SlurmImage
from pulumi_slurm_cli.proof import BAD, Verdict
from tests.slurmd.proof_bed import ProofBed
from tests.slurmd.releases import ON_THE_NEWEST
from tests.slurmd.site import Site

pytestmark = ON_THE_NEWEST
CPU = {"name": "cpu", "replicas": 1, "machine": {"cpus": 1, "memory": "1Gi"}, "partition": {"default": True}}


def test_a_cluster_without_gpus_passes(site: Site, image: SlurmImage) -> None:
    results = ProofBed.started(site, CPU).results()
    assert [result for result in results if result.verdict in BAD] == [], image.version
    passed = {result.step for result in results if result.verdict is Verdict.PASS}
    assert passed - {"metrics"} == {"daemons", "nodes", "srun", "sbatch", "inside", "isolation", "limits", "record"}
