"""AckSystemPool: the nodes for Slurm's daemons other than slurmd, for login pods and for ACK's pods."""

from typing import Any, Self, Unpack, overload

import pulumi
from pulumi_alicloud import cs
from pydantic import model_validator

from pulumi_slurm.ack.dicts import AckSystemPoolArgsDict
from pulumi_slurm.ack.model import AckSystemPoolSpec
from pulumi_slurm.ack.node_config import containerd, pool_options, system_nodes
from pulumi_slurm.ack.node_vswitches import vswitches_of
from pulumi_slurm.ack.plan.pools import SYSTEM_POOL
from pulumi_slurm.ack.pool_arguments import AckPoolArgs
from pulumi_slurm.kube.component import Component, Options


class AckSystemPoolArgs(AckPoolArgs):
    """Arguments of `AckSystemPool`."""

    pool: AckSystemPoolSpec = AckSystemPoolSpec()
    """Its machines and disks, and the number of nodes."""

    @model_validator(mode="after")
    def _rules_hold(self) -> Self:
        self._check_pool(self.pool, {"system_pool": self.pool}, ("system_pool",))
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
        AckSystemPool("system", args, pulumi.ResourceOptions(depends_on=[cluster]))
    """

    pool_name: pulumi.Output[str]
    """The pool's name, which is also the label slurm.pulumi.com/pool of its nodes."""

    @overload
    def __init__(
        self, resource_name: str, args: AckSystemPoolArgs | AckSystemPoolArgsDict, opts: Options = None
    ) -> None: ...
    @overload
    def __init__(
        self, resource_name: str, *, opts: Options = None, **fields: Unpack[AckSystemPoolArgsDict]
    ) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        super().__init__(resource_name, args, opts, fields)
        args = self._args
        zones = args.pool.zones or args.zones
        node_pool = cs.NodePool(
            f"{self._name}-pool",
            node_pool_name=SYSTEM_POOL,
            cluster_id=args.cluster_id,
            vswitch_ids=vswitches_of(zones, args.node_vswitches),
            security_group_ids=[args.security_group_id],
            **system_nodes(args.pool, SYSTEM_POOL, zones, args.tags, auto_upgrade=args.auto_upgrade),
            **containerd(args.registry_mirrors),
            opts=self.child(**pool_options()),
        )
        self.pool_name = node_pool.node_pool_name
        self.finish(node_pool)
