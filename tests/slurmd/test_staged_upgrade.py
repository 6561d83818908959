"""From one Slurm series to a newer one, daemon by daemon: slurmdbd first, then slurmctld, then the workers."""

import shutil
from pathlib import Path

import pytest

from devcluster.slurm_images import JOB_USER, SlurmImage
from tests.slurmd.cluster import Cluster
from tests.slurmd.controller import Controller, state_folder
from tests.slurmd.differences import for_this_machine
from tests.slurmd.operator_files import CPU_AND_GPU, SLURMDBD_CONF, files
from tests.slurmd.site import Site
from tests.slurmd.workers import Worker
from tests.waiting import equals

OLD, NEW = "24.11", "26.05"
DBD = {"slurmdbd.conf": SLURMDBD_CONF}
CTLD = for_this_machine(files(CPU_AND_GPU, accounting=True))


@pytest.fixture
def site(images: dict[str, SlurmImage], tmp_path: Path) -> Site:
    return Site(images[OLD], tmp_path)


def test_every_step_runs_jobs_and_accounts_for_them(images: dict[str, SlurmImage], site: Site) -> None:
    with site:
        cluster = Cluster(site)
        cluster.start_accounting(DBD)
        cluster.controller.start(CTLD)
        cluster.start_workers({"cpu-0": "Features=cpu"})
        jobs = [run(cluster)]
        held = ("sbatch", "--parsable", "--hold", "--output=/dev/null", "--wrap=true")
        waiting = cluster.run(*held, user=JOB_USER).strip()
        site.image = images[NEW]
        renew_slurmdbd(cluster)
        jobs.append(run(cluster))
        # A job that is not quite over when slurmctld goes keeps its node for minutes.
        cluster.wait_idle("cpu-0")
        renew_slurmctld(cluster)
        cluster.wait_idle("cpu-0")
        assert cluster.run("squeue", "--noheader", "--format=%i").split() == [waiting]
        jobs.append(run(cluster))
        renew_worker(cluster, "cpu-0")
        jobs.append(run(cluster))
        assert accounted(cluster, jobs) == set(jobs)


def test_a_newer_slurmctld_is_no_client_of_an_older_slurmdbd(images: dict[str, SlurmImage], site: Site) -> None:
    with site:
        cluster = Cluster(site)
        cluster.start_accounting(DBD)
        cluster.controller.start(CTLD)
        cluster.controller.stop()
        site.image = images[NEW]
        renew_slurmctld(cluster)
        assert cluster.controller.daemon
        assert "Incompatible versions of client and server code" in str(cluster.controller.daemon.complaints)


def run(cluster: Cluster) -> str:
    """Run a job and return its number."""
    command = ("srun", "--quiet", "--immediate=600", "sh", "-c", "echo $SLURM_JOB_ID")
    return cluster.run(*command, user=JOB_USER).strip()


def accounted(cluster: Cluster, jobs: list[str]) -> set[str]:
    """Return those of the jobs that slurmdbd has as completed, once it has them all."""
    command = ("sacct", "--allusers", "--allocations", "--noheader", "--parsable2", "--starttime=now-1hours")
    daemon = cluster.controller.daemon
    assert daemon

    def completed() -> set[str]:
        rows = cluster.run(*command, "--format=JobID,State").splitlines()
        return {row.removesuffix("|COMPLETED") for row in rows if row.endswith("|COMPLETED")} & set(jobs)

    return daemon.eventually("sending its jobs to slurmdbd", completed, equals(set(jobs)))


def renew_slurmdbd(cluster: Cluster) -> None:
    """Replace slurmdbd's host by one of the newer image."""
    assert cluster.accounting
    cluster.accounting.stop()
    cluster.site.remove(cluster.accounting.host)
    cluster.accounting = cluster.accounting_host()
    cluster.accounting.start(DBD)


def renew_slurmctld(cluster: Cluster) -> None:
    """Replace slurmctld's host, with the state on its volume."""
    old = cluster.controller
    old.stop()
    state = state_folder(str(CTLD["slurm.conf"]))
    kept = cluster.site.folder / "state"
    shutil.copytree(old.host.root / state.lstrip("/"), kept)
    cluster.site.remove(old.host)
    cluster.controller = Controller(cluster.site.host("c-controller-0", ["c-controller", "c-controller.slurm"]))
    host = cluster.controller.host
    host.folder(state, mode=0o700, owner="slurm")
    for path in kept.rglob("*"):
        inside = f"{state}/{path.relative_to(kept)}"
        if path.is_dir():
            host.folder(inside, mode=0o700, owner="slurm")
        else:
            host.write(inside, path.read_bytes(), mode=0o600, owner="slurm")
    cluster.controller.start(CTLD, keep_state=True)


def renew_worker(cluster: Cluster, name: str) -> None:
    """Replace a worker's host, once it has no job; its node registers itself again."""
    cluster.wait_idle(name)
    old = cluster.workers.pop(name)
    assert old.daemon
    old.daemon.stop()
    cluster.site.remove(old.host)
    cluster.run("scontrol", "delete", f"nodename={name}")
    cluster.workers[name] = Worker(cluster.site, name)
    cluster.start_workers({name: "Features=cpu"})
