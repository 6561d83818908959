"""AckNodePool: a node pool for node sets."""

from typing import Any, Self, Unpack, overload

import pulumi
from pulumi_alicloud import cs
from pydantic import model_validator

from pulumi_slurm.ack.dicts import AckNodePoolArgsDict
from pulumi_slurm.ack.model import AckPoolSpec
from pulumi_slurm.ack.node_config import containerd, pool_options, worker_nodes
from pulumi_slurm.ack.node_vswitches import vswitches_of
from pulumi_slurm.ack.plan.planned_pool import AckPlannedPool
from pulumi_slurm.ack.pool_arguments import AckPoolArgs
from pulumi_slurm.kube.component import Component, Options


class AckNodePoolArgs(AckPoolArgs):
    """Arguments of `AckNodePool`."""

    pool: AckPoolSpec
    """The pool: its machines, disks, labels and taints, and how many nodes there are."""

    @model_validator(mode="after")
    def _rules_hold(self) -> Self:
        self._check_pool(self.pool, {"pools": [self.pool]}, ("pools", 0))
        return self


class AckNodePool(Component[AckNodePoolArgs]):
    """A managed node pool of ACK for node sets, in a cluster of this library or in any other.

    Its nodes have the pool's name as the label slurm.pulumi.com/pool, and in a dedicated pool also as a taint. A change
    of instance types, disks, image or driver version only affects new nodes; a change of labels and taints affects all
    nodes. Disks are encrypted with a key that ECS manages.

    Example::

        args = AckNodePoolArgs(
            cluster_id=cluster.cluster_id,
            node_vswitches=network.node_vswitches,
            security_group_id=network.security_group_id,
            zones=["cn-hangzhou-i"],
            pool=AckPoolSpec(name="gpu", instance_types=["ecs.gn7i-c8g1.2xlarge"], max_nodes=8),
        )
        AckNodePool("gpu", args)
    """

    pool_name: pulumi.Output[str]
    """The pool's name, which is also the label slurm.pulumi.com/pool of its nodes."""
    pool_id: pulumi.Output[str]
    """The pool's id in ACK."""

    @overload
    def __init__(
        self, resource_name: str, args: AckNodePoolArgs | AckNodePoolArgsDict, opts: Options = None
    ) -> None: ...
    @overload
    def __init__(self, resource_name: str, *, opts: Options = None, **fields: Unpack[AckNodePoolArgsDict]) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        super().__init__(resource_name, args, opts, fields)
        args = self._args
        pool = args.pool
        machine_types = tuple(map(args.catalogue.find, pool.instance_types))
        zones = tuple(pool.zones or args.zones)
        planned = AckPlannedPool(name=pool.name, pool=pool, machine_types=machine_types, zones=zones, at=("pool",))
        node_pool = cs.NodePool(
            f"{self._name}-pool",
            node_pool_name=pool.name,
            cluster_id=args.cluster_id,
            vswitch_ids=vswitches_of(planned.zones, args.node_vswitches),
            security_group_ids=[args.security_group_id],
            **worker_nodes(planned, args.tags, auto_upgrade=args.auto_upgrade),
            **containerd(args.registry_mirrors),
            opts=self.child(**pool_options()),
        )
        self.pool_name = node_pool.node_pool_name
        self.pool_id = node_pool.node_pool_id
        self.finish(node_pool)
