"""What `python -m pulumi_slurm` prints, and its exit codes."""

from pathlib import Path

import pytest
import yaml

from tests.unit.importing.command_line import run, run_as_process, run_without_reader
from tests.unit.importing.round_trip import CLUSTERS


def test_an_import_goes_to_the_terminal() -> None:
    result = run_as_process("import", CLUSTERS / "gpu" / "slurm.conf")
    assert (result.returncode, result.stderr) == (0, "")
    assert yaml.safe_load(result.stdout)["config"]["slurm:cluster"]["name"] == "titan"


def test_an_import_goes_into_a_file_for_a_series_and_with_a_new_database(tmp_path: Path) -> None:
    output = tmp_path / "Pulumi.hpc.yaml"
    source = CLUSTERS / "static" / "slurm.conf"
    result = run("import", source, "--slurm-version", "26.05", "--accounting", "new", "-o", output)
    assert (result.returncode, result.stdout) == (0, "")
    assert result.stderr.startswith(f"{output}: 3 node sets; ")
    cluster = yaml.safe_load(output.read_text())["config"]["slurm:cluster"]
    assert (cluster["slurmVersion"], cluster["accounting"]) == (
        "26.05",
        {"accounts": [{"name": "genomics"}, {"name": "physics"}]},
    )
    assert cluster["operatorVersion"].startswith("1.2.")


def test_what_could_not_be_made_valid_is_written_and_told(tmp_path: Path) -> None:
    path = tmp_path / "slurm.conf"
    path.write_text("ClusterName=a\nPreemptType=preempt/partition_prio\n")
    result = run("import", path)
    assert result.returncode == 1
    assert result.stderr.startswith("slurmConf.preemptMode: slurmctld does not start with preemptType ")
    assert yaml.safe_load(result.stdout)["config"]["slurm:cluster"]["slurmConf"] == {
        "preemptType": "preempt/partition_prio"
    }


def test_no_difference(tmp_path: Path) -> None:
    other = tmp_path / "slurm.conf"
    other.write_text("# The same, in other words.\nKILLWAIT=30\nNodeName=n1,n2 CPUs=4\n")
    one = tmp_path / "old.conf"
    one.write_text("NodeName=n[1-2] CPUs=4\nKillWait=30\n")
    result = run("diff", one, other)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_differences_and_what_they_take(tmp_path: Path) -> None:
    (tmp_path / "a.conf").write_text("ClusterName=a\nPartitionName=gpu Nodes=n1 MaxTime=1-0\n")
    (tmp_path / "b.conf").write_text("ClusterName=b\nPartitionName=gpu Nodes=n1 MaxTime=2-0\n")
    result = run_as_process("diff", tmp_path / "a.conf", tmp_path / "b.conf")
    assert (result.returncode, result.stderr) == (1, "")
    assert result.stdout.splitlines() == [
        "slurm.conf: ClusterName: a -> b (unsafe with running jobs)",
        "slurm.conf: PartitionName=gpu MaxTime: 1-00:00:00 -> 2-00:00:00 (reconfigure)",
        "2 differences; what it takes: unsafe with running jobs",
    ]


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "a.conf").write_text("ClusterName=a\n")
    (tmp_path / "b.conf").write_text("ClusterName=b\n")
    result = run_without_reader("diff", tmp_path / "a.conf", tmp_path / "b.conf")
    assert (result.returncode, result.stderr) == (1, "")


def test_other_files_are_known_by_their_names_or_by_an_option(tmp_path: Path) -> None:
    (tmp_path / "cgroup.conf").write_text("ConstrainCores=yes\n")
    (tmp_path / "new").write_text("ConstrainCores=no\n")
    for result in (
        run("diff", tmp_path / "cgroup.conf", tmp_path / "new"),
        run("diff", "--file", "cgroup.conf", tmp_path / "new", tmp_path / "cgroup.conf"),
    ):
        assert result.returncode == 1
        assert "cgroup.conf: ConstrainCores: " in result.stdout


WRONG = {
    "nothing": (None, "it can't be read: no such file or directory"),
    "folder": ("a folder", "this is a folder; write the path of the file in it"),
    "empty": (b" \n", "the file is empty"),
    "binary": (b"\x7fELF\x00\xff\xfe", "this is not text, so it is no configuration file"),
    "zeros": (b"ClusterName=a\n\x00\x00", "this is not text, so it is no configuration file"),
}


@pytest.mark.parametrize("command", ["import", "diff"])
@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_configuration_file_is_told_in_one_line(command: str, name: str, tmp_path: Path) -> None:
    content, expected = WRONG[name]
    path = tmp_path / "slurm.conf"
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content:
        path.mkdir()
    result = run(command, path, *([CLUSTERS / "static" / "slurm.conf"] if command == "diff" else []))
    assert (result.returncode, result.stdout, result.stderr) == (2, "", f"{path}: {expected}\n")


@pytest.mark.parametrize("command", ["import", "diff"])
def test_errors_are_told_all_at_once_with_their_lines(command: str, tmp_path: Path) -> None:
    path = tmp_path / "slurm.conf"
    path.write_text("ClusterName=a\nInclude nodes.conf\nthis is nothing\n")
    (tmp_path / "nodes.conf").write_text('NodeName=a CPUs=4 "\n')
    result = run(command, path, *([path] if command == "diff" else []))
    assert (result.returncode, result.stdout) == (2, "")
    lines = result.stderr.splitlines()
    assert [line.split(": ")[0] for line in lines] == ["nodes.conf:1", f"{path}:3"]


def test_retired_keys_are_told_and_not_compared(tmp_path: Path) -> None:
    (tmp_path / "a.conf").write_text("ClusterName=a\nFastSchedule=1\n")
    (tmp_path / "b.conf").write_text('ClusterName=a\nLaunchType=launch/slurm\nAuthInfo="a","b"\n')
    result = run("diff", tmp_path / "a.conf", tmp_path / "b.conf")
    assert (result.returncode, result.stdout) == (0, "")
    told = [line.split(": ")[:3] for line in result.stderr.splitlines()]
    assert told == [
        ["not compared", f"{tmp_path}/a.conf:2", "FastSchedule"],
        ["not compared", f"{tmp_path}/b.conf:2", "LaunchType"],
        ["not compared", f"{tmp_path}/b.conf:3", "AuthInfo=(not shown)"],
    ]


def test_an_empty_gres_conf_can_be_compared(tmp_path: Path) -> None:
    (tmp_path / "gres.conf").write_text("")
    (tmp_path / "new.conf").write_text("Name=gpu File=/dev/nvidia0\n")
    result = run("diff", tmp_path / "gres.conf", tmp_path / "new.conf")
    assert (result.returncode, result.stderr) == (1, "")
    assert "Name=gpu File=/dev/nvidia0: not there -> there" in result.stdout


def test_an_output_that_cannot_be_written(tmp_path: Path) -> None:
    result = run_as_process("import", CLUSTERS / "cloud" / "slurm.conf", "-o", tmp_path / "no" / "x.yaml")
    assert (result.returncode, result.stderr) == (2, f"{tmp_path}/no/x.yaml: no such file or directory\n")


@pytest.mark.parametrize("version", ["24.11", "25", "new", "25.11-rc1"])
def test_a_version_that_is_not_to_be_had(version: str) -> None:
    result = run("import", CLUSTERS / "cloud" / "slurm.conf", "--slurm-version", version)
    assert result.returncode == 2
    assert f"{version} is not one of 25.11, 26.05, or a release of it" in result.stderr
