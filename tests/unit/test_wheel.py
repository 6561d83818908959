"""What somebody has who installs the wheel: the packages and the stacks, away from this checkout."""

import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from devcluster.folders import CHECKOUT
from pulumi_slurm.clouds.registry import CLOUDS, CloudRow
from pulumi_slurm_cli.commands.exit_codes import WRONG
from tests.commands import run
from tests.doc_blocks import blocks
from tests.project_metadata import pyproject
from tests.shipped_stacks import shipped
from tests.stack_configuration import ROOT_KEY

NAMES = ("pulumi_slurm", "pulumi_slurm_stacks", "pulumi_slurm_cli")
"""The packages of the wheel."""
(PROGRAM,) = [block.text for block in blocks("stacks")]
"""The whole program that docs/existing-cluster-settings.md shows."""
UNDER_MOCKS = """
import pulumi
class Mocks(pulumi.runtime.Mocks):
    def new_resource(self, args):
        print(args.typ)
        return args.name, args.inputs
    def call(self, args):
        return {{}}
pulumi.runtime.set_mocks(Mocks(), project="slurm")
pulumi.runtime.test(lambda: exec({program!r}))()
"""


def run_program(code: str, installed: Path, settings: object = None) -> subprocess.CompletedProcess[str]:
    """Run a program that has the wheel, what it requires and a stack's settings, and nothing of this checkout."""
    env = {"PATH": os.defpath, "PYTHONPATH": str(installed), "PULUMI_CONFIG": json.dumps(settings)}
    env |= {name: value for name, value in os.environ.items() if name == "KUBECONFIG"}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=installed.parent, env=env, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder, cwd=CHECKOUT)
    (file,) = folder.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def installed(wheel: Path) -> Path:
    """Return a folder with nothing but the wheel; what it requires is in the environment of the tests."""
    target = wheel.with_name("installed")
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(*pip, "--no-index", "--no-deps", "--target", target, wheel, cwd=wheel.parent)
    return target


def test_the_wheel_has_every_file_of_its_packages_and_no_other(wheel: Path) -> None:
    packages = pyproject()["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    listed = subprocess.run(["git", "ls-files", *packages], cwd=CHECKOUT, capture_output=True, text=True, check=True)
    expected = {name.partition("/")[2] for name in listed.stdout.splitlines() if (CHECKOUT / name).exists()}
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    # Files that are new and not yet added to git are packed as well.
    assert expected <= packed
    assert {name.partition("/")[0] for name in packed} == {*NAMES}


@pytest.mark.parametrize("file", ["LICENSE", "NOTICE"])
def test_the_wheel_carries_the_license(wheel: Path, file: str) -> None:
    (name,) = [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(f".dist-info/licenses/{file}")]
    assert zipfile.ZipFile(wheel).read(name) == (CHECKOUT / file).read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_packages_are_imported_from_the_wheel(installed: Path, name: str) -> None:
    done = run_program(f"import {name}; print({name}.__file__)", installed)
    assert done.stdout.strip() == str(installed / name / "__init__.py"), done.stderr


def test_the_package_has_the_version_of_the_wheel(installed: Path) -> None:
    code = "import importlib.metadata, pulumi_slurm; print(importlib.metadata.version('pulumi-slurm'), pulumi_slurm.{})"
    done = run_program(code.format("__version__"), installed)
    of_wheel, of_package = done.stdout.split()
    assert of_wheel == of_package, done.stderr


def test_the_wheel_has_a_command(installed: Path) -> None:
    code = "import subprocess; subprocess.run(['installed/bin/pulumi-slurm', 'diff', '--help'], check=True)"
    done = run_program(code, installed)
    assert done.stdout.startswith("usage: pulumi-slurm diff"), done.stderr


@pytest.mark.usefixtures("kubeconfig_with_a_context")
def test_a_program_of_two_lines_builds_the_stack_that_its_settings_describe(installed: Path) -> None:
    settings = {**shipped("local"), "slurm:rootKey": ROOT_KEY}
    texts = {key: value if isinstance(value, str) else json.dumps(value) for key, value in settings.items()}
    done = run_program(UNDER_MOCKS.format(program=PROGRAM), installed, texts)
    assert done.returncode == 0, done.stderr
    assert "slurm:index:SlurmCluster" in done.stdout.splitlines()


def test_a_program_of_two_lines_refuses_wrong_settings(installed: Path) -> None:
    done = run_program(PROGRAM, installed, {"slurm:kind": "gcp"})
    assert done.returncode
    assert 'slurm:kind = "gcp"' in done.stderr


@pytest.fixture
def without_sdks(installed: Path, tmp_path: Path) -> Path:
    """Return a folder with what the wheel without an extra installs, beside the environment's other packages."""
    folder = tmp_path / "packages"
    folder.mkdir()
    for place in {Path(sysconfig.get_path(name)) for name in ("purelib", "platlib")}:
        for entry in (*place.iterdir(), *installed.iterdir()):
            if not entry.name.startswith(tuple(row.sdk for row in CLOUDS)) and entry.suffix != ".pth":
                link = folder / entry.name
                link.unlink(missing_ok=True)
                link.symlink_to(entry)
    return folder


@pytest.mark.parametrize("cloud", CLOUDS, ids=lambda cloud: cloud.key)
@pytest.mark.parametrize("command", [["render"], ["review", "--offline"]], ids=lambda command: command[0])
def test_a_missing_sdk_is_one_line(without_sdks: Path, tmp_path: Path, cloud: CloudRow, command: list[str]) -> None:
    file = str(CHECKOUT / f"Pulumi.{cloud.key}.yaml")
    arguments = [*command, file, *(["-o", str(tmp_path / "rendered")] if command == ["render"] else [file])]
    done = subprocess.run(
        [sys.executable, "-S", "-m", "pulumi_slurm", *arguments],
        cwd=tmp_path,
        env={"PATH": os.defpath, "PYTHONPATH": str(without_sdks)},
        capture_output=True,
        text=True,
        check=False,
    )
    (line,) = done.stderr.splitlines()
    assert line.endswith(f"pip install 'pulumi-slurm[{cloud.key}]'")
    assert cloud.sdk in line
    assert done.returncode == WRONG
