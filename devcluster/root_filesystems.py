"""Root filesystems of Debian's packages, in the cache: of real nodes, and of a browser for the tests."""

import hashlib
import platform
import tempfile
from dataclasses import dataclass
from pathlib import Path

from devcluster import debian
from devcluster.folders import cache_folder
from devcluster.locks import locked
from devcluster.progress import Progress
from devcluster.toolchain import remove_tree

_SUITE = "trixie"


@dataclass(frozen=True)
class RootFilesystem:
    """One of Debian's packages; what runs on it doesn't write into it."""

    name: str
    says: str
    """What it is, in the progress lines."""
    packages: tuple[str, ...]

    @property
    def folder(self) -> Path:
        """Where it is, or would be."""
        key = hashlib.sha256(repr((self._arguments, platform.machine())).encode()).hexdigest()[:16]
        return cache_folder() / self.name / key

    def ensure(self, progress: Progress | None = None) -> Path:
        """Build it unless it is there, and return its folder."""
        target = self.folder
        if target.exists():
            return target
        target.parent.mkdir(exist_ok=True)
        with locked(cache_folder() / f"{self.name}.lock", self.says):
            if not target.exists():
                with (progress or Progress(1)).step(f"building {self.says}"):
                    scratch = Path(tempfile.mkdtemp(prefix=".making-", dir=target.parent))
                    try:
                        debian.root_filesystem(scratch / "root", self._arguments)
                        (scratch / "root").rename(target)
                    finally:
                        remove_tree(scratch)
        return target

    @property
    def _arguments(self) -> tuple[str, ...]:
        return (
            *debian.MINIMAL,
            f"--include={','.join(self.packages)}",
            '--customize-hook=cd "$1/usr/share" && rm -rf doc man locale info',
            '--customize-hook=rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/apt/*',
            _SUITE,
        )


NODE = RootFilesystem(
    "node",
    "the nodes' root filesystem with containerd",
    ("containerd", "runc", "containernetworking-plugins", "nftables", "iproute2", "conntrack", "procps", "kmod"),
)
"""containerd, runc, CNI plugins and what they call."""
BROWSER = RootFilesystem("browser", "a root filesystem with a browser", ("chromium-headless-shell", "fonts-liberation"))
"""Chromium without a window."""
