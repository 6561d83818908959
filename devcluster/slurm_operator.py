"""The real slurm-operator and its webhook as processes, the stand-in for Slurm that they talk to, and their objects.

The webhook configurations are the operator's own, with what the chart adds (namespaces left out, a timeout), and point
to the loopback instead of a Service, which nothing could reach here. Both act as administrator, so a missing right of
the operator does not show here; the test that installs the operator's chart is there for that.
"""

from __future__ import annotations

import base64
import shutil
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from devcluster.errors import DevclusterError
from devcluster.folders import CHECKOUT
from devcluster.pki import Pki
from devcluster.processes import Command
from devcluster.toolchain import Toolchain

MANAGER = "slurm-operator"
WEBHOOK = "slurm-operator-webhook"
REST = "slurm-rest"
VERSIONS: Mapping[str, str] = {"1.1.0": "slurm-operator", "1.0.1": "slurm-operator-previous"}
"""Version -> part of the toolchain. Only the first has a webhook that can be bound to the loopback."""
WITH_WEBHOOK = frozenset({"1.1.0"})
OPERATOR_NAMESPACE = "slinky"
OTHER_CRDS = (
    "cert-manager/crds/cert-manager.io_certificates.yaml",
    "cert-manager/crds/cert-manager.io_issuers.yaml",
    "prometheus-operator/crds/*_servicemonitors.yaml",
    "prometheus-operator/crds/*_podmonitors.yaml",
    "prometheus-operator/crds/*_prometheusrules.yaml",
    "keda/crds/keda.sh_scaledobjects.yaml",
    "keda/crds/keda.sh_triggerauthentications.yaml",
    "mariadb-operator/crds/*_backups.yaml",
    "mariadb-operator/crds/*_mariadbs.yaml",
    "mariadb-operator/crds/*_databases.yaml",
    "mariadb-operator/crds/*_users.yaml",
    "mariadb-operator/crds/*_grants.yaml",
    "mariadb-operator/crds/*_connections.yaml",
    "workloads/crds/*.yaml",
)
"""Kinds that stacks, the operator or users make although no controller of theirs runs here."""


@dataclass(frozen=True)
class SlurmOperator:
    """One version of the operator on one cluster."""

    version: str
    folder: Path
    tools: Toolchain
    pki: Pki
    ports: Mapping[str, int]
    real_nodes: bool = False
    """Whether slurmrestd runs in a pod, where the operator reaches it."""

    def __post_init__(self) -> None:
        if self.version not in VERSIONS:
            versions = " or ".join(VERSIONS)
            raise DevclusterError(f"slurm-operator {self.version} is not in the toolchain: use {versions}")

    @property
    def has_webhook(self) -> bool:
        """Whether this version's webhook runs here."""
        return self.version in WITH_WEBHOOK

    def commands(self) -> dict[str, Command]:
        """Return the operator's processes by name."""
        kubeconfig = {"KUBECONFIG": str(self.folder / "kubeconfig")}
        manager = Command(
            MANAGER,
            (
                str(self.tools.path(VERSIONS[self.version]) / VERSIONS[self.version]),
                f"--health-addr=127.0.0.1:{self.ports[MANAGER]}",
                "--metrics-addr=0",
                # As many as the chart has.
                *(f"--{kind}-workers=4" for kind in ("accounting", "controller", "loginset", "nodeset", "restapi")),
            ),
            {**kubeconfig, **({} if self.real_nodes else self._through_the_stand_in())},
        )
        slurm_rest = Command(
            REST,
            (
                *(sys.executable, "-m", "devcluster.slurm_rest"),
                f"--kubeconfig={self.folder / 'kubeconfig'}",
                f"--port={self.ports[REST]}",
            ),
            {"PYTHONPATH": str(CHECKOUT)},
        )
        managers = {MANAGER: manager} if self.real_nodes else {REST: slurm_rest, MANAGER: manager}
        if not self.has_webhook:
            return managers
        webhook = Command(
            WEBHOOK,
            (
                str(self.tools.binary(WEBHOOK)),
                f"--server-addr=127.0.0.1:{self.ports[WEBHOOK]}",
                f"--health-addr=127.0.0.1:{self.ports[f'{WEBHOOK}-health']}",
                "--metrics-addr=0",
            ),
            # It looks for its certificate below the folder for temporary files, and has no flag for that.
            {**kubeconfig, "TMPDIR": str(self._temporary)},
        )
        return {**managers, WEBHOOK: webhook}

    def _through_the_stand_in(self) -> dict[str, str]:
        # Kubernetes is reached by https and therefore directly; the only http is to Slurm's REST API.
        return {"HTTP_PROXY": f"http://127.0.0.1:{self.ports[REST]}"}

    def prepare(self) -> None:
        """Put the webhook's certificate where it looks for it."""
        certificates = self._temporary / "k8s-webhook-server" / "serving-certs"
        certificates.mkdir(mode=0o700, parents=True, exist_ok=True)
        shutil.copy2(self.pki.webhook.certificate, certificates / "tls.crt")
        shutil.copy2(self.pki.webhook.key, certificates / "tls.key")

    def crds(self) -> list[dict[str, Any]]:
        """Return this version's CRDs."""
        return load(sorted((self._charts / "crds").glob("*.yaml")))

    def webhook_configurations(self) -> list[dict[str, Any]]:
        """Return the webhook configurations; for a version without webhook they are those to remove."""
        configurations = load(sorted((self._charts / "webhook").glob("*.yaml")))
        authority = base64.b64encode(self.pki.authority.certificate.read_bytes()).decode()
        address = f"https://127.0.0.1:{self.ports[WEBHOOK]}"
        for configuration in configurations:
            configuration["metadata"]["name"] = WEBHOOK
            mutating = configuration["kind"].startswith("Mutating")
            spared = ["kube-system", *([OPERATOR_NAMESPACE] if mutating else [])]
            for webhook in configuration["webhooks"]:
                path = webhook["clientConfig"]["service"]["path"]
                webhook["clientConfig"] = {"url": address + path, "caBundle": authority}
                webhook["timeoutSeconds"] = 10
                expression = {"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": spared}
                webhook["namespaceSelector"] = {"matchExpressions": [expression]}
        return configurations

    @property
    def _charts(self) -> Path:
        return self.tools.path("charts") / f"slurm-operator-{self.version}"

    @property
    def _temporary(self) -> Path:
        return self.folder / "webhook"


def other_crds(tools: Toolchain) -> list[dict[str, Any]]:
    """Return the CRDs of the operators that stacks work with."""
    charts = tools.path("charts")
    return load(file for pattern in OTHER_CRDS for file in sorted(charts.glob(pattern)))


def load(files: Iterable[Path]) -> list[dict[str, Any]]:
    """Return the objects in YAML files."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return [item for file in files for item in yaml.load_all(file.read_text(), Loader=loader) if item]
