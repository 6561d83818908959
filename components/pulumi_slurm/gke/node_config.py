"""The configuration of a pool's nodes: machine, GPUs, disks, drivers, and the identity that they run as."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import pulumi
from pulumi_gcp import container

from pulumi_slurm.gke.model import GkeCapacity, GkeCapacityOptionSpec, GkeDriver, GkeSystemPoolSpec, LocalSsdUse
from pulumi_slurm.gke.model.pool import GkeImageType, HostMaintenance
from pulumi_slurm.gke.plan.boot_disk import disk_type
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool
from pulumi_slurm.gke.plan.taints import node_labels, taints_to_set
from pulumi_slurm.machines.gke import GkeMachineTypeSpec
from pulumi_slurm.model.machine import TaintEffect, TaintSpec

SCOPES = ("https://www.googleapis.com/auth/cloud-platform",)
"""The scope of all APIs: what nodes may do then depends only on the roles of their service account."""

METADATA = MappingProxyType({"disable-legacy-endpoints": "true"})
"""GKE sets this by itself. Without it here, the next change of metadata would remove it and replace the pool."""

_DRIVERS: Mapping[str, str] = MappingProxyType(
    {
        GkeDriver.DEFAULT: "DEFAULT",
        GkeDriver.LATEST: "LATEST",
        GkeDriver.DISABLED: "INSTALLATION_DISABLED",
    }
)
_MAINTENANCE: Mapping[str, str] = MappingProxyType(
    {HostMaintenance.AS_NEEDED: "AS_NEEDED", HostMaintenance.PERIODIC: "PERIODIC"}
)
_EFFECTS: Mapping[str, str] = MappingProxyType(
    {
        TaintEffect.NO_SCHEDULE: "NO_SCHEDULE",
        TaintEffect.PREFER_NO_SCHEDULE: "PREFER_NO_SCHEDULE",
        TaintEffect.NO_EXECUTE: "NO_EXECUTE",
    }
)
_FAST_SOCKET = ("a2-", "g2-")
"""Families with GPUs on which NCCL uses plain Ethernet; Google's NCCL plugin Fast Socket makes it faster there, and
needs Container-Optimized OS: https://cloud.google.com/kubernetes-engine/docs/how-to/nccl-fast-socket."""


def worker_nodes(
    planned: GkePlannedPool,
    labels: Mapping[str, str],
    account: pulumi.Input[str],
    project: pulumi.Input[str],
    encryption_key: pulumi.Input[str] | None,
) -> container.NodePoolNodeConfigArgs:
    """Return the nodes of a pool for node sets.

    ``labels`` are those of the virtual machines, ``account`` is the e-mail of their service account, and ``project``
    has their reservation, unless that names another one. ``encryption_key`` is that of their boot disks.
    """
    pool, option, machine_type = planned.pool, planned.capacity_option, planned.machine_type
    flex_start = option.is_flex_start
    return container.NodePoolNodeConfigArgs(
        **_common(labels, account, pool.network_tags, secure_boot=pool.secure_boot),
        machine_type=machine_type.name,
        boot_disk_kms_key=encryption_key,
        image_type=str(pool.image_type),
        disk_type=disk_type(pool.disk, machine_type.name),
        disk_size_gb=pool.disk.size_gib,
        gcfs_config=container.NodePoolNodeConfigGcfsConfigArgs(enabled=pool.image_streaming),
        # None, not {}: GKE sets labels by itself, which would otherwise show as a difference at the next refresh.
        labels=node_labels(planned) or None,
        taints=[_taint(taint) for taint in taints_to_set(planned)],
        guest_accelerators=_gpus(machine_type, pool.driver),
        spot=True if option.capacity is GkeCapacity.SPOT else None,
        flex_start=True if flex_start else None,
        max_run_duration=f"{option.longest_run_seconds}s" if flex_start else None,
        reservation_affinity=_reservation(option, project),
        host_maintenance_policy=(
            container.NodePoolNodeConfigHostMaintenancePolicyArgs(
                maintenance_interval=_MAINTENANCE[option.host_maintenance]
            )
            if option.host_maintenance
            else None
        ),
        advanced_machine_features=(
            container.NodePoolNodeConfigAdvancedMachineFeaturesArgs(threads_per_core=1)
            if planned.switches_threads_off
            else None
        ),
        linux_node_config=(
            container.NodePoolNodeConfigLinuxNodeConfigArgs(sysctls=pool.sysctls) if pool.sysctls else None
        ),
        confidential_nodes=(
            container.NodePoolNodeConfigConfidentialNodesArgs(
                enabled=True, confidential_instance_type=str(pool.confidential)
            )
            if pool.confidential
            else None
        ),
        secondary_boot_disks=[
            container.NodePoolNodeConfigSecondaryBootDiskArgs(disk_image=image, mode="CONTAINER_IMAGE_CACHE")
            for image in pool.preloaded_images
        ]
        or None,
        **_local_ssds(planned.local_ssds, pool.local_ssd.use),
        fast_socket=(
            container.NodePoolNodeConfigFastSocketArgs(enabled=True)
            if machine_type.gpus and machine_type.name.startswith(_FAST_SOCKET) and pool.image_type is GkeImageType.COS
            else None
        ),
    )


def system_nodes(
    pool: GkeSystemPoolSpec,
    labels: Mapping[str, str],
    account: pulumi.Input[str],
    encryption_key: pulumi.Input[str] | None,
) -> container.NodePoolNodeConfigArgs:
    """Return the nodes of the system pool."""
    return container.NodePoolNodeConfigArgs(
        **_common(labels, account, pool.network_tags, secure_boot=True),
        machine_type=pool.machine_type,
        boot_disk_kms_key=encryption_key,
        image_type="COS_CONTAINERD",
        disk_type=disk_type(pool.disk, pool.machine_type),
        disk_size_gb=pool.disk.size_gib,
        gcfs_config=container.NodePoolNodeConfigGcfsConfigArgs(enabled=True),
    )


def _common(
    labels: Mapping[str, str], account: pulumi.Input[str], network_tags: Sequence[str], *, secure_boot: bool
) -> dict[str, Any]:
    """Return the configuration that all nodes have in common."""
    return {
        "service_account": account,
        "oauth_scopes": list(SCOPES),
        "metadata": dict(METADATA),
        "resource_labels": dict(labels) or None,
        "tags": [*network_tags] or None,
        "gvnic": container.NodePoolNodeConfigGvnicArgs(enabled=True),
        "workload_metadata_config": container.NodePoolNodeConfigWorkloadMetadataConfigArgs(mode="GKE_METADATA"),
        "shielded_instance_config": container.NodePoolNodeConfigShieldedInstanceConfigArgs(
            enable_secure_boot=secure_boot, enable_integrity_monitoring=True
        ),
        # Stated, since the provider once sent false where it was omitted, and pods had no limits of CPU:
        # https://github.com/hashicorp/terraform-provider-google/issues/15767.
        "kubelet_config": container.NodePoolNodeConfigKubeletConfigArgs(
            insecure_kubelet_readonly_port_enabled="FALSE", cpu_cfs_quota=True
        ),
    }


def _local_ssds(count: int, use: str) -> dict[str, Any]:
    """Return how nodes use their local SSDs: for the files of pods, or as block devices."""
    if not count:
        return {}
    if use is LocalSsdUse.EPHEMERAL:
        config = container.NodePoolNodeConfigEphemeralStorageLocalSsdConfigArgs(local_ssd_count=count)
        return {"ephemeral_storage_local_ssd_config": config}
    return {
        "local_nvme_ssd_block_config": container.NodePoolNodeConfigLocalNvmeSsdBlockConfigArgs(local_ssd_count=count)
    }


def _gpus(
    machine_type: GkeMachineTypeSpec, driver: str
) -> list[container.NodePoolNodeConfigGuestAcceleratorArgs] | None:
    if machine_type.gpus is None:
        return None
    return [
        container.NodePoolNodeConfigGuestAcceleratorArgs(
            type=machine_type.gpus.google_type,
            count=machine_type.gpus.count,
            gpu_driver_installation_config=container.NodePoolNodeConfigGuestAcceleratorGpuDriverInstallationConfigArgs(
                gpu_driver_version=_DRIVERS[driver]
            ),
        )
    ]


def _reservation(
    option: GkeCapacityOptionSpec, project: pulumi.Input[str]
) -> container.NodePoolNodeConfigReservationAffinityArgs:
    """Return which reservations nodes use: one, none, or, for on-demand nodes, any that is open to all machines.

    Those are paid for in any case, and without an affinity GKE's nodes pass by:
    https://cloud.google.com/kubernetes-engine/docs/how-to/consuming-reservations. Where there is none, or no machine is
    left in it, nodes are on demand.
    """
    match option.capacity:
        case GkeCapacity.ON_DEMAND:
            return container.NodePoolNodeConfigReservationAffinityArgs(consume_reservation_type="ANY_RESERVATION")
        case GkeCapacity.RESERVATION:
            return container.NodePoolNodeConfigReservationAffinityArgs(
                consume_reservation_type="SPECIFIC_RESERVATION",
                key="compute.googleapis.com/reservation-name",
                values=[_reservation_path(option.reservation or "", project)],
            )
        case _:
            return container.NodePoolNodeConfigReservationAffinityArgs(consume_reservation_type="NO_RESERVATION")


def _reservation_path(reservation: str, project: pulumi.Input[str]) -> pulumi.Input[str]:
    """Return a reservation as GKE names it: with its project, where it names a block of it."""
    if "/" not in reservation or reservation.startswith("projects/"):
        return reservation
    return pulumi.Output.concat("projects/", project, "/reservations/", reservation)


def _taint(taint: TaintSpec) -> container.NodePoolNodeConfigTaintArgs:
    return container.NodePoolNodeConfigTaintArgs(key=taint.key, value=taint.value or "", effect=_EFFECTS[taint.effect])
