"""Nodes that run pods: containerd, kubelet and kube-proxy of each in namespaces of its own, on this machine.

A cluster with such nodes has a network namespace, in which its control plane runs too; nodes are plugged into a bridge
there. So nothing of it is in the machine's own network, and nothing outlasts the processes that hold the namespaces.
"""

import contextlib
import glob
import hashlib
import json
import os
import shlex
import shutil
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from devcluster import addresses, container_images, provisioner
from devcluster.addresses import DNS_SERVICE, GATEWAY, POD_RANGE, SERVICE_RANGE
from devcluster.errors import DevclusterError
from devcluster.folders import CHECKOUT
from devcluster.nodes import GPU_TAINT, storage_class
from devcluster.pki import Pki
from devcluster.processes import Command, ProcessTable

HERE = Path(__file__).resolve().parent
NETWORK = "network"
"""The name of the process that holds the cluster's network namespace."""
RELAY = "relay"
DNS = "coredns"
PROVISIONER = "provisioner"
DOMAIN = "cluster.local"
END_SECONDS = 300.0
"""How long the processes of a node may take to end once its first one has. Only for what hangs: the kernel kills them,
and a slow machine takes longer to clean up after dozens of containers."""


@dataclass(frozen=True)
class RealNode:
    """One node; its CPUs and memory are the machine's."""

    name: str
    number: int
    gpus: int = 0
    labels: Mapping[str, str] = field(default_factory=dict)
    taints: Sequence[Mapping[str, str]] = ()

    @property
    def address(self) -> str:
        """The node's address in the cluster's network."""
        return addresses.of_node(self.number)

    @property
    def pod_range(self) -> str:
        """The addresses of its pods."""
        return addresses.pods_of_node(self.number)


DEFAULT_REAL_NODES = (
    RealNode("cpu-0", 0, labels={"pulumi-slurm/pool": "cpu"}),
    RealNode("cpu-1", 1, labels={"pulumi-slurm/pool": "cpu"}),
    RealNode("gpu-0", 2, gpus=2, labels={"pulumi-slurm/pool": "gpu"}, taints=(GPU_TAINT,)),
)


@dataclass(frozen=True)
class RealNodes:
    """The nodes of one cluster, and the network that they share with its control plane."""

    folder: Path
    """The cluster's."""
    image: Path
    programs: Path
    """The folder of the control plane's program, which is kubelet and kube-proxy as well."""
    images: Path
    """A folder of containerd's with the container images."""
    pki: Pki
    ports: Mapping[str, int]
    nodes: Sequence[RealNode]

    @property
    def volumes(self) -> Path:
        """The folder of the persistent volumes, which every node sees under the same path."""
        return self.folder / "volumes"

    def network(self) -> Command:
        """Return the process that holds the network namespace."""
        # The control plane reaches Services through the first node.
        router = self.nodes[0].address
        return Command(
            NETWORK, ("unshare", "--net", "sh", str(HERE / "network.sh"), f"{GATEWAY}/24", SERVICE_RANGE, router)
        )

    def inside(self, command: Command, network_pid: int) -> Command:
        """Return a process of the control plane as one in the network, with the cluster's names."""
        enter = ("nsenter", f"--net=/proc/{network_pid}/ns/net", "unshare", "--mount", "sh", "-c")
        script = f'mount --bind {shlex.quote(str(self._resolv_conf))} /etc/resolv.conf && exec "$@"'
        return Command(command.name, (*enter, script, command.name, *command.argv), command.env)

    def commands(self, network_pid: int) -> dict[str, Command]:
        """Return the processes beside the control plane's by name; `write` has to come before they start."""
        relayed = [str(self.ports[name]) for name in sorted(self.ports) if not name.startswith("etcd")]
        relay = (sys.executable, "-m", "devcluster.relay", f"--pid={network_pid}", *relayed)
        program = str(self.programs / "control-plane")
        volumes = (
            *(sys.executable, "-m", "devcluster.provisioner"),
            f"--kubeconfig={self.folder / 'kubeconfig'}",
            f"--folder={self.volumes}",
        )
        names = (program, "coredns", "-conf", str(self.folder / "Corefile"))
        every = (
            Command(RELAY, relay, {"PYTHONPATH": str(CHECKOUT)}),
            Command(PROVISIONER, volumes, {"PYTHONPATH": str(CHECKOUT)}),
            self.inside(Command(DNS, names), network_pid),
            *(self._node(node, network_pid) for node in self.nodes),
        )
        return {command.name: command for command in every}

    def manifests(self) -> list[dict[str, Any]]:
        """Return the StorageClass, and the Service of the name server, which runs beside the control plane."""
        metadata = {"name": "kube-dns", "namespace": "kube-system"}
        ports = [{"name": name, "protocol": name.upper(), "port": 53} for name in ("udp", "tcp")]
        spec = {"clusterIP": DNS_SERVICE, "ports": ports}
        return [
            storage_class(provisioner.NAME),
            {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": spec},
            {
                "apiVersion": "discovery.k8s.io/v1",
                "kind": "EndpointSlice",
                "metadata": {**metadata, "labels": {"kubernetes.io/service-name": "kube-dns"}},
                "addressType": "IPv4",
                "endpoints": [{"addresses": [GATEWAY], "conditions": {"ready": True}}],
                "ports": ports,
            },
        ]

    def write(self) -> None:
        """Write the configuration files of all processes."""
        self.volumes.mkdir(mode=0o777, exist_ok=True)
        kubeconfig = self.folder / "network.kubeconfig"
        self.pki.write_kubeconfig(kubeconfig, f"https://{GATEWAY}:{self.ports['kube-apiserver']}", "network")
        self._resolv_conf.write_text(f"nameserver {GATEWAY}\nsearch svc.{DOMAIN} {DOMAIN}\noptions ndots:5\n")
        (self.folder / "Corefile").write_text(_corefile(kubeconfig))
        for node in self.nodes:
            self._write(node, kubeconfig)

    @property
    def _resolv_conf(self) -> Path:
        return self.folder / "resolv.conf"

    def _node(self, node: RealNode, network_pid: int) -> Command:
        namespaces = ("--mount", "--uts", "--ipc", "--pid", "--net")
        env = {
            "CLUSTER": str(network_pid),
            "FOLDER": str(self._folder(node)),
            "IMAGE": str(self.image),
            "PROGRAMS": str(self.programs),
            "VOLUMES": str(self.volumes),
            "NAME": node.name,
            "NUMBER": str(node.number),
            "ADDRESS": node.address,
            "POD_RANGE": node.pod_range,
            "CONTAINERD": str(self._containerd(node)),
            "GATEWAY": GATEWAY,
            "CGROUP": f"{cgroup_prefix(self.folder)}-{node.number}",
            "GPUS": str(node.gpus),
            "LABELS": ",".join(f"{key}={value}" for key, value in node.labels.items()),
            "TAINTS": ",".join(f"{taint['key']}={taint.get('value', '')}:{taint['effect']}" for taint in node.taints),
        }
        # On the command line, by which a process counts as the one that is wanted.
        variables = (f"{name}={value}" for name, value in env.items())
        script = ("env", *variables, "sh", str(HERE / "node.sh"))
        return Command(node_process(node.name), ("unshare", *namespaces, "--fork", "--kill-child", *script))

    def _write(self, node: RealNode, kubeconfig: Path) -> None:
        config = self._folder(node) / "config"
        (config / "cni").mkdir(parents=True, exist_ok=True)
        container_images.copy(self.images, self._containerd(node))
        shutil.copy2(HERE / "node_start.sh", config / "start.sh")
        shutil.copy2(kubeconfig, config / "kubeconfig")
        shutil.copy2(self.pki.authority.certificate, config / "ca.crt")
        (config / "hosts").write_text(f"127.0.0.1 localhost\n{node.address} {node.name}\n")
        (config / "resolv.conf").write_text(f"nameserver {GATEWAY}\n")
        (config / "containerd.toml").write_text(_CONTAINERD)
        (config / "kubelet.yaml").write_text(yaml.safe_dump(_kubelet()))
        (config / "kube-proxy.yaml").write_text(yaml.safe_dump(_kube_proxy()))
        (config / "cni" / "10-pods.conflist").write_text(json.dumps(_pod_network(node), indent=1))

    def _folder(self, node: RealNode) -> Path:
        return self.folder / "nodes" / node.name

    def _containerd(self, node: RealNode) -> Path:
        # By the images' digest: other images make a node start anew, with them.
        return self._folder(node) / f"containerd-{self.images.name}"


_CONTAINERD = f"""\
version = 2
[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "{container_images.PAUSE}"
restrict_oom_score_adj = true
disable_apparmor = true
enable_cdi = true
[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "/usr/lib/cni"
conf_dir = "/node/cni"
"""


def _kubelet() -> dict[str, Any]:
    return {
        "apiVersion": "kubelet.config.k8s.io/v1beta1",
        "kind": "KubeletConfiguration",
        "authentication": {"anonymous": {"enabled": False}, "x509": {"clientCAFile": "/node/ca.crt"}},
        "authorization": {"mode": "AlwaysAllow"},
        "containerRuntimeEndpoint": "unix:///run/containerd/containerd.sock",
        "clusterDNS": [DNS_SERVICE],
        "clusterDomain": DOMAIN,
        "resolvConf": "/etc/resolv.conf",
        "cgroupDriver": "cgroupfs",
        # A machine may have cgroups of both versions, and groups of ours are not at its root.
        "failCgroupV1": False,
        "cgroupsPerQOS": False,
        "enforceNodeAllocatable": [],
        "failSwapOn": False,
        # A machine with little disk left is its owner's business, not a reason to end pods.
        "evictionHard": {},
        "imageGCHighThresholdPercent": 100,
        "protectKernelDefaults": False,
        "registerNode": True,
        # Changed ConfigMaps are in the pods after this time rather than a minute.
        "syncFrequency": "10s",
        "logging": {"verbosity": 1},
    }


def _kube_proxy() -> dict[str, Any]:
    return {
        "apiVersion": "kubeproxy.config.k8s.io/v1alpha1",
        "kind": "KubeProxyConfiguration",
        "clientConnection": {"kubeconfig": "/node/kubeconfig"},
        "mode": "nftables",
        "clusterCIDR": POD_RANGE,
        # The machine's limit counts; a namespace may not change it.
        "conntrack": {"maxPerCore": 0, "min": 0},
    }


def _pod_network(node: RealNode) -> dict[str, Any]:
    return {
        "cniVersion": "1.0.0",
        "name": "pods",
        "plugins": [
            {
                "type": "bridge",
                "bridge": "pods",
                "isGateway": True,
                "hairpinMode": True,
                "ipam": {
                    "type": "host-local",
                    "ranges": [[{"subnet": node.pod_range}]],
                    "routes": [{"dst": "0.0.0.0/0"}],
                },
            },
            {"type": "loopback"},
        ],
    }


def _corefile(kubeconfig: Path) -> str:
    return f"""\
.:53 {{
    errors
    kubernetes {DOMAIN} in-addr.arpa {{
        kubeconfig {kubeconfig}
        pods insecure
        ttl 0
    }}
}}
"""


def network_is_up(processes: ProcessTable) -> bool:
    """Say whether the process that holds the network has come to the last line of its script.

    Before, it may still be in the machine's own network, where whoever enters its namespace would then be as well.
    """
    try:
        return Path(f"/proc/{processes.pid(NETWORK)}/cmdline").read_bytes().startswith(b"sleep\0")
    except (KeyError, OSError):
        return False  # It has ended, and who waits for it says so.


def cgroup_prefix(folder: Path) -> str:
    """Return how the names of the nodes' cgroups begin, different for every cluster of the machine."""
    return f"pulumi-slurm-{hashlib.sha256(str(folder).encode()).hexdigest()[:8]}"


def remove_cgroups(folder: Path) -> None:
    """Remove the cgroups that a cluster's nodes have left behind, once the last processes in them have ended.

    Raises:
        DevclusterError: if processes are still there after `END_SECONDS`.
    """
    deadline = time.monotonic() + END_SECONDS
    while groups := _cgroups(cgroup_prefix(folder)):
        for group in groups:
            with contextlib.suppress(OSError):
                group.rmdir()
        if time.monotonic() > deadline:
            raise DevclusterError(f"processes of the nodes are still in {groups[0]}: run `make down` again")
        time.sleep(0.02)


def _cgroups(prefix: str) -> list[Path]:
    """Return the groups, inner ones first; every hierarchy has them at its root."""
    # Not Path.glob, for which a group that goes meanwhile is an error; other clusters have theirs there too.
    tops = [top for roots in ("", "*/") for top in glob.glob(f"/sys/fs/cgroup/{roots}{prefix}-*")]
    return [Path(group) for top in tops for group, _, _ in os.walk(top, topdown=False)]


def node_process(node: str) -> str:
    """Return the name of a real node's process."""
    return f"node-{node}"
