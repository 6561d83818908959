"""The control plane's processes: etcd, kube-apiserver, kube-controller-manager, kube-scheduler and kwok.

Beside simulated nodes everything listens on the loopback only and nothing needs root; kwok says of every pod that it
runs. Beside real nodes all of them are in the cluster's own network, where the API server listens for kubelets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from devcluster.addresses import GATEWAY, POD_RANGE, SERVICE_RANGE
from devcluster.nodes import SIMULATED
from devcluster.pki import Pki
from devcluster.processes import Command
from devcluster.toolchain import Toolchain

_ON_THE_LOOPBACK: Mapping[str, object] = {
    "bind-address": "127.0.0.1",
    # The service `kubernetes` may not point to a loopback address, so nobody writes its endpoints.
    "endpoint-reconciler-type": "none",
}
_MUTATING_POLICIES: Mapping[str, object] = {
    "feature-gates": "MutatingAdmissionPolicy=true",
    "runtime-config": "admissionregistration.k8s.io/v1beta1=true",
}


@dataclass(frozen=True)
class ControlPlane:
    """What the commands are made from."""

    folder: Path
    tools: Toolchain
    pki: Pki
    ports: Mapping[str, int]
    real_nodes: bool = False
    """Whether kubelets reach the control plane, in a network namespace of the cluster's own."""
    mutating_policies: bool = False
    """Whether MutatingAdmissionPolicy is on, which is a beta of this release and off by default."""

    @property
    def server(self) -> str:
        """The API server's address."""
        return f"https://127.0.0.1:{self.ports['kube-apiserver']}"

    def commands(self) -> dict[str, Command]:
        """Return every process but kwok by name, in the order in which they start."""
        every = (self._etcd(), self._apiserver(), self._controller_manager(), self._scheduler())
        return {command.name: command for command in every}

    def _command(self, name: str, flags: Mapping[str, object]) -> Command:
        argv = [str(self.tools.binary("control-plane")), name]
        return Command(name, (*argv, *(f"--{flag}={_text(value)}" for flag, value in flags.items())))

    def _etcd(self) -> Command:
        # Certificates even on the loopback: else every user of the machine could read the Secrets.
        tls = {"cert-file": self.pki.etcd.certificate, "key-file": self.pki.etcd.key, "client-cert-auth": True}
        authority = self.pki.authority.certificate
        client = f"https://127.0.0.1:{self.ports['etcd']}"
        peer = f"https://127.0.0.1:{self.ports['etcd-peer']}"
        flags: dict[str, object] = {
            "name": "devcluster",
            "data-dir": self.folder / "etcd",
            "listen-client-urls": client,
            "advertise-client-urls": client,
            "listen-peer-urls": peer,
            "initial-advertise-peer-urls": peer,
            "initial-cluster": f"devcluster={peer}",
            "trusted-ca-file": authority,
            "peer-trusted-ca-file": authority,
            **tls,
            **{f"peer-{flag}": value for flag, value in tls.items()},
            # Without fsync a power cut may lose data. It is throwaway, and every write is many times faster.
            "unsafe-no-fsync": True,
            "log-level": "warn",
        }
        return self._command("etcd", flags)

    def _apiserver(self) -> Command:
        pki = self.pki
        flags: dict[str, object] = {
            "etcd-servers": f"https://127.0.0.1:{self.ports['etcd']}",
            "etcd-cafile": pki.authority.certificate,
            "etcd-certfile": pki.etcd.certificate,
            "etcd-keyfile": pki.etcd.key,
            "secure-port": self.ports["kube-apiserver"],
            **(self._for_kubelets() if self.real_nodes else _ON_THE_LOOPBACK),
            "service-cluster-ip-range": SERVICE_RANGE,
            "client-ca-file": pki.authority.certificate,
            "tls-cert-file": pki.server.certificate,
            "tls-private-key-file": pki.server.key,
            "service-account-issuer": "https://kubernetes.default.svc",
            "service-account-key-file": pki.service_account_key,
            "service-account-signing-key-file": pki.service_account_key,
            "authorization-mode": "RBAC",
            "allow-privileged": True,
            **(_MUTATING_POLICIES if self.mutating_policies else {}),
        }
        return self._command("kube-apiserver", flags)

    def _for_kubelets(self) -> dict[str, object]:
        return {
            "bind-address": "0.0.0.0",  # noqa: S104 - of the cluster's own network, in which nothing else is
            "advertise-address": GATEWAY,
            "endpoint-reconciler-type": "master-count",
            "kubelet-client-certificate": self.pki.admin.certificate,
            "kubelet-client-key": self.pki.admin.key,
            "kubelet-preferred-address-types": "InternalIP",
        }

    def _controller_manager(self) -> Command:
        flags: dict[str, object] = {
            **self._client("kube-controller-manager"),
            "root-ca-file": self.pki.authority.certificate,
            "service-account-private-key-file": self.pki.service_account_key,
            "allocate-node-cidrs": False,
        }
        return self._command("kube-controller-manager", flags)

    def _scheduler(self) -> Command:
        return self._command("kube-scheduler", self._client("kube-scheduler"))

    def _client(self, name: str) -> dict[str, object]:
        """Return the flags that controller manager and scheduler share; both act as administrator."""
        return {
            "kubeconfig": self.folder / "kubeconfig",
            "authentication-kubeconfig": self.folder / "kubeconfig",
            "authorization-kubeconfig": self.folder / "kubeconfig",
            "bind-address": "127.0.0.1",
            "secure-port": self.ports[name],
            "cert-dir": self.folder / "pki" / name,
            "leader-elect": False,
        }

    def kwok(self) -> Command:
        """Return the process that keeps simulated nodes, and their pods and volumes."""
        argv = (
            str(self.tools.binary("kwok")),
            f"--kubeconfig={self.folder / 'kubeconfig'}",
            f"--config={self.folder / 'kwok.yaml'}",
            # Beside real nodes it has its own ones alone.
            *(
                ("--manage-all-nodes=false", f"--manage-nodes-with-annotation-selector={SIMULATED}")
                if self.real_nodes
                else ("--manage-all-nodes=true",)
            ),
            f"--cidr={POD_RANGE}",
            # Without leases: a restarted kwok would wait until those of the last one have run out.
            "--node-lease-duration-seconds=0",
        )
        return Command("kwok", argv)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
