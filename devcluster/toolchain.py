"""The toolchain: every part of the table as a folder in the cache, built when it is missing.

`ensure` is what callers want. A part is built in a scratch folder and renamed into place, so an interrupted build
leaves nothing half done, and what was built before stays. Go's caches serve between parts and are removed once all
that was asked for is there, since they are over ten times as large as what they make.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from devcluster.errors import DevclusterError
from devcluster.folders import cache_folder
from devcluster.golang import GIB, Go, available_memory, find_go
from devcluster.locks import locked
from devcluster.parts import PARTS, PULUMI_PARTS, Copy, Part
from devcluster.progress import Progress

OFFICIAL_MINIMUM = (3, 200)
MEMORY_TO_BUILD = 3 * GIB
DISK_TO_RESUME = 4 * GIB
KEEP = "PULUMI_SLURM_KEEP_GO_CACHE"


@dataclass(frozen=True)
class Toolchain:
    """The parts that are there; `official` is the folder of an official pulumi in place of the engine's parts."""

    cache: Path
    parts: tuple[str, ...]
    official: Path | None = None

    def path(self, part: str) -> Path:
        """Return the folder of a part."""
        if part not in self.parts:
            raise DevclusterError(f"the toolchain has no part {part!r}: run `make toolchain`")
        return folder_of(PARTS[part], self.cache)

    def binary(self, name: str) -> Path:
        """Return a program by its file name."""
        if self.official and (self.official / name).exists():
            return self.official / name
        for part in self.parts:
            if name in dict(PARTS[part].binaries):
                return self.path(part) / name
        raise DevclusterError(f"the toolchain has no program {name!r}: run `make toolchain`")

    @property
    def search_path(self) -> list[Path]:
        """The folders that hold the engine, its plugins and its language host, for PATH."""
        if self.official:
            return [self.official]
        return [self.path(part) for part in PULUMI_PARTS if part in self.parts]


def ensure(parts: Iterable[str] | None = None, progress: Progress | None = None) -> Toolchain:
    """Build what is missing of the named parts and return the toolchain; by default of all but those on demand."""
    cache = cache_folder()
    official = official_pulumi(cache)
    names = {part.name for part in PARTS.values() if not part.on_demand} if parts is None else set(parts)
    if official:
        names -= set(PULUMI_PARTS)
    wanted = [part for part in PARTS.values() if part.name in names]
    missing = [part for part in wanted if not folder_of(part, cache).exists()]
    if missing:
        with locked(cache / "parts.lock", "toolchain"):
            _build([part for part in missing if not folder_of(part, cache).exists()], cache, progress)
            if not os.environ.get(KEEP):
                remove_tree(cache / "go")
    return Toolchain(cache, tuple(part.name for part in wanted), official)


def folder_of(part: Part, cache: Path) -> Path:
    """Return where a part is, or would be."""
    return cache / "parts" / f"{part.name}-{part.key}"


def official_pulumi(cache: Path) -> Path | None:
    """Return the folder of a recent official pulumi on PATH, which then brings its own language host and plugins."""
    executable = shutil.which("pulumi")
    if not executable or Path(executable).resolve().is_relative_to(cache):
        return None
    env = {**os.environ, "PULUMI_SKIP_UPDATE_CHECK": "true"}
    done = subprocess.run([executable, "version"], env=env, capture_output=True, text=True, check=False)
    version = re.match(r"v?(\d+)\.(\d+)", done.stdout.strip())
    if not version or (int(version[1]), int(version[2])) < OFFICIAL_MINIMUM:
        return None
    folder = Path(executable).resolve().parent
    return folder if (folder / "pulumi-language-python").exists() else None


def _build(parts: list[Part], cache: Path, progress: Progress | None) -> None:
    if not parts:
        return
    check_room(parts, cache)
    progress = progress or Progress(len(parts))
    go = find_go(cache)
    (cache / "parts").mkdir(exist_ok=True)
    for leftover in (cache / "parts").glob(".making-*"):
        remove_tree(leftover)
    # Modules of later parts are downloaded while the first ones compile. What goes wrong, the part's build will tell.
    fetching = ThreadPoolExecutor(1)
    for part in parts[1:]:
        if part.binaries:
            fetching.submit(go.fetch, part.module, [package for _, package in part.binaries])
    try:
        _make_all(parts, go, cache, progress)
    finally:
        fetching.shutdown(cancel_futures=True)


def _make_all(parts: list[Part], go: Go, cache: Path, progress: Progress) -> None:
    for part in parts:
        verb = "building" if part.binaries else "fetching"
        with progress.step(f"{verb} {part.says}"):
            scratch = Path(tempfile.mkdtemp(prefix=".making-", dir=cache / "parts"))
            try:
                _make(part, go, scratch)
                scratch.chmod(0o755)
                scratch.rename(folder_of(part, cache))
            finally:
                remove_tree(scratch)


def _make(part: Part, go: Go, folder: Path) -> None:
    versions = dict(part.requirements())
    sums = (part.module / "go.sum").read_text()
    for name, package in part.binaries:
        go.build(part.module, package, part.ldflags, folder / name)
    for name, text in part.scripts:
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    for copy in part.copies:
        source = go.download(copy.module, copy.version or versions[copy.module], sums, folder)
        copy_files(copy, source, folder / copy.target)


def copy_files(copy: Copy, source: Path, target: Path) -> None:
    """Copy what the pattern finds in a module; one folder means its content, several each by its own name."""
    paths = sorted(source.glob(copy.source))
    if not paths:
        raise DevclusterError(f"{copy.module} has no {copy.source}: correct the table in devcluster/parts.py")
    target.mkdir(parents=True, exist_ok=True)
    for file in (inner for item in paths for inner in ([item] if item.is_file() else sorted(item.rglob("*")))):
        if file.is_dir():
            continue
        base = paths[0] if len(paths) == 1 and paths[0].is_dir() else paths[0].parent
        into = target / file.relative_to(base)
        into.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, into)
        if copy.executable:
            into.chmod(0o755)


def check_room(parts: list[Part], cache: Path) -> None:
    """Refuse a build that would run out of disk or memory."""
    need = int(sum(part.gib for part in parts) * GIB)
    if (cache / "go" / "build").exists():
        need = min(need, DISK_TO_RESUME)
    free = shutil.disk_usage(cache).free
    if free < need:
        raise DevclusterError(
            f"building needs {need / GIB:.0f} GiB of disk in {cache}, {free / GIB:.1f} GiB are free: "
            "free some, or set PULUMI_SLURM_CACHE to a folder on a larger disk"
        )
    memory = available_memory()
    if any(part.binaries for part in parts) and memory < MEMORY_TO_BUILD:
        raise DevclusterError(
            f"building needs {MEMORY_TO_BUILD / GIB:.0f} GiB of free memory, {memory / GIB:.1f} GiB are free: "
            "close other programs, then run it again"
        )


def remove_tree(folder: Path) -> None:
    """Delete a folder even where Go has made parts of it read-only."""
    if not folder.exists():
        return
    for path, _, _ in os.walk(folder):
        os.chmod(path, 0o700)
    shutil.rmtree(folder)
