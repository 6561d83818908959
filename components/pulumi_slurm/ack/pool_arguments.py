"""The arguments that components of both node pools share: those for node sets, and the system pool."""

from collections.abc import Mapping
from typing import Any

import pulumi
from pydantic import Field, field_validator

from pulumi_slurm.ack.model.registry_mirrors import checked_mirrors
from pulumi_slurm.ack.node_vswitches import missing_vswitches
from pulumi_slurm.ack.part_rules import check_part
from pulumi_slurm.ack.plan.parts import cni_fields
from pulumi_slurm.clouds.pool import CloudPoolSpec, CloudSystemPoolSpec
from pulumi_slurm.errors import Path, raise_errors
from pulumi_slurm.kube.component import Args
from pulumi_slurm.machines.ack import AckCatalogueSpec


class AckPoolArgs(Args):
    """The base of the arguments of `AckNodePool` and `AckSystemPool`."""

    cluster_id: pulumi.Input[str]
    """The id of the ACK cluster, for example `AckCluster.cluster_id`."""
    node_vswitches: pulumi.Input[Mapping[str, pulumi.Input[str]]]
    """By zone: the id of the vSwitch of nodes, for example `AckNetwork.node_vswitches`."""
    security_group_id: pulumi.Input[str]
    """The id of the nodes' security group."""
    zones: list[str] = []
    """The zones of its nodes, unless `pool.zones` is set."""
    catalogue: AckCatalogueSpec = Field(default_factory=AckCatalogueSpec)
    """Instance types and zones that differ from the built-in catalogue."""
    pods_per_node: int | None = None
    """With Flannel: how many addresses each node gets for its pods; None means Terway."""
    auto_upgrade: bool = False
    """Let ACK upgrade the nodes when it upgrades the cluster."""
    registry_mirrors: dict[str, list[str]] = {}
    """By registry: where nodes pull its images in its place, for example {"docker.io": ["https://mirror.example.com"]}.
    """
    tags: dict[str, str] = {}
    """Tags of the nodes."""

    _registry_mirrors = field_validator("registry_mirrors")(checked_mirrors)

    def _check_pool(self, pool: CloudPoolSpec | CloudSystemPoolSpec, fields: Mapping[str, Any], at: Path) -> None:
        """Raise the errors of a pool, which is at ``at`` in an ACK specification that has ``fields``."""
        check_part(
            {
                "zones": self.zones or pool.zones,
                "catalogue": self.catalogue,
                "tags": self.tags,
                **fields,
                **cni_fields(self.pods_per_node),
            },
            {
                ("zones",): ("zones",) if self.zones or not pool.zones else ("pool", "zones"),
                at: ("pool",),
                ("catalogue",): ("catalogue",),
                ("network", "pods_per_node"): ("pods_per_node",),
                ("control_plane", "cni"): ("pods_per_node",),
                ("tags",): ("tags",),
            },
        )
        raise_errors(missing_vswitches(pool.zones or self.zones, self.node_vswitches))
