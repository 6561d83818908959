"""AckSystemPool: the nodes for Slurm's daemons other than slurmd, for login pods and for ACK's pods."""

from collections.abc import Mapping
from typing import Any, Self

import pulumi
from pulumi_alicloud import cs
from pydantic import model_validator

from pulumi_slurm.ack.model import AckSystemPoolSpec
from pulumi_slurm.ack.node_config import POOL_OPTIONS, system_nodes
from pulumi_slurm.ack.node_vswitches import missing_vswitches, vswitches_of
from pulumi_slurm.ack.part_rules import check_part
from pulumi_slurm.ack.plan.parts import cni_fields
from pulumi_slurm.errors import raise_errors
from pulumi_slurm.kube.component import Args, Component
from pulumi_slurm.machines.ack import AckMachineTypeSpec

SYSTEM_POOL = "system"
"""Its name in ACK; no other pool can have it."""


class AckSystemPoolArgs(Args):
    """Arguments of `AckSystemPool`."""

    cluster_id: pulumi.Input[str]
    """The id of the ACK cluster, for example `AckCluster.cluster_id`."""
    node_vswitches: pulumi.Input[Mapping[str, pulumi.Input[str]]]
    """By zone: the id of the vSwitch of nodes, for example `AckNetwork.node_vswitches`."""
    security_group_id: pulumi.Input[str]
    """The id of the nodes' security group."""
    zones: list[str] = []
    """The zones of its nodes, unless `pool.zones` is set."""
    pool: AckSystemPoolSpec = AckSystemPoolSpec()
    """Its machines and disks, and the number of nodes."""
    machine_types: list[AckMachineTypeSpec] = []
    """Instance types of the pool that aren't built in, or that differ from the built-in ones."""
    pods_per_node: int | None = None
    """With Flannel: how many addresses each node gets for its pods; None means Terway."""
    auto_upgrade: bool = False
    """Let ACK upgrade the nodes when it upgrades the cluster."""
    tags: dict[str, str] = {}
    """Tags of the nodes."""

    @model_validator(mode="after")
    def _rules_hold(self) -> Self:
        check_part(
            {
                "zones": self.zones or self.pool.zones,
                "system_pool": self.pool,
                "catalogue": {"machine_types": self.machine_types},
                "tags": self.tags,
                **cni_fields(self.pods_per_node),
            },
            {
                ("zones",): ("zones",) if self.zones or not self.pool.zones else ("pool", "zones"),
                ("system_pool",): ("pool",),
                ("catalogue", "machine_types"): ("machine_types",),
                ("network", "pods_per_node"): ("pods_per_node",),
                ("control_plane", "cni"): ("pods_per_node",),
                ("tags",): ("tags",),
            },
        )
        raise_errors(missing_vswitches(self.pool.zones or self.zones, self.node_vswitches))
        return self


class AckSystemPool(Component[AckSystemPoolArgs]):
    """The node pool without taints, for all pods that aren't workers. Create it before other node pools.

    Example::

        args = AckSystemPoolArgs(
            cluster_id=cluster.cluster_id,
            node_vswitches=network.node_vswitches,
            security_group_id=network.security_group_id,
            zones=["cn-hangzhou-i"],
        )
        AckSystemPool("system", args, pulumi.ResourceOptions(depends_on=after_all(cluster)))
    """

    pool_name: pulumi.Output[str]
    """The pool's name, which is also the label slurm.pulumi.com/pool of its nodes."""

    def __init__(
        self, name: str, args: AckSystemPoolArgs | Mapping[str, Any], opts: pulumi.ResourceOptions | None = None
    ) -> None:
        super().__init__(name, args, opts)
        args = self._args
        zones = args.pool.zones or args.zones
        node_pool = cs.NodePool(
            f"{name}-pool",
            node_pool_name=SYSTEM_POOL,
            cluster_id=args.cluster_id,
            vswitch_ids=vswitches_of(zones, args.node_vswitches),
            security_group_ids=[args.security_group_id],
            **system_nodes(args.pool, SYSTEM_POOL, zones, args.tags, auto_upgrade=args.auto_upgrade),
            opts=self.child(**POOL_OPTIONS),
        )
        self.pool_name = node_pool.node_pool_name
        self.finish(node_pool)
