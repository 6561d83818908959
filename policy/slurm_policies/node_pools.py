"""Policies on node pools and autoscalers of Google Cloud and Alibaba Cloud: what takes nodes away from jobs."""

import re
from collections.abc import Iterator
from typing import Any

from pulumi_slurm.ack import resources as alibaba
from pulumi_slurm.errors import FieldError
from pulumi_slurm.gke import resources as google
from slurm_policies.clouds import NODE_POOLS, node_pool
from slurm_policies.policy import Level, Policy, Resource, Settings, Severity, policy, whole_number
from slurm_policies.reading import UNKNOWN, at, is_number, items_at, number, text_at


@policy(google.NODE_POOL, alibaba.NODE_POOL, level=Level.ADVISORY, severity=Severity.HIGH, ends_jobs=True)
def nodes_are_not_upgraded_by_themselves(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """Nodes with workers are upgraded when somebody says so.

    Sources: a drain for an upgrade waits for budgets for an hour at most,
    https://cloud.google.com/kubernetes-engine/docs/concepts/node-pool-upgrade-strategies; a pool's maintenance policy
    is only sent with a new pool. `management` in
    https://www.pulumi.com/registry/packages/alicloud/api-docs/cs/nodepool/.
    """
    upgrades = at(resource.inputs, "management", "autoUpgrade")
    if resource.type == google.NODE_POOL:
        policies = items_at(resource.inputs, "maintenancePolicies")
        is_known = at(resource.inputs, "maintenancePolicies") is not UNKNOWN
        # GKE upgrades unless it is told not to.
        if upgrades in (True, None) and is_known and not any(map(_until_end_of_support, policies)):
            yield FieldError(
                ("management", "autoUpgrade"),
                FieldError.ABSENT if upgrades is None else upgrades,
                "GKE upgrades the nodes, and a job that runs longer than the drain waits, an hour at most, ends",
                "Write maintenancePolicies with exclusionUntilEndOfSupports: [{enabled: true}] when you make the pool, "
                "or false.",
            )
    elif upgrades is True and at(resource.inputs, "management", "enable") is not False:
        yield FieldError(
            ("management", "autoUpgrade"),
            True,
            "ACK upgrades the nodes in the cluster's maintenance window, whatever runs on them",
            "Write false, and upgrade nodes that are drained in Slurm.",
        )


def _until_end_of_support(one: Any) -> bool:
    exclusions = items_at(one, "exclusionUntilEndOfSupports") or [at(one, "exclusionUntilEndOfSupport")]
    return any(item is UNKNOWN or at(item, "enabled") in (True, UNKNOWN) for item in exclusions)


@policy(alibaba.NODE_POOL, level=Level.ADVISORY, severity=Severity.LOW, ends_jobs=True)
def nodes_are_not_repaired_by_themselves(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """Nodes that seem ill are repaired when Slurm has drained them.

    Source: https://help.aliyun.com/zh/ack/ack-managed-and-ack-dedicated/user-guide/node-pool-overview. Not on GKE,
    where only what is NotReady is replaced, and nothing else replaces that:
    https://cloud.google.com/kubernetes-engine/docs/how-to/node-auto-repair.
    """
    management = at(resource.inputs, "management")
    if at(management, "autoRepair") is True and at(management, "autoRepairPolicy", "restartNode") is True:
        yield FieldError(
            ("management", "autoRepair"),
            True,
            "the cloud restarts or replaces a node that it takes for ill, with the jobs on it",
            "Accept it for nodes whose jobs may be requeued; for others write false.",
        )


@policy(
    google.NODE_POOL,
    level=Level.MANDATORY,
    severity=Severity.HIGH,
    ends_jobs=True,
    leastSeconds=whole_number(3600, "the shortest time that a drain has to wait for jobs"),
)
def drains_of_nodes_wait_for_jobs(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """A drain of nodes waits for the jobs on them.

    Source: `nodeDrainConfig` in
    https://cloud.google.com/kubernetes-engine/docs/reference/rest/v1/projects.locations.clusters.nodePools.
    """
    for index, drain in enumerate(items_at(resource.inputs, "nodeDrainConfigs")):
        timeout = re.fullmatch(r"(\d+)(?:\.\d+)?s", text_at(drain, "pdbTimeoutDuration"))
        if timeout and int(timeout[1]) < settings["leastSeconds"]:
            yield FieldError(
                ("nodeDrainConfigs", index, "pdbTimeoutDuration"),
                timeout[0],
                "a drain ends the jobs that are left after this time",
                f'Write "{number(settings["leastSeconds"])}s" or more.',
            )
        if at(drain, "respectPdbDuringNodePoolDeletion") is False:
            yield FieldError(
                ("nodeDrainConfigs", index, "respectPdbDuringNodePoolDeletion"),
                False,
                "a pool that is deleted or replaced ends the jobs on it at once",
                "Write true.",
            )


@policy(google.NODE_POOL, level=Level.MANDATORY, severity=Severity.HIGH, ends_jobs=True)
def a_number_of_nodes_replaces_no_pool(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """A changed number of nodes never replaces a pool.

    Source: initial_node_count in google/services/container/resource_container_node_pool.go of
    https://github.com/hashicorp/terraform-provider-google: a change makes a new pool.
    """
    count = at(resource.inputs, "initialNodeCount")
    if is_number(count) and "initialNodeCount" not in resource.ignored:
        yield FieldError(
            ("initialNodeCount",),
            number(count),
            "another number here deletes the pool and its jobs, and so may a pool that somebody has resized",
            'Add "initialNodeCount" to the option ignoreChanges, or write nodeCount.',
        )


@policy(*NODE_POOLS, level=Level.ADVISORY, severity=Severity.LOW, ends_jobs=True)
def pools_are_not_deleted_to_be_replaced(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """A change that needs another node pool makes it before the old one goes.

    A pool whose name is given can't stand beside another of this name, and Pulumi deletes it first:
    https://www.pulumi.com/docs/iac/concepts/options/deletebeforereplace/. No policy knows whether a change replaces a
    pool: it sees what is to be, not what is.
    """
    if resource.protected:
        return
    pool = node_pool(resource.type)
    name = at(resource.inputs, pool.name)
    if resource.deleted_first or (pool.names_are_unique and isinstance(name, str)):
        yield FieldError(
            (pool.name,),
            name if isinstance(name, str) else FieldError.ABSENT,
            "a change that can't be made in place, such as of GPUs or capacity, deletes the pool with all jobs on it",
            "Before such a change make a pool of another name, and drain this one's nodes in Slurm; the option protect "
            "refuses it; or accept it by jobsMayEnd.",
        )


@policy(google.NODE_POOL, level=Level.ADVISORY, severity=Severity.LOW, ends_jobs=True)
def pods_per_node_are_chosen_once(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """How many pods a node has room for is decided when its pool is made.

    By default it is 110, for which each node takes 256 addresses:
    https://cloud.google.com/kubernetes-engine/docs/how-to/flexible-pod-cidr. Another number replaces the pool.
    """
    if at(resource.inputs, "maxPodsPerNode") is None:
        yield FieldError(
            ("maxPodsPerNode",),
            FieldError.ABSENT,
            "each node takes 256 addresses for pods, and a later change replaces the pool with the jobs on it",
            "Write it now: 32 is enough for a node of workers.",
        )


@policy(*NODE_POOLS, level=Level.ADVISORY, severity=Severity.MEDIUM, ends_jobs=True)
def spot_nodes_take_no_other_pods(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """Only what asks for spot nodes gets on them.

    A cloud takes them back within half a minute to five: https://cloud.google.com/kubernetes-engine/docs/concepts/spot-vms.
    Without a taint slurmctld or the database may be there, and workers of jobs that can't be requeued.
    """
    pool = node_pool(resource.type)
    spot = pool.spot(resource.inputs)
    if spot and not at(resource.inputs, *pool.taints):
        yield FieldError(
            spot,
            at(resource.inputs, *spot),
            "pods that must not end with a node may be put on nodes that the cloud takes back",
            "Add a taint, which the node sets of partitions with jobs that may be requeued tolerate.",
        )


@policy(
    alibaba.AUTOSCALING,
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    ends_jobs=True,
    leastMinutes=whole_number(10, "how long a node has to be unneeded before it may go"),
)
def idle_nodes_stay_for_a_while(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """An autoscaler leaves nodes between two jobs alone.

    Source: `unneededDuration` in https://www.pulumi.com/registry/packages/alicloud/api-docs/cs/autoscalingconfig/. On
    GKE neither profile removes a node with jobs, since budgets keep their workers: "What types of pods can prevent CA
    from removing a node?" in cluster-autoscaler/FAQ.md of https://github.com/kubernetes/autoscaler.
    """
    duration = re.fullmatch(r"(\d+)([smh])", text_at(resource.inputs, "unneededDuration"))
    minutes = int(duration[1]) * {"s": 1 / 60, "m": 1, "h": 60}[duration[2]] if duration else None
    scales_down = at(resource.inputs, "scaleDownEnabled") is not False
    if minutes is not None and minutes < settings["leastMinutes"] and scales_down:
        yield FieldError(
            ("unneededDuration",),
            text_at(resource.inputs, "unneededDuration"),
            "the autoscaler removes nodes between two jobs, or as a job starts",
            f'Write "{number(settings["leastMinutes"])}m" or more.',
        )


POLICIES: tuple[Policy, ...] = (
    nodes_are_not_upgraded_by_themselves,
    nodes_are_not_repaired_by_themselves,
    drains_of_nodes_wait_for_jobs,
    a_number_of_nodes_replaces_no_pool,
    pools_are_not_deleted_to_be_replaced,
    pods_per_node_are_chosen_once,
    spot_nodes_take_no_other_pods,
    idle_nodes_stay_for_a_while,
)
