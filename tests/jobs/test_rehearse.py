"""A rehearsal in the cluster itself: pods with real slurmctld, slurmdbd and MariaDB on copies of what runs."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from devcluster.cluster import Cluster
from pulumi_slurm_cli.__main__ import main
from pulumi_slurm_cli.commands.exit_codes import DIFFERENT, SAME, WRONG
from tests.e2e.objects import Objects
from tests.jobs.conftest import Settings
from tests.jobs.slurm import Slurm
from tests.programs import needs

pytestmark = needs("kubectl")


DUMP = (
    'MYSQL_PWD=$MARIADB_PASSWORD mariadb-dump --host=127.0.0.1 --user="$MARIADB_USER" '
    "--single-transaction --no-tablespaces slurm_acct_db"
)


class Command:
    """`pulumi-slurm rehearse` for settings."""

    def __init__(self, cluster: Cluster, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._cluster = cluster
        self._file = folder / "Pulumi.local.yaml"
        self._capsys = capsys

    def run(self, settings: Settings, *options: str) -> tuple[int, str, str]:
        """Return exit code, output and messages."""
        config = {**settings, "slurm:rootKey": base64.b64encode(b"k" * 32).decode()}
        self._file.write_text(yaml.safe_dump({"config": config}))
        code = main(["rehearse", str(self._file), f"--kubeconfig={self._cluster.kubeconfig}", *options])
        printed = self._capsys.readouterr()
        return code, printed.out, printed.err

    def result(self, settings: Settings, *options: str) -> tuple[int, dict[str, Any]]:
        """Return exit code and result of a rehearsal, where nothing enforces NetworkPolicies."""
        code, out, err = self.run(settings, "--open-network", "--json", *options)
        assert code in (SAME, DIFFERENT), err
        return code, json.loads(out)


@pytest.fixture
def command(cluster: Cluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(cluster, tmp_path, capsys)


@pytest.mark.repeats("tests/slurmd/test_rehearsal.py, in pods")
def test_a_rehearsal_finds_what_a_change_does_and_touches_nothing(
    command: Command, settings: Settings, slurm: Slurm, objects: Objects, long_job: int, tmp_path: Path
) -> None:
    dump = tmp_path / "dump.sql"
    with_another_qos = "INSERT INTO qos_table (creation_time, name) VALUES (1, 'dumped');\n"
    dump.write_text(slurm.inside("mariadb", "sh", "-c", DUMP) + with_another_qos)
    before = slurm.uids()
    namespaces = objects.names("Namespace", None)
    seen = slurm.root("squeue", "--noheader", "--format=%i %T %N"), slurm.root("sacctmgr", "-nP", "show", "association")
    # This cluster has no plugin that enforces them.
    code, _, err = command.run(settings)
    assert code == WRONG
    assert "reach others in spite of its NetworkPolicy" in err

    settings["slurm:cluster"]["partitions"][0]["maxTime"] = "2-00:00:00"
    code, good = command.result(settings)
    assert code == SAME, good
    assert good["came_up"]
    assert (good["jobs_before"], good["jobs_lost"], good["jobs_changed"]) == (1, [], [])
    assert [job["state"] for job in good["after"]["jobs"] if job["id"] == str(long_job)] == ["RUNNING"]
    assert good["partitions_changed"] == ["all: time_limit 1-00:00:00 -> 2-00:00:00"]
    assert good["associations_lost"] == []
    assert good["after"]["associations"]

    settings["slurm:cluster"]["slurmConf"] = {"extra": {"JobSubmitPlugins": "lua"}}
    settings["slurm:cluster"]["configFiles"]["job_submit.lua"] = (
        'require("nosuch")\nfunction slurm_job_submit() return 0 end\nfunction slurm_job_modify() return 0 end\n'
    )
    code, bad = command.result(settings, "--dump", str(dump))
    assert code == DIFFERENT
    assert "dumped" in bad["before"]["qos"]
    assert "dumped" not in good["before"]["qos"]
    assert not bad["came_up"]
    assert any("fatal: failed to initialize job_submit plugin" in line for line in bad["reasons"])

    assert objects.names("Namespace", None) == namespaces
    assert slurm.uids() == before
    assert seen == (
        slurm.root("squeue", "--noheader", "--format=%i %T %N"),
        slurm.root("sacctmgr", "-nP", "show", "association"),
    )
