"""The steps of `pulumi-slurm prove` for GPUs, on nodes that have their device files and nothing behind them."""

from collections.abc import Iterator

import pytest

from devcluster.slurm_images import SlurmImage
from pulumi_slurm.configuration.node_sets import slurmd_conf
from pulumi_slurm.derived.node_names import node_names
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.rules import checked
from pulumi_slurm.slurmconf import hostlist
from pulumi_slurm.slurmconf.version import Series
from pulumi_slurm_cli.proof import Verdict
from pulumi_slurm_cli.proof.gpus import gpus_are_fast
from pulumi_slurm_cli.proof.nccl import gpus_work_together, nodes_work_together
from tests.slurmd.cluster import Cluster
from tests.slurmd.differences import with_device_files
from tests.slurmd.proof_bed import BASE, HAS_METRICS, ProofBed
from tests.slurmd.python_in import python_in
from tests.slurmd.releases import ON_THE_NEWEST
from tests.slurmd.rendered import here, rendered_files
from tests.slurmd.site import Site

pytestmark = ON_THE_NEWEST
COUNT = 2
MACHINE = {"cpus": 1, "memory": "1Gi", "gpus": {"count": COUNT, "type": "a100"}}
NODE_SET = {"name": "gpu", "replicas": 3, "machine": MACHINE, "partition": {"default": True}}


@pytest.fixture(scope="module")
def bed(image: SlurmImage, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProofBed]:
    series = Series.of(image.version)
    fields = {**BASE, "accounting": None, "nodeSets": [NODE_SET], "monitoring": {"metrics": series >= HAS_METRICS}}
    spec = here(checked(SlurmSpec.model_validate(fields)))
    (node_set,) = spec.node_sets
    names = hostlist.expand(node_names(node_set))
    conf = f"Features={node_set.slurm_name} {slurmd_conf(node_set, node_set.machine)}"
    with Site(image, tmp_path_factory.mktemp("gpus")) as site:
        cluster = Cluster(site)
        cluster.start_controller(with_device_files(rendered_files(spec, series), {"gpu-[0-9]": COUNT}, "a100"))
        cluster.start_workers(dict.fromkeys(names, conf), gpus=dict.fromkeys(names, COUNT))
        yield ProofBed(spec, cluster)


def test_each_step_says_what_it_lacks(bed: ProofBed) -> None:
    trial = bed.trial()
    steps = (gpus_are_fast, gpus_work_together, nodes_work_together)
    without_python = [result for step in steps for result in step(trial)]
    assert {(result.verdict, result.observed) for result in without_python} == {
        (Verdict.SKIP, "the image of gpu has no python3, which measures")
    }
    for worker in bed.cluster.workers.values():
        python_in(worker.host)
    (of_driver,) = gpus_are_fast(trial)
    assert of_driver.verdict is Verdict.FAIL
    assert of_driver.observed.startswith("nothing is measured of GPU 0 of gpu-0, GPU 1 of gpu-0, GPU 0 of gpu-1, ")
    assert "no rates: libcuda.so.1: cannot open shared object file" in of_driver.observed
    of_nccl = [*gpus_work_together(trial), *nodes_work_together(trial)]
    assert [result.subject for result in of_nccl] == ["node set gpu, all-reduce", "node set gpu, pairs"]
    assert {result.verdict for result in of_nccl} == {Verdict.SKIP}
    assert all(result.observed.startswith("jobs find no libnccl.so.2") and result.jobs for result in of_nccl)
