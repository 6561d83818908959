"""ACK's control plane: who reaches it, what upgrades it when, and what runs beside it from the start."""

import re
from enum import StrEnum
from typing import Any

from pydantic import Field, field_validator

from pulumi_slurm.ack.model import versions
from pulumi_slurm.ack.model.maintenance import AckMaintenanceWindowSpec, UpgradeChannel
from pulumi_slurm.errors import check_unique, field_error
from pulumi_slurm.model.base import Model

_DOMAIN = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*")


class AckEdition(StrEnum):
    """How much control plane ACK gives: `ack.standard` is Basic, all others are Pro."""

    STANDARD = "ack.standard"
    PRO = "ack.pro.small"
    PRO_XL = "ack.pro.xlarge"
    PRO_2XL = "ack.pro.2xlarge"
    PRO_4XL = "ack.pro.4xlarge"


class Cni(StrEnum):
    """Where pods get their addresses from: Terway's are the VPC's own, Flannel's are behind those of nodes."""

    TERWAY = "terway"
    FLANNEL = "flannel"


class LogComponent(StrEnum):
    """The parts of the control plane whose logs can be kept."""

    APISERVER = "apiserver"
    CONTROLLER_MANAGER = "kcm"
    SCHEDULER = "scheduler"
    CLOUD_CONTROLLER = "ccm"
    EVENTS = "controlplane-events"


class AddonSpec(Model):
    """A component that ACK installs with the cluster. A later change of it has no effect: see `ControlPlane.addons`."""

    name: str = Field(min_length=1)
    """ACK's name of it, e.g. "arms-prometheus"."""
    config: dict[str, Any] = {}
    """Its options; they become JSON."""
    version: str | None = None
    """Its version; ACK's choice by default."""
    disabled: bool = False
    """Keep ACK from installing one that it would install by itself."""


class AckControlPlaneSpec(Model):
    """ACK's control plane. By default it has an address within the VPC alone."""

    version: str | None = None
    """The version of Kubernetes, e.g. "1.32.1-aliyun.1"; the newest at the cluster's birth by default."""
    spec: AckEdition = AckEdition.PRO
    """ACK's edition: "ack.pro.small", or a larger one; "ack.standard" has no encryption of Secrets."""
    cni: Cni = Cni.TERWAY
    """Where pods get their addresses from. It can't be changed afterwards."""
    public_endpoint: bool = False
    """Give the control plane an address on the Internet too. It can't be changed afterwards. Without it, whoever runs
    `pulumi up` has to be in the VPC, or connected to it."""
    rrsa: bool = True
    """Let pods have RAM roles by their ServiceAccount. Once on, it can't be turned off."""
    cluster_domain: str = "cluster.local"
    """The domain of names in the cluster; the copilot of ack-slurm-operator knows no other than "cluster.local"."""
    addons: list[AddonSpec] = []
    """Further components, and others in place of ours of the same name. ACK looks at these at the cluster's birth only:
    afterwards change them in its console or by cs.KubernetesAddon."""
    audit_log: bool = True
    """Keep a log of who asked the control plane for what."""
    log_components: list[LogComponent] = [
        LogComponent.APISERVER,
        LogComponent.CONTROLLER_MANAGER,
        LogComponent.SCHEDULER,
        LogComponent.CLOUD_CONTROLLER,
    ]
    """The parts of the control plane whose logs are kept; none turns them off."""
    log_days: int = Field(default=30, ge=1, le=3650)
    """For how many days."""
    maintenance_window: AckMaintenanceWindowSpec = AckMaintenanceWindowSpec()
    """When ACK may upgrade."""
    upgrade_channel: UpgradeChannel | None = None
    """What ACK upgrades the cluster to by itself; then `version` is ACK's to say."""
    secrets_encryption_key: str | None = Field(default=None, min_length=1)
    """The id of a key of KMS that encrypts Secrets in etcd, in a Pro edition."""

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
    def _addons_have_names_of_their_own(cls, value: list[AddonSpec]) -> list[AddonSpec]:
        check_unique(
            [each.name for each in value], "this component is stated before", "Keep one of them.", field="name"
        )
        return value
