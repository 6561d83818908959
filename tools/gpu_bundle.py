"""What `tests/gpu` need on a machine without network and package managers, as an archive in parts.

It has this Python with its packages, the Slurm images, `ip`, and the libraries of all that but glibc's own. The other
machine has the checkout, and `tools/gpu_bundle.sh` unpacks the parts there and runs the tests.
"""

import argparse
import io
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
from collections.abc import Collection, Iterable
from fnmatch import fnmatch
from pathlib import Path

from devcluster.slurm_images import RECIPES, ensure_images
from tests.slurmd.releases import EARLIER, NEWEST

PACKAGES_LEFT_OUT = (
    *("pulumi*", "grpc*", "google*", "opentelemetry*", "material*", "merman*", "mkdocs*", "pymdownx*", "babel*"),
    *("jedi*", "debugpy*", "mypy*", "*__mypyc*", "ast_serialize*", "librt*", "ruff*", "pip*", "setuptools*"),
    "pkg_resources*",
)
"""The large ones that these tests don't import."""
STDLIB_LEFT_OUT = ("site-packages", "test", "idlelib", "tkinter", "lib2to3", "ensurepip", "config-*", "__pycache__")
IMAGE_LEFT_OUT = (
    *("usr/bin/prometheus", "usr/bin/promtool", "usr/bin/innochecksum", "usr/bin/mariadb-[cmu]*", "usr/bin/sqv"),
    *("usr/lib/apt", "usr/lib/systemd", "usr/lib/*/systemd", "usr/lib/*/gconv", "usr/lib/*/data_parser_*"),
    *("usr/lib/*/libapt-*", "usr/share/zoneinfo", "var/lib/apt", "var/lib/dpkg", "var/cache"),
)
GLIBC = re.compile(r"(ld-linux.*|lib(c|m|dl|pthread|rt|util|resolv|anl|mvec))\.so.*")
WRAPPER = '#!/bin/sh\nat=$(dirname "$0")/..\nLD_LIBRARY_PATH=$at/lib exec "$at/{program}" "$@"\n'
KEEPS_IT = 'import os\nos.environ.pop("LD_LIBRARY_PATH", None)\n'
"""Python's sitecustomize: programs that it starts have the machine's own libraries."""


def main() -> None:
    """Write the parts into a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--mebibytes", type=int, default=45, help="how large a part may be")
    arguments = parser.parse_args()
    folder: Path = arguments.folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    compress = f'set -o pipefail; xz -T0 | split --bytes={arguments.mebibytes}M --numeric-suffixes - "$1"'
    with subprocess.Popen(["bash", "-c", compress, "bash", str(folder / "part-")], stdin=subprocess.PIPE) as compressor:
        with tarfile.open(fileobj=compressor.stdin, mode="w|") as archive:
            write(archive)
        assert compressor.stdin
        compressor.stdin.close()
        if compressor.wait():
            sys.exit("the archive could not be written")
    for part in sorted(folder.iterdir()):
        print(f"{part}: {part.stat().st_size >> 20} MiB")  # noqa: T201


def write(archive: tarfile.TarFile) -> None:
    """Add everything to an archive."""
    packages = Path(sysconfig.get_path("purelib"))
    ip = Path(shutil.which("ip") or sys.exit("there is no ip: apt install iproute2"))
    write_python(archive, (ip, *packages.rglob("*.so")))
    add(archive, packages, f"{library_folder()}/site-packages", PACKAGES_LEFT_OUT)
    text(archive, f"{library_folder()}/site-packages/sitecustomize.py", KEEPS_IT)
    add(archive, ip.resolve(), "libexec/ip")
    text(archive, "bin/ip", WRAPPER.format(program="libexec/ip"), mode=0o755)
    for series in ensure_images(series=(EARLIER, NEWEST)):
        image = RECIPES[series].folder
        add(archive, image / "version", f"cache/slurm/{image.name}/version")
        add(archive, image / "root", f"cache/slurm/{image.name}/root", IMAGE_LEFT_OUT)


def write_python(archive: tarfile.TarFile, others: Iterable[Path] = ()) -> None:
    """Add this Python without packages, as bin/python3, and the libraries of it and of other programs."""
    program, library = Path(sys.executable).resolve(), Path(sysconfig.get_path("stdlib"))
    add(archive, program, "python/bin/python3")
    add(archive, library, library_folder(), STDLIB_LEFT_OUT)
    text(archive, "bin/python3", WRAPPER.format(program="python/bin/python3"), mode=0o755)
    for file in libraries([program, *library.glob("lib-dynload/*.so"), *others]):
        add(archive, file.resolve(), f"lib/{file.name}")


def library_folder() -> str:
    """Return where Python's own modules are in an archive."""
    return f"python/{Path(sysconfig.get_path('stdlib')).relative_to(sys.base_prefix)}"


def add(archive: tarfile.TarFile, path: Path, name: str, left_out: Collection[str] = ()) -> None:
    """Add a file or folder by a name, without what matches a pattern at its top, or is called __pycache__."""

    def kept(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
        below = member.name.removeprefix(f"{name}/")
        return None if below.endswith("/__pycache__") or any(fnmatch(below, one) for one in left_out) else member

    archive.add(path, name, filter=kept)


def text(archive: tarfile.TarFile, name: str, content: str, mode: int = 0o644) -> None:
    """Add a file with this content."""
    member = tarfile.TarInfo(name)
    member.size, member.mode = len(content.encode()), mode
    archive.addfile(member, io.BytesIO(content.encode()))


def libraries(programs: Iterable[Path]) -> set[Path]:
    """Return the libraries that programs and extensions load, but for glibc's."""
    # Those of a Python from such an archive are beside it.
    env = {**os.environ, "LD_LIBRARY_PATH": str(Path(sys.base_prefix).parent / "lib")}
    done = subprocess.run(["ldd", *map(str, programs)], env=env, capture_output=True, text=True, check=False)
    loaded = {Path(match[1]) for match in re.finditer(r"=> (/\S+) \(0x", done.stdout)}
    return {path for path in loaded if not GLIBC.fullmatch(path.name)}


if __name__ == "__main__":
    main()
