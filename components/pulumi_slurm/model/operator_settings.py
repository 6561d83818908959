"""How operators come into a Kubernetes cluster: what their components take, and a stack's configuration too."""

from typing import Any, Self

from pydantic import Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from pulumi_slurm.errors import FieldError, field_error_of, raise_errors
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.cluster_fields import made_namespace
from pulumi_slurm.model.names import dns_label

_OF_CERT_MANAGER = ("cert_manager_chart", "cert_manager_version", "cert_manager_values")


class SlinkyOperatorSettings(Model):
    """How slurm-operator and cert-manager are installed."""

    namespace: str = "slinky"
    """The operator's namespace."""
    operator_chart: str = Field(default="oci://ghcr.io/slinkyproject/charts/slurm-operator", min_length=1)
    """Where the operator's chart comes from: an OCI address, or a folder."""
    crds_chart: str = Field(default="oci://ghcr.io/slinkyproject/charts/slurm-operator-crds", min_length=1)
    """Where the CRDs' chart comes from: an OCI address, or a folder."""
    install_crds: bool = True
    """Install the CRDs. Write false where an earlier installation left them behind, or where someone else owns them."""
    retain_crds: bool = True
    """Leave the CRDs, and with them all Slurm clusters, when the operator is destroyed."""
    install_cert_manager: bool = True
    """Install cert-manager, which makes the webhook's certificate. Write false where it runs already."""
    cert_manager_chart: str = Field(default="oci://quay.io/jetstack/charts/cert-manager", min_length=1)
    """Where cert-manager's chart comes from: an OCI address, or a folder."""
    cert_manager_version: str = "v1.19.1"
    """The release of cert-manager."""
    webhook_replicas: int = Field(default=2, ge=1)
    """How many webhook pods. While none runs, release 1.1.0 lets no pod of the whole cluster be scheduled."""
    values: dict[str, Any] = {}
    """Further values of the operator's chart, such as images of a mirror."""
    cert_manager_values: dict[str, Any] = {}
    """Further values of cert-manager's chart, such as images of a mirror."""

    _namespace = field_validator("namespace")(dns_label)

    @model_validator(mode="after")
    def _cert_manager_is_installed(self) -> Self:
        if not self.install_cert_manager:
            raise_errors(
                FieldError(
                    (field,),
                    FieldError.ABSENT,
                    "cert-manager is not installed here, so this has no effect",
                    "Leave it out, or leave installCertManager out.",
                    depends_on_fields=(("install_cert_manager",),),
                )
                for field in _OF_CERT_MANAGER
                if field in self.model_fields_set and getattr(self, field) != type(self).model_fields[field].default
            )
        return self


class OperatorSpec(SlinkyOperatorSettings):
    """How slurm-operator comes into the Kubernetes cluster."""

    preinstalled: bool = False
    """It runs already, with its CRDs and its webhook."""

    @model_validator(mode="after")
    def _namespace_is_made(self) -> Self:
        if not self.preinstalled:
            try:
                made_namespace(self.namespace, "the operator", "slinky")
            except PydanticCustomError as error:
                raise_errors([field_error_of(error, ("namespace",), self.namespace, (("preinstalled",),))])
        return self


class KedaSettings(Model):
    """How KEDA is installed."""

    version: str = "2.20.2"
    """The release of KEDA's chart."""
    namespace: str = "keda"
    """KEDA's namespace."""
    chart: str = Field(default="oci://ghcr.io/kedacore/charts/keda", min_length=1)
    """Where the chart comes from: an OCI address, or a folder."""
    values: dict[str, Any] = {}
    """Further values of the chart, such as images of a mirror."""

    @field_validator("namespace")
    @classmethod
    def _namespace_is_made(cls, value: str) -> str:
        return made_namespace(value, "KEDA", "keda")
