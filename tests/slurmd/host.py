"""One machine of a site: namespaces of its own over an image, in which programs run as on a host of that name.

It has its own host name, network, processes, cgroups, /dev, /etc and /var. What is written goes to memory; the image
stays as it is. So files and arguments that are meant for a pod are used unchanged, ports included, and nothing listens
on the network of the real machine.
"""

from __future__ import annotations

import itertools
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.slurmd.daemon import Daemon
from tests.slurmd.namespace_holder import NamespaceHolder
from tests.waiting import HANGS

SCRIPT = Path(__file__).with_name("host.sh")
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"}
LISTENING = "0A"
NAMESPACES = ("--mount", "--uts", "--ipc", "--pid", "--net", "--fork", "--kill-child")
THEN_REMOVE_ITS_GROUP = """\
group=$1; shift; "$@"
find /sys/fs/cgroup -depth -type d '(' -path "*/$group" -o -path "*/$group/*" ')' -exec rmdir {} +
"""
"""A group can go only after its last process, so somebody outside of the host has to remove it."""
IN_ITS_GROUP = """\
if [ -d /sys/fs/cgroup/first ]; then echo 0 >/sys/fs/cgroup/first/cgroup.procs
else for processes in /sys/fs/cgroup/cgroup.procs /sys/fs/cgroup/*/cgroup.procs; do echo 0 >"$processes"; done
fi 2>/dev/null
exec "$@"
"""
"""Entering a cgroup namespace does not move a process into the group at its root, where slurmd expects to be with v1.

With v2 it is beside the first process: slurmd puts its groups next to that of process 1, as in a pod.
"""
_numbers = itertools.count(1)


def succeeded(done: subprocess.CompletedProcess[str]) -> bool:
    """Say whether a program did what it was asked to."""
    return done.returncode == 0


class CommandError(Exception):
    """A program in a host has failed; the text is what it has said."""


class Host:
    """Made by `Site.host`; `name` is its host name, `address` where others reach it."""

    def __init__(self, name: str, address: str, image: Path, folder: Path) -> None:
        self.name = name
        self.address = address
        self.daemons: list[Daemon] = []
        self._folder = folder
        base = folder / f"{name}.mount"
        base.mkdir(exist_ok=True)
        group = f"slurm-tests-{os.getpid()}-{next(_numbers)}"
        inside = ("unshare", *NAMESPACES, "sh", str(SCRIPT), str(base), str(image), name, group)
        self._namespaces = NamespaceHolder(f"host {name}", ("sh", "-c", THEN_REMOVE_ITS_GROUP, "sh", group, *inside))
        self.pid = _only_child(_only_child(self._namespaces.pid))
        """Its first process, by which its namespaces are entered."""

    @property
    def root(self) -> Path:
        """Its root folder, seen from outside. Links to absolute paths in it lead elsewhere."""
        return Path(f"/proc/{self.pid}/root")

    def write(self, path: str, content: str | bytes, *, mode: int = 0o644, owner: str = "root") -> None:
        """Write a file, and the folders above it; `owner` is a user of the host."""
        file = self.root / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        # Replaced as a whole, because a daemon may be reading it.
        new = file.with_name(f".{file.name}.new")
        new.write_bytes(content.encode() if isinstance(content, str) else content)
        os.chown(new, *self._ids(owner))
        new.chmod(mode)
        new.rename(file)

    def folder(self, path: str, *, mode: int = 0o755, owner: str = "root") -> None:
        """Make a folder, or give one that exists to `owner`."""
        folder_path = self.root / path.lstrip("/")
        folder_path.mkdir(parents=True, exist_ok=True)
        os.chown(folder_path, *self._ids(owner))
        folder_path.chmod(mode)

    def read(self, path: str) -> str:
        """Return the text of a file."""
        return (self.root / path.lstrip("/")).read_text(errors="replace")

    def run(
        self,
        command: Sequence[str],
        *,
        user: str | None = None,
        env: Mapping[str, str] | None = None,
        seconds: float = HANGS,
    ) -> str:
        """Run a program and return what it prints; raise CommandError when it fails or takes longer."""
        done = self.attempt(command, user=user, env=env, seconds=seconds)
        if done.returncode:
            raise CommandError(f"{self.name}: {' '.join(command)} ended with {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    def attempt(
        self,
        command: Sequence[str],
        *,
        user: str | None = None,
        env: Mapping[str, str] | None = None,
        seconds: float = HANGS,
        text: str = "",
    ) -> subprocess.CompletedProcess[str]:
        """Run a program that may fail, as root or as a user of the host, with `text` as its input.

        After `seconds` it is ended and its return code is 124.
        """
        # Counted inside, since ending `nsenter` would leave the program running.
        inside = ("timeout", "--kill-after=5", str(seconds), *command)
        return subprocess.run(
            (*self._enter(), *self._become(user), *inside),
            env={**ENVIRONMENT, **(env or {})},
            input=text,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )

    def start(self, command: Sequence[str], *, user: str | None = None, env: Mapping[str, str] | None = None) -> Daemon:
        """Start a program that stays; it is ended with the host at the latest."""
        name = Path(command[0]).name
        log = self._folder / f"{self.name}.{name}.{len(self.daemons)}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                (*self._enter(), "sh", "-c", IN_ITS_GROUP, "sh", *self._become(user), *command),
                env={**ENVIRONMENT, **(env or {})},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        daemon = Daemon(f"{name} on {self.name}", process, log)
        self.daemons.append(daemon)
        return daemon

    def ports(self) -> set[int]:
        """Return the TCP ports on which something listens."""
        files = (Path(f"/proc/{self.pid}/net/{name}") for name in ("tcp", "tcp6"))
        rows = (row.split() for file in files for row in file.read_text().splitlines())
        return {int(row[1].rpartition(":")[2], base=16) for row in rows if row[3] == LISTENING}

    def close(self) -> None:
        """End everything in it."""
        self._namespaces.close()
        for daemon in self.daemons:
            daemon.wait()

    def _enter(self) -> tuple[str, ...]:
        spaces = ("--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup", "--root", "--wdns=/")
        return ("nsenter", f"--target={self.pid}", *spaces)

    def _become(self, user: str | None) -> tuple[str, ...]:
        if user is None:
            return ()
        uid, gid = self._ids(user)
        return ("setpriv", f"--reuid={uid}", f"--regid={gid}", "--init-groups")

    def _ids(self, user: str) -> tuple[int, int]:
        for line in self.read("/etc/passwd").splitlines():
            name, _, uid, gid, *_ = line.split(":")
            if name == user:
                return int(uid), int(gid)
        raise CommandError(f"host {self.name} has no user {user}")


def _only_child(pid: int) -> int:
    (child,) = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(child)
