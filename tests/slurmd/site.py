"""A site: machines on one network of their own, which know each other by name unless a name is not published."""

from __future__ import annotations

import subprocess
import weakref
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType

from devcluster.slurm_images import SlurmImage
from tests.slurmd.daemon import Daemon
from tests.slurmd.host import CommandError, Host
from tests.slurmd.namespace_holder import NamespaceHolder

open_sites: weakref.WeakSet[Site] = weakref.WeakSet()
"""For the report of a test that has failed."""


class Site:
    """Hosts of one Slurm release; leaving the block ends them all.

    Everything lives in namespaces and in `folder`: a network namespace with a bridge, and the machines on it.
    """

    def __init__(self, image: SlurmImage, folder: Path) -> None:
        self.image = image
        self.folder = folder
        self._hosts: dict[str, Host] = {}
        self._host_count = 0
        self._names: dict[str, Sequence[str]] = {}
        self._strangers: dict[str, Sequence[str]] = {}
        self._network = NamespaceHolder(
            "the network", ("unshare", "--net", "sh", "-c", f"{_BRIDGE} && echo ready && exec cat")
        )
        open_sites.add(self)

    def host(self, name: str, aliases: Sequence[str] = (), *, published: bool = True) -> Host:
        """Add a machine that all others reach by its name and aliases; without `published` only it knows its name."""
        self._host_count += 1
        address = f"10.11.{self._host_count // 200}.{self._host_count % 200 + 10}"
        host = Host(name, address, self.image.root, self.folder)
        self._hosts[name] = host
        if published:
            self._names[address] = (name, *aliases)
        inside = ("nsenter", f"--target={self._network.pid}", "--net", "ip", "-batch", "-")
        port = f"port{self._host_count}"
        _ip(inside, f"link add {port} type veth peer name eth0 netns {host.pid}\nlink set {port} master site up\n")
        inside = ("nsenter", f"--target={host.pid}", "--net", "ip", "-batch", "-")
        _ip(inside, f"addr add {address}/16 dev eth0\nlink set eth0 up\n")
        self._write_hosts()
        return host

    def alias(self, host: Host, *names: str) -> None:
        """Have all machines know one by more names."""
        self._names[host.address] = (*self._names[host.address], *names)
        self._write_hosts()

    def knows_only(self, host: Host, *names: str) -> None:
        """Have a machine resolve only these names of others, as one outside of Kubernetes does, or a pod."""
        self._strangers[host.name] = names
        self._write_hosts()

    def remove(self, host: Host) -> None:
        """End a machine; its name is unknown from then on."""
        host.close()
        del self._hosts[host.name]
        self._names.pop(host.address, None)
        self._write_hosts()

    def daemons(self) -> Iterator[Daemon]:
        """Yield every program that was started in one of its machines."""
        for host in self._hosts.values():
            yield from host.daemons

    def close(self) -> None:
        """End everything; the logs stay in the folder."""
        for host in self._hosts.values():
            host.close()
        self._network.close()
        open_sites.discard(self)

    def __enter__(self) -> Site:
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _write_hosts(self) -> None:
        lines = ["127.0.0.1 localhost", *(f"{address} {' '.join(names)}" for address, names in self._names.items())]
        for host in self._hosts.values():
            itself = [] if host.address in self._names else [f"{host.address} {host.name}"]
            known = self._known_to(host) if host.name in self._strangers else lines
            host.write("/etc/hosts", "\n".join([*known, *itself]) + "\n")

    def _known_to(self, stranger: Host) -> list[str]:
        known = self._strangers[stranger.name]
        others = [(address, [name for name in names if name in known]) for address, names in self._names.items()]
        itself = f"{stranger.address} {' '.join(self._names.get(stranger.address, ()))}"
        named = [f"{address} {' '.join(names)}" for address, names in others if names and address != stranger.address]
        return ["127.0.0.1 localhost", itself, *named]


_BRIDGE = "ip link add site type bridge && ip link set site up"


def _ip(inside: Sequence[str], commands: str) -> None:
    done = subprocess.run(inside, input=commands, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CommandError(f"the network could not be created: {done.stdout}{done.stderr}")
