"""Connections that pods really have, held against the NetworkPolicies of the cluster: none that is needed is kept out.

The network of these nodes enforces no policies, so `tests.network_policies` says what they would let in.
"""

import base64
import ipaddress
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from devcluster import pods
from tests.e2e.objects import Object, Objects
from tests.e2e.program import Program
from tests.jobs.conftest import Settings
from tests.jobs.slurm import NAME, Slurm
from tests.network_policies import Place, lets_in, pod
from tests.waiting import eventually_nothing

SERVERS = {"slurmctld": 6817, "slurmdbd": 6819, "slurmrestd": 6820, "mariadb": 3306, "openldap": 389}
NEEDED = {
    ("slurmd", "slurmctld"),
    ("login", "slurmctld"),
    ("slurmctld", "slurmdbd"),
    ("login", "slurmdbd"),
    ("slurmd", "slurmdbd"),
    ("login", "slurmrestd"),
    ("slurmrestd", "slurmctld"),
    ("slurmrestd", "slurmdbd"),
    ("slurmdbd", "mariadb"),
    ("login", "openldap"),
}
"""Who connects to what while somebody uses the cluster as below: if the test sees less, it looks at the wrong place."""
LISTENS, ESTABLISHED = "0A", "01"
ASK = """\
import sys, urllib.request
headers = {"X-SLURM-USER-TOKEN": sys.argv[1], "X-SLURM-USER-NAME": "slurm"}
url = "http://slurm-slurmrestd.slurm:6820/slurmdb/v0.0.44/clusters/"
urllib.request.urlopen(urllib.request.Request(url, headers=headers))
"""


@dataclass(frozen=True)
class Connection:
    """A connection to a daemon, which there is or was within a minute."""

    client: str
    """Its address."""
    server: str
    is_over: bool


def use(slurm: Slurm, objects: Objects) -> None:
    """Let all daemons talk to each other."""
    slurm.run("id")
    slurm.run("sacct")
    slurm.run("srun", "--nodes=2", "sacct")
    token = objects.get("Secret", "slurm", "slurm-token-admin")["data"]["SLURM_JWT"]
    slurm.run("python3", "-c", ASK, base64.b64decode(token).decode())


def connections(slurm: Slurm) -> Iterator[Connection]:
    """Yield the connections to daemons' ports, by what both sides have of them.

    Whichever side closes a connection remembers it for a minute.
    """
    for daemon in (*SERVERS, "slurmd", "login"):
        for one in slurm.pods(daemon):
            words = ("cat", "/proc/net/tcp", "/proc/net/tcp6")
            table = pods.run(slurm.cluster.processes, one, daemon, words).stdout
            for line in table.splitlines():
                _, local, remote, state, *_ = line.split()
                if ":" not in local or state == LISTENS:
                    continue
                for port, server in {port: server for server, port in SERVERS.items()}.items():
                    if port_of(local) == port:
                        yield Connection(address_of(remote), server, state != ESTABLISHED)
                    elif port_of(remote) == port:
                        yield Connection(one["status"]["podIP"], server, state != ESTABLISHED)


def port_of(text: str) -> int:
    return int(text.partition(":")[2], 16)


def address_of(text: str) -> str:
    """Return an address of /proc/net/tcp or /proc/net/tcp6: words of four bytes in the machine's order."""
    words = text.partition(":")[0]
    packed = b"".join(struct.pack("=I", int(words[at : at + 8], 16)) for at in range(0, len(words), 8))
    address = ipaddress.ip_address(packed)
    return str(getattr(address, "ipv4_mapped", None) or address)


def test_every_connection_is_let_in_and_no_other_pod(
    changed: Program, settings: Settings, slurm: Slurm, objects: Objects
) -> None:
    settings["slurm:cluster"]["networkPolicies"] = {"enabled": True}
    changed.up(settings)
    policies: list[Object] = objects.api.get("/apis/networking.k8s.io/v1/networkpolicies")["items"]
    clients = {
        one["status"]["podIP"]: pod(one) for daemon in (*SERVERS, "slurmd", "login") for one in slurm.pods(daemon)
    }
    servers = {name: pod(slurm.pods(name)[0]) for name in SERVERS}
    # Of pods that have ended, whose addresses may be those of others now.
    from_before = {one for one in connections(slurm) if one.is_over or one.client not in clients}
    seen: set[Connection] = set()

    def missing() -> set[tuple[str, str]]:
        use(slurm, objects)
        seen.update(connections(slurm))
        return NEEDED - {(clients[one.client].labels[NAME], one.server) for one in seen if one.client in clients}

    eventually_nothing("connections that nobody had", missing)
    for one in seen - from_before:
        if one.client in clients:
            assert lets_in(policies, servers[one.server], SERVERS[one.server], clients[one.client]), one
        else:
            # The operator is a process of the machine here; all else is the kubelet of the pod's node, with its probes.
            assert one.server == "slurmrestd" or one.client in addresses_of_node(servers[one.server], objects), one
    for name, port in SERVERS.items():
        for namespace in ("default", "slurm"):
            assert not lets_in(policies, servers[name], port, Place(namespace, {NAME: "web"})), name


def addresses_of_node(place: Place, objects: Objects) -> set[str]:
    """Return the addresses by which the node of a pod reaches it: its own, and that of the bridge of its pods."""
    (found,) = (one for one in objects.all("Pod", place.namespace) if one["status"].get("podIP") == place.address)
    pods_of_node = ipaddress.ip_network(f"{place.address}/24", strict=False)
    return {found["status"]["hostIP"], str(pods_of_node[1])}
