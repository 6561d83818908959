"""GKE's control plane: who can reach it, and when it is upgraded."""

from collections.abc import Iterator
from enum import StrEnum
from typing import Self

from pydantic import Field, field_validator, model_validator

from pulumi_slurm.errors import FieldError, check_unique, optional, raise_errors
from pulumi_slurm.gke.model import names, versions
from pulumi_slurm.gke.model.maintenance import (
    ExclusionScope,
    GkeMaintenanceExclusionSpec,
    GkeMaintenanceWindowSpec,
)
from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.one_of import OneOf

_MAX_WITHOUT_UPGRADES = 3


class ReleaseChannel(StrEnum):
    """How early GKE upgrades to a new version of Kubernetes."""

    RAPID = "RAPID"
    REGULAR = "REGULAR"
    STABLE = "STABLE"
    EXTENDED = "EXTENDED"


class ClusterDns(StrEnum):
    """The DNS server of the cluster."""

    CLOUD_DNS = "cloud-dns"
    KUBE_DNS = "kube-dns"


class Observability(StrEnum):
    """Which logs and metrics of a cluster Google collects."""

    BASIC = "basic"
    FULL = "full"


class AutoscalingProfile(StrEnum):
    """When GKE removes nodes that nobody needs."""

    OPTIMIZE_UTILIZATION = "OPTIMIZE_UTILIZATION"
    BALANCED = "BALANCED"


class AuthorizedNetworkSpec(Model):
    """A network that may reach the control plane by its IP address."""

    cidr: str
    """The network in CIDR form."""
    name: str
    """Its name in Google Cloud, for people to read."""

    _cidr = field_validator("cidr")(kubernetes_names.network)


class GkeControlPlaneSpec(Model):
    """GKE's control plane. By default it has no IP address: clients use its DNS name, with Google's permissions
    (IAM)."""

    version: str | None = None
    """The minimum version of the control plane, e.g. "1.35.2-gke.1842000"; by default the channel's default."""
    release_channel: OneOf[ReleaseChannel] = ReleaseChannel.REGULAR
    """How early GKE upgrades to a new version of Kubernetes; EXTENDED keeps a version for 24 months."""
    authorized_networks: list[AuthorizedNetworkSpec] = []
    """Networks that may reach the control plane by an IP address; without any, it has only its DNS name."""
    dns_endpoint_from_outside: bool = True
    """Accept connections to the DNS name from outside Google's network, from those whom IAM permits."""
    dns: OneOf[ClusterDns] = ClusterDns.CLOUD_DNS
    """The DNS server of the cluster; kube-dns supports 1,000 workers at most."""
    maintenance_window: GkeMaintenanceWindowSpec = GkeMaintenanceWindowSpec()
    """When GKE may upgrade."""
    maintenance_exclusions: list[GkeMaintenanceExclusionSpec] = Field(default=[], max_length=20)
    """When GKE may not upgrade; 3 of them may have scope NO_UPGRADES."""
    autoscaling_profile: OneOf[AutoscalingProfile] = AutoscalingProfile.OPTIMIZE_UTILIZATION
    """When GKE removes nodes that nobody needs: OPTIMIZE_UTILIZATION soon, BALANCED, GKE's own default, after about ten
    minutes, which you pay for and new workers may still use."""
    observability: OneOf[Observability] = Observability.BASIC
    """"full" collects logs and metrics of the control plane too, which Google bills by volume."""
    secrets_encryption_key: str | None = None
    """A key of Cloud KMS that encrypts Secrets in etcd: projects/P/locations/R/keyRings/K/cryptoKeys/C. By default the
    one that encrypts all else, if there is one."""
    grant_encryption_key: bool = True
    """Let GKE's service agent encrypt with that key (roles/cloudkms.cryptoKeyEncrypterDecrypter), without which the
    cluster can't be created. Write false where others have granted it, and you may not."""

    @field_validator("version")
    @classmethod
    def _is_a_version(cls, value: str | None) -> str | None:
        if value is not None:
            versions.parse(value)
        return value

    @field_validator("maintenance_exclusions")
    @classmethod
    def _names_of_exclusions_are_unique(
        cls, value: list[GkeMaintenanceExclusionSpec]
    ) -> list[GkeMaintenanceExclusionSpec]:
        used = [exclusion.name for exclusion in value]
        check_unique(used, "this name is already used", "Choose another name.", field="name")
        return value

    _secrets_encryption_key = field_validator("secrets_encryption_key")(optional(names.kms_key))

    @model_validator(mode="after")
    def _is_not_open_to_the_world(self) -> Self:
        raise_errors([*self._open_networks(), *self._too_many_exclusions()])
        return self

    def _too_many_exclusions(self) -> Iterator[FieldError]:
        of_all_upgrades = [
            index
            for index, exclusion in enumerate(self.maintenance_exclusions)
            if exclusion.scope is ExclusionScope.NO_UPGRADES
        ]
        for index in of_all_upgrades[_MAX_WITHOUT_UPGRADES:]:
            yield FieldError(
                ("maintenance_exclusions", index, "scope"),
                ExclusionScope.NO_UPGRADES,
                "a cluster can have 3 exclusions of all upgrades, and this is one more",
                "Write NO_MINOR_OR_NODE_UPGRADES, or leave an earlier one out.",
            )

    def _open_networks(self) -> Iterator[FieldError]:
        for index, network in enumerate(self.authorized_networks):
            if network.cidr.endswith("/0"):
                yield FieldError(
                    ("authorized_networks", index, "cidr"),
                    network.cidr,
                    "this opens the control plane to everyone",
                    "Name the networks that need it, or leave it out and use the DNS name, which IAM guards.",
                )
