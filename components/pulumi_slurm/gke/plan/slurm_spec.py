"""What a Slurm cluster gets from Google: shared volumes, the database, networks for GPUs and time for nodes to start.

Everything here ends up in the Slurm specification, so that its rules see the whole. What a user states of the same
wins.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pulumi_slurm.clouds.database import accounting_in_cloud_database
from pulumi_slurm.clouds.resume_timeout import resume_timeout_fields
from pulumi_slurm.clouds.storage import cloud_volume
from pulumi_slurm.gke.model import GkeStorageSpec
from pulumi_slurm.gke.plan.addresses import networks_of, plan_addresses
from pulumi_slurm.gke.plan.extra_networks import uses_fabric
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.nccl_workers import NcclParts, nccl_parts
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool
from pulumi_slurm.model import LoginSetSpec, NodeSetSpec, PodSpec, SharedVolumeSpec, SlurmSpec
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.storage import AccessMode
from pulumi_slurm.model.with_fields import with_fields
from pulumi_slurm.rules import checked

M = TypeVar("M", bound=Model)

_FUSE = "gke-gcsfuse/volumes"
_DEFAULT_INTERFACE = "networking.gke.io/default-interface"
_INTERFACES = "networking.gke.io/interfaces"


def storage_account(cluster: str) -> str:
    """Return the name of the Kubernetes ServiceAccount whose pods may read and write the buckets.

    Login and worker pods run as it unless they state one of their own. That one may have got its rights elsewhere, from
    a `GkeWorkloadIdentity` or from gcloud, so no rule refuses it; without them, the mount of a bucket fails.
    """
    return f"{cluster}-storage"


def cloud_sql_name(cluster: str) -> str:
    """Return the name of the Service that leads to Cloud SQL, and of the Secret with the password."""
    return f"{cluster}-cloudsql"


def with_google_services(plan: GkePlan, slurm: SlurmSpec, name: str) -> SlurmSpec:
    """Return the cluster with what Google runs for it.

    ``slurm`` has node sets on planned pools, as `expand_priorities` returns it. ``name`` is what the names of claims,
    Services and Secrets in the cluster's namespace begin with. Raises SpecError where the result breaks a rule of the
    Slurm specification, for example when a volume of the same name is stated.
    """
    account = storage_account(name) if any(storage.bucket for storage in plan.spec.storage) else None
    by_name = {planned.name: planned for planned in plan.pools}
    changes: dict[str, Any] = {
        "node_sets": [_worker(plan, node_set, by_name, account) for node_set in slurm.node_sets],
        "shared_volumes": [*slurm.shared_volumes, *(_volume(name, storage) for storage in plan.spec.storage)],
    }
    if account:
        changes["login_sets"] = [_login(login_set, account) for login_set in slurm.login_sets]
    if plan.spec.database and slurm.accounting and not slurm.accounting.external:
        changes["accounting"] = accounting_in_cloud_database(slurm.accounting, cloud_sql_name(name))
    if any(map(_starts_from_nothing, by_name.values())):
        changes |= resume_timeout_fields(slurm.slurm_conf)
    return checked(with_fields(slurm, **changes))


def _starts_from_nothing(planned: GkePlannedPool) -> bool:
    option = planned.capacity_option
    return option.capacity.is_flex_start or (option.nodes is None and option.min_nodes == 0)


def _volume(name: str, storage: GkeStorageSpec) -> SharedVolumeSpec:
    read_only = storage.bucket is not None and storage.bucket.read_only
    return cloud_volume(name, storage, AccessMode.READ_ONLY_MANY if read_only else AccessMode.READ_WRITE_MANY)


def _login(login_set: LoginSetSpec, account: str) -> LoginSetSpec:
    return with_fields(login_set, pod=_pod(login_set.pod, {_FUSE: "true"}, account))


def _worker(
    plan: GkePlan, node_set: NodeSetSpec, pools: Mapping[str, GkePlannedPool], account: str | None
) -> NodeSetSpec:
    annotations = {_FUSE: "true"} if account else {}
    planned, parts = pools.get(node_set.pool or ""), NcclParts()
    # On the node's network a pod sees all of the node's interfaces, and GKE refuses annotations about them.
    if planned and not node_set.pod.host_network:
        parts = nccl_parts(plan, planned, node_set)
        annotations |= _interfaces(plan, planned) | parts.annotations
    if not annotations and not account:
        return node_set
    return with_fields(
        node_set,
        pod=_pod(node_set.pod, annotations, account),
        host_paths=_beside(node_set.host_paths, parts.host_paths, "mount_path"),
        sidecars=_beside(node_set.sidecars, parts.sidecars, "name"),
    )


def _beside(stated: Sequence[M], derived: Sequence[M], field: str) -> list[M]:
    """Return both; where a user states one with the same place or name, it takes the place of the derived one."""
    taken = {getattr(each, field).rstrip("/") for each in stated}
    return [*stated, *(each for each in derived if getattr(each, field) not in taken)]


def _interfaces(plan: GkePlan, planned: GkePlannedPool) -> dict[str, str]:
    if not uses_fabric(planned):
        return {}
    # The pods' networks in the cluster have the names of the subnets.
    further = [subnet.name for network in networks_of(planned, plan_addresses(plan)) for subnet in network.subnets]
    listed = [{"interfaceName": f"eth{number}", "network": each} for number, each in enumerate(["default", *further])]
    return {_DEFAULT_INTERFACE: "eth0", _INTERFACES: json.dumps(listed)}


def _pod(pod: PodSpec, annotations: Mapping[str, str], account: str | None) -> PodSpec:
    changes: dict[str, Any] = {"annotations": {**annotations, **pod.annotations}}
    if account and not pod.service_account_name:
        changes["service_account_name"] = account
    return with_fields(pod, **changes)
