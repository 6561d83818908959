"""AckNodePool: the machines that node sets run on."""

from collections.abc import Mapping
from typing import Any, Self

import pulumi
from pulumi_alicloud import cs
from pydantic import model_validator

from pulumi_slurm.ack.node_config import pool_options, vswitches_of, worker_nodes
from pulumi_slurm.ack.plan.planned_pool import planned_pools
from pulumi_slurm.ack.rules import CheckedAckSpec
from pulumi_slurm.errors import FieldError, field_errors, nearest
from pulumi_slurm.kube.component import Args, Component, parse_args


class AckNodePoolArgs(Args):
    """Arguments of `AckNodePool`."""

    spec: CheckedAckSpec
    """The specification."""
    pool: str
    """The name of one of `planned_pools(spec)`."""
    cluster_id: pulumi.Input[str]
    """The id of the ACK cluster: `AckCluster.cluster_id`."""
    node_vswitches: pulumi.Input[Mapping[str, pulumi.Input[str]]]
    """By zone: the id of the vSwitch of nodes: `AckNetwork.node_vswitches`."""
    security_group_id: pulumi.Input[str]
    """The id of the nodes' security group."""

    @model_validator(mode="after")
    def _pool_is_planned(self) -> Self:
        names = [planned.name for planned in planned_pools(self.spec)]
        if self.pool not in names:
            raise field_errors(
                [FieldError(("pool",), self.pool, "the specification plans no such pool", nearest(self.pool, names))]
            )
        return self


class AckNodePool(Component[AckNodePoolArgs]):
    """A managed node pool of ACK for node sets.

    Its nodes carry the pool's name as the label slurm.pulumi.com/pool, and dedicated ones as a taint. A change of
    instance types, disks, image or the driver's version reaches nodes that are made afterwards; one of labels and
    taints reaches all. Disks are encrypted by ECS's own key. Not checked on a real account: what changes replace a
    pool, and that ACK's autoscaler reckons with a pool's GPUs while it has no node.
    """

    pool_name: pulumi.Output[str]
    """The pool's name, which nodes carry as the label slurm.pulumi.com/pool."""
    pool_id: pulumi.Output[str]
    """The pool's id in ACK."""

    def __init__(
        self, name: str, args: AckNodePoolArgs | Mapping[str, Any], opts: pulumi.ResourceOptions | None = None
    ) -> None:
        args = parse_args(AckNodePoolArgs, args)
        planned = next(each for each in planned_pools(args.spec) if each.name == args.pool)
        super().__init__(name, args, opts)
        made = cs.NodePool(
            f"{name}-pool",
            node_pool_name=planned.name,
            cluster_id=args.cluster_id,
            vswitch_ids=vswitches_of(planned.zones, args.node_vswitches),
            security_group_ids=[args.security_group_id],
            **worker_nodes(args.spec, planned),
            opts=pool_options(self, opts),
        )
        self._last = [made]
        self.pool_name = made.node_pool_name
        self.pool_id = made.node_pool_id
        self.finish(*self._last)
