"""GkeNodePool: the machines that node sets run on."""

from collections.abc import Mapping
from typing import Any, Self

import pulumi
from pulumi_gcp import container
from pydantic import model_validator

from pulumi_slurm.errors import FieldError, field_errors, nearest
from pulumi_slurm.gke.inputs import inputs
from pulumi_slurm.gke.model import GkeCapacity, GkeCapacityOptionSpec, GkePoolSpec
from pulumi_slurm.gke.node_config import worker_nodes
from pulumi_slurm.gke.plan.addresses import networks_of, plan_addresses
from pulumi_slurm.gke.plan.extra_networks import uses_fabric
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool, planned_pools
from pulumi_slurm.gke.pool_size import PoolSize, autoscaled, fixed
from pulumi_slurm.gke.rules import CheckedGkeSpec
from pulumi_slurm.kube.component import Args, Component, child_options, parse_args

POOL_TIMEOUTS = pulumi.CustomTimeouts(create="1h", update="12h", delete="1h")
"""A change that reaches the nodes makes them anew, a GPU pool one at a time, and each drain may take an hour."""


class GkeNodePoolArgs(Args):
    """Arguments of `GkeNodePool`."""

    spec: CheckedGkeSpec
    """The specification."""
    pool: str
    """The name of one of `planned_pools(spec)`."""
    cluster: pulumi.Input[str]
    """The name of the GKE cluster: `GkeCluster.cluster_name`."""
    node_account: pulumi.Input[str]
    """The e-mail of the nodes' service account."""
    fabric_networks: pulumi.Input[Mapping[str, Mapping[str, str]]] | None = None
    """The further VPCs' interfaces: `network` and `subnetwork` by the name of the subnet. Needed
    where the pool uses its machines' fast network."""

    @model_validator(mode="after")
    def _pool_is_planned(self) -> Self:
        names = [planned.name for planned in planned_pools(self.spec)]
        if self.pool not in names:
            raise field_errors(
                [FieldError(("pool",), self.pool, "the specification has no such pool", nearest(self.pool, names))]
            )
        if uses_fabric(self.planned) and self.fabric_networks is None:
            raise field_errors(
                [
                    FieldError(
                        ("fabric_networks",),
                        None,
                        f"{self.planned.machine_type.name} has interfaces in further VPCs",
                        "Give the outputs of GkeNetwork, or write fabric: false in the pool.",
                    )
                ]
            )
        return self

    @property
    def planned(self) -> GkePlannedPool:
        """The pool as GKE gets it."""
        return next(planned for planned in planned_pools(self.spec) if planned.name == self.pool)


class GkeNodePool(Component[GkeNodePoolArgs]):
    """A node pool of a GKE cluster, for the node sets of one pool of the specification.

    Numbers of nodes, zones, machine type, boot disk, image, labels and taints change in place, though GKE makes the
    nodes anew for a machine, disk or image. The way to get capacity, GPUs, their driver, local SSDs, compact placement,
    pods per node, secure boot and interfaces in further VPCs can't be changed: then the pool is deleted and made again,
    in this order, because its name stays. Source: the schema of google_container_node_pool in Google's Terraform
    provider.

    Where machines can't be had twice (GPUs, reservations, spot, compact placement), an upgrade takes a node away before
    it adds one, so that it needs no spare quota.

    GKE taints nodes with GPUs by itself only when the cluster has a pool without GPUs by then: make the system pool
    first. See https://cloud.google.com/kubernetes-engine/docs/how-to/gpus#create.
    """

    pool_name: pulumi.Output[str]
    """The pool's name in GKE, which nodes carry as the label cloud.google.com/gke-nodepool."""

    def __init__(
        self, name: str, args: GkeNodePoolArgs | Mapping[str, Any], opts: pulumi.ResourceOptions | None = None
    ) -> None:
        args = parse_args(GkeNodePoolArgs, args)
        spec, planned = args.spec, args.planned
        shown = inputs(spec, ("project", "region", "labels"), pool=_shown(planned))
        super().__init__(name, args, opts, inputs=shown)
        size = _size(planned)
        flex_start = planned.capacity_option.capacity.is_flex_start
        made = container.NodePool(
            f"{name}-pool",
            name=planned.name,
            project=spec.project,
            location=spec.region,
            cluster=args.cluster,
            node_locations=list(planned.zones),
            node_count=size.node_count,
            initial_node_count=size.initial_node_count,
            autoscaling=size.autoscaling,
            ignore_node_count_changes=size.autoscaling is not None,
            max_pods_per_node=planned.pool.max_pods_per_node,
            node_config=worker_nodes(spec, planned, args.node_account),
            network_config=container.NodePoolNetworkConfigArgs(
                enable_private_nodes=True, additional_node_network_configs=_interfaces(args)
            ),
            placement_policy=(
                container.NodePoolPlacementPolicyArgs(type="COMPACT") if planned.pool.compact_placement else None
            ),
            queued_provisioning=(
                container.NodePoolQueuedProvisioningArgs(enabled=True)
                if planned.capacity_option.capacity is GkeCapacity.QUEUED
                else None
            ),
            # Google refuses to repair flex-start nodes. Those of a release channel have to be upgraded.
            management=container.NodePoolManagementArgs(auto_repair=not flex_start, auto_upgrade=True),
            upgrade_settings=_upgrades(planned),
            opts=pool_options(self, opts),
        )
        self._last = [made]
        self.pool_name = made.name
        self.finish(*self._last)


def pool_options(parent: pulumi.Resource, opts: pulumi.ResourceOptions | None) -> pulumi.ResourceOptions:
    """Return the options of a node pool.

    Google changes `initial_node_count` when somebody resizes a pool by hand, and a change of it would replace the pool.
    """
    return child_options(
        parent, opts, delete_before_replace=True, ignore_changes=["initialNodeCount"], custom_timeouts=POOL_TIMEOUTS
    )


def _shown(planned: GkePlannedPool) -> dict[str, Any]:
    """Return the pool as it would be stated if its capacity option were the only one."""
    by_options = {*GkeCapacityOptionSpec.model_fields, "name", "priorities", "zones"}
    pool = inputs(planned.pool, GkePoolSpec.model_fields.keys() - by_options)
    return {
        "name": planned.name,
        "zones": list(planned.zones),
        **pool,
        **inputs(planned.capacity_option, GkeCapacityOptionSpec.model_fields),
    }


def _size(planned: GkePlannedPool) -> PoolSize:
    option, zones = planned.capacity_option, len(planned.zones)
    if option.nodes is not None:
        return fixed(option.nodes, zones)
    # Not checked: whether GKE takes autoscaling up to 0 nodes. A fixed 0 is documented.
    if not option.most_nodes:
        return fixed(0, zones)
    return autoscaled(option.min_nodes, option.most_nodes, zones, any_zone=option.capacity is not GkeCapacity.ON_DEMAND)


def _upgrades(planned: GkePlannedPool) -> container.NodePoolUpgradeSettingsArgs:
    # Neither GPUs nor the machines of a reservation or a placement group can be had once more for the time of an
    # upgrade.
    scarce = (
        planned.machine_type.gpus is not None
        or planned.pool.compact_placement
        or planned.capacity_option.capacity is not GkeCapacity.ON_DEMAND
    )
    return container.NodePoolUpgradeSettingsArgs(
        strategy="SURGE", max_surge=0 if scarce else 1, max_unavailable=1 if scarce else 0
    )


def _interfaces(
    args: GkeNodePoolArgs,
) -> list[container.NodePoolNetworkConfigAdditionalNodeNetworkConfigArgs] | None:
    """Return the pool's interfaces in further VPCs, in the order in which nodes get them."""
    if not uses_fabric(args.planned):
        return None
    return [
        container.NodePoolNetworkConfigAdditionalNodeNetworkConfigArgs(
            network=_name(args, subnet.name, "network"), subnetwork=_name(args, subnet.name, "subnetwork")
        )
        for network in networks_of(args.planned, plan_addresses(args.spec))
        for subnet in network.subnets
    ]


def _name(args: GkeNodePoolArgs, subnet: str, field: str) -> pulumi.Output[str]:
    assert args.fabric_networks is not None, "the arguments are refused without it"
    return pulumi.Output.from_input(args.fabric_networks).apply(lambda networks: networks[subnet][field])
