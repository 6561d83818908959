"""The plugin `slurm` as archives, as Pulumi takes plugins from a release: ``python -m tools.plugin_archive FOLDER``.

Pulumi downloads that of its machine by name, and makes a Python environment for what is in it: `standardAssetName` in
sdk/go/common/workspace/plugins.go of pulumi/pulumi, v3.259.0. All have the same files, since there is no binary.
"""

import gzip
import io
import runpy
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

from devcluster.folders import CHECKOUT

PROVIDER = CHECKOUT / "provider"
COMPONENTS = CHECKOUT / "components"
MACHINES = tuple(
    f"{system}-{processor}" for system in ("darwin", "linux", "windows") for processor in ("amd64", "arm64")
)


def version() -> str:
    """Return the package's version, without its requirements."""
    return str(runpy.run_path(str(COMPONENTS / "pulumi_slurm" / "version.py"))["__version__"])


def content() -> Iterator[tuple[str, Path]]:
    """Yield name and file of all that is in an archive: the plugin's folder with the library beside it."""
    for name in ("LICENSE", "NOTICE"):
        yield name, CHECKOUT / name
    for file in sorted(PROVIDER.iterdir()):
        if file.is_file():
            yield file.name, file
    for file in sorted((COMPONENTS / "pulumi_slurm").rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            yield file.relative_to(COMPONENTS).as_posix(), file


def archive() -> bytes:
    """Return an archive; the same files always make the same one."""
    packed = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as stream,
        tarfile.open(fileobj=stream, mode="w") as archived,
    ):
        for name, file in content():
            entry = tarfile.TarInfo(name)
            entry.size = file.stat().st_size
            entry.mode = 0o644
            with file.open("rb") as opened:
                archived.addfile(entry, opened)
    return packed.getvalue()


def main(folder: Path) -> None:
    """Write one archive for each machine."""
    folder.mkdir(parents=True, exist_ok=True)
    packed = archive()
    for machine in MACHINES:
        (folder / f"pulumi-resource-slurm-v{version()}-{machine}.tar.gz").write_bytes(packed)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
