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
from pulumi_slurm_cli.proof.gpu_jobs import GpuNodes
from pulumi_slurm_cli.proof.gpus import gpus_are_fast
from pulumi_slurm_cli.proof.nccl import gpus_work_together, nodes_work_together
from tests.slurmd.cluster import Cluster
from tests.slurmd.differences import with_device_files
from tests.slurmd.proof_bed import BASE, HAS_METRICS, ProofBed
from tests.slurmd.python_in import python_in
from tests.slurmd.releases import ON_THE_NEWEST
from tests.slurmd.rendered import here, rendered_files
from tests.slurmd.site import Site
from tests.slurmd.workers import Worker

pytestmark = ON_THE_NEWEST
COUNT = 2
MACHINE = {"cpus": 2, "memory": "4Gi", "gpus": {"count": COUNT, "type": "a100"}}
NODE_SET = {"name": "gpu", "replicas": 3, "machine": MACHINE, "partition": {"default": True, "maxNodes": 1}}
PARTITIONS = [
    {"name": "wide", "nodeSets": ["gpu"], "maxMemPerNode": "1024"},
    {"name": "short", "nodeSets": ["gpu"], "maxTime": "00:01:00"},
]
CONF = {"defMemPerCpu": "100M", "extra": {"WaitTime": "1", "KillOnBadExit": "1"}}
EPILOG = "#!/bin/sh\nsleep 2\n"


@pytest.fixture(scope="module")
def bed(image: SlurmImage, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProofBed]:
    series = Series.of(image.version)
    fields = {
        **{**BASE, "accounting": None, "slurmConf": CONF, "nodeSets": [NODE_SET], "partitions": PARTITIONS},
        "monitoring": {"metrics": series >= HAS_METRICS},
    }
    spec = here(checked(SlurmSpec.model_validate(fields)))
    (node_set,) = spec.node_sets
    names = hostlist.expand(node_names(node_set))
    conf = f"Features={node_set.slurm_name} {slurmd_conf(node_set, node_set.machine)}"
    with Site(image, tmp_path_factory.mktemp("gpus")) as site:
        cluster = Cluster(site)
        files = rendered_files(spec, series)
        files["slurm.conf"] = f"{files['slurm.conf']!s}\nEpilog=/etc/epilog.sh\n"
        cluster.start_controller(with_device_files(files, {"gpu-[0-9]": COUNT}, "a100"))
        for name in names:
            cluster.workers[name] = worker = Worker(site, name)
            worker.gpus(COUNT)
            worker.host.write("/etc/epilog.sh", EPILOG, mode=0o755)
        cluster.start_workers(dict.fromkeys(names, conf))
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
    assert of_driver.observed.startswith("nothing is measured from host to GPU, 0 of gpu-0, ")
    assert "no rates: libcuda.so.1: cannot open shared object file" in of_driver.observed
    of_nccl = [*gpus_work_together(trial), *nodes_work_together(trial)]
    assert [result.subject for result in of_nccl] == ["node set gpu, all-reduce", "node set gpu, pairs"]
    assert {result.verdict for result in of_nccl} == {Verdict.SKIP}
    assert all(result.observed.startswith("jobs find no libnccl.so.2") and result.jobs for result in of_nccl)


def test_jobs_have_whole_nodes_of_the_partition_with_most(bed: ProofBed) -> None:
    trial = bed.trial()
    for name in bed.cluster.workers:
        bed.cluster.wait_idle(name)
    (node_set,) = trial.spec.node_sets
    there = GpuNodes.of(trial, node_set)
    assert isinstance(there, GpuNodes)
    assert (there.partition, len(there.addresses)) == ("wide", 3)
    assert (there.needs.cpus, there.needs.mib) == (2, 1024)
    slow = "[ $SLURM_PROCID = 0 ] || sleep 3; echo $(nproc) CPUs, $SLURM_GPUS_ON_NODE GPUs; exit $SLURM_PROCID"
    done = trial.srun(there.partition, trial.nodes, slow, there.needs)
    assert done.lines.count("2 CPUs, 2 GPUs") == 3, done
    # Epilogs are waited for.
    again = GpuNodes.of(trial, node_set)
    assert isinstance(again, GpuNodes)
    assert len(again.addresses) == 3
    trial.only = "short"
    assert GpuNodes.of(trial, node_set) == "partition short: maxTime is 00:01:00, and a job takes 240 s"
