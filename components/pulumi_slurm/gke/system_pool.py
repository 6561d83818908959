"""GkeSystemPool: the nodes of Slurm's own daemons, of login pods and of GKE's pods."""

from collections.abc import Mapping
from typing import Any

import pulumi
from pulumi_gcp import container

from pulumi_slurm.gke.inputs import inputs
from pulumi_slurm.gke.node_config import system_nodes
from pulumi_slurm.gke.node_pool import pool_options
from pulumi_slurm.gke.pool_size import autoscaled
from pulumi_slurm.gke.rules import CheckedGkeSpec
from pulumi_slurm.kube.component import Args, Component, parse_args

SYSTEM_POOL = "system"
"""Its name in GKE; no other pool can have it."""


class GkeSystemPoolArgs(Args):
    """Arguments of `GkeSystemPool`."""

    spec: CheckedGkeSpec
    """The specification."""
    cluster: pulumi.Input[str]
    """The name of the GKE cluster: `GkeCluster.cluster_name`."""
    node_account: pulumi.Input[str]
    """The e-mail of the nodes' service account."""


class GkeSystemPool(Component[GkeSystemPoolArgs]):
    """The node pool without taints, where everything runs that isn't a worker.

    Make it before the pools of node sets: GKE taints nodes with GPUs by itself only when there is a pool without by
    then, and its own pods need a place.
    """

    pool_name: pulumi.Output[str]
    """The pool's name in GKE, which nodes carry as the label cloud.google.com/gke-nodepool."""

    def __init__(
        self, name: str, args: GkeSystemPoolArgs | Mapping[str, Any], opts: pulumi.ResourceOptions | None = None
    ) -> None:
        args = parse_args(GkeSystemPoolArgs, args)
        shown = inputs(args.spec, ("project", "region", "labels", "zones", "system_pool"))
        super().__init__(name, args, opts, inputs=shown)
        spec, pool = args.spec, args.spec.system_pool
        zones = pool.zones or spec.zones
        size = autoscaled(pool.min_nodes, pool.max_nodes, len(zones), any_zone=False)
        made = container.NodePool(
            f"{name}-pool",
            name=SYSTEM_POOL,
            project=spec.project,
            location=spec.region,
            cluster=args.cluster,
            node_locations=list(zones),
            initial_node_count=size.initial_node_count,
            autoscaling=size.autoscaling,
            ignore_node_count_changes=True,
            node_config=system_nodes(spec, args.node_account),
            network_config=container.NodePoolNetworkConfigArgs(enable_private_nodes=True),
            management=container.NodePoolManagementArgs(auto_repair=True, auto_upgrade=True),
            upgrade_settings=container.NodePoolUpgradeSettingsArgs(strategy="SURGE", max_surge=1, max_unavailable=0),
            opts=pool_options(self, opts),
        )
        self._last = [made]
        self.pool_name = made.name
        self.finish(*self._last)
