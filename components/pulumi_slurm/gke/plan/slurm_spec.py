"""Google's part of the Slurm specification: shared volumes, the database, networks for GPUs, and time to start nodes.

All of it is merged into the Slurm specification, so that its rules check the result. Fields that users set take
precedence.
"""

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeVar

from pulumi_slurm.clouds.database import accounting_in_cloud_database
from pulumi_slurm.clouds.resume_timeout import resume_timeout_fields
from pulumi_slurm.clouds.storage import cloud_volume
from pulumi_slurm.gke.model import GkeOperator, GkeStorageSpec
from pulumi_slurm.gke.plan.addresses import networks_of, plan_addresses
from pulumi_slurm.gke.plan.extra_networks import uses_fabric
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.metrics import collectors
from pulumi_slurm.gke.plan.nccl_jobs import nccl_settings
from pulumi_slurm.gke.plan.nccl_workers import NcclParts, nccl_parts
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool
from pulumi_slurm.model import LoginSetSpec, NetworkPoliciesSpec, NodeSetSpec, PodSpec, SharedVolumeSpec, SlurmSpec
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.storage import AccessMode
from pulumi_slurm.model.with_fields import with_fields
from pulumi_slurm.providers.gpu_driver import DRIVER_ENV, driver_fields
from pulumi_slurm.rules import checked

M = TypeVar("M", bound=Model)

_FUSE = MappingProxyType(
    {"gke-gcsfuse/volumes": "true"}
    | {f"gke-gcsfuse/{resource}-limit": "0" for resource in ("cpu", "memory", "ephemeral-storage")}
)
"""Annotations of pods with buckets. Without limits, "0", the sidecar keeps its default requests. Its default limits, a
quarter of a CPU and 256 MiB, would throttle it and get it killed, for it serves all jobs of a node. That of 5 GiB of
the disk would be the whole pod's, since no other container has one: the kubelet would evict slurmd as soon as jobs have
written more to /tmp. See docs/troubleshooting.md and pkg/webhook/config.go in
https://github.com/GoogleCloudPlatform/gcs-fuse-csi-driver, and podEphemeralStorageLimitEviction in
pkg/kubelet/eviction/eviction_manager.go of https://github.com/kubernetes/kubernetes."""
_DEFAULT_INTERFACE = "networking.gke.io/default-interface"
_INTERFACES = "networking.gke.io/interfaces"


def storage_account(cluster: str) -> str:
    """Return the name of the Kubernetes ServiceAccount whose pods may read and write the buckets.

    Login and worker pods run as this account unless they name another one. No rule refuses another one, since it may
    have its roles from a `GkeWorkloadIdentity` or from gcloud; without these roles, mounting a bucket fails.
    """
    return f"{cluster}-storage"


def cloud_sql_name(cluster: str) -> str:
    """Return the name of the Service that leads to Cloud SQL, and of the Secret with the password."""
    return f"{cluster}-cloudsql"


def with_google_services(plan: GkePlan, slurm: SlurmSpec, name: str) -> SlurmSpec:
    """Return the cluster with the Google services that it uses.

    ``slurm`` has node sets on planned pools, as `expand_priorities` returns it. ``name`` is the prefix of the names of
    claims, Services and Secrets in the cluster's namespace. Raises SpecError if the result breaks a rule of the Slurm
    specification, for example if it has a volume with the same name already.
    """
    account = storage_account(name) if any(storage.bucket for storage in plan.spec.storage) else None
    pools = {planned.name: planned for planned in plan.pools}
    changes: dict[str, Any] = {
        "node_sets": [_worker(plan, node_set, pools, account) for node_set in slurm.node_sets],
        "shared_volumes": [*slurm.shared_volumes, *(_volume(name, storage) for storage in plan.spec.storage)],
    }
    if account:
        changes["login_sets"] = [_login(login_set, account) for login_set in slurm.login_sets]
    if plan.spec.database and slurm.accounting and not slurm.accounting.external:
        changes["accounting"] = accounting_in_cloud_database(slurm.accounting, cloud_sql_name(name))
    settings = nccl_settings(plan)
    if settings or any(planned.machine_type.gpus for planned in plan.pools):
        slurm = with_fields(slurm, **driver_fields(slurm, settings))
    if plan.spec.slurm_operator is not GkeOperator.GKE_ADDON and slurm.network_policies.enabled is None:
        changes["network_policies"] = _network_policies(slurm)
    if any(map(_can_be_empty, pools.values())):
        changes |= resume_timeout_fields(slurm.slurm_conf)
    return checked(with_fields(slurm, **changes))


def _network_policies(slurm: SlurmSpec) -> NetworkPoliciesSpec:
    """Return the NetworkPolicies, which Dataplane V2 enforces.

    Not with Google's own slurm-operator: it runs in the control plane, and nothing says from where it reaches
    slurmrestd (https://cloud.google.com/kubernetes-engine/docs/add-on/slurm-on-gke/how-to/enable-slurm-operator-addon).
    """
    policies = slurm.network_policies
    return with_fields(policies, enabled=True, slurmctld=[*policies.slurmctld, *collectors(slurm)])


def _can_be_empty(planned: GkePlannedPool) -> bool:
    option = planned.capacity_option
    return option.is_flex_start or (option.nodes is None and option.min_nodes == 0)


def _volume(name: str, storage: GkeStorageSpec) -> SharedVolumeSpec:
    read_only = storage.bucket is not None and storage.bucket.read_only
    return cloud_volume(name, storage, AccessMode.READ_ONLY_MANY if read_only else AccessMode.READ_WRITE_MANY)


def _login(login_set: LoginSetSpec, account: str) -> LoginSetSpec:
    return with_fields(login_set, pod=_pod(login_set.pod, _FUSE, account))


def _worker(
    plan: GkePlan, node_set: NodeSetSpec, pools: Mapping[str, GkePlannedPool], account: str | None
) -> NodeSetSpec:
    annotations = dict(_FUSE) if account else {}
    planned, parts = pools.get(node_set.pool or ""), NcclParts()
    # A pod on the node's network sees all interfaces of the node, and GKE refuses annotations about them.
    if planned and not node_set.pod.host_network:
        parts = nccl_parts(plan, planned, node_set)
        annotations |= _interfaces(plan, planned) | parts.annotations
    env = DRIVER_ENV if planned and planned.machine_type.gpus else {}
    if not annotations and not account and not env:
        return node_set
    return with_fields(
        node_set,
        pod=_pod(node_set.pod, annotations, account, env),
        host_paths=_merged(node_set.host_paths, parts.host_paths, "mount_path"),
        sidecars=_merged(node_set.sidecars, parts.sidecars, "name"),
    )


def _merged(configured: Sequence[M], derived: Sequence[M], field: str) -> list[M]:
    """Return both lists as one, without the derived items whose ``field`` equals that of a configured item."""
    used = {getattr(item, field).rstrip("/") for item in configured}
    return [*configured, *(item for item in derived if getattr(item, field) not in used)]


def _interfaces(plan: GkePlan, planned: GkePlannedPool) -> dict[str, str]:
    if not uses_fabric(planned):
        return {}
    # The pods' networks in the cluster have the names of the subnets.
    subnets = [subnet.name for network in networks_of(planned, plan_addresses(plan)) for subnet in network.subnets]
    interfaces = [
        {"interfaceName": f"eth{number}", "network": network} for number, network in enumerate(["default", *subnets])
    ]
    return {_DEFAULT_INTERFACE: "eth0", _INTERFACES: json.dumps(interfaces)}


def _pod(
    pod: PodSpec, annotations: Mapping[str, str], account: str | None, env: Mapping[str, str] | None = None
) -> PodSpec:
    changes: dict[str, Any] = {"annotations": {**annotations, **pod.annotations}, "env": {**(env or {}), **pod.env}}
    if account and not pod.service_account_name:
        changes["service_account_name"] = account
    return with_fields(pod, **changes)
