"""GkeSystemPool: the nodes of Slurm's own daemons, of login pods and of GKE's pods."""

from typing import Any, Self, Unpack, overload

import pulumi
from pulumi_gcp import container
from pydantic import model_validator

from pulumi_slurm.gke.dicts import GkeSystemPoolArgsDict
from pulumi_slurm.gke.model import GkeSystemPoolSpec
from pulumi_slurm.gke.node_config import system_nodes
from pulumi_slurm.gke.pool_arguments import GkePoolArgs, pool_options, shown
from pulumi_slurm.gke.pool_size import autoscaled
from pulumi_slurm.kube.component import Component, Options, parse_args

SYSTEM_POOL = "system"
"""Its name in GKE; no other pool can have it."""


class GkeSystemPoolArgs(GkePoolArgs):
    """Arguments of `GkeSystemPool`."""

    pool: GkeSystemPoolSpec = GkeSystemPoolSpec()
    """Its machines, and how many there are."""

    @model_validator(mode="after")
    def _rules_hold(self) -> Self:
        self.check(self.alone(self.pool.zones, system_pool=self.pool), ("system_pool",))
        return self


class GkeSystemPool(Component[GkeSystemPoolArgs]):
    """The node pool without taints, for everything that isn't a worker.

    Create it before the pools of node sets: GKE only taints nodes with GPUs by itself if the cluster already has a pool
    without GPUs, and GKE's own pods need nodes to run on.

    Example::

        GkeSystemPool(
            "hpc-system",
            GkeSystemPoolArgs(
                project="my-project",
                location=cluster.region,
                gke_cluster=cluster.name,
                node_account=account.email,
                zones=["us-central1-b"],
            ),
        )
    """

    pool_name: pulumi.Output[str]
    """The pool's name in GKE, which nodes have as the label cloud.google.com/gke-nodepool."""

    @overload
    def __init__(
        self, resource_name: str, args: GkeSystemPoolArgs | GkeSystemPoolArgsDict, opts: Options = None
    ) -> None: ...
    @overload
    def __init__(
        self, resource_name: str, *, opts: Options = None, **fields: Unpack[GkeSystemPoolArgsDict]
    ) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        args = parse_args(GkeSystemPoolArgs, args, fields)
        pool, zones = args.pool, args.zones_of(args.pool.zones)
        super().__init__(resource_name, args, opts, inputs={"pool": shown(pool), "zones": zones, "labels": args.labels})
        size = autoscaled(pool.min_nodes, pool.max_nodes, len(zones), any_zone=False)
        node_pool = container.NodePool(
            f"{self._name}-pool",
            name=SYSTEM_POOL,
            project=args.project,
            location=args.location,
            cluster=args.gke_cluster,
            node_locations=zones,
            initial_node_count=size.initial_node_count,
            autoscaling=size.autoscaling,
            ignore_node_count_changes=True,
            node_config=system_nodes(pool, args.labels, args.node_account, args.encryption_key),
            network_config=container.NodePoolNetworkConfigArgs(enable_private_nodes=True),
            management=container.NodePoolManagementArgs(auto_repair=True, auto_upgrade=True),
            upgrade_settings=container.NodePoolUpgradeSettingsArgs(strategy="SURGE", max_surge=1, max_unavailable=0),
            opts=self.child(**pool_options()),
        )
        self.pool_name = node_pool.name
        self.finish(node_pool)
