"""The look at what exists at Alibaba Cloud before a whole cluster is made: a cluster with its pools, a VPC."""

from typing import TypeVar

import pulumi

from pulumi_slurm.ack.existing.account import account_will_do, zones_to_ask
from pulumi_slurm.ack.existing.cluster import (
    cluster_is_usable,
    cluster_will_do,
    with_found_cluster,
    with_unread_cluster,
)
from pulumi_slurm.ack.existing.network import found_network, network_will_do
from pulumi_slurm.ack.existing.pools import with_found_pools
from pulumi_slurm.ack.existing.questions import find_account, find_cluster, find_network
from pulumi_slurm.ack.model import AckFoundNetwork, AckSpec
from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.ack.plan.planned_pool import all_zones
from pulumi_slurm.cloud_slurm.answers import answer, refuse, with_found
from pulumi_slurm.clouds.on_cloud import OnCloud
from pulumi_slurm.model.with_fields import with_fields

C = TypeVar("C", bound=OnCloud)
_KEY = "ack"


def with_what_exists(clusters: C, ack: AckSpec, alibaba: pulumi.ProviderResource | None) -> C:
    """Return both clusters with what Alibaba Cloud says of a cluster and its pools, or of a VPC.

    ``alibaba`` is the provider that asks, None for the default one.

    Raises:
        SpecRunError: if they can't be read, or won't do.
    """
    if there := ack.existing_cluster:
        answers = answer(_KEY, lambda: find_cluster(there, ack.region, alibaba))
        if answers is None:
            return with_found(clusters, with_unread_cluster(ack))
        refuse(error.below(_KEY) for error in cluster_is_usable(ack, answers))
        spec, unusable = with_found_pools(with_found_cluster(ack, answers), answers.pools)
        problems = [*cluster_will_do(AckPlan.of(spec), answers), *unusable]
        refuse(error.below(_KEY) for error in problems)
        return with_found(clusters, spec)
    if existing := ack.network.existing:
        of_vpc = answer(_KEY, lambda: find_network(existing, ack.cluster_name, alibaba, nat=ack.network.nat))
        vpc = found_network(existing, of_vpc) if of_vpc else AckFoundNetwork.unread(all_zones(ack))
        if vpc:
            network = with_fields(ack.network, existing=existing.with_found(vpc))
            ack = ack.model_copy(update={"network": network})
        if of_vpc:
            refuse(error.below(_KEY) for error in network_will_do(AckPlan.of(ack), existing, of_vpc))
        return with_found(clusters, ack)
    return clusters


def look_at_account(plan: AckPlan, alibaba: pulumi.ProviderResource | None) -> None:
    """Compare the plan with the account, if the specification says so.

    Raises:
        SpecRunError: with what the account lacks, or if it can't be read.
    """
    if plan.spec.preflight:
        account = answer(_KEY, lambda: find_account(zones_to_ask(plan), alibaba))
        if account:
            refuse(error.below(_KEY) for error in account_will_do(plan, account))
