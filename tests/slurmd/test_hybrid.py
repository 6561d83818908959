"""Hybrid clusters as in the docs: daemons outside of Kubernetes, which resolve only few names."""

import pytest
import yaml

from devcluster.slurm_images import JOB_USER
from pulumi_slurm.loading import load
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.slurmconf.version import Series
from tests.doc_blocks import blocks
from tests.slurmd.cluster import Cluster
from tests.slurmd.controller import Controller
from tests.slurmd.database import Accounting, start_mariadb
from tests.slurmd.differences import for_this_machine
from tests.slurmd.operator_files import SLURMDBD_CONF
from tests.slurmd.rendered import rendered_files
from tests.slurmd.site import Site
from tests.slurmd.workers import Worker

PAGES = ("hybrid.md", "external-nodes.md")
CPU = {"name": "cpu", "machine": {"cpus": 2, "memory": "1Gi"}}
SLURMCTLD = "slurmctld.example.org"
SLURMDBD = "slurmdbd.example.org"
KEYS = {name: {"existing": {"name": "site-keys", "key": f"{name}.key"}} for name in ("slurm", "jwt")}


@pytest.fixture
def series(site: Site) -> Series:
    return Series.of(site.image.series)


def from_page(field: str) -> SlurmSpec:
    """Return the specification of the pages' example that has a field, for the cluster `c`."""
    (config,) = [
        cluster
        for block in blocks("cluster")
        if block.file.name in PAGES and field in (cluster := yaml.safe_load(block.text)["config"]["slurm:cluster"])
    ]
    return load({"name": "c", "nodeSets": [CPU], **config})[0]


def srun(controller: Controller, *arguments: str) -> str:
    return controller.host.run(["srun", "--quiet", "--immediate=20", *arguments, "hostname"], user=JOB_USER)


def test_machines_outside_run_jobs_of_a_partition_that_they_share_with_pods(site: Site, series: Series) -> None:
    cluster = Cluster(site)
    controller, address = cluster.controller.host, f"{SLURMCTLD}:6817"
    site.alias(controller, SLURMCTLD)
    cluster.start_controller(rendered_files(from_page("externalNodes"), series))
    cluster.start_workers({"cpu-0": "Features=cpu"})
    outside = Worker(site, "rack1")
    site.knows_only(outside.host, SLURMCTLD, "cpu-0")
    outside.start(address, "Features=onprem")
    cluster.workers["rack1"] = outside
    cluster.wait_idle("rack1")

    assert cluster.nodes("site") == {"cpu-0", "rack1"}
    assert srun(cluster.controller, "--partition=site", "--nodelist=rack1") == "rack1\n"
    cluster.wait_idle("rack1")
    assert sorted(srun(cluster.controller, "--partition=site", "--nodes=2").split()) == ["cpu-0", "rack1"]


def test_pods_are_workers_of_a_slurmctld_outside(site: Site) -> None:
    (block,) = blocks("outside")
    controller = Controller(site.host("head", [SLURMCTLD]))
    text = block.text.replace(f"SlurmctldHost={SLURMCTLD}", f"SlurmctldHost=head({SLURMCTLD})")
    paths = "SlurmUser=slurm\nStateSaveLocation=/var/spool/site\nSlurmdSpoolDir=/var/spool/slurmd\n"
    cgroup = {"cgroup.conf": "CgroupPlugin=cgroup/v2\nIgnoreSystemd=yes\n"}
    controller.start(for_this_machine({"slurm.conf": text + paths, **cgroup}))
    worker = Worker(site, "burst-0")
    site.knows_only(worker.host, SLURMCTLD)
    daemon = worker.start(f"{SLURMCTLD}:6817", "Features=burst")
    states = ["sinfo", "--noheader", "--nodes=burst-0", "--format=%T"]
    daemon.wait_until(lambda: controller.host.attempt(states).stdout.startswith("idle"), "being idle in Slurm")
    assert srun(controller, "--partition=burst") == "burst-0\n"


def test_two_clusters_keep_their_jobs_in_one_slurmdbd_outside(site: Site, series: Series) -> None:
    start_mariadb(site)
    accounting = Accounting(site.host("c-accounting-0", ["c-accounting", SLURMDBD]))
    accounting.start({"slurmdbd.conf": SLURMDBD_CONF})
    clusters = [Cluster(site, "a"), Cluster(site, "b")]
    for cluster in clusters:
        site.knows_only(cluster.controller.host, SLURMDBD, f"{cluster.name}-0")
        spec = from_page("accounting").model_copy(update={"name": cluster.name})
        cluster.start_controller(rendered_files(spec, series))
    shown = ["sacctmgr", "--noheader", "--parsable2", "show", "cluster", "format=cluster"]
    daemon = clusters[1].controller.daemon
    assert daemon
    daemon.wait_until(lambda: len(clusters[0].run(*shown).split()) == 2, "being in the database")
    assert sorted(clusters[0].run(*shown).split()) == ["a", "b"]
