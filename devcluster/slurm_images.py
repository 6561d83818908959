"""Root filesystems with real Slurm, for the tests: one for each series, built from Debian's packages.

Only `make test` asks for them, and only here root and Debian are needed. A suite moves on, so an image is keyed by its
recipe and says in a file which release it holds; a suite that has moved to another series is an error, because the
tests' names and expectations speak of the series. Nothing is ever written into an image once it is built.
"""

from __future__ import annotations

import hashlib
import platform
import re
import shutil
import tempfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from devcluster import debian
from devcluster.errors import DevclusterError
from devcluster.folders import cache_folder
from devcluster.golang import GIB
from devcluster.locks import locked
from devcluster.progress import Progress
from devcluster.toolchain import remove_tree

JOB_USER = "alice"
"""An ordinary user in every image; Debian's packages bring the user `slurm`."""
PACKAGES = (
    *("slurmctld", "slurmd", "slurmdbd", "slurmrestd", "slurm-client", "slurm-wlm-jwt-plugin"),
    *("slurm-wlm-mysql-plugin", "mariadb-server-core", "mariadb-client-core"),
)
LEFT_OUT = "doc man locale info"
DISK_TO_BUILD = 2 * GIB


@dataclass(frozen=True)
class Recipe:
    """How the image of one Slurm series is made."""

    series: str
    suite: str
    options: tuple[str, ...] = ()

    @property
    def arguments(self) -> tuple[str, ...]:
        """The arguments of mmdebstrap but for target and mirror."""
        return (
            *debian.MINIMAL,
            f"--include={','.join(PACKAGES)}",
            f'--customize-hook=chroot "$1" useradd --create-home --uid 1000 {JOB_USER}',
            f'--customize-hook=cd "$1/usr/share" && rm -rf {LEFT_OUT}',
            # There is no name server in the tests' networks, so a name that is in no file is unknown at once.
            '--customize-hook=sed -i "s/^hosts:.*/hosts: files/" "$1/etc/nsswitch.conf"',
            *self.options,
            self.suite,
        )

    @property
    def folder(self) -> Path:
        """Where the image is, or would be."""
        key = hashlib.sha256(repr((self.arguments, platform.machine())).encode()).hexdigest()[:16]
        return cache_folder() / "slurm" / f"{self.series}-{key}"


@dataclass(frozen=True)
class SlurmImage:
    """A root filesystem, to be read only, and the Slurm release in it, such as ``24.11.5``."""

    version: str
    root: Path

    @property
    def series(self) -> str:
        """The release without its last number."""
        return self.version.rpartition(".")[0]


RECIPES = {
    recipe.series: recipe
    for recipe in (
        Recipe("22.05", "bookworm"),
        Recipe("24.11", "trixie", ("--include=sackd",)),
        # Mirrors that stand still keep a sid whose index is past its date.
        Recipe("26.05", "sid", ('--aptopt=Acquire::Check-Valid-Until "false"', "--include=prometheus,sackd")),
    )
}


def obstacles(series: Collection[str] = RECIPES.keys()) -> list[str]:
    """Return what keeps this machine from building or running the images of some series, each with a fix."""
    return debian.obstacles(built=not _missing(series))


def ensure_images(progress: Progress | None = None, series: Collection[str] = RECIPES.keys()) -> dict[str, SlurmImage]:
    """Build what is missing of some series and return their images by series."""
    if _missing(series):
        with locked(cache_folder() / "slurm.lock", "Slurm images"):
            missing = _missing(series)
            _build(missing, progress or Progress(len(missing)))
    return {
        name: SlurmImage((recipe.folder / "version").read_text().strip(), recipe.folder / "root")
        for name, recipe in RECIPES.items()
        if name in series
    }


def _missing(series: Collection[str]) -> list[Recipe]:
    return [recipe for name, recipe in RECIPES.items() if name in series and not recipe.folder.exists()]


def _build(recipes: Sequence[Recipe], progress: Progress) -> None:
    images = cache_folder() / "slurm"
    images.mkdir(exist_ok=True)
    for leftover in images.glob(".making-*"):
        remove_tree(leftover)
    free = shutil.disk_usage(images).free
    if free < DISK_TO_BUILD:
        raise DevclusterError(
            f"the Slurm images need {DISK_TO_BUILD // GIB} GiB of disk in {images}, {free / GIB:.1f} GiB are free: "
            "free some, or set PULUMI_SLURM_CACHE to a folder on a larger disk"
        )
    for recipe in recipes:
        with progress.step(f"building an image with Slurm {recipe.series} from Debian {recipe.suite}"):
            scratch = Path(tempfile.mkdtemp(prefix=".making-", dir=images))
            try:
                # Its user in the test machines is whoever the daemons run as, so everybody may pass.
                scratch.chmod(0o755)
                _make(recipe, scratch)
                scratch.rename(recipe.folder)
            finally:
                remove_tree(scratch)


def _make(recipe: Recipe, folder: Path) -> None:
    debian.root_filesystem(folder / "root", recipe.arguments)
    version = slurm_version((folder / "root" / "var/lib/dpkg/status").read_text())
    if not version.startswith(f"{recipe.series}."):
        raise DevclusterError(
            f"Debian {recipe.suite} now has Slurm {version}, the tests know {recipe.series}: "
            "add the new series to RECIPES in devcluster/slurm_images.py and go through tests/slurmd"
        )
    (folder / "version").write_text(version + "\n")


def slurm_version(status: str) -> str:
    """Return the Slurm release that a dpkg status file speaks of."""
    match = re.search(r"^Package: slurmctld\n(?:.+\n)*?Version: (\d+\.\d+\.\d+)", status, re.M)
    if not match:
        raise DevclusterError("the image has no package slurmctld: see PACKAGES in devcluster/slurm_images.py")
    return match[1]
