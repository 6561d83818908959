"""AckSystemPool: the nodes of Slurm's own daemons, of login pods and of ACK's pods."""

from collections.abc import Mapping
from typing import Any

import pulumi
from pulumi_alicloud import cs

from pulumi_slurm.ack.node_config import pool_options, system_nodes, vswitches_of
from pulumi_slurm.ack.rules import CheckedAckSpec
from pulumi_slurm.kube.component import Args, Component, parse_args

SYSTEM_POOL = "system"
"""Its name in ACK; no other pool can have it."""


class AckSystemPoolArgs(Args):
    """Arguments of `AckSystemPool`."""

    spec: CheckedAckSpec
    """The specification."""
    cluster_id: pulumi.Input[str]
    """The id of the ACK cluster: `AckCluster.cluster_id`."""
    node_vswitches: pulumi.Input[Mapping[str, pulumi.Input[str]]]
    """By zone: the id of the vSwitch of nodes: `AckNetwork.node_vswitches`."""
    security_group_id: pulumi.Input[str]
    """The id of the nodes' security group."""


class AckSystemPool(Component[AckSystemPoolArgs]):
    """The node pool without taints, where everything runs that isn't a worker. Make it before the others."""

    pool_name: pulumi.Output[str]
    """The pool's name, which nodes carry as the label slurm.pulumi.com/pool."""

    def __init__(
        self, name: str, args: AckSystemPoolArgs | Mapping[str, Any], opts: pulumi.ResourceOptions | None = None
    ) -> None:
        args = parse_args(AckSystemPoolArgs, args)
        super().__init__(name, args, opts)
        spec, pool = args.spec, args.spec.system_pool
        made = cs.NodePool(
            f"{name}-pool",
            node_pool_name=SYSTEM_POOL,
            cluster_id=args.cluster_id,
            vswitch_ids=vswitches_of(pool.zones or spec.zones, args.node_vswitches),
            security_group_ids=[args.security_group_id],
            **system_nodes(spec, pool, SYSTEM_POOL),
            opts=pool_options(self, opts),
        )
        self._last = [made]
        self.pool_name = made.node_pool_name
        self.finish(*self._last)
