"""ACK's control plane: its edition, access, upgrades, logs and the components that are installed with it."""

import re
from enum import StrEnum
from typing import Any

from pydantic import Field, field_validator

from pulumi_slurm.ack.model import versions
from pulumi_slurm.ack.model.maintenance import AckMaintenanceWindowSpec, UpgradeChannel
from pulumi_slurm.errors import check_unique, field_error, optional
from pulumi_slurm.model.alibaba_ids import id_of_key
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.one_of import OneOf

_DOMAIN = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*")


class AckEdition(StrEnum):
    """The size of the control plane: `ack.standard` is Basic, all others are Pro."""

    STANDARD = "ack.standard"
    PRO = "ack.pro.small"
    PRO_XL = "ack.pro.xlarge"
    PRO_2XL = "ack.pro.2xlarge"
    PRO_4XL = "ack.pro.4xlarge"


class Cni(StrEnum):
    """The network plugin: pods have addresses of the VPC with Terway, and of a separate range with Flannel."""

    TERWAY = "terway"
    FLANNEL = "flannel"


class ProxyMode(StrEnum):
    """The mode of kube-proxy: https://kubernetes.io/docs/reference/networking/virtual-ips/#proxy-modes."""

    IPVS = "ipvs"
    IPTABLES = "iptables"
    NFTABLES = "nftables"


class LogComponent(StrEnum):
    """The parts of the control plane whose logs can be kept."""

    APISERVER = "apiserver"
    CONTROLLER_MANAGER = "kcm"
    SCHEDULER = "scheduler"
    CLOUD_CONTROLLER = "ccm"
    EVENTS = "controlplane-events"


class AddonSpec(Model):
    """A component that ACK installs with the cluster. A later change of it has no effect: see `addons`."""

    name: str = Field(min_length=1)
    """Its name in ACK, e.g. "arms-prometheus"."""
    config: dict[str, Any] = {}
    """Its options, which are passed as JSON."""
    version: str | None = None
    """Its version; ACK chooses one by default."""
    disabled: bool = False
    """Keep ACK from installing a component that it installs by default."""


class AckControlPlaneSpec(Model):
    """ACK's control plane. By default it has an address only within the VPC."""

    version: str | None = None
    """The version of Kubernetes, e.g. "1.32.1-aliyun.1"; by default the newest when the cluster is created."""
    edition: OneOf[AckEdition] = AckEdition.PRO
    """ACK's edition: "ack.pro.small" or a larger one; "ack.standard" doesn't support the encryption of Secrets."""
    cni: OneOf[Cni] = Cni.TERWAY
    """The network plugin. It can't be changed after the cluster is created."""
    public_endpoint: bool = False
    """Give the control plane an address on the Internet too, which everyone reaches (docs/ack-account.md says how to
    let in fewer). It can't be changed after the cluster is created: there, a change does nothing. Without it,
    `pulumi up` has to run in the VPC or in a network that is connected to it."""
    rrsa: bool = False
    """Let pods assume RAM roles through their ServiceAccount, which nothing here needs. Once enabled, it can't be
    disabled."""
    proxy_mode: OneOf[ProxyMode] = ProxyMode.IPVS
    """How Services reach pods. Kubernetes has deprecated "ipvs" since 1.35: write "nftables" for a cluster of that
    version or a later one. A change replaces the cluster."""
    cluster_domain: str = "cluster.local"
    """The domain of names in the cluster; the copilot of ack-slurm-operator supports only "cluster.local". A change
    replaces the cluster."""
    addons: list[AddonSpec] = []
    """Additional components; one with the name of a default component replaces it. ACK reads this list only when the
    cluster is created: afterwards change components in its console or by cs.KubernetesAddon."""
    audit_log: bool = True
    """Keep an audit log of requests to the control plane."""
    log_components: list[OneOf[LogComponent]] = [
        LogComponent.APISERVER,
        LogComponent.CONTROLLER_MANAGER,
        LogComponent.SCHEDULER,
        LogComponent.CLOUD_CONTROLLER,
    ]
    """The parts of the control plane whose logs are kept; none by an empty list. On a cluster that has logs an empty
    list changes nothing: disable them in ACK's console."""
    log_days: int = Field(default=30, ge=1, le=3650)
    """For how many days logs are kept."""
    maintenance_window: AckMaintenanceWindowSpec = AckMaintenanceWindowSpec()
    """When ACK may upgrade."""
    upgrade_channel: OneOf[UpgradeChannel] | None = None
    """The channel by which ACK upgrades the cluster automatically; `version` then has to be left out."""
    secrets_encryption_key: str | None = None
    """The id of a key of KMS that encrypts Secrets in etcd, in a Pro edition. The account has to have the role
    AliyunCSManagedSecurityRole then."""

    _secrets_encryption_key = field_validator("secrets_encryption_key")(optional(id_of_key))

    @field_validator("version")
    @classmethod
    def _is_a_version(cls, value: str | None) -> str | None:
        if value is not None:
            versions.parse(value)
        return value

    @field_validator("cluster_domain")
    @classmethod
    def _is_a_domain(cls, value: str) -> str:
        if not _DOMAIN.fullmatch(value):
            raise field_error("this is not a domain", 'Write for example "cluster.local".')
        return value

    @field_validator("addons")
    @classmethod
    def _addon_names_are_unique(cls, value: list[AddonSpec]) -> list[AddonSpec]:
        names = [addon.name for addon in value]
        check_unique(names, "this component is in the list twice", "Keep one of them.", field="name")
        return value
