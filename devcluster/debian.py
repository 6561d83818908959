"""Root filesystems built from Debian's packages by mmdebstrap, from the mirror that this machine takes its own from."""

import os
import platform
import shutil
import subprocess
import tempfile
from pathlib import Path

from devcluster.errors import DevclusterError

ARCHITECTURES = ("x86_64", "aarch64")
TO_RUN = {"unshare": "util-linux", "nsenter": "util-linux", "mount": "mount", "ip": "iproute2"}
"""What namespaces with a root filesystem take: program and package."""
TO_BUILD = {"apt-get": "apt", "dpkg-deb": "dpkg", "perl": "perl", "gpgv": "gpgv"}


MINIMAL = ("--variant=minbase", "--format=directory")
"""Arguments of mmdebstrap for as little as apt works with, as a folder."""


def root_filesystem(target: Path, arguments: tuple[str, ...]) -> None:
    """Build one in a folder that does not exist yet; the arguments are mmdebstrap's but for target and mirror."""
    with tempfile.TemporaryDirectory(prefix="debian-") as private:
        program = _mmdebstrap(Path(private))
        # In namespaces of its own, so that an interrupted build leaves neither mounts nor processes.
        inside = ("unshare", "--mount", "--pid", "--mount-proc", "--fork", "--kill-child")
        checked(*inside, *program, *arguments, str(target), _mirror())


def obstacles(*, built: bool) -> list[str]:
    """Return what keeps this machine from building a root filesystem, or from running one, each with a fix."""
    missing = []
    if platform.machine() not in ARCHITECTURES:
        missing.append(f"Debian has no Slurm for {platform.machine()}: use a machine with {' or '.join(ARCHITECTURES)}")
    if os.geteuid() != 0:
        missing.append("mounts, devices and network namespaces need root: run it as root")
    for program, package in {**TO_RUN, **({} if built else TO_BUILD)}.items():
        if not shutil.which(program):
            missing.append(f"there is no {program}: apt install {package}")
    if not built and _os_release().get("ID") != "debian":
        missing.append(
            f"the images are built by Debian's apt, this is {_os_release().get('ID', 'unknown')}: use Debian"
        )
    if not missing:
        process = _run("unshare", "--mount", "--pid", "--net", "--uts", "--fork", "true")
        if process.returncode:
            missing.append(f"namespaces are not allowed here ({_last(process)}): allow CAP_SYS_ADMIN and CAP_NET_ADMIN")
    return missing


def checked(*command: str, folder: Path | None = None) -> str:
    """Run a command and return its output; failure is an error with its last words."""
    process = _run(*command, folder=folder)
    if process.returncode:
        raise DevclusterError(
            f"images cannot be made, {command[0]}: {_last(process)} (check disk, network and apt's sources)"
        )
    return process.stdout


def _mmdebstrap(private: Path) -> list[str]:
    """Return the command, fetched into a private folder when it is not installed."""
    installed = shutil.which("mmdebstrap")
    if installed:
        return [installed]
    for name in ("lists/partial", "cache/archives/partial"):
        (private / name).mkdir(parents=True)
    # apt fetches as another user unless told otherwise, and who that is may not enter the folder.
    options = (f"Dir::State::lists={private}/lists", f"Dir::Cache={private}/cache", "APT::Sandbox::User=root")
    apt = ("apt-get", "-qq", *(word for option in options for word in ("-o", option)))
    checked(*apt, "update")
    checked(*apt, "download", "mmdebstrap", folder=private)
    (archive,) = private.glob("mmdebstrap_*.deb")
    checked("dpkg-deb", "-x", str(archive), str(private / "mmdebstrap"))
    return ["perl", str(private / "mmdebstrap/usr/bin/mmdebstrap")]


def _mirror() -> str:
    """Return the address from which this machine takes its own Debian."""
    codename = _os_release().get("VERSION_CODENAME", "")
    answer = checked("apt-get", "indextargets", "--format", "$(CODENAME) $(REPO_URI)", "Created-By: Packages")
    for line in answer.splitlines():
        name, _, address = line.partition(" ")
        if name == codename:
            return address
    raise DevclusterError(f"apt has no source for {codename!r}: name a Debian mirror in its sources, then apt update")


def _os_release() -> dict[str, str]:
    try:
        return platform.freedesktop_os_release()
    except OSError:
        return {}


def _run(*command: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    nothing = subprocess.DEVNULL
    return subprocess.run(command, cwd=folder, env=env, stdin=nothing, capture_output=True, text=True, check=False)


def _last(process: subprocess.CompletedProcess[str]) -> str:
    lines = [line.strip() for line in (process.stdout + process.stderr).splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("E: ")]
    return (errors or lines or ["no output"])[0 if errors else -1]
