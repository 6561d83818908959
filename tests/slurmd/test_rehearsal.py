"""A rehearsal on copies of a cluster that runs: what it finds, and that it touches nothing of the cluster."""

import random
import re
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from devcluster.slurm_images import JOB_USER, SlurmImage
from pulumi_slurm.loading import load
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.slurmconf.version import Series
from tests.slurmd.cluster import Cluster
from tests.slurmd.controller import state_folder
from tests.slurmd.daemon import DaemonError
from tests.slurmd.database import NAME, SOCKET
from tests.slurmd.operator_files import CPU_AND_GPU, SLURMDBD_CONF, files
from tests.slurmd.rehearsal import Copies, dump, files_here, rehearse, start, start_in
from tests.slurmd.rehearsed_specs import BASE, CHANGES
from tests.slurmd.releases import ON_THE_NEWEST
from tests.slurmd.rendered import rendered_files
from tests.slurmd.site import Site
from tests.waiting import equals, eventually

SBATCH = ("sbatch", "--parsable", "--output=/dev/null")
RUNNING, HELD, GONE = "running", "held", "gone"
JOBS = {
    # The reservation is far away.
    RUNNING: ("--partition=cpu", "--time=1:00:00", "--wrap=sleep 3600"),
    HELD: ("--partition=all", "--hold", "--wrap=true"),
    GONE: ("--partition=gpu", "--hold", "--array=1-3", "--wrap=true"),
}
CONF = files(CPU_AND_GPU, accounting=True)
WITHOUT_GPU = files("\n".join(line for line in CPU_AND_GPU.splitlines() if "gpu" not in line) + "\n", accounting=True)
OF_TIME = re.compile(r"^INSERT INTO `(\w+_usage_\w+|\w+_last_ran_table)`.*$", re.M)
"""What slurmdbd writes each hour by itself."""
MUTANTS, PART = 30, 8
MORE = pytest.mark.repeats("tests/slurmd/test_rehearsal.py, with its first part")
RECORDS = 100_000


def cluster_with_jobs(site: Site) -> tuple[Cluster, dict[str, str]]:
    """Return a cluster with accounts, a reservation and jobs, and the jobs' numbers."""
    cluster = Cluster(site)
    cluster.start_accounting({"slurmdbd.conf": SLURMDBD_CONF})
    cluster.start_controller(CONF)
    cluster.start_workers({"cpu-0": "Features=cpu"})
    cluster.run("sacctmgr", "--immediate", "add", "account", "science")
    cluster.run("sacctmgr", "--immediate", "add", "user", JOB_USER, "account=science", "maxjobs=7")
    reservation = ("Reservation=maintenance", "StartTime=now+10days", "Duration=60", "Users=root", "Nodes=cpu-0")
    cluster.run("scontrol", "create", *reservation)
    numbers = {name: cluster.run(*SBATCH, *options, user=JOB_USER).strip() for name, options in JOBS.items()}
    daemon = cluster.controller.daemon
    assert daemon
    one = ("squeue", "--noheader", "--format=%T", f"--jobs={numbers[RUNNING]}")
    daemon.eventually("running a job", lambda: cluster.run(*one).strip(), equals("RUNNING"))
    eventually("its state on disk", lambda: saved_jobs(cluster), lambda saved: saved >= 3)
    return cluster, numbers


def saved_jobs(cluster: Cluster) -> int:
    """Return how many of the jobs are in the copy that is made now; slurmctld writes some seconds after a change."""
    path = cluster.controller.host.root / state_folder(str(CONF["slurm.conf"])).lstrip("/") / "job_state"
    return path.read_bytes().count(b"wrap\0") if path.exists() else 0


def seen(cluster: Cluster) -> tuple[str, str, str]:
    """Return what a user sees of a cluster: jobs, nodes, accounts."""
    return (
        cluster.run("squeue", "--all", "--noheader", "--format=%i %T %N %r"),
        cluster.run("sinfo", "--all", "--noheader", "--format=%P %N %T"),
        cluster.run("sacctmgr", "--noheader", "--parsable2", "show", "association"),
    )


def rows(cluster: Cluster) -> str:
    """Return the rows of slurmdbd's tables, without those of time alone."""
    return OF_TIME.sub("", dump(cluster))


def state(cluster: Cluster) -> dict[str, bytes]:
    """Return the files of slurmctld's state."""
    folder = cluster.controller.host.root / state_folder(str(CONF["slurm.conf"])).lstrip("/")
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_a_change_to_a_newer_slurm_keeps_all_and_touches_nothing(images: dict[str, SlurmImage], tmp_path: Path) -> None:
    old, new = images["24.11"], images["26.05"]
    with Site(old, tmp_path) as site:
        cluster, numbers = cluster_with_jobs(site)
        copies = Copies(cluster, str(CONF["slurm.conf"]), tmp_path)
        before = start(old, tmp_path / "before", files_here(CONF, Series(24, 11), SLURMDBD_CONF), copies)
        assert before.came_up, before.reasons
        assert not before.database_converted
        assert {job.id: job.state for job in before.jobs} == {
            numbers[RUNNING]: "RUNNING",
            numbers[HELD]: "PENDING",
            f"{numbers[GONE]}_[1-3]": "PENDING",
        }
        # Without its daemons, whatever changes is the rehearsal's doing.
        assert cluster.accounting
        cluster.controller.stop()
        cluster.accounting.stop()
        kept = state(cluster), dump(cluster)
        result = rehearse(new, tmp_path / "after", before, files_here(CONF, Series(26, 5), SLURMDBD_CONF), copies)
        assert (state(cluster), dump(cluster)) == kept
        assert result.is_fine, result
        assert result.jobs_before == 3
        assert result.jobs_changed == []
        assert result.after.slurm.startswith("26.05")
        assert result.after.database_converted
        assert result.after.reservations == ["maintenance"]
        assert [line for line in result.after.associations if "science|alice" in line]
        assert (result.associations_lost, result.associations_new) == ([], [])
        assert (result.partitions_changed, result.nodes_changed) == ([], [])
        assert set(result.after.nodes) == {"cpu-0"}


@ON_THE_NEWEST
def test_it_touches_nothing_where_it_can_reach_the_cluster(site: Site, image: SlurmImage, tmp_path: Path) -> None:
    """As where no network plugin enforces policies: its slurmctld has the addresses of nodes, and other keys."""
    cluster, _ = cluster_with_jobs(site)
    copies = Copies(cluster, str(CONF["slurm.conf"]), tmp_path)
    kept = seen(cluster), rows(cluster)
    found = start_in(site, files_here(WITHOUT_GPU, Series.of(image.version), SLURMDBD_CONF), copies)
    assert found.came_up, found.reasons
    assert (seen(cluster), rows(cluster)) == kept


@ON_THE_NEWEST
def test_jobs_of_a_partition_that_goes_are_lost(site: Site, image: SlurmImage, tmp_path: Path) -> None:
    cluster, numbers = cluster_with_jobs(site)
    copies = Copies(cluster, str(CONF["slurm.conf"]), tmp_path)
    series = Series.of(image.version)
    before = start(image, tmp_path / "before", files_here(CONF, series, SLURMDBD_CONF), copies)
    result = rehearse(image, tmp_path / "after", before, files_here(WITHOUT_GPU, series, SLURMDBD_CONF), copies)
    assert result.came_up
    assert not result.is_fine
    assert {change.id.partition("_")[0] for change in result.jobs_lost} == {numbers[GONE]}
    assert result.partitions_lost == ["gpu"]
    refused = {**CONF, "slurm.conf": f"{CONF['slurm.conf']!s}PartitionName=q Nodes=cpu QOS=nosuch\n"}
    result = rehearse(image, tmp_path / "refused", before, files_here(refused, series, SLURMDBD_CONF), copies)
    # Before 25.11 a partition without its QoS is only reported: see tests/slurmd/test_slurmdbd.py.
    assert result.came_up == (series < Series(25, 11)), result.reasons
    assert result.came_up or "nosuch" in " ".join(result.reasons)


def test_without_its_database_slurmctld_starts_from_its_state_or_says_that_this_has_no_accounts(
    images: dict[str, SlurmImage], tmp_path: Path
) -> None:
    old, new, conf = images["24.11"], images["26.05"], str(CONF["slurm.conf"])
    with Site(old, tmp_path) as site:
        cluster, numbers = cluster_with_jobs(site)
        young = Copies(cluster, conf, tmp_path, with_database=False)
        for image in (old, new):
            found = start(image, tmp_path / "young", files_here(CONF, Series.of(image.version)), young)
            assert not found.came_up
            assert "the copy of the state has no accounts" in found.reasons[0]
        # It writes them then too.
        cluster.controller.stop()
        copies = Copies(cluster, conf, tmp_path, with_database=False)
        for image in (old, new):
            found = start(image, tmp_path / "later", files_here(CONF, Series.of(image.version)), copies)
            assert found.came_up, found.reasons
            assert {job.id.partition("_")[0] for job in found.jobs} == {*numbers.values()}
            assert {job.account for job in found.jobs} == {"science"}


@ON_THE_NEWEST
@pytest.mark.parametrize("first", [0, *(pytest.param(first, marks=MORE) for first in range(PART, MUTANTS, PART))])
def test_what_slurmctld_refuses_is_found_and_nothing_else(
    cluster: Cluster, image: SlurmImage, seed: int, first: int, tmp_path: Path
) -> None:
    series = Series.of(image.version)
    cluster.start_controller(rendered_files(changed({}), series))
    cluster.start_workers({"cpu-0": "Features=cpu"})
    cluster.run(*SBATCH, "--wrap=sleep 3600", user=JOB_USER)
    cluster.controller.stop()
    conf = str(rendered_files(changed({}), series)["slurm.conf"])
    copies = Copies(cluster, conf, tmp_path)
    drawn = random.Random(seed).sample(sorted(CHANGES), MUTANTS)[first : first + PART]
    wrong = []
    for number, name in enumerate(drawn):
        spec = changed(CHANGES[name])
        is_taken = takes(cluster, rendered_files(spec, series))
        found = start(image, tmp_path / str(number), files_here(rendered_files(spec, series), series), copies)
        if found.came_up != is_taken or (not is_taken and not any("fatal: " in line for line in found.reasons)):
            wrong.append(f"{name}: taken {is_taken}, came up {found.came_up}: {found.reasons}")
    assert not wrong, "\n".join(wrong)


def changed(change: Mapping[str, Any]) -> SlurmSpec:
    """Return the base with a change, which no rule refuses."""
    spec, _ = load({**BASE, **change}, [])
    return spec


def takes(cluster: Cluster, conf: Mapping[str, str | bytes]) -> bool:
    """Return whether slurmctld starts with files, on the state that it has."""
    try:
        cluster.start_controller(conf, keep_state=True)
    except DaemonError:
        return False
    assert cluster.controller.daemon
    cluster.controller.stop()
    return True


@pytest.mark.repeats("tests/slurmd/test_rehearsal.py, with few jobs")
def test_time_of_a_conversion(
    images: dict[str, SlurmImage], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Site(images["24.11"], tmp_path) as site:
        cluster, numbers = cluster_with_jobs(site)
        columns = of_database(cluster, COLUMNS)
        names = ",".join(f"`{name}`" for name in columns.split())
        values = names.replace("`id_job`", "seq + 1000")
        insert = (
            f"INSERT INTO slurm_c_job_table ({names}) SELECT {values} FROM slurm_c_job_table, seq_1_to_{RECORDS} "
            f"WHERE id_job = {numbers[RUNNING]}; UPDATE slurm_c_job_table SET state = 3, time_end = time_start + 60 "
            "WHERE id_job > 1000"
        )
        of_database(cluster, insert)
        assert of_database(cluster, "SELECT COUNT(*) FROM slurm_c_job_table WHERE state = 3") == str(RECORDS)
        began = time.monotonic()
        copies = Copies(cluster, str(CONF["slurm.conf"]), tmp_path)
        copied = time.monotonic()
        found = start(images["26.05"], tmp_path / "after", files_here(CONF, Series(26, 5), SLURMDBD_CONF), copies)
        ended = time.monotonic()
    with capsys.disabled():
        print(
            f"\n{RECORDS} records of jobs: copied in {copied - began:.1f} s, read in {found.import_seconds:.1f} s, "
            f"slurmdbd answers after {found.slurmdbd_seconds:.1f} s, slurmctld after {found.slurmctld_seconds:.1f} s, "
            f"all in {ended - began:.1f} s"
        )
    assert found.came_up, found.reasons
    assert found.database_converted
    assert {job.id.partition("_")[0] for job in found.jobs} == {*numbers.values()}


def of_database(cluster: Cluster, statement: str) -> str:
    """Return what a cluster's database answers."""
    assert cluster.mariadb
    return cluster.mariadb.run(["mariadb", "--user=root", f"--socket={SOCKET}", NAME, "-N", "-e", statement]).strip()


COLUMNS = """\
SELECT COLUMN_NAME FROM information_schema.COLUMNS
WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'slurm_c_job_table' AND COLUMN_NAME != 'job_db_inx'
"""
