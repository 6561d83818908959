"""How operators come into a Kubernetes cluster: what their components take, and a stack's configuration too."""

from typing import Any

from pydantic import Field

from pulumi_slurm.model.base import Model


class SlinkyOperatorSettings(Model):
    """How slurm-operator and cert-manager are installed."""

    namespace: str = "slinky"
    """The operator's namespace."""
    operator_chart: str = "oci://ghcr.io/slinkyproject/charts/slurm-operator"
    """Where the operator's chart comes from: an OCI address, or a folder."""
    crds_chart: str = "oci://ghcr.io/slinkyproject/charts/slurm-operator-crds"
    """Where the CRDs' chart comes from: an OCI address, or a folder."""
    install_crds: bool = True
    """Install the CRDs. Write false where an earlier installation left them behind, or where someone else owns them."""
    retain_crds: bool = True
    """Leave the CRDs, and with them all Slurm clusters, when the operator is destroyed."""
    install_cert_manager: bool = True
    """Install cert-manager, which makes the webhook's certificate. Write false where it runs already."""
    cert_manager_chart: str = "oci://quay.io/jetstack/charts/cert-manager"
    """Where cert-manager's chart comes from: an OCI address, or a folder."""
    cert_manager_version: str = "v1.19.1"
    """The release of cert-manager."""
    webhook_replicas: int = Field(default=2, ge=1)
    """How many webhook pods. While none runs, release 1.1.0 lets no pod of the whole cluster be scheduled."""
    values: dict[str, Any] = {}
    """Further values of the operator's chart, such as images of a mirror."""
    cert_manager_values: dict[str, Any] = {}
    """Further values of cert-manager's chart, such as images of a mirror."""


class KedaSettings(Model):
    """How KEDA is installed."""

    version: str = "2.20.2"
    """The release of KEDA's chart."""
    namespace: str = "keda"
    """KEDA's namespace."""
    chart: str = "oci://ghcr.io/kedacore/charts/keda"
    """Where the chart comes from: an OCI address, or a folder."""
    values: dict[str, Any] = {}
    """Further values of the chart, such as images of a mirror."""
