"""What the answers of a rehearsal come to: jobs that are lost, and why daemons didn't come up."""

import json
from pathlib import Path

import pytest

from devcluster.folders import CHECKOUT
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf
from pulumi_slurm_cli.commands.exit_codes import WRONG
from pulumi_slurm_cli.rehearsal.harmless import harmless
from pulumi_slurm_cli.rehearsal.report import report
from pulumi_slurm_cli.rehearsal.result import Start, compared, read_jobs, read_start
from tests.doc_blocks import blocks
from tests.unit.importing.command_line import run

UP = {
    "came-up": "",
    "version": "slurm 26.05.5\n",
    "jobs": "1|RUNNING|cpu|science|normal|1:00:00|cpu-0|None\n2_[1-3]|PENDING|gpu|(null)|normal|5:00||(a|b)\n"
    "3|COMPLETED|cpu|science|normal|1:00:00|cpu-0|None\n",
    "partitions": "cpu|up|infinite|1|cpu-0\ngpu|up|infinite|0|\n",
    "nodes": "NodeName=cpu-0 Arch=x86_64 State=MIXED+DYNAMIC_NORM+NOT_RESPONDING ThreadsPerCore=1\n",
    "associations": "c|science||\n",
    "slurmctld-milliseconds": "250\n",
    "slurmdbd-milliseconds": "61500\n",
    "conversion": 'Table "c_job_table" has changed.  Updating...\n',
    "slurmctld.log": "[2026] error: nothing much\n",
}


def start(**changes: str) -> Start:
    return read_start({name: text for name, text in {**UP, **changes}.items() if text != "-"})


def test_answers_are_read() -> None:
    found = start()
    assert found.slurm == "26.05.5"
    assert [(job.id, job.is_active, job.reason) for job in found.jobs] == [
        ("1", True, "None"),
        ("2_[1-3]", True, "(a|b)"),
        ("3", False, "None"),
    ]
    assert found.nodes == {"cpu-0": "MIXED+DYNAMIC_NORM"}
    assert (found.slurmctld_seconds, found.slurmdbd_seconds, found.database_converted) == (0.25, 61.5, True)
    assert found.errors == ["error: nothing much"]


def test_nothing_changes() -> None:
    result = compared(start(), start(), None, [], [])
    assert result.is_fine
    assert (result.jobs_before, result.jobs_lost, result.jobs_changed, result.errors_new) == (2, [], [], [])
    assert report(result).splitlines() == [
        "comes up: Slurm 26.05.5, slurmctld after 0.2 s",
        "slurmdbd: after 61.5 s, with the conversion of the database",
        "jobs: 2 run or wait, 0 lost, 0 changed",
    ]


@pytest.mark.parametrize(
    ("line", "lost"),
    [
        ("1|PENDING|cpu|science|normal|1:00:00||NodeDown", "1: RUNNING -> PENDING, NodeDown"),
        ("1|NODE_FAIL|cpu|science|normal|1:00:00||None", "1: RUNNING -> NODE_FAIL"),
        ("", "1: RUNNING -> gone"),
    ],
)
def test_a_job_that_does_not_go_on_is_lost(line: str, lost: str) -> None:
    rest = UP["jobs"].splitlines()[1:]
    result = compared(start(), start(jobs="\n".join([line, *rest])), None, [], [])
    assert not result.is_fine
    assert f"  {lost}" in report(result).splitlines()


def test_a_job_that_goes_on_otherwise_is_changed() -> None:
    result = compared(start(), start(jobs=UP["jobs"].replace("|5:00|", "|1:00|")), None, [], [])
    assert result.is_fine
    assert [change.after for change in result.jobs_changed] == ["time_limit 5:00 -> 1:00"]


def test_why_a_daemon_does_not_come_up() -> None:
    said = "[2026] error: cannot create\n[2026] fatal: failed to initialize mcs plugin\n"
    result = compared(start(), start(**{"came-up": "-", "jobs": "-", "slurmctld.log": said}), None, [], [])
    assert not result.is_fine
    assert result.reasons == ["slurmctld: fatal: failed to initialize mcs plugin"]
    assert result.jobs_lost == []
    assert report(result).splitlines()[:2] == [
        "would not come up:",
        "  slurmctld: fatal: failed to initialize mcs plugin",
    ]
    no_slurmdbd = {"came-up": "-", "slurmctld-milliseconds": "-", "slurmdbd.log": "x fatal: Bad value\n"}
    assert start(**no_slurmdbd).reasons == ["slurmdbd: fatal: Bad value"]
    assert start(**{"came-up": "-", "database-failed": "ERROR 1064"}).reasons == ["MariaDB: ERROR 1064"]
    crashed = {"came-up": "-", "slurmctld.log": "", "slurmctld.tail": "last\n", "slurmctld-ended": "139\n"}
    assert start(**crashed).reasons == ["slurmctld: last", "slurmctld ended with 139"]


def test_where_what_runs_does_not_start_jobs_are_those_of_the_cluster() -> None:
    failed = start(**{"came-up": "-", "slurmctld.log": "fatal: no\n"})
    result = compared(failed, start(), read_jobs(UP["jobs"] + "9|RUNNING|cpu|a|b|1:00|cpu-1|None\n"), [], [])
    assert (result.jobs_before, [change.id for change in result.jobs_lost]) == (3, ["9"])
    assert result.partitions_lost == []
    assert "the configuration that runs doesn't start on the copy either: slurmctld: fatal: no" in result.notes
    # A look that failed is no look without jobs.
    assert not compared(failed, start(), None, [], []).is_fine
    assert "jobs: unknown" in report(compared(failed, start(), None, [], []))


def test_a_long_list_says_how_much_more_there_is() -> None:
    many = "".join(f"{number}|PENDING|cpu|a|b|1:00||None\n" for number in range(30))
    lines = report(compared(start(jobs=many), start(jobs=""), None, [], [])).splitlines()
    assert "  and 10 more" in lines


def test_the_page_shows_a_report() -> None:
    (block,) = blocks("rehearsed")
    held = "".join(f"{number}|PENDING|all|a|b|1:00||JobHeldUser\n" for number in range(213))
    before = start(jobs=f"{held}4711|PENDING|gpu|a|b|1:00||Priority\n")
    after = start(
        jobs=f"{held}4711|NODE_FAIL|gpu|a|b|1:00||NodeDown\n",
        partitions="cpu|up|infinite|1|cpu-0\n",
        **{"slurmctld-milliseconds": "400", "slurmctld.log": "x error: Invalid partition (gpu) for JobId=4711\n"},
    )
    _, told = harmless(Conf(File.SLURM))
    shown = [line for line in told if line.startswith(("SlurmdTimeout", "SchedulerParameters"))]
    assert report(compared(before, after, None, shown, [])) == block.text.rstrip()


def test_json_has_all() -> None:
    data = json.loads(compared(start(), start(), None, ["d"], ["n"]).model_dump_json())
    assert data["after"]["jobs"][0]["id"] == "1"
    assert (data["differences"], data["notes"]) == (["d"], ["n"])


def test_a_file_with_errors_is_not_rehearsed(tmp_path: Path) -> None:
    file = tmp_path / "Pulumi.hpc.yaml"
    file.write_text("config:\n  slurm:kind: kubernetes\n  slurm:cluster: {name: hpc, nodeSet: []}\n")
    done = run("rehearse", file)
    assert done.returncode == WRONG
    assert "slurm:cluster.nodeSet" in done.stderr
    file.write_text("config: [\n")
    done = run("rehearse", file)
    assert done.returncode == WRONG
    assert "Run pulumi-slurm check" in done.stderr


@pytest.mark.parametrize(("stack", "is_rehearsed"), [("ack-slurm-operator", False), ("gke", True)])
def test_only_what_slurm_operator_runs_is_rehearsed(tmp_path: Path, stack: str, is_rehearsed: bool) -> None:
    done = run("rehearse", CHECKOUT / f"Pulumi.{stack}.yaml", "--dump", tmp_path / "none.sql")
    assert done.returncode == WRONG
    refused = "this stack has no slurmctld that slurm-operator runs, so there is none to rehearse"
    assert (refused not in done.stderr) == is_rehearsed


def test_a_dump_that_nothing_would_read_is_refused(tmp_path: Path) -> None:
    file, dump = tmp_path / "Pulumi.hpc.yaml", tmp_path / "dump.sql"
    start = "config:\n  slurm:kind: kubernetes\n  slurm:rootKey: {secure: AAABAI}\n  slurm:cluster:\n    name: hpc\n"
    nodes = "    nodeSets: [{name: cpu, machine: {cpus: 2, memory: 4Gi}}]\n"
    file.write_text(start + nodes)
    done = run("rehearse", file, "--dump", dump)
    assert (done.returncode, done.stdout) == (WRONG, "")
    assert f"{dump}: this stack runs no slurmdbd that would read it. Leave out --dump" in done.stderr
    file.write_text(f"{start}{nodes}    accounting: {{}}\n")
    done = run("rehearse", file, "--dump", dump)
    assert (done.returncode, done.stdout) == (WRONG, "")
    assert f"{dump}: there is no such file. Make it by mariadb-dump" in done.stderr
