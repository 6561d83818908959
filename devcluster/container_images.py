"""Container images for real nodes: every name that the local stack states, on one root filesystem of Debian's packages.

All share one layer. What each does is its entry point, from the folder `images`, whose README says how they differ from
the images of a real cluster. They are kept as containerd keeps them, so that a node starts with a copy.
"""

import hashlib
import io
import json
import platform
import shutil
import tarfile
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from devcluster import debian
from devcluster.folders import cache_folder
from devcluster.locks import locked
from devcluster.progress import Progress
from devcluster.toolchain import remove_tree

SCRIPTS = Path(__file__).resolve().parent / "images"
SLURM_TAG = "26.05-ubuntu26.04"
"""The tag that stands for Debian's release of Slurm in the specification."""
PAUSE = "pulumi-slurm.internal/pause:1"
"""What keeps a pod's namespaces: a program that waits and collects processes."""
SLINKY = "ghcr.io/slinkyproject"
ENTRY_POINTS: Mapping[str, tuple[str, ...]] = {
    PAUSE: ("tini", "--", "sleep", "infinity"),
    f"{SLINKY}/slurmctld:{SLURM_TAG}": ("tini", "-g", "--", "slurmctld-entry"),
    f"{SLINKY}/slurmd:{SLURM_TAG}": ("tini", "-g", "--", "slurmd-entry"),
    f"{SLINKY}/slurmdbd:{SLURM_TAG}": ("tini", "-g", "--", "slurmdbd", "-D"),
    f"{SLINKY}/slurmrestd:{SLURM_TAG}": ("tini", "-g", "--", "slurmrestd"),
    f"{SLINKY}/login:{SLURM_TAG}": ("tini", "-g", "--", "login-entry"),
    "docker.io/library/alpine:3.22": (),
    "docker.io/library/mariadb:11.8": ("tini", "--", "mariadb-entry"),
    "docker.io/osixia/openldap:1.5.0": ("tini", "--", "openldap-entry"),
}
_PACKAGES = (
    *("slurmctld", "slurmd", "slurmdbd", "slurmrestd", "slurm-client", "sackd", "libpam-slurm-adopt"),
    *("slurm-wlm-jwt-plugin", "slurm-wlm-mysql-plugin", "libpmix2t64"),
    *("openssh-server", "sssd-ldap", "libnss-sss", "libpam-sss"),
    *("mariadb-server-core", "mariadb-client-core", "slapd", "ldap-utils", "openssl"),
    *("tini", "iproute2", "procps"),
)
_INSTALLED_AS = {
    "slurmctld.sh": "slurmctld-entry",
    "slurmd.sh": "slurmd-entry",
    "login.sh": "login-entry",
    "mariadb.sh": "mariadb-entry",
    "mariadb-dump.sh": "mariadb-dump",
    "openldap.sh": "openldap-entry",
    "healthcheck.sh": "healthcheck.sh",
    "hold-log.sh": "hold-log",
    "sssd-and-sshd.sh": "sssd-and-sshd",
}
"""Script -> name in /usr/local/bin."""
_SLURM_USER = (
    'chroot "$1" groupmod --gid 401 slurm; chroot "$1" usermod --uid 401 --gid 401 slurm; '
    'chroot "$1" find / -xdev -uid 64030 -exec chown 401:401 {} +'
)
_ARGUMENTS = (
    *debian.MINIMAL,
    f"--include={','.join(_PACKAGES)}",
    # Mirrors that stand still keep a sid whose index is past its date.
    '--aptopt=Acquire::Check-Valid-Until "false"',
    f"--customize-hook={_SLURM_USER}",
    # As in the official image of MariaDB; the packages that hold the server alone make no user.
    '--customize-hook=chroot "$1" useradd --system --user-group --uid 999 --home-dir /nonexistent mysql',
    '--customize-hook=chroot "$1" pam-auth-update --enable mkhomedir',
    # The directory's server makes its own; hosts get keys from the operator, or make them at their start.
    '--customize-hook=rm -rf "$1"/etc/ldap/slapd.d/* "$1"/var/lib/ldap/* "$1"/etc/ssh/ssh_host_* "$1"/etc/slurm',
    '--customize-hook=cd "$1/usr/share" && rm -rf doc man locale info',
    '--customize-hook=rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/apt/*',
    "sid",
)


def folder() -> Path:
    """Return where containerd's folder with the images is, or would be."""
    recipe = (_ARGUMENTS, platform.machine(), sorted(ENTRY_POINTS.items()), sorted(_INSTALLED_AS.items()))
    digest = hashlib.sha256(repr(recipe).encode())
    for name in sorted(_INSTALLED_AS):
        digest.update((SCRIPTS / name).read_bytes())
    return cache_folder() / "container-images" / digest.hexdigest()[:16]


def ensure(node_image: Path, progress: Progress | None = None) -> Path:
    """Build the images unless they are there, and return containerd's folder with them."""
    target = folder()
    if target.exists():
        return target
    target.parent.mkdir(exist_ok=True)
    with locked(cache_folder() / "container-images.lock", "container images"):
        if not target.exists():
            with (progress or Progress(1)).step("building container images with Slurm, MariaDB and OpenLDAP"):
                _build(target, node_image)
    return target


def copy(images: Path, target: Path) -> None:
    """Give a node its own copy, as links where both are on one file system."""
    if target.exists():
        return
    unfinished = target.with_name(f".{target.name}")
    remove_tree(unfinished)
    linked = images.stat().st_dev == target.parent.stat().st_dev
    debian.checked("cp", "--archive", *(["--link"] if linked else []), str(images), str(unfinished))
    # Layers are never written to, but containerd writes into its databases.
    for database in images.glob("*/*.db"):
        copied = unfinished / database.relative_to(images)
        copied.unlink()
        shutil.copy2(database, copied)
    unfinished.rename(target)


def write_archive(target: Path, layers: Sequence[Path], entry_points: Mapping[str, tuple[str, ...]]) -> None:
    """Write images by their names, all with the same layers, in the format of `docker save`, which containerd imports.

    Source: https://github.com/moby/docker-image-spec/blob/v1.3.1/spec.md
    """
    digests = [_digest(layer) for layer in layers]
    with tarfile.open(target, "w") as file:
        for layer, digest in zip(layers, digests, strict=True):
            file.add(layer, f"{digest}.tar")
        # One configuration for each name.
        manifest = []
        for name, entry_point in entry_points.items():
            content = json.dumps(_configuration(entry_point, digests)).encode()
            config = f"{hashlib.sha256(content).hexdigest()}.json"
            _add(file, config, content)
            manifest.append({"Config": config, "RepoTags": [name], "Layers": [f"{digest}.tar" for digest in digests]})
        _add(file, "manifest.json", json.dumps(manifest).encode())


def _build(target: Path, node_image: Path) -> None:
    scratch = Path(tempfile.mkdtemp(prefix=".making-", dir=target.parent))
    try:
        base = _base_layer(target.parent, scratch)
        scripts = scratch / "scripts.tar"
        with tarfile.open(scripts, "w") as layer:
            for source, name in sorted(_INSTALLED_AS.items()):
                _add(layer, f"usr/local/bin/{name}", (SCRIPTS / source).read_bytes(), 0o755)
        write_archive(scratch / "images.tar", [base, scripts], ENTRY_POINTS)
        (scratch / "containerd").mkdir()
        inside = ("unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", str(SCRIPTS / "import.sh"))
        debian.checked(*inside, str(node_image), str(scratch / "containerd"), str(scratch / "images.tar"))
        (scratch / "containerd").rename(target)
    finally:
        remove_tree(scratch)


def _base_layer(folder: Path, scratch: Path) -> Path:
    """Return the layer of Debian's packages, which a changed script does not build again."""
    key = hashlib.sha256(repr((_ARGUMENTS, platform.machine())).encode()).hexdigest()[:16]
    layer = folder / f"packages-{key}.tar"
    if not layer.exists():
        debian.root_filesystem(scratch / "root", _ARGUMENTS)
        debian.checked("tar", "--numeric-owner", "--sort=name", "-C", str(scratch / "root"), "-cf", f"{layer}.tmp", ".")
        Path(f"{layer}.tmp").rename(layer)
    return layer


def _configuration(entry_point: tuple[str, ...], digests: list[str]) -> dict[str, Any]:
    architecture = {"x86_64": "amd64", "aarch64": "arm64"}[platform.machine()]
    path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    return {
        "architecture": architecture,
        "os": "linux",
        "config": {
            "Env": [f"PATH={path}"],
            **({"Entrypoint": list(entry_point)} if entry_point else {"Cmd": ["sh"]}),
        },
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{digest}" for digest in digests]},
    }


def _digest(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _add(archive: tarfile.TarFile, name: str, content: bytes, mode: int = 0o644) -> None:
    info = tarfile.TarInfo(name)
    info.size, info.mode = len(content), mode
    archive.addfile(info, io.BytesIO(content))
