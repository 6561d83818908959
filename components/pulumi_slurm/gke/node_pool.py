"""GkeNodePool: the machines that node sets run on."""

from collections.abc import Iterator
from typing import Any, Self, Unpack, overload

import pulumi
import pulumi_gcp as gcp
from pulumi_gcp import container
from pydantic import model_validator

from pulumi_slurm.errors import FieldError, raise_errors
from pulumi_slurm.gke.dicts import GkeNodePoolArgsDict
from pulumi_slurm.gke.fast_networks import GkeNetworkInterfaceArgs
from pulumi_slurm.gke.model import GkeCapacity, GkeCapacityOptionSpec, GkePoolSpec, GkeSpec, names
from pulumi_slurm.gke.node_config import worker_nodes
from pulumi_slurm.gke.plan.extra_networks import uses_fabric
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool, planned_pools
from pulumi_slurm.gke.pool_arguments import GkePoolArgs, pool_options, shown
from pulumi_slurm.gke.pool_size import PoolSize, autoscaled, fixed
from pulumi_slurm.kube.component import Component, Options, parse_args
from pulumi_slurm.machines.gke import extra_vpcs


class GkeNodePoolArgs(GkePoolArgs):
    """Arguments of `GkeNodePool`."""

    pool: GkePoolSpec
    """Its machines, how many there are, and how Google provides them."""
    capacity_option: GkeCapacityOptionSpec | None = None
    """One of the pool's `priorities`; the node pool is then called <name>-<capacity>."""
    interfaces: list[GkeNetworkInterfaceArgs] = []
    """The nodes' interfaces in additional VPCs, in order. A pool that uses its machines' fast network needs those of
    `GkeNetwork.interface`."""

    @model_validator(mode="after")
    def _rules_hold(self) -> Self:
        self.check(self._spec, ("pools", 0), ("pools",))
        raise_errors(self._option_is_one_of_the_pool())
        raise_errors(self._nodes_have_their_interfaces())
        return self

    @property
    def planned(self) -> GkePlannedPool:
        """The pool to create in GKE."""
        pools = planned_pools(self._spec)
        return next(pool for pool in pools if self.capacity_option in (None, pool.capacity_option))

    @property
    def _spec(self) -> GkeSpec:
        return self.alone(self.pool.zones, pools=[self.pool])

    def _option_is_one_of_the_pool(self) -> Iterator[FieldError]:
        options = self.pool.priorities
        if self.capacity_option is None and options:
            yield FieldError(
                ("capacity_option",),
                FieldError.ABSENT,
                "the pool has priorities, and each of their capacity options is a node pool",
                "Write one of them, and create a node pool for each.",
                depends_on_fields=(("pool", "priorities"),),
            )
        elif self.capacity_option is not None and self.capacity_option not in options:
            yield FieldError(
                ("capacity_option",),
                self.capacity_option,
                "it is none of the pool's priorities",
                "Write one of them." if options else "Leave it out: only a pool with priorities has any.",
                depends_on_fields=(("pool", "priorities"),),
            )

    def _nodes_have_their_interfaces(self) -> Iterator[FieldError]:
        planned = self.planned
        if not uses_fabric(planned):
            return
        needed = sum(extra.vpcs * extra.subnets for extra in extra_vpcs(planned.machine_type))
        if len(self.interfaces) < needed:
            yield FieldError(
                ("interfaces",),
                FieldError.ABSENT,
                f"{planned.machine_type.name} has {needed} interfaces in additional VPCs, and here are "
                f"{len(self.interfaces)}",
                "Pass the outputs of GkeNetwork, or write fabric: false in the pool.",
                depends_on_fields=(("pool", "machine_type"), ("pool", "fabric")),
            )


# What changes in place: the schema of google_container_node_pool in Google's Terraform provider.
class GkeNodePool(Component[GkeNodePoolArgs]):
    """A node pool of a GKE cluster, for the node sets of one pool.

    Numbers of nodes, zones, machine type, boot disk, image, labels and taints change in place, though GKE replaces the
    nodes for a new machine type, disk or image. A change of the capacity, GPUs, their driver, local SSDs, compact
    placement, pods per node, secure boot or interfaces in additional VPCs replaces the pool: it is deleted and then
    created again, because its name stays the same.

    GKE doesn't upgrade the nodes by itself until the end of support, since that would end the jobs on them, unless the
    pool is created with `autoUpgrade`. If spare machines may not be available (GPUs, reservations, spot, compact
    placement), an upgrade removes a node before it adds one. Flex-start with compact placement gets a workload policy.

    GKE only taints nodes with GPUs by itself if the cluster already has a pool without GPUs: create the system pool
    first. See https://cloud.google.com/kubernetes-engine/docs/how-to/gpus#create.

    Example::

        GkeNodePool(
            "hpc-l4",
            GkeNodePoolArgs(
                project="my-project",
                location=cluster.region,
                gke_cluster=cluster.name,
                node_account=account.email,
                zones=["us-central1-b"],
                pool=GkePoolSpec(name="l4", machine_type="g2-standard-8", max_nodes=4),
            ),
            pulumi.ResourceOptions(depends_on=[system_pool]),
        )
    """

    pool_name: pulumi.Output[str]
    """The pool's name in GKE, which nodes have as the label cloud.google.com/gke-nodepool."""

    @overload
    def __init__(
        self, resource_name: str, args: GkeNodePoolArgs | GkeNodePoolArgsDict, opts: Options = None
    ) -> None: ...
    @overload
    def __init__(self, resource_name: str, *, opts: Options = None, **fields: Unpack[GkeNodePoolArgsDict]) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        args = parse_args(GkeNodePoolArgs, args, fields)
        planned = args.planned
        super().__init__(resource_name, args, opts, inputs={"pool": _as_written(planned), "labels": args.labels})
        size = _size(planned)
        policy = _workload_policy(self, self._name, args) if planned.needs_workload_policy else None
        option = planned.capacity_option
        node_pool = container.NodePool(
            f"{self._name}-pool",
            name=planned.name,
            project=args.project,
            location=args.location,
            cluster=args.gke_cluster,
            node_locations=list(planned.zones),
            node_count=size.node_count,
            initial_node_count=size.initial_node_count,
            autoscaling=size.autoscaling,
            ignore_node_count_changes=size.autoscaling is not None,
            max_pods_per_node=planned.pool.max_pods_per_node,
            node_config=worker_nodes(planned, args.labels, args.node_account, args.project, args.encryption_key),
            network_config=container.NodePoolNetworkConfigArgs(
                enable_private_nodes=True, additional_node_network_configs=_interfaces(args) or None
            ),
            placement_policy=(
                container.NodePoolPlacementPolicyArgs(
                    type="COMPACT", policy_name=policy.name if policy else planned.capacity_option.placement_policy
                )
                if planned.is_compact
                else None
            ),
            queued_provisioning=(
                container.NodePoolQueuedProvisioningArgs(enabled=True)
                if option.capacity is GkeCapacity.QUEUED
                else None
            ),
            # Google refuses repair for flex-start nodes. In a cluster with a release channel, upgrades are required.
            management=container.NodePoolManagementArgs(auto_repair=not option.is_flex_start, auto_upgrade=True),
            # Only sent with a new pool: google/services/container/resource_container_node_pool.go at e03b762 of the
            # Terraform provider for Google. It lasts until the end of support: by that provider's words of the nodes'
            # version, by Google's API of the control plane's.
            maintenance_policies=None if planned.pool.auto_upgrade else [_until_end_of_support()],
            upgrade_settings=_upgrades(planned),
            opts=self.child(*([policy] if policy else []), **_options(planned)),
        )
        self.pool_name = node_pool.name
        self.finish(node_pool)


def _options(planned: GkePlannedPool) -> dict[str, Any]:
    """Return the options of the pool.

    Which reservations on-demand nodes use is said when the pool is made: for one that was made without, Google's
    provider would replace it, and end its jobs.
    """
    options = {**pool_options(), "replacement_trigger": _kept_by_google(planned)}
    if planned.capacity_option.capacity is GkeCapacity.ON_DEMAND:
        options["ignore_changes"] = [*options["ignore_changes"], "nodeConfig.reservationAffinity"]
    return options


def _kept_by_google(planned: GkePlannedPool) -> str:
    """Return which inputs a pool has that stay as they were when it has them no more: it is made anew then.

    Google's provider has them from the cloud where they are left out, and would change the rest in place.
    """
    has = {
        "a reservation": planned.capacity_option.capacity is GkeCapacity.RESERVATION,
        "GPUs": planned.machine_type.gpus is not None,
        "a fast network": uses_fabric(planned),
    }
    return ", ".join(name for name, is_there in has.items() if is_there) or "nothing"


def _as_written(planned: GkePlannedPool) -> dict[str, Any]:
    """Return the pool as a user would write it if its capacity option were the only one."""
    option_fields = {*GkeCapacityOptionSpec.model_fields, "name", "priorities", "zones"}
    return {
        "name": planned.name,
        "zones": list(planned.zones),
        **shown(planned.pool, GkePoolSpec.model_fields.keys() - option_fields),
        **shown(planned.capacity_option, GkeCapacityOptionSpec.model_fields.keys()),
    }


def _size(planned: GkePlannedPool) -> PoolSize:
    option, zones = planned.capacity_option, len(planned.zones)
    if option.nodes is not None:
        return fixed(option.nodes, zones)
    # A fixed 0 is documented; autoscaling up to 0 nodes isn't.
    if not option.most_nodes:
        return fixed(0, zones)
    # Machines with GPUs are scarce: a balance of the zones would leave free ones unused where another zone has none.
    any_zone = option.capacity is not GkeCapacity.ON_DEMAND or planned.machine_type.gpus is not None
    return autoscaled(option.min_nodes, option.most_nodes, zones, any_zone=any_zone)


def _workload_policy(component: "GkeNodePool", name: str, args: GkeNodePoolArgs) -> gcp.compute.ResourcePolicy:
    """Create the policy that places flex-start nodes close to each other."""
    location: pulumi.Output[str] = pulumi.Output.from_input(args.location)
    return gcp.compute.ResourcePolicy(
        f"{name}-placement",
        name=pulumi.Output.concat(args.gke_cluster, "-", args.planned.name),
        project=args.project,
        region=location.apply(names.region_of_location),
        workload_policy=gcp.compute.ResourcePolicyWorkloadPolicyArgs(
            type="HIGH_THROUGHPUT", max_topology_distance="CLUSTER"
        ),
        opts=component.child(),
    )


def _until_end_of_support() -> container.NodePoolMaintenancePolicyArgs:
    return container.NodePoolMaintenancePolicyArgs(
        exclusion_until_end_of_supports=[
            container.NodePoolMaintenancePolicyExclusionUntilEndOfSupportArgs(enabled=True)
        ]
    )


def _upgrades(planned: GkePlannedPool) -> container.NodePoolUpgradeSettingsArgs:
    # An additional machine during an upgrade may not be available with GPUs, in a reservation or in a placement group.
    scarce = (
        planned.machine_type.gpus is not None
        or planned.is_compact
        or planned.capacity_option.capacity is not GkeCapacity.ON_DEMAND
    )
    return container.NodePoolUpgradeSettingsArgs(
        strategy="SURGE", max_surge=0 if scarce else 1, max_unavailable=1 if scarce else 0
    )


def _interfaces(args: GkeNodePoolArgs) -> list[container.NodePoolNetworkConfigAdditionalNodeNetworkConfigArgs]:
    return [
        container.NodePoolNetworkConfigAdditionalNodeNetworkConfigArgs(
            network=interface.network_name, subnetwork=interface.subnetwork_name
        )
        for interface in args.interfaces
    ]
