"""Whether a cluster that exists will do for the pools and the storage of a specification.

Sources: multi-networking is chosen when a cluster is created,
https://cloud.google.com/kubernetes-engine/docs/how-to/setup-multinetwork-support-for-pods; nodes with GKE's metadata
server need Workload Identity Federation, https://cloud.google.com/kubernetes-engine/docs/how-to/workload-identity;
exclusions of upgrades need a release channel,
https://cloud.google.com/kubernetes-engine/docs/concepts/maintenance-windows-and-exclusions; pods per node need a
VPC-native cluster, https://cloud.google.com/kubernetes-engine/docs/how-to/flexible-pod-cidr#restrictions.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from pydantic_core import PydanticCustomError

from pulumi_slurm.clouds.unread import UNKNOWN
from pulumi_slurm.errors import FieldError, Severity
from pulumi_slurm.gke.existing.blocks import is_windows, only
from pulumi_slurm.gke.model import GkeExistingNetworkSpec
from pulumi_slurm.gke.model.versions import is_before
from pulumi_slurm.gke.plan.addons import GkeAddon, addons
from pulumi_slurm.gke.plan.extra_networks import uses_fabric
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.rules.versions import min_versions
from pulumi_slurm.machines.gke import Architecture, GkeCatalogueSpec

_AT = ("existing_cluster",)
_DATAPLANE_V2 = "ADVANCED_DATAPATH"
_ADDON_FIELDS: Mapping[GkeAddon, str] = MappingProxyType(
    {
        GkeAddon.FILESTORE: "gcp_filestore_csi_driver_configs",
        GkeAddon.GCS_FUSE: "gcs_fuse_csi_driver_configs",
        GkeAddon.LUSTRE: "lustre_csi_driver_configs",
        GkeAddon.SLURM_OPERATOR: "slurm_operator_configs",
    }
)


@dataclass(frozen=True)
class FoundCluster:
    """What the stack needs to know of a cluster that exists."""

    network: GkeExistingNetworkSpec
    """Its VPC, subnetwork and secondary ranges."""
    control_plane_range: str | None
    """The addresses of its control plane, if they are a range of their own; else nothing says from where it reaches
    webhooks."""
    by_name: bool
    """Whether it is reached by its DNS name."""


UNREAD_CLUSTER = FoundCluster(
    network=GkeExistingNetworkSpec.model_construct(
        project=None, network=UNKNOWN, subnetwork=UNKNOWN, pods_range=UNKNOWN, services_range=UNKNOWN
    ),
    control_plane_range=None,
    by_name=False,
)
"""Placeholders for a cluster that was not read."""


def found_cluster(answer: Any) -> FoundCluster:
    """Return what the stack needs of Google's answer about a cluster."""
    parts = str(answer.network).split("/")
    allocation = only(answer.ip_allocation_policies)
    private = only(answer.private_cluster_configs)
    return FoundCluster(
        network=GkeExistingNetworkSpec(
            project=parts[1] if parts[0] == "projects" else None,
            network=parts[-1],
            subnetwork=str(answer.subnetwork).rpartition("/")[2],
            pods_range=getattr(allocation, "cluster_secondary_range_name", None) or "pods",
            services_range=getattr(allocation, "services_secondary_range_name", None) or "services",
        ),
        control_plane_range=getattr(private, "master_ipv4_cidr_block", None) or None,
        by_name=endpoint(answer)[1] is None,
    )


def endpoint(answer: Any) -> tuple[str, str | None]:
    """Return the host of the API server, and the certificate of its authority in base64 unless that is a public one.

    The DNS endpoint is there in each new cluster; it is of use where it takes connections from outside.
    """
    dns = only(getattr(only(answer.control_plane_endpoints_configs), "dns_endpoint_configs", None))
    if dns is not None and dns.endpoint and dns.allow_external_traffic:
        return dns.endpoint, None
    return answer.endpoint, getattr(only(answer.master_auths), "cluster_ca_certificate", None)


def cluster_will_do(plan: GkePlan, answer: Any) -> Iterator[FieldError]:
    """Yield what the specification needs and the cluster lacks; warn of what may hurt."""
    if answer.enable_autopilot:
        yield _lack(plan, "GKE runs the nodes of an Autopilot cluster, and takes no pools", "Name a Standard cluster.")
        return
    if not endpoint(answer)[0]:
        problem = "its control plane has neither a DNS name that is open from outside nor an address"
        yield _lack(plan, problem, "Open one of them to where Pulumi runs.")
    name = _name(plan)
    identity = only(answer.workload_identity_configs)
    if not (identity and identity.workload_pool) and (plan.new_pools or plan.makes_system_pool or _buckets(plan)):
        yield _lack(
            plan,
            "it has no Workload Identity Federation, by which nodes of new pools and pods with buckets reach Google",
            f"Switch it on: gcloud container clusters update {name} --workload-pool={plan.spec.project}.svc.id.goog.",
        )
    if any(map(uses_fabric, plan.new_pools)) and not answer.enable_multi_networking:
        yield _lack(
            plan,
            "multi-networking is off, which pools with a fast network need",
            "Write fabric: false in these pools, or name a cluster that was made with --enable-multi-networking.",
        )
    for addon in addons(plan):
        if not _is_on(answer, addon):
            fix = f"Switch it on: gcloud container clusters update {name} --update-addons={addon}=ENABLED"
            yield _lack(plan, f"its add-on {addon} is off", fix)
    for min_version, feature, _ in min_versions(plan):
        if is_before(answer.master_version, min_version):
            yield _lack(
                plan,
                f"it runs {answer.master_version}, and {feature} needs {min_version}",
                f"Upgrade it: gcloud container clusters upgrade {name} --master",
            )
    if not plan.makes_system_pool and not _takes_daemons(plan.spec.catalogue, answer):
        yield _lack(
            plan,
            "no pool of its takes Slurm's daemons and login pods: all have taints, GPUs, Arm machines or Windows",
            "Write systemPool: {} to add a pool without.",
        )
    yield from _of_its_network(plan, answer)
    channel = getattr(only(answer.release_channels), "channel", None)
    if channel in (None, "", "UNSPECIFIED") and any(not planned.pool.auto_upgrade for planned in plan.new_pools):
        yield _lack(
            plan,
            "it has no release channel, without which GKE may not take what keeps new pools from being upgraded",
            "Enroll it in a channel, or write autoUpgrade: true in the pools.",
            Severity.WARNING,
        )


def _of_its_network(plan: GkePlan, answer: Any) -> Iterator[FieldError]:
    makes_nodes = bool(plan.new_pools) or plan.makes_system_pool
    if makes_nodes and answer.networking_mode == "ROUTES":
        yield _lack(
            plan,
            "its pods have addresses by routes, and there pools with a number of pods for each node can't be made",
            "Name existing pools alone, or a VPC-native cluster.",
        )
    private = only(answer.private_cluster_configs)
    if makes_nodes and not plan.makes_nat and not getattr(private, "enable_private_nodes", False):
        yield _lack(
            plan,
            "its nodes have public addresses, so its VPC may have no Cloud NAT, and new pools have private ones alone",
            "Write manage: {nat: true}, unless there is one or all images are in Artifact Registry.",
            Severity.WARNING,
        )
    policies = only(answer.network_policies)
    if answer.datapath_provider != _DATAPLANE_V2 and not (policies and policies.enabled):
        problem = "nothing enforces NetworkPolicies there (it has no Dataplane V2)"
        fix = "Leave it if all pods of the cluster may talk to Slurm's daemons."
        yield _lack(plan, problem, fix, Severity.WARNING)


def _lack(plan: GkePlan, problem: str, fix: str, severity: Severity = Severity.ERROR) -> FieldError:
    cluster = plan.spec.existing_cluster
    return FieldError((*_AT, "name"), cluster.name if cluster else FieldError.ABSENT, problem, fix, severity=severity)


def _name(plan: GkePlan) -> str:
    cluster = plan.spec.existing_cluster
    return f"{cluster.name} --location={cluster.location} --project={plan.spec.project}" if cluster else ""


def _buckets(plan: GkePlan) -> bool:
    return any(storage.bucket for storage in plan.spec.storage)


def _takes_daemons(catalogue: GkeCatalogueSpec, answer: Any) -> bool:
    """Return whether any pod can start: a pool has ordinary nodes, or GKE adds pools as pods need them."""
    if getattr(only(answer.cluster_autoscalings), "enabled", False):
        return True
    configs = [only(pool.node_configs) for pool in answer.node_pools or []]
    return any(_is_ordinary(catalogue, nodes) for nodes in configs)


def _is_ordinary(catalogue: GkeCatalogueSpec, nodes: Any) -> bool:
    """Return whether pods start on these nodes that ask for nothing; GKE taints those with GPUs and Arm machines."""
    if any(taint.effect in ("NO_SCHEDULE", "NO_EXECUTE") for taint in nodes.effective_taints or nodes.taints or []):
        return False
    if nodes.guest_accelerators or is_windows(nodes):
        return False
    try:
        return catalogue.find(nodes.machine_type).architecture is not Architecture.ARM64
    except PydanticCustomError:
        return True


def _is_on(answer: Any, addon: GkeAddon) -> bool:
    config = only(getattr(only(answer.addons_configs), _ADDON_FIELDS[addon], None))
    return bool(config and config.enabled)
