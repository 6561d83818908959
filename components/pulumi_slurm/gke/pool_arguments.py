"""The base of the arguments of node pools, and the resource options of a node pool."""

from collections.abc import Set
from typing import Any

import pulumi
from pydantic import Field, field_validator

from pulumi_slurm.errors import FieldError, Path, field_errors
from pulumi_slurm.gke.arguments import GkeArgs, check_part, spec_of, when_known
from pulumi_slurm.gke.model import GkeSpec, names
from pulumi_slurm.machines.gke import GkeCatalogueSpec
from pulumi_slurm.model.base import Model

POOL_TIMEOUTS = pulumi.CustomTimeouts(update="12h")
"""Some changes replace the nodes, in a pool with GPUs one at a time, and draining a node may take an hour. To make and
to delete a pool the provider's own two hours are enough."""


class GkePoolArgs(GkeArgs):
    """The base of the arguments of node pools."""

    location: pulumi.Input[str]
    """The cluster's location: its region, or the zone of a cluster whose control plane runs in a single zone."""
    gke_cluster: pulumi.Input[str]
    """The name of the GKE cluster: `GkeCluster.name`."""
    node_account: pulumi.Input[str]
    """The e-mail of the nodes' service account."""
    zones: list[str] = []
    """The zones of its nodes, if the pool itself has none."""
    labels: dict[str, str] = {}
    """Labels of its virtual machines, for example for billing."""
    encryption_key: pulumi.Input[str] | None = None
    """A key of Cloud KMS that encrypts the boot disks; a change replaces the pool."""
    catalogue: GkeCatalogueSpec = Field(default_factory=GkeCatalogueSpec)
    """Machine types and zones that differ from the built-in catalogue."""

    _location = field_validator("location")(when_known(names.region_or_zone))
    _zones = field_validator("zones")(names.zone_names)
    _labels = field_validator("labels")(names.resource_labels)

    def alone(self, zones: list[str], **pool: Any) -> GkeSpec:
        """Return a specification with only this pool; ``zones`` are those of the pool itself."""
        return spec_of(self.location, self.zones or self.zones_of(zones), catalogue=self.catalogue, **pool)

    def check(self, spec: GkeSpec, *paths: Path) -> None:
        """Raise the errors of the rules about this pool, which is at ``paths`` of the specification."""
        arguments: dict[Path, Path] = dict.fromkeys(paths, ("pool",))
        check_part(spec, {**arguments, ("zones",): ("zones",)} if self.zones else arguments)

    def zones_of(self, pool_zones: list[str]) -> list[str]:
        """Return the zones of a pool itself, or else those of the arguments; raise an error if there are neither."""
        zones = pool_zones or self.zones
        if not zones:
            problem = "nothing says in which zones the nodes are"
            fix = 'Write for example ["us-central1-b"].'
            raise field_errors([FieldError(("zones",), FieldError.ABSENT, problem, fix)])
        return zones


def pool_options() -> dict[str, Any]:
    """Return the options of a node pool.

    Google changes `initial_node_count` when a pool is resized by hand, and such a change would replace the pool.
    """
    return {
        "delete_before_replace": True,
        "ignore_changes": ["initialNodeCount"],
        "custom_timeouts": POOL_TIMEOUTS,
    }


def shown(model: Model, fields: Set[str] | None = None) -> dict[str, Any]:
    """Return the fields of a model, or those in ``fields``, that differ from their defaults, as component inputs."""
    return model.model_dump(
        mode="json", by_alias=True, exclude_defaults=True, include=None if fields is None else {*fields}
    )
