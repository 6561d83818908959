"""Whether a waiting job could ever start in a cluster, as its specification has it.

slurmctld looks at each of its partitions in turn, and keeps the job waiting where none takes it: job_limits_check and
part_policy_job_runnable_state in src/slurmctld/job_mgr.c and job_scheduler.c of SchedMD/slurm, branch slurm-25.11.
What a specification doesn't decide, such as what others use, is no reason here.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from pulumi_slurm.derived.machines import machine_of, memory_for_jobs
from pulumi_slurm.derived.partitions import all_partitions
from pulumi_slurm.derived.slurm_conf_lines import option_texts
from pulumi_slurm.live.jobs import LiveJob
from pulumi_slurm.model import NodeSetSpec, SlurmSpec
from pulumi_slurm.model.accounts import BUILT_IN_QOS
from pulumi_slurm.model.machine import MachineSpec
from pulumi_slurm.model.partition import ALL_NODE_SETS, PartitionOptionsSpec, PartitionState
from pulumi_slurm.model.units import time_seconds
from pulumi_slurm.review.cluster_change import ClusterSide

_SIMPLE_FEATURES = re.compile(r"[A-Za-z0-9_.=:-]+(?:&[A-Za-z0-9_.=:-]+)*")
"""A constraint of features that must all be there; of others nothing is said."""
_LIMITS = frozenset({"limits", "safe", "all"})
_ASSOCIATIONS = _LIMITS | {"1", "associations", "qos", "wckeys"}
"""Words of AccountingStorageEnforce by which slurmctld looks at accounts. Without one, partitions' lists mean nothing:
part_policy_valid_acct in src/slurmctld/partition_mgr.c, and src/common/read_config.c, branch slurm-26.05."""
_BEYOND_PARTITIONS = frozenset({"partitiontimelimit", "partitionmaxnodes", "partitionminnodes"})
"""Flags of a QoS, in small letters."""
_GPUS = re.compile(r"(?:gres[/:])?gpu(?::(?P<type>[A-Za-z_][^:=(,]*))?(?:[:=](?P<count>\d+))?(?:\(.*)?$")


@dataclass(frozen=True)
class _Partition:
    name: str
    options: PartitionOptionsSpec
    node_sets: tuple[NodeSetSpec, ...]
    others: bool
    """Whether it has nodes outside, about which nothing is said here."""


def why_it_never_starts(job: LiveJob, side: ClusterSide) -> str:
    """Return why none of its partitions would ever start a waiting job, and "" where one would."""
    if reason := _of_account(job, side):
        return reason
    partitions = {partition.name: partition for partition in _partitions(side)}
    reasons = []
    for name in job.partitions:
        partition = partitions.get(name)
        reason = _of_partition(job, partition, side) if partition else "goes"
        if not reason:
            return ""
        reasons.append(f"{name} {reason}")
    return "; ".join(reasons)


def _partitions(side: ClusterSide) -> Iterator[_Partition]:
    spec = side.spec
    listed = {partition.name: partition.node_sets for partition in spec.partitions}
    outside = {group.name for group in spec.external_nodes}
    outside |= {group.name for group in spec.bridge.external_nodes} if spec.bridge else set()
    for _, name, options in all_partitions(spec):
        names = listed.get(name)
        if names is None:
            sets = tuple(item for item in spec.node_sets if item.slurm_name == name)
            yield _Partition(name, options, sets, others=False)
        else:
            is_all = ALL_NODE_SETS in names
            sets = tuple(item for item in spec.node_sets if is_all or item.name in names)
            yield _Partition(name, options, sets, others=bool(outside if is_all else outside.intersection(names)))


def _of_account(job: LiveJob, side: ClusterSide) -> str:
    accounting = side.spec.accounting
    if accounting is None or not accounting.accounts or not _enforces(side.spec, _LIMITS):
        return ""
    account = next((item for item in accounting.accounts if item.name == job.account.lower()), None)
    if account is None or (account.users and job.user not in account.users):
        # Others than the specification's are made by hand, and stay as they are.
        return ""
    qos = next((item for item in accounting.qos if item.name == job.qos.lower()), None)
    for limits, name in ((account, f"account {account.name}"), (qos, f"QoS {job.qos}")):
        most = time_seconds(limits.max_wall) if limits and limits.max_wall else None
        if most is not None and job.time_limit is not None and job.time_limit * 60 > most:
            return f"{name} has maxWall {limits.max_wall if limits else ''}"
    return ""


def _of_partition(job: LiveJob, partition: _Partition, side: ClusterSide) -> str:
    """Return why a partition would never start a job."""
    options = partition.options
    if options.state in (PartitionState.DOWN, PartitionState.INACTIVE):
        return f"is {options.state}"
    accounts = _enforces(side.spec, _ASSOCIATIONS)
    return (
        _of_limits(job, options, _qos_flags(job, side.spec))
        or _of_names(job, options, _ancestors(job.account, side.spec) if accounts else set())
        or _of_nodes(job, partition, side)
    )


def _needed_nodes(job: LiveJob) -> int:
    """Return the least nodes that a waiting job takes: its node count is a guess while it waits.

    Source: _pack_default_job_details and job_set_req_tres in src/slurmctld/job_mgr.c, branch slurm-26.05.
    """
    return job.tres.get("node") or 1


def _qos_flags(job: LiveJob, spec: SlurmSpec) -> set[str]:
    """Return the flags of a job's QoS, in small letters, by which it may go beyond a partition's limits.

    Of one that isn't the specification's, all that there are: nobody knows them here.
    Source: _qos_part_check in src/slurmctld/job_mgr.c, branch slurm-26.05.
    """
    found = [item for item in spec.accounting.qos if item.name == job.qos.lower()] if spec.accounting else []
    if found:
        return {flag.lower() for item in found for flag in item.flags}
    return (
        set()
        if job.qos.lower() in ("", BUILT_IN_QOS)
        else {"partitiontimelimit", "partitionmaxnodes", "partitionminnodes"}
    )


def _ancestors(account: str, spec: SlurmSpec) -> set[str] | None:
    """Return an account and all above it, for which lists of accounts hold too; None for one that isn't known here.

    Source: _find_acct_in_list in src/slurmctld/partition_mgr.c, branch slurm-26.05.
    """
    parents = {item.name: item.parent for item in spec.accounting.accounts} if spec.accounting else {}
    name = account.lower()
    if name not in parents:
        return None
    found: set[str] = set()
    while name and name not in found:
        found.add(name)
        name = parents.get(name, "")
    return found


def _of_limits(job: LiveJob, options: PartitionOptionsSpec, flags: set[str]) -> str:
    most = time_seconds(options.max_time) if "partitiontimelimit" not in flags else None
    if most is not None and job.time_limit is not None and job.time_limit * 60 > most:
        return f"has maxTime {options.max_time}"
    nodes = _needed_nodes(job)
    if options.max_nodes is not None and nodes > options.max_nodes and "partitionmaxnodes" not in flags:
        return f"has maxNodes {options.max_nodes}"
    if options.min_nodes is not None and nodes < options.min_nodes and "partitionminnodes" not in flags:
        return f"has minNodes {options.min_nodes}"
    return ""


def _enforces(spec: SlurmSpec, words: frozenset[str]) -> bool:
    """Return whether AccountingStorageEnforce has one of some words, in any case."""
    stated = option_texts(spec).get("AccountingStorageEnforce") or ""
    return not words.isdisjoint(str(stated).lower().replace(" ", "").split(","))


def _of_names(job: LiveJob, options: PartitionOptionsSpec, accounts: set[str] | None) -> str:
    """Return why its account or its QoS may not; ``accounts`` are its own and those above, empty where nobody looks."""
    qos = job.qos.lower()
    if accounts and options.allow_accounts and accounts.isdisjoint(map(str.lower, options.allow_accounts)):
        return f"has no {job.account or 'account'} in allowAccounts"
    if accounts and not options.allow_accounts and not accounts.isdisjoint(map(str.lower, options.deny_accounts)):
        return f"has {job.account} in denyAccounts"
    if options.allow_qos and qos not in map(str.lower, options.allow_qos):
        return f"has no {job.qos or 'QoS'} in allowQos"
    if not options.allow_qos and qos in map(str.lower, options.deny_qos):
        return f"has {job.qos} in denyQos"
    return ""


def _of_nodes(job: LiveJob, partition: _Partition, side: ClusterSide) -> str:
    """Return why there are too few nodes that fit."""
    if partition.others:
        return ""
    count: float = 0
    why: dict[str, None] = {}
    for node_set in partition.node_sets:
        if reason := _of_machine(job, node_set, machine_of(node_set, side.pools)):
            why[reason] = None
        else:
            most = node_set.max_replicas
            count += math.inf if most is None else most
    needed = _needed_nodes(job)
    if count >= needed:
        return ""
    if count == 0 and why:
        return f"has no node for it: {', '.join(why)}"
    return f"has {int(count)} {'node' if count == 1 else 'nodes'} for it, and it needs {needed}"


def _of_machine(job: LiveJob, node_set: NodeSetSpec, machine: MachineSpec | None) -> str:
    """Return why a node set's nodes don't suffice."""
    features = {node_set.name, node_set.slurm_name, *node_set.features}
    if job.features and _SIMPLE_FEATURES.fullmatch(job.features):
        missing = [word for word in job.features.split("&") if word not in features]
        if missing:
            return f"{node_set.name} lacks the feature {missing[0]}"
    if machine is None:
        return ""
    if job.cpus_per_node > machine.cpus:
        return f"{node_set.name} has {machine.cpus} CPUs a node"
    if job.memory_per_node is not None and job.memory_per_node > memory_for_jobs(machine):
        return f"{node_set.name} has {memory_for_jobs(machine)} MiB a node"
    wanted = _GPUS.fullmatch(job.gres_per_node) if job.gres_per_node else None
    if wanted:
        has = machine.gpus.count if machine.gpus else 0
        kind = machine.gpus.type if machine.gpus else None
        if has < int(wanted["count"] or 1) or (wanted["type"] and wanted["type"] != kind):
            return f"{node_set.name} has {machine.gpus.gres if machine.gpus else 'no GPUs'} a node"
    return ""
