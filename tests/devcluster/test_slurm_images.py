"""What the Slurm images are made of, and what a machine that cannot have them is told."""

import platform
from pathlib import Path

import pytest

from devcluster import debian, slurm_images
from devcluster.errors import DevclusterError
from devcluster.folders import CHECKOUT
from devcluster.slurm_images import RECIPES, Recipe, obstacles, slurm_version

pytestmark = pytest.mark.unit

STATUS = """\
Package: slurm-client
Version: 24.11.4-1

Package: slurmctld
Status: install ok installed
Description: a daemon
 of several lines
Version: 24.11.5-4

Package: slurmd
Version: 24.11.6-1
"""


@pytest.fixture(autouse=True)
def _a_cache_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PULUMI_SLURM_CACHE", str(tmp_path / "cache"))


def test_the_release_is_the_one_that_was_installed() -> None:
    assert slurm_version(STATUS) == "24.11.5"
    with pytest.raises(DevclusterError, match="no package slurmctld"):
        slurm_version("Package: slurmd\nVersion: 24.11.5-4\n")


def test_another_recipe_is_another_image() -> None:
    recipe = Recipe("24.11", "trixie")
    assert recipe.folder == Recipe("24.11", "trixie").folder
    folders = {recipe.folder, Recipe("24.11", "sid").folder, Recipe("24.11", "trixie", ("--verbose",)).folder}
    assert len(folders) == 3


def test_a_suite_that_has_moved_on_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def build(*command: str, folder: Path | None = None) -> str:
        status = Path(command[-2]) / "var/lib/dpkg/status"
        status.parent.mkdir(parents=True)
        status.write_text(STATUS.replace("24.11", "27.05"))
        return ""

    monkeypatch.setattr(debian, "_mmdebstrap", lambda _: ["mmdebstrap"])
    monkeypatch.setattr(debian, "_mirror", lambda: "mirror")
    monkeypatch.setattr(debian, "checked", build)
    with pytest.raises(DevclusterError, match=r"now has Slurm 27\.05\.5, the tests know 2\d\.\d\d"):
        slurm_images.ensure_images()
    assert not any(recipe.folder.exists() for recipe in RECIPES.values())
    assert not list((tmp_path / "cache" / "slurm").iterdir())


def test_a_machine_without_root_programs_or_debian_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    monkeypatch.setattr(platform, "freedesktop_os_release", lambda: {"ID": "fedora"})
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    monkeypatch.setenv("PATH", "")
    message = "\n".join(obstacles())
    for part in (
        "no Slurm for riscv64",
        "network namespaces need root",
        "there is no unshare: apt install util-linux",
        "there is no ip: apt install iproute2",
        "there is no apt-get",
        "built by Debian's apt, this is fedora",
    ):
        assert part in message


def test_the_architecture_page_names_every_image() -> None:
    page = (CHECKOUT / "docs" / "architecture.md").read_text()
    for recipe in RECIPES.values():
        assert f"| {recipe.series} | {recipe.suite} |" in page
