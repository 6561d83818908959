"""Jobs with sacctmgr's commands that run before slurmdbd answers, as at the first update of a cluster."""

import time
from pathlib import Path
from typing import Any

import pytest

from devcluster.slurm_images import SlurmImage
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.loading import load
from tests.slurmd.ack_pods import AckCluster
from tests.slurmd.cluster import Cluster
from tests.slurmd.database import USER, start_mariadb
from tests.slurmd.host import Host
from tests.slurmd.operator_files import SLURMDBD_CONF
from tests.slurmd.releases import ON_THE_NEWEST
from tests.slurmd.sacctmgr import SacctmgrPod
from tests.slurmd.site import Site

ADD_QOS = "sacctmgr --immediate add qos night"
WAITS = "Waiting for slurmdbd."


@pytest.fixture
def database(site: Site) -> Host:
    return start_mariadb(site)


@pytest.fixture
def cluster(site: Site, database: Host) -> Cluster:
    """Return a cluster whose slurmdbd has an address and a database, and doesn't run."""
    cluster = Cluster(site)
    cluster.accounting = cluster.accounting_host()
    return cluster


@ON_THE_NEWEST
def test_a_job_waits_for_slurmdbd_and_then_runs(cluster: Cluster) -> None:
    pod = SacctmgrPod(cluster.site)
    job = pod.start_job(ADD_QOS)
    job.eventually_says(WAITS)
    time.sleep(3)
    assert job.running, job.log
    cluster.start_accounting({"slurmdbd.conf": SLURMDBD_CONF})
    assert job.wait_end() == 0, job.log
    # Said once, without what sacctmgr has said meanwhile.
    assert job.log.count(WAITS) == 1
    assert "Connection refused" not in job.log
    assert "night" in pod.run("sacctmgr", "--noheader", "show", "qos", "format=name")


@ON_THE_NEWEST
def test_a_job_waits_for_the_database_behind_slurmdbd(cluster: Cluster, database: Host) -> None:
    cluster.start_accounting({"slurmdbd.conf": SLURMDBD_CONF})
    (mariadb,) = database.daemons
    mariadb.stop()
    pod = SacctmgrPod(cluster.site)
    # More than a first question takes on a slow machine, so that it says that it waits.
    pod.wait_seconds = 30
    job = pod.start_job(ADD_QOS)
    assert job.wait_end() != 0
    assert WAITS in job.log
    assert "Unable to connect to database" in job.log


@ON_THE_NEWEST
def test_what_waiting_does_not_mend_fails_soon_with_its_message(cluster: Cluster) -> None:
    cluster.start_accounting({"slurmdbd.conf": SLURMDBD_CONF})
    pod = SacctmgrPod(cluster.site)
    refused = pod.start_job("sacctmgr --immediate modify qos where name=normal set Nonsense=1")
    assert refused.wait_end() != 0
    assert "Unknown option: Nonsense=1" in refused.log
    wrong_key = pod.start_job(ADD_QOS, jwt_key=b"k" * 64)
    assert wrong_key.wait_end() != 0
    assert "Protocol authentication error" in wrong_key.log
    assert WAITS not in refused.log + wrong_key.log


ON_ACK: dict[str, Any] = {
    "name": "hpc",
    "nodeSets": [{"name": "cpu", "machine": {"cpus": 1, "memory": "300Mi"}}],
    "accounting": {
        "database": {
            "kind": "external",
            "host": "mysql",
            "user": USER,
            "passwordSecret": {"name": "mysql", "key": "password"},
        },
        "qos": [{"name": "night"}],
    },
}


@pytest.mark.parametrize("series", ["22.05", "24.11"])
def test_a_job_of_ack_slurm_operator_waits_too(images: dict[str, SlurmImage], tmp_path: Path, series: str) -> None:
    spec, pools = load(ON_ACK)
    with Site(images[series], tmp_path) as site:
        cluster = AckCluster(site, spec, pools, AckSlurmSpec(slurmrestd=False))
        cluster.slurmdbd_host()
        job = cluster.start_accounting_job()
        job.eventually_says(WAITS)
        cluster.start_slurmdbd()
        assert job.wait_end() == 0, job.log
        assert "Adding QOS(s)" in job.log


@pytest.mark.parametrize("series", ["22.05", "24.11"])
def test_with_another_munge_key_it_fails_soon(images: dict[str, SlurmImage], tmp_path: Path, series: str) -> None:
    spec, pools = load(ON_ACK)
    with Site(images[series], tmp_path) as site:
        cluster = AckCluster(site, spec, pools, AckSlurmSpec(slurmrestd=False))
        cluster.start_slurmdbd()
        job = cluster.start_accounting_job(munge_key="k" * 64)
        assert job.wait_end() != 0
        assert "Protocol authentication error" in job.log
        assert WAITS not in job.log
