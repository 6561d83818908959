"""Inputs of node pools: machines, disks, operating system, and the number of nodes."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import Any

import pulumi
from pulumi_alicloud import cs

from pulumi_slurm.ack.model import AckCapacity, AckDataDiskSpec, AckPoolSpec, AckSystemPoolSpec
from pulumi_slurm.ack.model.registry_mirrors import in_the_form_of_ack
from pulumi_slurm.ack.plan.planned_pool import AckPlannedPool
from pulumi_slurm.ack.plan.taints import node_labels, taints_to_set
from pulumi_slurm.ack.rules.images import ARM_BUILDS
from pulumi_slurm.clouds.labels import POOL_LABEL
from pulumi_slurm.machines.ack import Architecture
from pulumi_slurm.model.machine import TaintSpec


def containerd(registry_mirrors: Mapping[str, list[str]]) -> dict[str, Any]:
    """Return the input of a node pool for the mirrors of registries; empty without any."""
    if not registry_mirrors:
        return {}
    return {"containerd_config": cs.NodePoolContainerdConfigArgs(registry_mirrors=in_the_form_of_ack(registry_mirrors))}


def worker_nodes(planned: AckPlannedPool, tags: Mapping[str, str], *, auto_upgrade: bool) -> dict[str, Any]:
    """Return the inputs of a node pool for node sets, without its cluster and network."""
    pool = planned.pool
    scaling_type = "spot" if pool.capacity is AckCapacity.SPOT else "gpu" if planned.machine_type.gpus else "cpu"
    arm = planned.machine_type.architecture is Architecture.ARM64
    return {
        **_common(pool, tags, arm=arm),
        **_size(pool.nodes, pool.min_nodes, pool.max_nodes or 0, scaling_type),
        **_capacity(planned),
        "instance_types": list(pool.instance_types),
        # None instead of []: ACK sets inputs that are left out, which makes no difference at the next refresh.
        "data_disks": [_data_disk(disk) for disk in pool.data_disks] or None,
        "labels": _labels(node_labels(planned)),
        "taints": _taints(taints_to_set(planned)) or None,
        # Otherwise changed labels and taints would only apply to new nodes.
        "update_nodes": True,
        "deployment_set_id": pool.deployment_set,
        "image_id": pool.image_id,
        "user_data": _script(pool.user_data),
        "pre_user_data": _script(pool.pre_user_data),
        "ram_role_name": pool.ram_role,
        "management": _management(
            auto_repair=pool.auto_repair, restart=pool.restart_to_repair, auto_upgrade=auto_upgrade
        ),
    }


def system_nodes(
    pool: AckSystemPoolSpec, name: str, zones: Sequence[str], tags: Mapping[str, str], *, auto_upgrade: bool
) -> dict[str, Any]:
    """Return the inputs of the system pool, without its cluster and network."""
    nodes = pool.min_nodes if pool.min_nodes == pool.max_nodes else None
    return {
        **_common(pool, tags, arm=False),
        **_size(nodes, pool.min_nodes, pool.max_nodes, "cpu"),
        "instance_types": list(pool.instance_types),
        "spot_strategy": "NoSpot",
        "multi_az_policy": "BALANCE" if len(zones) > 1 else "PRIORITY",
        "labels": _labels({POOL_LABEL: name}),
        "update_nodes": True,
        "management": _management(auto_repair=True, restart=True, auto_upgrade=auto_upgrade),
    }


def pool_options() -> dict[str, Any]:
    """Return resource options that every node pool has."""
    return {
        # Otherwise there would be two pools with the same name.
        "delete_before_replace": True,
        # A pool keeps its billing method, and the provider would send a change of either:
        # https://www.alibabacloud.com/help/en/ack/ack-managed-and-ack-dedicated/user-guide/create-a-node-pool.
        "replace_on_changes": ["instanceChargeType", "spotStrategy"],
        "custom_timeouts": pulumi.CustomTimeouts(create="90m", update="90m", delete="90m"),
    }


def _common(pool: AckPoolSpec | AckSystemPoolSpec, tags: Mapping[str, str], *, arm: bool) -> dict[str, Any]:
    disk, performance_level = pool.disk, pool.disk.performance_level
    return {
        "image_type": ARM_BUILDS[pool.image_type] if arm else str(pool.image_type),
        "system_disk_category": disk.type,
        "system_disk_size": disk.size_gib,
        "system_disk_performance_level": performance_level.value if performance_level else None,
        "system_disk_encrypted": True if disk.is_encrypted else None,
        "install_cloud_monitor": True,
        # Managed nodes don't allow passwords.
        "key_name": pool.key_name,
        # Left out where it isn't wanted: clusters before 1.28 refuse the input, and in others even "optional" might
        # replace a pool that was made without. In the provider's schema it is computed, and a change replaces the pool:
        # alicloud/resource_alicloud_cs_kubernetes_node_pool.go in https://github.com/aliyun/terraform-provider-alicloud.
        "instance_metadata_options": cs.NodePoolInstanceMetadataOptionsArgs(http_tokens="required")
        if pool.require_metadata_tokens
        else None,
        # ACK refuses to delete a pool that still has nodes.
        "force_delete": True,
        "tags": dict(tags) or None,
    }


def _size(nodes: int | None, min_nodes: int, max_nodes: int, scaling_type: str) -> dict[str, Any]:
    """Return either a fixed number or the limits of ACK's autoscaler; ACK refuses a pool with both."""
    if nodes is not None:
        # Otherwise the autoscaler would stay enabled in a pool that used it before.
        return {"desired_size": str(nodes), "scaling_config": cs.NodePoolScalingConfigArgs(enable=False)}
    return {
        "scaling_config": cs.NodePoolScalingConfigArgs(
            enable=True, min_size=min_nodes, max_size=max_nodes, type=scaling_type
        ),
        "scaling_policy": "release",
    }


def _capacity(planned: AckPlannedPool) -> dict[str, Any]:
    pool = planned.pool
    paid = _paid_in_advance(pool) if pool.capacity is AckCapacity.SUBSCRIPTION else {"instance_charge_type": "PostPaid"}
    # The nodes of a job, and NAS, are closest in one zone: the first one, as long as it has machines.
    multi_az_policy = "PRIORITY"
    if pool.capacity is not AckCapacity.SPOT:
        reserved = cs.NodePoolPrivatePoolOptionsArgs(
            private_pool_options_match_criteria="Target", private_pool_options_id=pool.private_pool
        )
        return {
            **paid,
            "spot_strategy": "NoSpot",
            "multi_az_policy": multi_az_policy,
            "private_pool_options": reserved if pool.private_pool else None,
        }
    limits = [
        cs.NodePoolSpotPriceLimitArgs(instance_type=name, price_limit=f"{price:g}")
        for name, price in pool.spot_price_limits.items()
    ]
    return {
        **paid,
        "spot_strategy": "SpotWithPriceLimit" if limits else "SpotAsPriceGo",
        "spot_price_limits": limits or None,
        "spot_instance_remedy": True,
        # ACK only compensates with this policy.
        "multi_az_policy": "COST_OPTIMIZED" if pool.on_demand_instead else multi_az_policy,
        "compensate_with_on_demand": True if pool.on_demand_instead else None,
    }


def _paid_in_advance(pool: AckPoolSpec) -> dict[str, Any]:
    return {
        "instance_charge_type": "PrePaid",
        "period": pool.subscription_months,
        "period_unit": "Month",
        "auto_renew": pool.subscription_renewed,
        "auto_renew_period": pool.subscription_months,
    }


def _script(text: str | None) -> str | None:
    return None if text is None else b64encode(text.encode()).decode()


def _management(*, auto_repair: bool, restart: bool, auto_upgrade: bool) -> cs.NodePoolManagementArgs:
    return cs.NodePoolManagementArgs(
        enable=True,
        auto_repair=auto_repair,
        # ACK's default is True. This is about faults of the system and of Kubernetes alone; a node whose machine has a
        # fault is drained and restarted in any case, and the provider has no option to be asked before:
        # https://www.alibabacloud.com/help/en/ack/ack-managed-and-ack-dedicated/user-guide/auto-repair.
        auto_repair_policy=cs.NodePoolManagementAutoRepairPolicyArgs(restart_node=auto_repair and restart),
        auto_upgrade=auto_upgrade,
        # It may restart nodes, with their jobs.
        auto_vul_fix=False,
        max_unavailable=1,
    )


def _data_disk(disk: AckDataDiskSpec) -> cs.NodePoolDataDiskArgs:
    performance_level = disk.performance_level
    return cs.NodePoolDataDiskArgs(
        category=disk.type,
        size=disk.size_gib,
        performance_level=performance_level.value if performance_level else None,
        encrypted=str(disk.encrypted).lower(),
        auto_format="true",
        file_system="ext4",
        mount_target=disk.mount_path,
    )


def _labels(labels: Mapping[str, str]) -> list[cs.NodePoolLabelArgs]:
    """Return labels in ACK's form: a list, sorted so that its order is stable."""
    return [cs.NodePoolLabelArgs(key=key, value=value) for key, value in sorted(labels.items())]


def _taints(taints: Sequence[TaintSpec]) -> list[cs.NodePoolTaintArgs]:
    return [cs.NodePoolTaintArgs(key=taint.key, value=taint.value or "", effect=str(taint.effect)) for taint in taints]
