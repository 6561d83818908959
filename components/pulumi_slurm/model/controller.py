"""The controller: slurmctld in the cluster, or the endpoint of one outside it."""

from typing import Any

from pydantic import Field, field_validator

from pulumi_slurm.errors import optional
from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.cluster_fields import slurm_release
from pulumi_slurm.model.pod import PodSpec, ResourcesSpec, ServiceSpec
from pulumi_slurm.model.references import EndpointSpec, reachable_host
from pulumi_slurm.model.storage import ClaimSpec


class StateVolumeSpec(ClaimSpec):
    """The volume for StateSaveLocation: queues, reservations and node states."""

    size: str = "4Gi"
    """The size of the volume. It can't be changed here after creation, nor can class and access mode: the operator
    keeps the claim as it is. Resize the PersistentVolumeClaim itself."""
    enabled: bool = True
    """Whether to use a volume. Without one, all jobs are lost when the pod moves. Can't be changed after creation."""
    existing_claim: str | None = None
    """An existing PersistentVolumeClaim to use instead of creating one."""
    retain: bool = False
    """Keep namespace and claim when the cluster is destroyed, so that it can be recreated with its old state."""

    _existing_claim = field_validator("existing_claim")(kubernetes_names.object_name)


class HighAvailabilitySpec(Model):
    """Backups of slurmctld, one of which takes over when the active one stops responding.

    Source: docs/usage/controller-operations.md of https://github.com/SlinkyProject/slurm-operator.
    """

    backups: int = Field(default=1, ge=1)
    """Number of backups, in addition to the primary."""


class ControllerSpec(Model):
    """slurmctld, the daemon that schedules jobs."""

    external: EndpointSpec | None = None
    """A slurmctld outside the cluster. Its slurm.conf has to hold what the output `outside.slurmConf` has."""
    address: str | None = None
    """A name or address by which machines outside the cluster reach slurmctld, for example that of the load balancer in
    `service`. Pods go there too, since Slurm has one such address for all."""
    state: StateVolumeSpec = StateVolumeSpec()
    """The volume for StateSaveLocation."""
    ha: HighAvailabilitySpec | None = None
    """Several slurmctlds, from slurm-operator 1.3 on. They share the volume `state.existingClaim`, whose access mode
    has to be ReadWriteMany. In a cluster that exists, copy the state to it first, or queue and jobs are lost. Without
    ha slurmctld is a single pod, which Kubernetes restarts."""
    assume_no_jobs: bool = False
    """Whether partitions and node sets may go although slurmctld doesn't say if they have jobs. By default such an
    update waits for slurmctld, and fails if it doesn't answer within minutes. Jobs that are there all the same end, so
    write it for a single update. A slurmctld that answers is believed either way."""
    service: ServiceSpec = ServiceSpec()
    """The Service in front of slurmctld, for example for machines outside the cluster."""
    resources: ResourcesSpec | None = None
    """CPU and memory of slurmctld; by default it requests 256Mi of memory, and has no limits."""
    inplace_reconfigure: bool = True
    """Let slurmctld read changed files by `scontrol reconfigure`; if false, its pod is replaced instead, for which
    slurm-operator has to be 1.2 or later."""
    slurm_version: str | None = None
    """The Slurm series of slurmctld, or a release of it, while it is newer than `slurmVersion`: during an upgrade."""
    image: str | None = None
    """The slurmctld image, in place of the one from `images`."""
    pod: PodSpec = PodSpec()
    """Placement and metadata of the pod."""
    overrides: dict[str, Any] = Field(default={})
    """Merged last into the Controller's spec, in the operator's own form."""

    _image = field_validator("image")(kubernetes_names.image)

    _address = field_validator("address")(optional(reachable_host))

    _slurm_version_is_known = field_validator("slurm_version", mode="before")(optional(slurm_release))
