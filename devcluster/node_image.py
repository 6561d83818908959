"""The root filesystem of real nodes: containerd, runc, CNI plugins and what they call, from Debian's packages."""

import hashlib
import platform
import tempfile
from pathlib import Path

from devcluster import debian
from devcluster.folders import cache_folder
from devcluster.locks import locked
from devcluster.progress import Progress
from devcluster.toolchain import remove_tree

_PACKAGES = ("containerd", "runc", "containernetworking-plugins", "nftables", "iproute2", "conntrack", "procps", "kmod")
_ARGUMENTS = (
    *debian.MINIMAL,
    f"--include={','.join(_PACKAGES)}",
    '--customize-hook=cd "$1/usr/share" && rm -rf doc man locale info',
    '--customize-hook=rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/apt/*',
    "trixie",
)


def folder() -> Path:
    """Return where the root filesystem is, or would be."""
    key = hashlib.sha256(repr((_ARGUMENTS, platform.machine())).encode()).hexdigest()[:16]
    return cache_folder() / "node" / key


def ensure(progress: Progress | None = None) -> Path:
    """Build the root filesystem unless it is there, and return it."""
    target = folder()
    if target.exists():
        return target
    target.parent.mkdir(exist_ok=True)
    with locked(cache_folder() / "node.lock", "node image"):
        if not target.exists():
            with (progress or Progress(1)).step("building the nodes' root filesystem with containerd"):
                scratch = Path(tempfile.mkdtemp(prefix=".making-", dir=target.parent))
                try:
                    debian.root_filesystem(scratch / "root", _ARGUMENTS)
                    (scratch / "root").rename(target)
                finally:
                    remove_tree(scratch)
    return target
