"""The look at what exists at Google before a whole cluster is made: a project, a cluster, a subnetwork."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

import pulumi

from pulumi_slurm.cloud_slurm.answers import answer, refuse, with_found
from pulumi_slurm.clouds.on_cloud import OnCloud
from pulumi_slurm.clouds.rules.bridge import kubernetes_runs_the_bridge
from pulumi_slurm.errors import FieldError
from pulumi_slurm.gke.existing.cluster import UNREAD_CLUSTER, FoundCluster, cluster_will_do, found_cluster
from pulumi_slurm.gke.existing.network import ranges_are_free, subnetwork_will_do
from pulumi_slurm.gke.existing.pools import with_found_pools
from pulumi_slurm.gke.existing.project import id_is_free, what_waits_for_the_project
from pulumi_slurm.gke.existing.questions import find_cluster, find_project, find_subnetwork
from pulumi_slurm.gke.model import GkeExistingNetworkSpec, GkeSpec
from pulumi_slurm.gke.model.versions import is_before
from pulumi_slurm.gke.plan.addresses import plan_addresses
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.preflight import check_project
from pulumi_slurm.model.with_fields import with_fields

C = TypeVar("C", bound=OnCloud)
Google = pulumi.ProviderResource | None
"""The provider that asks; None for the default one."""
_KEY = "gke"


def with_what_exists(clusters: C, gke: GkeSpec, google: Google) -> tuple[C, FoundCluster | None]:
    """Return both clusters with what Google says of a cluster, its pools, or a subnetwork; and the cluster itself.

    Raises:
        SpecRunError: if they can't be read, or won't do.
    """
    if there := gke.existing_cluster:
        cluster = answer(_KEY, lambda: find_cluster(gke.project, there, google))
        if cluster is None:
            return with_found(clusters, _in_its_network(gke, UNREAD_CLUSTER)), UNREAD_CLUSTER
        spec, unusable = with_found_pools(gke, cluster)
        bridge = kubernetes_runs_the_bridge(
            clusters.cluster, cluster.master_version, is_before, "the cluster's version"
        )
        problems = [*cluster_will_do(GkePlan.of(spec), cluster), *unusable]
        refuse([*_below_gke(problems), *(error.below("cluster") for error in bridge)])
        cluster_facts = found_cluster(cluster)
        clusters = with_found(clusters, _in_its_network(spec, cluster_facts))
        _compare_ranges(clusters, spec, cluster_facts.network, google)
        return clusters, cluster_facts
    if existing := gke.network.existing:
        subnetwork = answer(_KEY, lambda: find_subnetwork(gke.project, gke.region, existing, google))
        if subnetwork:
            plan: GkePlan = clusters.plan
            refuse(_below_gke(subnetwork_will_do(plan, plan_addresses(plan), existing, subnetwork)))
    return clusters, None


def _compare_ranges(clusters: OnCloud, gke: GkeSpec, existing: GkeExistingNetworkSpec, google: Google) -> None:
    """Refuse ranges of what is made beside a cluster that exists if they overlap with those of its subnetwork."""
    plan: GkePlan = clusters.plan
    addresses = plan_addresses(plan)
    if addresses.fabric or addresses.private_services:
        subnetwork = answer(_KEY, lambda: find_subnetwork(gke.project, gke.region, existing, google))
        if subnetwork:
            refuse(_below_gke(ranges_are_free(plan, addresses, subnetwork)))


def _in_its_network(gke: GkeSpec, cluster: FoundCluster) -> GkeSpec:
    """Return the specification with the VPC of the cluster that exists."""
    ranges = {"control_plane_range": cluster.control_plane_range} if cluster.control_plane_range else {}
    return gke.model_copy(update={"network": with_fields(gke.network, existing=cluster.network, **ranges)})


def look_at_project(plan: GkePlan, google: Google) -> None:
    """Compare the plan with the project, as far as that is there.

    Raises:
        SpecRunError: with what Google is bound to refuse.
    """
    if plan.spec.new_project is None:
        check_project(plan, google)
        return
    state = answer(_KEY, lambda: find_project(plan.spec.project, google))
    refuse(_below_gke(id_is_free(plan, state)))
    if state is None:
        refuse(_below_gke(what_waits_for_the_project(plan)))
    check_project(plan, google, is_there=state is not None)


def _below_gke(errors: Iterable[FieldError]) -> Iterator[FieldError]:
    return (error.below(_KEY) for error in errors)
