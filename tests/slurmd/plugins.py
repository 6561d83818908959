"""Slurm plugins of the tests, compiled for a release."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from devcluster.slurm_images import SlurmImage

HERE = Path(__file__).parent
PLUGIN_FOLDER = "/usr/lib/*/slurm-wlm"


def compiled(source: str, image: SlurmImage, folder: Path) -> bytes:
    """Return a plugin whose source is beside this file, as a shared library for the image's Slurm."""
    if not shutil.which("cc"):
        missing = "there is no C compiler for the tests' plugins: apt install gcc"
        if os.environ.get("CI"):
            pytest.fail(missing, pytrace=False)
        pytest.skip(missing)
    library = folder / source.replace(".c", ".so")
    version = f"-DSLURM_VERSION_NUMBER={version_number(image.version)}"
    command = ["cc", "-shared", "-fPIC", "-Wall", "-Werror", version, "-o", str(library), str(HERE / source)]
    subprocess.run(command, check=True, capture_output=True)
    return library.read_bytes()


def version_number(release: str) -> int:
    """Return a release as plugins state it: a byte for each of its three numbers."""
    major, minor, micro = map(int, release.split("."))
    return major << 16 | minor << 8 | micro


def plugin_folder(image: SlurmImage) -> str:
    """Return the folder from which the image's daemons load plugins."""
    (folder,) = image.root.glob(PLUGIN_FOLDER.lstrip("/"))
    return f"/{folder.relative_to(image.root)}"
