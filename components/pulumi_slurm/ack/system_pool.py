"""AckSystemPool: the nodes of Slurm's own daemons, of login pods and of ACK's pods."""

from typing import Any

import pulumi
from pulumi_alicloud import cs

from pulumi_slurm.ack.node_config import pool_options, system_nodes, vswitches_of
from pulumi_slurm.ack.rules import CheckedAckSpec
from pulumi_slurm.kube.resources import Args, component_inputs, parse_args

SYSTEM_POOL = "system"
"""Its name in ACK; no other pool can have it."""


class AckSystemPoolArgs(Args):
    """Arguments of `AckSystemPool`."""

    spec: CheckedAckSpec
    """The specification."""
    cluster_id: Any
    """The id of the ACK cluster (str or Output): `AckCluster.cluster_id`."""
    node_vswitches: Any
    """By zone: the id of the vSwitch of nodes (mapping or Output): `AckNetwork.node_vswitches`."""
    security_group_id: Any
    """The id of the nodes' security group (str or Output)."""


class AckSystemPool(pulumi.ComponentResource):
    """The node pool without taints, where everything runs that isn't a worker. Make it before the others."""

    pool_name: pulumi.Output[str]
    """The pool's name, which nodes carry as the label slurm.pulumi.com/pool."""
    ends: list[pulumi.Resource]
    """What comes last of it: whoever comes after these comes after all of it."""

    def __init__(self, name: str, args: AckSystemPoolArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        args = parse_args(AckSystemPoolArgs, args)
        super().__init__(
            "slurm:index:AckSystemPool",
            name,
            component_inputs(args, "cluster_id", "node_vswitches", "security_group_id"),
            opts,
        )
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
        self.ends = [made]
        self.pool_name = made.node_pool_name
        self.register_outputs({"poolName": self.pool_name})
