"""What somebody has who installs the wheel: the package, away from this checkout."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from devcluster.folders import CHECKOUT


def run(*command: str | Path, folder: Path, path: Path | None = None) -> str:
    env = {"PATH": os.defpath, **({"PYTHONPATH": str(path)} if path else {})}
    done = subprocess.run(list(map(str, command)), cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder, folder=CHECKOUT)
    (file,) = folder.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def installed(wheel: Path) -> Path:
    """Return a folder with nothing but the wheel; what it requires is in the environment of the tests."""
    target = wheel.with_name("installed")
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(*pip, "--no-index", "--no-deps", "--target", target, wheel, folder=wheel.parent)
    return target


def test_the_wheel_has_every_file_of_its_packages_and_no_other(wheel: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "components"], cwd=CHECKOUT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    expected = {name.removeprefix("components/") for name in listed if (CHECKOUT / name).exists()}
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    # Files that are new and not yet added to git are packed as well.
    assert expected <= packed
    assert {name.partition("/")[0] for name in packed} == {"pulumi_slurm"}


def test_the_wheel_carries_the_license(wheel: Path) -> None:
    (name,) = [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".dist-info/licenses/LICENSE")]
    assert zipfile.ZipFile(wheel).read(name) == (CHECKOUT / "LICENSE").read_bytes()


def test_the_package_is_imported_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    program = "import pulumi_slurm; print(pulumi_slurm.__file__); print(pulumi_slurm.SlurmCluster.__name__)"
    file, name = run(sys.executable, "-c", program, folder=tmp_path, path=installed).splitlines()
    assert file == str(installed / "pulumi_slurm" / "__init__.py")
    assert name == "SlurmCluster"
