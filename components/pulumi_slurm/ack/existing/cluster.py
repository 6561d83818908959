"""Whether a cluster that exists will do for the pools and the storage of a specification.

Sources: kinds of clusters, `cluster_type` and `profile` in alicloud/data_source_alicloud_cs_clusters.go of
https://github.com/aliyun/terraform-provider-alicloud, commit 81c43b6; that its autoscaler is the component of the
scaler's name, alicloud/resource_alicloud_cs_autoscaling_config.go there; that components which are listed without a
version aren't installed, `DescribeCsKubernetesAllAvailableAddons` in alicloud/service_alicloud_cs.go.
"""

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from pydantic_core import PydanticCustomError

from pulumi_slurm.ack.existing.answers import ClusterAnswers
from pulumi_slurm.ack.existing.network import vpc_ranges
from pulumi_slurm.ack.existing.pools import is_ordinary
from pulumi_slurm.ack.model import (
    AckEdition,
    AckExistingNetworkSpec,
    AckFoundNetwork,
    AckSpec,
    Cni,
    UpgradeChannel,
    versions,
)
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.address_needs import max_nodes, node_addresses
from pulumi_slurm.ack.plan.planned_pool import all_zones
from pulumi_slurm.ack.plan.pools import SYSTEM_POOL
from pulumi_slurm.ack.rules.colocation import scheduler_asks_the_copilot
from pulumi_slurm.ack.rules.control_plane import MIN_KUBERNETES_OF_AUTOSCALER, metadata_tokens_are_supported
from pulumi_slurm.ack.rules.erdma import ERDMA_CONTROLLER
from pulumi_slurm.ack.rules.machines import nodes_can_join, nodes_have_room_for_slurmd
from pulumi_slurm.ack.rules.ranges import MAX_NODES_OF_BASIC
from pulumi_slurm.clouds.rules.pools import zones_of_nodes
from pulumi_slurm.clouds.unread import UNKNOWN
from pulumi_slurm.errors import FieldError, Path, Severity
from pulumi_slurm.model.with_fields import with_fields
from pulumi_slurm.rules.run import Rule, run_rules

_AT = ("existing_cluster", "id")
_MANAGED = "ManagedKubernetes"
_WITHOUT_POOLS = frozenset({"Serverless", "Acs", "Edge", "Lingjun"})
_GOING = frozenset({"deleting", "deleted", "delete_failed", "failed"})
_SCALERS = ("goatscaler", "cluster-autoscaler")
_STORAGE = ("csi-plugin", "csi-provisioner")


def with_found_cluster(spec: AckSpec, answers: ClusterAnswers) -> AckSpec:
    """Return the specification with the control plane and the network of the cluster that exists."""
    cluster, cni = answers.cluster, _cni(answers)
    version, edition = cluster.current_version, cluster.cluster_spec
    control_plane = with_fields(
        spec.control_plane,
        cni=cni,
        version=version if _is_a_version(version) else None,
        edition=AckEdition(edition) if edition in set(AckEdition) else AckEdition.PRO,
        cluster_domain=cluster.cluster_domain or spec.control_plane.cluster_domain,
        upgrade_channel=_channel(cluster),
    )
    nodes = {vswitch.zone_id: vswitch for vswitch in reversed(_vswitches(answers))}
    existing = AckExistingNetworkSpec(
        vpc_id=cluster.vpc_id,
        vswitches=[vswitch.id for vswitch in _vswitches(answers)],
        security_group_id=cluster.security_group_id,
    ).with_found(
        AckFoundNetwork(
            vpc_ranges=vpc_ranges(answers.network),
            node_vswitches={zone: vswitch.id for zone, vswitch in nodes.items()},
            node_ranges={zone: vswitch.cidr_block for zone, vswitch in nodes.items()},
        )
    )
    of_flannel = {}
    if cni is Cni.FLANNEL:
        of_flannel = {
            # A cluster with IPv6 has a second range.
            "pods_range": (cluster.pod_cidr or "").partition(",")[0] or None,
            "pods_per_node": min(1 << (32 - int(cluster.node_cidr_mask or 26)), 256),
        }
    network = with_fields(spec.network, existing=existing, **of_flannel)
    return spec.model_copy(update={"control_plane": control_plane, "network": network})


def with_unread_cluster(spec: AckSpec) -> AckSpec:
    """Return the specification with placeholders for a cluster that was not read."""
    existing = AckExistingNetworkSpec.model_construct(vpc_id=UNKNOWN, vswitches=[UNKNOWN], security_group_id=UNKNOWN)
    unread = existing.with_found(AckFoundNetwork.unread(all_zones(spec)))
    return spec.model_copy(update={"network": with_fields(spec.network, existing=unread)})


def cluster_is_usable(spec: AckSpec, answers: ClusterAnswers) -> Iterator[FieldError]:
    """Yield why a cluster is none for node pools of ours, so that nothing else of it matters."""
    cluster = answers.cluster
    if cluster.cluster_type != _MANAGED or cluster.profile in _WITHOUT_POOLS:
        kind = cluster.profile if cluster.cluster_type == _MANAGED else cluster.cluster_type
        yield _lack(
            spec,
            f"it is of the kind {kind}, and pools are added to managed clusters with nodes on ECS alone",
            "Name another, or write slurm:kind kubernetes with slurm:provider ack for the nodes that it has.",
        )
    elif cluster.state in _GOING:
        yield _lack(spec, f"its state is {cluster.state}", "Name one that runs.")
    elif not _vswitches(answers) or not answers.network.vpcs or not cluster.security_group_id:
        problem = "its VPC, the vSwitches of its control plane or its security group can't be seen"
        yield _lack(spec, problem, "Sign in as somebody who may read them.")
    elif not endpoint(answers.connections):
        yield _lack(spec, "its control plane has no address", "Wait until ACK has made it.")


def cluster_will_do(plan: AckPlan, answers: ClusterAnswers) -> Iterator[FieldError]:
    """Yield what the specification needs and the cluster lacks; warn of what may hurt.

    ``plan`` is that of the specification with what was found.
    """
    yield from run_rules(RULES_OF_EXISTING_CLUSTERS, plan, answers)
    of_plan = (nodes_can_join, nodes_have_room_for_slurmd, metadata_tokens_are_supported, scheduler_asks_the_copilot)
    yield from run_rules(of_plan, plan)


def basic_cluster_is_not_too_large(plan: AckPlan, answers: ClusterAnswers) -> Iterator[FieldError]:
    """Refuse more nodes than ACK manages in a cluster of the Basic edition."""
    nodes = max_nodes(plan)
    if answers.cluster.cluster_spec == AckEdition.STANDARD and nodes > MAX_NODES_OF_BASIC:
        yield _lack(
            plan.spec,
            f"its edition is {AckEdition.STANDARD}, in which ACK manages {MAX_NODES_OF_BASIC} nodes, and the pools "
            f"here may have {nodes}",
            "Migrate it to a Pro edition in ACK's console, or write fewer nodes.",
        )


def cluster_mounts_storage(plan: AckPlan, answers: ClusterAnswers) -> Iterator[FieldError]:
    """Refuse NAS in a cluster without the components that mount it."""
    missing = [name for name in _STORAGE if _is_installed(answers.addons, name) is False]
    if missing and plan.spec.storage:
        yield _lack(
            plan.spec,
            f"its components {' and '.join(missing)} aren't installed, by which pods mount NAS",
            f"Install them: aliyun cs InstallClusterAddons --ClusterId {answers.cluster.cluster_id} --body "
            f"'{json.dumps([{'name': name} for name in missing])}'.",
        )


def cluster_gives_erdma_to_pods(plan: AckPlan, answers: ClusterAnswers) -> Iterator[FieldError]:
    """Warn of pools with eRDMA where ACK's component for it isn't seen; another way may have brought it there."""
    with_erdma = next((planned for planned in plan.new_pools if planned.pool.erdma), None)
    if with_erdma and not _is_installed(answers.addons, ERDMA_CONTROLLER):
        body = json.dumps([{"name": ERDMA_CONTROLLER}])
        yield _lack(
            plan.spec,
            f"its component {ERDMA_CONTROLLER} isn't installed, without which nodes of the pool "
            f'"{with_erdma.name}" have no aliyun/erdma, and workers wait for it',
            f"Install it: aliyun cs InstallClusterAddons --ClusterId {answers.cluster.cluster_id} --body '{body}'.",
            Severity.WARNING,
        )


def cluster_takes_daemons(plan: AckPlan, answers: ClusterAnswers) -> Iterator[FieldError]:
    """Refuse a cluster in which Slurm's daemons would find no node."""
    if not plan.makes_system_pool and not any(is_ordinary(plan.spec.catalogue, pool) for pool in answers.pools):
        yield _lack(
            plan.spec,
            "no pool of its takes Slurm's daemons and login pods: all have taints, Arm machines or Windows",
            "Write systemPool: {} to add a pool without.",
        )


def endpoint(connections: Any) -> str | None:
    """Return the URL of a control plane: the one on the Internet if there is one, else that in the VPC."""
    if connections is None:
        return None
    return connections.api_server_internet or connections.api_server_intranet or None


def _lack(spec: AckSpec, problem: str, fix: str, severity: Severity = Severity.ERROR) -> FieldError:
    cluster = spec.existing_cluster
    return FieldError(_AT, cluster.id if cluster else FieldError.ABSENT, problem, fix, severity=severity)


def _vswitches(answers: ClusterAnswers) -> list[Any]:
    """Return the vSwitches of the control plane in its order."""
    by_id: Mapping[str, Any] = {vswitch.id: vswitch for vswitch in answers.network.vswitches}
    return [by_id[one] for one in answers.cluster.vswitch_ids or [] if one in by_id]


def cluster_has_the_zones(plan: AckPlan, answers: ClusterAnswers) -> Iterator[FieldError]:
    """Refuse zones in which the cluster has no vSwitch for what is made there."""
    there = {vswitch.zone_id for vswitch in _vswitches(answers)}
    for path, zone in _zones(plan):
        if zone not in there:
            yield FieldError(
                path,
                zone,
                f"the cluster has no vSwitch for what is made in this zone: it has some in {', '.join(sorted(there))}",
                "Write one of these, or make the pool in ACK's console and name it in existingPools.",
                depends_on_fields=(("existing_cluster",), ("pools",), ("system_pool",)),
            )


def _zones(plan: AckPlan) -> Iterator[tuple[Path, str]]:
    """Yield path and name of the zones in which something needs a vSwitch: nodes, mount targets or the database."""
    spec = plan.spec
    if plan.new_pools or plan.makes_system_pool:
        yield from zones_of_nodes(spec.zones, [pool.zones for pool in spec.pools], spec.system_pool.zones)
    elif spec.database or any(not storage.nas.existing for storage in spec.storage):
        yield ("zones", 0), spec.zones[0]


def cluster_has_addresses(plan: AckPlan, answers: ClusterAnswers) -> Iterator[FieldError]:
    """Warn of vSwitches in which others have left too few addresses, before the first of our pools has any."""
    new_pools = {planned.name for planned in plan.new_pools} | ({SYSTEM_POOL} if plan.makes_system_pool else set())
    if not new_pools or any(pool.node_pool_name in new_pools for pool in answers.pools):
        return
    used = plan.found_network.node_vswitches if plan.found_network else {}
    for vswitch in _vswitches(answers):
        if vswitch.zone_id not in all_zones(plan.spec) or used.get(vswitch.zone_id) != vswitch.id:
            continue
        needed = node_addresses(plan, vswitch.zone_id)
        if (vswitch.available_ip_address_count or 0) < needed:
            yield _lack(
                plan.spec,
                f"its vSwitch {vswitch.id} has {vswitch.available_ip_address_count} addresses left, and the maximum "
                f"number of new nodes in {vswitch.zone_id} takes {needed}",
                "Write fewer nodes, or another zone.",
                Severity.WARNING,
            )


def cluster_scales(plan: AckPlan, answers: ClusterAnswers) -> Iterator[FieldError]:
    """Refuse pools that are to be scaled where nothing scales; warn where that isn't known."""
    scaled = [planned for planned in plan.pools if planned.pool.is_scaled]
    if not scaled:
        return
    spec, cluster = plan.spec, answers.cluster
    version = spec.control_plane.version
    if version and versions.is_before(version, MIN_KUBERNETES_OF_AUTOSCALER):
        yield _lack(
            spec,
            f"it runs {version}, and ACK's autoscaler needs Kubernetes {MIN_KUBERNETES_OF_AUTOSCALER}",
            f"Upgrade it: aliyun cs UpgradeCluster --cluster_id {cluster.cluster_id}.",
        )
    installed = [_is_installed(answers.addons, name) for name in _SCALERS]
    if any(installed):
        return
    is_certain = False in installed
    planned = scaled[0]
    yield _lack(
        spec,
        f'ACK is to scale the pool "{planned.name}", and none of the components {" and ".join(_SCALERS)}, which do so, '
        + ("is installed" if is_certain else "is seen there"),
        f"Switch scaling on: aliyun cs CreateAutoscalingConfig --ClusterId {cluster.cluster_id} --body "
        '\'{"scaler_type":"goatscaler","scale_down_enabled":true}\'; or write nodes for a fixed number.',
        Severity.ERROR if is_certain else Severity.WARNING,
    )


def _is_installed(addons: Collection[Any], name: str) -> bool | None:
    """Return whether a component is installed; None if nothing is known of it."""
    addon = next((addon for addon in addons if addon.name == name), None)
    return None if addon is None else bool(addon.current_version)


def _cni(answers: ClusterAnswers) -> Cni:
    """Return the network plugin: Flannel is a component, and has a range of its own for pods."""
    if _is_installed(answers.addons, "flannel"):
        return Cni.FLANNEL
    terway = any(addon.name.startswith("terway") and addon.current_version for addon in answers.addons)
    return Cni.TERWAY if terway or not answers.cluster.pod_cidr else Cni.FLANNEL


def _channel(cluster: Any) -> UpgradeChannel | None:
    """Return the channel by which ACK upgrades a cluster, if it does."""
    upgrades = cluster.operation_policy and cluster.operation_policy.cluster_auto_upgrade
    if not upgrades or not upgrades.enabled:
        return None
    return UpgradeChannel(upgrades.channel) if upgrades.channel in set(UpgradeChannel) else UpgradeChannel.STABLE


def _is_a_version(text: Any) -> bool:
    try:
        versions.parse(str(text))
    except PydanticCustomError:
        return False
    return True


RULES_OF_EXISTING_CLUSTERS: tuple[Rule, ...] = (
    cluster_has_the_zones,
    cluster_has_addresses,
    basic_cluster_is_not_too_large,
    cluster_scales,
    cluster_mounts_storage,
    cluster_gives_erdma_to_pods,
    cluster_takes_daemons,
)
