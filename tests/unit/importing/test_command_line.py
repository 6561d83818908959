"""What `python -m pulumi_slurm` prints, and its exit codes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from devcluster.folders import CHECKOUT, PYTHON_PATH
from tests.unit.importing.command_line import Result, run, run_as_process, run_without_reader
from tests.unit.importing.round_trip import CLUSTERS


def test_an_import_goes_to_the_terminal() -> None:
    result = run_as_process("import", CLUSTERS / "gpu" / "slurm.conf")
    assert (result.returncode, result.stderr) == (0, "")
    cluster = yaml.safe_load(result.stdout)["config"]["slurm:cluster"]
    assert cluster["name"] == "titan"
    # The history of jobs is in the slurmdbd that slurm.conf names, so it is kept unless a new one is asked for.
    assert "external" in cluster["accounting"]


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


def test_values_that_the_series_does_not_read_are_told_and_not_compared(tmp_path: Path) -> None:
    (tmp_path / "a.conf").write_text(
        "ClusterName=a\nTaskPluginParam=Sched\nPartitionName=p MaxTime=soon\nKillWait=30\n"
    )
    (tmp_path / "b.conf").write_text("ClusterName=a\nTaskPluginParam=Cores\nPartitionName=p MaxTime=9\nKillWait=60\n")
    result = run("diff", tmp_path / "a.conf", tmp_path / "b.conf")
    assert result.returncode == 1
    assert [line.split(": ")[:3] for line in result.stderr.splitlines()] == [
        ["not compared", f"{tmp_path}/a.conf:2", "TaskPluginParam=Sched"],
        ["not compared", f"{tmp_path}/a.conf:3", "MaxTime=soon"],
    ]
    assert "slurm.conf: KillWait: 30 -> 60 (reconfigure)" in result.stdout
    # What can't be told from something else is no file to compare.
    (tmp_path / "c.conf").write_text("ClusterName=a\nNodeName=n[1- CPUs=4\n")
    assert run("diff", tmp_path / "a.conf", tmp_path / "c.conf").returncode == 2


def test_an_empty_gres_conf_can_be_compared(tmp_path: Path) -> None:
    (tmp_path / "gres.conf").write_text("")
    (tmp_path / "new.conf").write_text("Name=gpu File=/dev/nvidia0\n")
    result = run("diff", tmp_path / "gres.conf", tmp_path / "new.conf")
    assert (result.returncode, result.stderr) == (1, "")
    assert "Name=gpu File=/dev/nvidia0: not there -> there" in result.stdout


def test_an_output_that_cannot_be_written(tmp_path: Path) -> None:
    result = run_as_process("import", CLUSTERS / "cloud" / "slurm.conf", "-o", tmp_path / "no" / "x.yaml")
    assert (result.returncode, result.stderr) == (
        2,
        f"{tmp_path}/no/x.yaml: it can't be written: no such file or directory. Name a file that can be, with -o or "
        "after >.\n",
    )


@pytest.mark.parametrize("version", ["24.11", "25", "new", "25.11-rc1"])
def test_a_version_that_is_not_to_be_had(version: str) -> None:
    result = run("import", CLUSTERS / "cloud" / "slurm.conf", "--slurm-version", version)
    assert result.returncode == 2
    assert f"{version} is not one of 25.11, 26.05, or a release of it" in result.stderr


def settings(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


SLURM_CONF = CLUSTERS / "static" / "slurm.conf"
NAME_A_STACK = "Name a Pulumi.<stack>.yaml. Write `pulumi stack output outside --json` into a file, and name that."
NO_SETTINGS = {
    "empty config": ("config:\n", f"there is neither slurm:cluster nor slurmConf. {NAME_A_STACK}"),
    "a list": ("config: [1]\n", f"there is neither slurm:cluster nor slurmConf. {NAME_A_STACK}"),
    "no YAML": (
        "config: {slurm:rootKey: hunter2, ]\n",
        f"this is neither YAML nor JSON in line 1, column 34. {NAME_A_STACK}",
    ),
    "an alias that there isn't": (
        "config: {slurm:rootKey: *hunter2}\n",
        f"this is neither YAML nor JSON in line 1, column 25. {NAME_A_STACK}",
    ),
    "a character that YAML can't have": ("config: \x07\n", f"this is neither YAML nor JSON. {NAME_A_STACK}"),
    "deep": (
        "[" * 20_000,
        f"there are hundreds of levels of mappings and lists. {NAME_A_STACK}",
    ),
    "a date that there isn't": (
        "config: 2026-13-45\n",
        f"there is neither slurm:cluster nor slurmConf. {NAME_A_STACK}",
    ),
    "a number of 5000 digits": (f"a: {'9' * 5000}\n", f"there is neither slurm:cluster nor slurmConf. {NAME_A_STACK}"),
}


@pytest.mark.parametrize(("text", "expected"), NO_SETTINGS.values(), ids=NO_SETTINGS)
def test_what_are_no_settings_is_told_in_one_line(text: str, expected: str, tmp_path: Path) -> None:
    path = settings(tmp_path / "Pulumi.hpc.yaml", text)
    result = run("check-outside", SLURM_CONF, path)
    assert (result.returncode, result.stdout, result.stderr) == (2, "", f"{path}: {expected}\n")


@pytest.mark.parametrize(("name", "expected"), WRONG.values(), ids=WRONG)
def test_settings_that_cannot_be_read_are_told_in_one_line(
    name: bytes | str | None, expected: str, tmp_path: Path
) -> None:
    path = tmp_path / "Pulumi.hpc.yaml"
    if isinstance(name, bytes):
        path.write_bytes(name)
    elif name:
        path.mkdir()
    result = run("check-outside", SLURM_CONF, path)
    assert (result.returncode, result.stdout, result.stderr) == (2, "", f"{path}: {expected}\n")


@pytest.mark.parametrize("command", ["import", "diff", "check-outside"])
def test_a_thousand_files_one_within_another(command: str, tmp_path: Path) -> None:
    for number in range(1200):
        (tmp_path / f"{number}.conf").write_text(f"Include {number + 1}.conf\n")
    (tmp_path / "1200.conf").write_text("ClusterName=a\n")
    wanted = settings(tmp_path / "outside.json", '{"slurmConf": "ClusterName=a\\n"}')
    others = {"import": [], "diff": [SLURM_CONF], "check-outside": [wanted]}
    result = run(command, tmp_path / "0.conf", *others[command])
    assert (result.returncode, result.stdout, result.stderr) == (
        2,
        "",
        "100.conf:1: Include 101.conf: this is included by more than 100 files, one within another. Write its lines "
        "into the file that includes it.\n",
    )


def test_letters_that_the_terminal_does_not_have(tmp_path: Path) -> None:
    path = tmp_path / "slurm.conf"
    path.write_text(
        "ClusterName=a\nNodeName=n1 CPUs=1 RealMemory=1000 Reason=größer State=DOWN\nPartitionName=ü Nodes=n1\n"
    )
    other = tmp_path / "other.conf"
    other.write_text(path.read_text().replace("größer", "weiß"))
    ascii_only = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}
    imported = run_as_process("import", path, environment=ascii_only)
    assert "Traceback" not in imported.stderr
    assert yaml.safe_load(imported.stdout)["config"]
    assert imported.stdout == run("import", path).stdout
    compared = run_as_process("diff", path, other, environment=ascii_only)
    assert (compared.returncode, compared.stderr) == (1, "")


@pytest.mark.parametrize("name", ["slurm.conf", "./slurm.conf", "cgroup.conf", "link.yaml", "slurmdbd.conf"])
def test_no_file_of_the_old_cluster_is_written_over(name: str, tmp_path: Path) -> None:
    for file in ("slurm.conf", "cgroup.conf", "slurmdbd.conf"):
        (tmp_path / file).write_text("ClusterName=a\n" if file == "slurm.conf" else "")
    (tmp_path / "link.yaml").symlink_to(tmp_path / "slurm.conf")
    output = tmp_path / name
    result = run("import", tmp_path / "slurm.conf", "-o", output)
    assert (result.returncode, result.stdout, result.stderr) == (
        2,
        "",
        f"{output}: this is a file of the old cluster, and would be written over. Write -o and another name, such as "
        "Pulumi.hpc.yaml\n",
    )
    assert (tmp_path / "slurm.conf").read_text() == "ClusterName=a\n"


@pytest.mark.parametrize("name", ["nodes.conf", "epilog.sh"])
def test_nor_is_a_file_that_was_read(name: str, tmp_path: Path) -> None:
    (tmp_path / "slurm.conf").write_text("ClusterName=a\nInclude nodes.conf\nEpilog=/etc/slurm/epilog.sh\n")
    (tmp_path / "nodes.conf").write_text("NodeName=n1 CPUs=1 RealMemory=1000\nPartitionName=p Nodes=n1\n")
    (tmp_path / "epilog.sh").write_text("#!/bin/sh\n")
    before = (tmp_path / name).read_text()
    result = run("import", tmp_path / "slurm.conf", "-o", tmp_path / name, "--force")
    assert (result.returncode, result.stdout) == (2, "")
    assert "this is a file of the old cluster" in result.stderr
    assert (tmp_path / name).read_text() == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("import", SLURM_CONF, "--accounting", "foo"), "--accounting: foo is not one of "),
        (("diff", "--file", "foo", SLURM_CONF, SLURM_CONF), "--file: foo is not one of slurm.conf, "),
        (("rehearse", "Pulumi.a.yaml", "--context", "a", "--minutes", "-5"), "--minutes: -5 is no whole number from 1"),
        (("rehearse", "Pulumi.a.yaml", "--context", "a", "--minutes", "0"), "--minutes: 0 is no whole number from 1"),
    ],
)
def test_what_an_option_takes_is_told(words: tuple[str | Path, ...], said: str) -> None:
    result = run_as_process(*words)
    assert result.returncode == 2
    assert said in result.stderr


def test_standard_input_is_a_file() -> None:
    text = SLURM_CONF.read_text()
    same = run_as_process("diff", "-", SLURM_CONF, stdin=text)
    assert (same.returncode, same.stdout, same.stderr) == (0, "", "")
    imported = run_as_process("import", "-", "-o", "-", stdin="ClusterName=a\n")
    assert yaml.safe_load(imported.stdout)["config"]["slurm:cluster"]["name"] == "a"
    wrong = run_as_process("import", "-", stdin="this is nothing\n")
    assert wrong.returncode == 2
    assert wrong.stderr.startswith("standard input:1: this is nothing: is not key=value. ")
    assert run_as_process("import", "-", stdin="").stderr == "standard input: the file is empty\n"
    assert run("diff", "-", "-") == Result(
        2, "", "-: standard input can be read once. Write one of the two into a file\n"
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_an_output_that_is_full() -> None:
    fix = "Name a file that can be, with -o or after >."
    result = run("import", SLURM_CONF, "-o", "/dev/full")
    expected = f"it can't be written: no space left on device. {fix}\n"
    assert result == Result(2, "", f"/dev/full: {expected}")
    with Path("/dev/full").open("w") as full:
        result = run_as_process("import", SLURM_CONF, stdout=full)
    assert (result.returncode, result.stderr) == (2, f"standard output: {expected}")


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&-"])
def test_a_stream_that_is_closed(closed: str, tmp_path: Path) -> None:
    told = tmp_path / "told"
    command = f'exec 2>{told}; "$0" -m pulumi_slurm import {"-" if closed == "<&-" else SLURM_CONF} {closed}'
    result = subprocess.run(
        ["sh", "-c", command, sys.executable], env={**os.environ, "PYTHONPATH": PYTHON_PATH}, check=False
    )
    assert result.returncode == 2
    assert "Traceback" not in told.read_text()
    assert "2>" in closed or len(told.read_text().splitlines()) == 1


@pytest.mark.parametrize("name", ["topology.yaml", "job_submit.lua", "plugstack.conf", "Pulumi.hpc.yaml"])
def test_files_that_cannot_be_compared(name: str, tmp_path: Path) -> None:
    path = settings(tmp_path / name, "- topology: a\n")
    for files in ((path, SLURM_CONF), (SLURM_CONF, path), (path, path)):
        result = run("diff", *files)
        assert (result.returncode, result.stdout, result.stderr) == (
            2,
            "",
            f"{path}: diff knows no file of this kind. Compare burst_buffer.conf, cgroup.conf, gres.conf, "
            "helpers.conf, slurm.conf, slurmdbd.conf, topology.conf; say by --file which one of them it is\n",
        )


def test_no_difference_for_a_letter_in_another_encoding(tmp_path: Path) -> None:
    (tmp_path / "a.conf").write_bytes("ClusterName=a\n# größer\n".encode("latin-1"))
    (tmp_path / "b.conf").write_bytes("ClusterName=a\n".encode("utf-16"))
    assert run("diff", tmp_path / "a.conf", tmp_path / "b.conf") == Result(0, "", "")


@pytest.mark.parametrize(
    ("folders", "missing"), [(["components"], ["stacks", "cli"]), (["components", "stacks"], ["cli"])]
)
def test_the_library_alone_says_what_its_command_needs(folders: list[str], missing: list[str]) -> None:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(str(CHECKOUT / folder) for folder in folders)}
    command = [sys.executable, "-m", "pulumi_slurm", "check", "Pulumi.local.yaml"]
    done = subprocess.run(command, env=env, cwd=CHECKOUT.parent, capture_output=True, text=True, check=False)
    named = " and no ".join(f"pulumi_slurm_{name}" for name in missing)
    assert done.returncode == 2
    assert done.stderr.startswith(f"pulumi-slurm: there is no {named} beside this package. ")
    assert len(done.stderr.splitlines()) == 1
