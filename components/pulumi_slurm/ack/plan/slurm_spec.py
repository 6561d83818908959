"""The additions of an ACK specification to the Slurm specification: volumes, the database, what nodes and jobs need.

They become part of the Slurm specification, so that its rules check them too. Options that the user has set take
precedence.
"""

from typing import Any

from pulumi_slurm.ack.model import AckOperator
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.pools import SYSTEM_POOL, node_pools
from pulumi_slurm.ack_slurm.manifests.files import FOLDER
from pulumi_slurm.clouds.database import accounting_in_cloud_database
from pulumi_slurm.clouds.labels import POOL_LABEL
from pulumi_slurm.clouds.resume_timeout import resume_timeout_fields
from pulumi_slurm.clouds.storage import cloud_volume
from pulumi_slurm.model import NodeSetSpec, SlurmSpec
from pulumi_slurm.model.accounting import DatabaseKind
from pulumi_slurm.model.alibaba_annotations import KEEP_ON_NODE
from pulumi_slurm.model.pod import PlacementSpec
from pulumi_slurm.model.storage import AccessMode
from pulumi_slurm.model.with_fields import M, with_fields
from pulumi_slurm.providers.erdma import erdma_fields
from pulumi_slurm.rules import checked


def database_service(cluster: str) -> str:
    """Return the name of the Service for RDS, which is also the name of the Secret with its password."""
    return f"{cluster}-rds"


def with_alibaba_services(plan: AckPlan, slurm: SlurmSpec, name: str) -> SlurmSpec:
    """Return the specification with storage and database from Alibaba Cloud.

    ``name`` is the prefix of the names of claims, Services and Secrets in the cluster's namespace. Raises SpecError if
    the result breaks a rule of the Slurm specification, for example if it has another volume of the same name.
    """
    slinky = plan.spec.slurm_operator is AckOperator.SLINKY
    # The Slurm of ack-slurm-operator sends no TaskProlog, but its nodes have all files.
    changes: dict[str, Any] = erdma_fields(slurm, node_pools(plan), "" if slinky else FOLDER)
    slurm = with_fields(slurm, **changes)
    if plan.spec.storage:
        changes["shared_volumes"] = [
            *slurm.shared_volumes,
            *(cloud_volume(name, storage, AccessMode.READ_WRITE_MANY) for storage in plan.spec.storage),
        ]
    if plan.spec.database and slurm.accounting and not slurm.accounting.external:
        changes["accounting"] = accounting_in_cloud_database(slurm.accounting, database_service(name))
    if plan.makes_system_pool and any(not planned.pool.dedicated for planned in plan.pools):
        changes |= _on_system_pool(with_fields(slurm, **changes))
    # ack-slurm-operator's workers say so in any pool.
    if slinky and any(planned.pool.is_scaled for planned in plan.pools):
        changes["node_sets"] = [_staying(plan, node_set) for node_set in slurm.node_sets]
    # ack-slurm-operator has its own settings for nodes that are created on demand.
    if slinky and any(planned.pool.starts_from_nothing for planned in plan.pools):
        changes |= resume_timeout_fields(slurm.slurm_conf)
    if _enforces_network_policies(plan) and slurm.network_policies.enabled is None:
        changes["network_policies"] = with_fields(slurm.network_policies, enabled=True)
    return checked(with_fields(slurm, **changes), other_release=plan.spec.other_release) if changes else slurm


def _enforces_network_policies(plan: AckPlan) -> bool:
    """Return whether Terway is told to, as it need not be by default.

    Source: its parameter `NetworkPolicy` at
    https://registry.terraform.io/providers/aliyun/alicloud/latest/docs/guides/cs-kubernetes-addon, in ConfigMaps
    `disable_network_policy`.
    """
    terway = next((addon for addon in plan.spec.control_plane.addons if addon.name.startswith("terway")), None)
    return terway is not None and str(terway.config.get("NetworkPolicy", "")).lower() == "true"


def _staying(plan: AckPlan, node_set: NodeSetSpec) -> NodeSetSpec:
    """Return a node set whose workers stay on their nodes, with their jobs, in a pool that ACK scales.

    The autoscaler would remove a node that is less than half used, as a large one is by a worker of the smallest size.
    """
    if not any(planned.name == node_set.pool and planned.pool.is_scaled for planned in plan.pools):
        return node_set
    pod = node_set.pod
    staying = with_fields(pod, annotations={**KEEP_ON_NODE, **pod.annotations}, labels={**KEEP_ON_NODE, **pod.labels})
    return with_fields(node_set, pod=staying)


def _on_system_pool(slurm: SlurmSpec) -> dict[str, Any]:
    """Return the daemons and the directory, selecting the system pool: pools that aren't dedicated keep nobody off.

    Those with a selector of their own stay as they are. People log in to the controller of ack-slurm-operator, which
    runs no pods of login sets.
    """
    changes: dict[str, Any] = {"rest_api": _selecting(slurm.rest_api)}
    if not slurm.controller.external:
        changes["controller"] = _selecting(slurm.controller)
    if slurm.accounting and not slurm.accounting.external:
        accounting = _selecting(slurm.accounting)
        if accounting.database.kind is not DatabaseKind.EXTERNAL:
            accounting = with_fields(accounting, database=_selecting(accounting.database))
        changes["accounting"] = accounting
    if slurm.identity and slurm.identity.directory:
        changes["identity"] = with_fields(slurm.identity, directory=_selecting(slurm.identity.directory))
    return changes


def _selecting(daemon: M) -> M:
    """Return a daemon whose pod selects the nodes of the system pool, unless it selects others."""
    pod: PlacementSpec = daemon.pod  # type: ignore[attr-defined]
    if pod.node_selector or pod.affinity:
        return daemon
    return with_fields(daemon, pod=with_fields(pod, node_selector={POOL_LABEL: SYSTEM_POOL}))
