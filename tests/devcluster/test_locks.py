"""Each lock, without what is installed: an environment in the cache hides a lock that can't be installed."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import requires
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from devcluster.environments import INSTALL, Packages, make_environment
from devcluster.errors import DevclusterError

pytestmark = pytest.mark.unit

PIPS = (Path(__file__).parent / "pips.lock").read_text().splitlines()
"""The pip that each supported Python may bring: 3.11.0, 3.11.7 and 3.12.1, 3.13.0, 3.14.0, with their hashes."""
PARTS = (Packages.BASE, Packages.GKE, Packages.ACK)
BY_DRY_RUN = pytest.mark.repeats("tests/devcluster/test_locks.py, without an installation")
NEEDS_AN_EXTRA = "pytest-cov"
"""A package that needs `coverage[toml]`: pip before 24.0 looks for that beside the lock's `coverage`."""


def _param(pip: str) -> Any:
    """Return a pip as a parameter; by day only one that looks up extras, which the newer ones don't."""
    other = pytest.mark.repeats("tests/devcluster/test_locks.py, by other pips")
    return pip if pip == PIPS[1] else pytest.param(pip, marks=other)


@pytest.mark.parametrize(
    "packages",
    [pytest.param(packages, marks=BY_DRY_RUN) for packages in (Packages.TESTS, Packages.POLICY, *PARTS)],
)
def test_a_lock_is_installed_into_an_empty_folder(
    tmp_path: Path, packages: Packages, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Bytecode of modules that nobody imports takes a tenth of the time for the smallest lock, and proves nothing.
    monkeypatch.setenv("PIP_NO_COMPILE", "1")
    python = make_environment(tmp_path / "environment", packages.lock)
    subprocess.run([python, "-c", "import pydantic, yaml"], check=True)


@pytest.mark.parametrize("packages", [Packages.TESTS, Packages.POLICY])
def test_a_lock_could_be_installed(packages: Packages) -> None:
    """Each package is there, has one of its hashes, and runs on this machine."""
    _pip("--dry-run", "--ignore-installed", "-r", str(packages.lock))


@pytest.mark.parametrize("packages", PARTS)
def test_a_part_of_the_tests_lock_has_all_that_it_needs(packages: Packages) -> None:
    locked = _locked(packages)
    assert {name for package in locked for name in _needed(package)} <= {*locked}
    # With the same hashes.
    assert locked.items() <= _locked(Packages.TESTS).items()


@pytest.mark.parametrize("pip", [*map(_param, PIPS)], ids=lambda line: line.split()[0])
def test_the_pip_of_each_python_takes_a_lock(tmp_path: Path, pip: str) -> None:
    old, lock = tmp_path / "pip.lock", tmp_path / "part.lock"
    old.write_text(pip)
    lock.write_text("".join(_entries(NEEDS_AN_EXTRA)))
    _pip("--target", str(tmp_path / "pip"), "-r", str(old))
    _pip("--dry-run", "--ignore-installed", "-r", str(lock), PYTHONPATH=str(tmp_path / "pip"))


def test_a_lock_that_lacks_a_package_is_refused(tmp_path: Path) -> None:
    lock = tmp_path / "mine.lock"
    lock.write_text("".join(entry for entry in _entries(NEEDS_AN_EXTRA) if not entry.startswith("pluggy==")))
    with pytest.raises(DevclusterError, match=r"mine\.lock lacks a package.* pluggy, .*make lock"):
        make_environment(tmp_path / "environment", lock)


def _pip(*arguments: str, **env: str) -> None:
    command = [sys.executable, "-m", "pip", *INSTALL, *arguments]
    subprocess.run(command, env={**os.environ, **env}, check=True)


def _entries(package: str) -> Iterator[str]:
    """Yield the tests' lock's entries of a package and of what it needs."""
    locked = _locked(Packages.TESTS)
    names = [package]
    for name in names:
        names += _needed(name) - {*names}
        yield locked[name]


def _locked(packages: Packages) -> dict[str, str]:
    """Return the entry of each package in a lock."""
    entries = re.split(r"^(?=\S)", packages.lock.read_text(), flags=re.MULTILINE)
    return {entry.partition("==")[0]: entry for entry in entries if entry}


def _needed(package: str) -> set[str]:
    """Return the names of what an installed package needs here."""
    needed = map(Requirement, requires(package) or [])
    return {canonicalize_name(one.name) for one in needed if not one.marker or one.marker.evaluate({"extra": ""})}
