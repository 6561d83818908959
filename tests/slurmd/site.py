"""A site: machines on one network of their own, which know each other by name unless a name is not published."""

from __future__ import annotations

import itertools
import subprocess
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Interface
from pathlib import Path
from types import TracebackType

from devcluster.addresses import GATEWAY
from devcluster.slurm_images import SlurmImage
from tests.slurmd.daemon import Daemon
from tests.slurmd.host import CommandError, Host
from tests.slurmd.namespace_holder import NamespaceHolder

open_sites: weakref.WeakSet[Site] = weakref.WeakSet()
"""For the report of a test that has failed."""
_HOLD = "echo ready && exec cat"
_ports = itertools.count(1)
"""Names of network devices: those of machines that have ended may still be there for a moment."""


@dataclass(frozen=True)
class Network:
    """A network namespace with a bridge into which machines plug."""

    holder: NamespaceHolder
    bridge: str
    first_address: IPv4Interface
    """What the first machine gets; the next one gets the next."""
    router: str | None = None
    """Who knows the way to other networks, if there are any."""

    @classmethod
    def alone(cls) -> Network:
        """Return a new one, which leads nowhere."""
        bridge = "ip link add site type bridge && ip link set site up"
        holder = NamespaceHolder("the network", ("unshare", "--net", "sh", "-c", f"{bridge} && {_HOLD}"))
        return cls(holder, "site", IPv4Interface("10.11.0.11/16"))

    @classmethod
    def beside_pods(cls, cluster_pid: int) -> Network:
        """Return that of an embedded cluster's nodes, in the namespace of a process of the cluster.

        Its router leads to pods, and nothing on the way translates addresses.
        """
        enter = ("nsenter", f"--net=/proc/{cluster_pid}/ns/net", "sh", "-c", _HOLD)
        first = IPv4Interface(f"{GATEWAY.rpartition('.')[0]}.101/24")
        return cls(NamespaceHolder("a network beside pods", enter), "nodes", first, GATEWAY)


class Site:
    """Hosts of one Slurm release; leaving the block ends them all.

    Everything lives in namespaces and in `folder`: a network namespace with a bridge, and the machines on it.
    """

    def __init__(self, image: SlurmImage, folder: Path, network: Network | None = None) -> None:
        self.image = image
        self.folder = folder
        self._hosts: dict[str, Host] = {}
        self._host_count = 0
        self._names: dict[str, Sequence[str]] = {}
        self._strangers: dict[str, Sequence[str]] = {}
        self._network = network or Network.alone()
        open_sites.add(self)

    def host(self, name: str, aliases: Sequence[str] = (), *, published: bool = True) -> Host:
        """Add a machine that all others reach by its name and aliases; without `published` only it knows its name."""
        network = self._network
        first = network.first_address
        interface = IPv4Interface((first.ip + self._host_count, first.network.prefixlen))
        address = str(interface.ip)
        self._host_count += 1
        host = Host(name, address, self.image.root, self.folder)
        self._hosts[name] = host
        if published:
            self._names[address] = (name, *aliases)
        port = f"port{next(_ports)}"
        inside = ("nsenter", f"--target={network.holder.pid}", "--net", "ip", "-batch", "-")
        made = f"link add {port} type veth peer name eth0 netns {host.pid}"
        _ip(inside, f"{made}\nlink set {port} master {network.bridge} up\n")
        inside = ("nsenter", f"--target={host.pid}", "--net", "ip", "-batch", "-")
        route = f"route add default via {network.router}\n" if network.router else ""
        _ip(inside, f"addr add {interface} dev eth0\nlink set eth0 up\n{route}")
        self._write_hosts()
        return host

    def alias(self, host: Host, *names: str) -> None:
        """Have all machines know one by more names."""
        self._names[host.address] = (*self._names[host.address], *names)
        self._write_hosts()

    def beyond(self, address: str, *names: str) -> None:
        """Have all machines know an address by these names that is none of theirs, such as a pod's."""
        self._names[address] = names
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
        self._network.holder.close()
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


def _ip(inside: Sequence[str], commands: str) -> None:
    done = subprocess.run(inside, input=commands, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CommandError(f"the network could not be created: {done.stdout}{done.stderr}")
