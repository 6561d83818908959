"""A file of Slurm in place of another: what it is, and which one is expected."""

from itertools import permutations
from pathlib import Path

import pytest

from devcluster.folders import CHECKOUT
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.likeness import looks_like
from tests.unit.importing.command_line import Result, run

TEXTS = {
    File.SLURM: "ClusterName=c\nNodeName=n[1-2] CPUs=4 RealMemory=4096\nPartitionName=p Nodes=ALL\n",
    File.SLURMDBD: "DbdHost=db\nStorageHost=mariadb\nStorageUser=slurm\nAuthType=auth/munge\n",
    File.GRES: "AutoDetect=off\nNodeName=n[1-2] Name=gpu File=/dev/nvidia0\n",
    File.CGROUP: "ConstrainCores=yes\nConstrainDevices=yes\n",
    File.TOPOLOGY: "SwitchName=s1 Nodes=n[1-2]\n",
    File.HELPERS: "Feature=a Helper=/usr/local/bin/a\n",
    File.BURST_BUFFER: "GetSysState=/usr/sbin/state\nStageInTimeout=5\n",
}
SETTINGS = CHECKOUT / "Pulumi.copilot.yaml"
ONE_KIND = "Name two of one kind, and say by --file which one that is where their names don't\n"


def written(folder: Path, name: str, file: File) -> Path:
    path = folder / name
    path.write_text(TEXTS[file])
    return path


def refused(result: Result) -> str:
    assert (result.returncode, result.stdout) == (2, "")
    return result.stderr


def test_each_text_is_here() -> None:
    assert TEXTS.keys() == {*File}


@pytest.mark.parametrize(("given", "expected"), [*permutations(File, 2)])
def test_a_file_is_known_by_its_keys(given: File, expected: File) -> None:
    assert looks_like(TEXTS[given], expected) is given
    assert looks_like(TEXTS[given], given) is None


def test_a_file_with_mistakes_is_no_other_file() -> None:
    assert looks_like("ClusterName=c\nKilWait=3\nNodeName=n CPUs=4 RealMemroy=4\n", File.SLURM) is None
    assert looks_like("# nothing\n", File.SLURM) is None


def test_two_of_different_names_are_not_compared(tmp_path: Path) -> None:
    gres, slurm = (written(tmp_path, file, file) for file in (File.GRES, File.SLURM))
    assert refused(run("diff", gres, slurm)) == f"{gres}, {slurm}: these are a gres.conf and a slurm.conf. {ONE_KIND}"
    assert refused(run("diff", slurm, gres)) == f"{slurm}, {gres}: these are a slurm.conf and a gres.conf. {ONE_KIND}"


@pytest.mark.parametrize(
    ("options", "names", "wrong", "told"),
    [
        ((), ("old", "new"), "old", "this looks like a gres.conf, and a slurm.conf is expected"),
        ((), ("old", "slurm.conf"), "old", "this looks like a gres.conf, and a slurm.conf is expected"),
        ((), ("gres.conf", "new"), "new", "this looks like a slurm.conf, and a gres.conf is expected"),
        (("--file", "gres.conf"), ("old", "new"), "new", "this looks like a slurm.conf, and a gres.conf is expected"),
        (("--file", "slurm.conf"), ("gres.conf", "new"), "gres.conf", "this is a gres.conf, and a slurm.conf is exp"),
    ],
)
def test_what_is_compared_with_another_file_is_told(
    options: tuple[str, ...], names: tuple[str, str], wrong: str, told: str, tmp_path: Path
) -> None:
    old, new = written(tmp_path, names[0], File.GRES), written(tmp_path, names[1], File.SLURM)
    assert refused(run("diff", *options, old, new)).startswith(f"{tmp_path / wrong}: {told}")


@pytest.mark.parametrize(
    ("command", "instead"),
    [
        (("import",), "Name the slurm.conf in its folder\n"),
        (("check-outside",), "Name the slurm.conf that slurmctld reads; gres.conf is looked for beside it\n"),
    ],
)
@pytest.mark.parametrize(("name", "how"), [("gres.conf", "is"), ("copy", "looks like")])
def test_another_file_than_slurm_conf_is_told(
    command: tuple[str], instead: str, name: str, how: str, tmp_path: Path
) -> None:
    path = written(tmp_path, name, File.GRES)
    words = [*command, path, *([SETTINGS] if command == ("check-outside",) else [])]
    assert refused(run(*words)) == f"{path}: this {how} a gres.conf, and a slurm.conf is expected. {instead}"
