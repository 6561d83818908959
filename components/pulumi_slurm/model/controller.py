"""The controller: slurmctld, or the description of one outside the cluster."""

from typing import Any

from pydantic import Field, field_validator

from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.pod import PodSpec, ResourcesSpec
from pulumi_slurm.model.references import EndpointSpec
from pulumi_slurm.model.storage import ClaimSpec


class StateVolumeSpec(ClaimSpec):
    """The volume of StateSaveLocation: queues, reservations and node states."""

    size: str = "4Gi"
    """The size to claim. It can't be changed here afterwards: grow the claim itself."""
    enabled: bool = True
    """Without a volume, queued and running jobs are lost whenever the pod moves. It can't be changed afterwards."""
    existing_claim: str | None = None
    """Use this claim instead of making one."""
    retain: bool = False
    """Keep namespace and claim when the cluster is destroyed, so that it can be built again on its old state."""

    _existing_claim = field_validator("existing_claim")(kubernetes_names.object_name)


class ControllerSpec(Model):
    """slurmctld."""

    external: EndpointSpec | None = None
    """A slurmctld outside the cluster; its own slurm.conf then has to name the node sets and partitions."""
    state: StateVolumeSpec = StateVolumeSpec()
    """The volume of StateSaveLocation."""
    resources: ResourcesSpec | None = None
    """CPU and memory of slurmctld."""
    image: str | None = None
    """The slurmctld image, in place of the one from `images`."""
    pod: PodSpec = PodSpec()
    """Placement and metadata of the pod."""
    overrides: dict[str, Any] = Field(default={})
    """Merged last into the Controller's spec, in the operator's own form."""

    _image = field_validator("image")(kubernetes_names.image)
