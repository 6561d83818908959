"""Whether a waiting job could ever start in a cluster, as its specification has it.

slurmctld looks at each of its partitions in turn, and keeps the job waiting where none takes it: job_limits_check and
part_policy_job_runnable_state in src/slurmctld/job_mgr.c and job_scheduler.c of SchedMD/slurm, branch slurm-25.11.
What a specification doesn't decide, such as what others use, is no reason here; nor are features in brackets or with a
number of nodes, GPUs by socket, and resources other than GPUs.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pulumi_slurm.derived.accounts import accounts_of, qos_of, with_ancestors
from pulumi_slurm.derived.machines import machine_of, memory_for_jobs
from pulumi_slurm.derived.partitions import all_partitions
from pulumi_slurm.errors.counts import counted
from pulumi_slurm.model import NodeSetSpec
from pulumi_slurm.model.accounts import BUILT_IN_QOS, ROOT_ACCOUNT
from pulumi_slurm.model.machine import MachineSpec
from pulumi_slurm.model.partition import ALL_NODE_SETS, PartitionOptionsSpec, PartitionState
from pulumi_slurm.model.units import time_seconds
from pulumi_slurm_cli.live.jobs import LiveJob
from pulumi_slurm_cli.live.nodes import LiveNode
from pulumi_slurm_cli.review.account_limits import AccountLimits
from pulumi_slurm_cli.review.cluster_side import ClusterSide

_FEATURES = re.compile(r"[&|()]|[A-Za-z0-9_.=:-]+")
"""The words of a constraint that each node fulfils by itself; of others, such as "[a|b]" and "a*2", nothing is said."""
_BEYOND_PARTITIONS = frozenset({"partitiontimelimit", "partitionmaxnodes", "partitionminnodes"})
"""Flags of a QoS, in small letters."""
_GPUS = re.compile(r"(?:gres[/:])?gpu(?::(?P<type>[A-Za-z_][^:=(,]*))?(?:[:=](?P<count>\d+))?")
"""What a job asks for: "gres/gpu", "gres/gpu:2", "gres/gpu:a100:2", "gres/gpu=2"."""


@dataclass(frozen=True)
class _Nodes:
    """The nodes of a node set, as a job looks at them."""

    name: str
    slurm_name: str
    """The feature that all of them have, and no others."""
    features: frozenset[str]
    machine: MachineSpec | None
    max_count: float
    """How many there can be."""


@dataclass(frozen=True)
class _Partition:
    name: str
    options: PartitionOptionsSpec
    nodes: tuple[_Nodes, ...]
    others: bool
    """Whether it has nodes outside, about which nothing is said here."""


class Admission:
    """What a cluster takes; it is looked through once, for as many jobs as there are."""

    def __init__(self, side: ClusterSide, nodes: Sequence[LiveNode] = ()) -> None:
        """Take the cluster as its specification has it; ``nodes`` are there, and jobs may ask for them by name."""
        self._partitions = {partition.name: partition for partition in _partitions(side)}
        self._node_sets = {item.slurm_name for item in side.spec.node_sets}
        self._features_of = {node.name: frozenset(node.features) for node in nodes}
        self._accounts, self._qos = accounts_of(side.spec), qos_of(side.spec)
        self.limits = AccountLimits(side.spec)
        """Those of its QoS and accounts."""

    def why_it_never_starts(self, job: LiveJob) -> str:
        """Return why none of its partitions would ever start a waiting job, and "" where one would."""
        reasons: dict[str, None] = {}
        for name in job.partitions:
            partition = self._partitions.get(name)
            if partition is None:
                reason = f"{name} goes"
            elif beyond := self.limits.why_beyond(job, _asked(job, partition), partition.options.qos):
                reason = beyond
            elif closed := self._of_partition(job, partition):
                reason = f"{name} {closed}"
            else:
                return ""
            reasons[reason] = None
        return "; ".join(reasons)

    def _of_partition(self, job: LiveJob, partition: _Partition) -> str:
        """Return why a partition would never start a job."""
        options = partition.options
        if options.state in (PartitionState.DOWN, PartitionState.INACTIVE):
            return f"is {options.state}"
        accounts = self._ancestors(job.account.lower()) if self.limits.looks_at_accounts else set()
        flags = self._qos_flags(job.qos.lower())
        # Of a list without any account that there is, nothing is left.
        allowed = {*map(str.lower, options.allow_accounts)}
        allowed = allowed if allowed & {ROOT_ACCOUNT, *self._accounts} else set()
        return (
            _of_limits(job, options, flags)
            or _of_accounts(job, accounts, allowed, {*map(str.lower, options.deny_accounts)})
            or _of_qos(job, options)
            or self._of_required_nodes(job, partition)
            or _of_nodes(job, partition)
            or _of_gpus(job, partition, flags)
        )

    def _of_required_nodes(self, job: LiveJob, partition: _Partition) -> str:
        """Return why too few of the nodes that it asks for by name are there and suffice.

        Of more names than it needs nodes it takes some: _sync_detail_bitmaps in src/slurmctld/read_config.c, branch
        slurm-26.05. Of a name that nobody knows here nothing is said.
        """
        unfit = {}
        for name in job.required_nodes:
            features = self._features_of.get(name, frozenset())
            its_own = next((nodes for nodes in partition.nodes if nodes.slurm_name in features), None)
            if its_own and (reason := _of_machine(job, its_own)):
                unfit[name] = f"can't give it {name}: {reason}"
            elif features and not its_own and not (partition.others and self._node_sets.isdisjoint(features)):
                unfit[name] = f"has no {name}"
        named = len(job.required_nodes)
        return next(iter(unfit.values())) if named - len(unfit) < min(named, needed_nodes(job)) else ""

    def _qos_flags(self, qos: str) -> set[str]:
        """Return the flags of a QoS, in small letters, by which its jobs may go beyond a partition's limits.

        Of one that isn't the specification's, all that there are: nobody knows them here.
        Source: _qos_part_check in src/slurmctld/job_mgr.c, branch slurm-26.05.
        """
        if qos in self._qos:
            return {flag.lower() for flag in self._qos[qos].flags}
        return set() if qos in ("", BUILT_IN_QOS) else {*_BEYOND_PARTITIONS}

    def _ancestors(self, account: str) -> set[str]:
        """Return an account and all above it, for which lists of accounts hold too; none of one that isn't known here.

        Source: _find_acct_in_list in src/slurmctld/partition_mgr.c, branch slurm-26.05.
        """
        account_spec = self._accounts.get(account)
        lineage = with_ancestors(account_spec, self._accounts) if account_spec else []
        return {name for item in lineage for name in (item.name, item.parent)}


def _partitions(side: ClusterSide) -> Iterator[_Partition]:
    spec = side.spec
    nodes = {item.name: _nodes(item, side) for item in spec.node_sets}
    listed = {partition.name: partition.node_sets for partition in spec.partitions}
    outside = {group.name for group in spec.external_nodes}
    outside |= {group.name for group in spec.bridge.external_nodes} if spec.bridge else set()
    for _, name, options in all_partitions(spec):
        names = listed.get(name)
        if names is None:
            members = tuple(nodes[item.name] for item in spec.node_sets if item.slurm_name == name)
            yield _Partition(name, options, members, others=False)
        else:
            is_all = ALL_NODE_SETS in names
            chosen = tuple(nodes[item.name] for item in spec.node_sets if is_all or item.name in names)
            yield _Partition(name, options, chosen, others=bool(outside if is_all else outside.intersection(names)))


def _nodes(node_set: NodeSetSpec, side: ClusterSide) -> _Nodes:
    features = frozenset({node_set.name, node_set.slurm_name, *node_set.features})
    max_count = math.inf if node_set.max_replicas is None else node_set.max_replicas
    return _Nodes(node_set.name, node_set.slurm_name, features, machine_of(node_set, side.pools), max_count)


def needed_nodes(job: LiveJob) -> int:
    """Return the least nodes that a waiting job takes: its node count is a guess while it waits.

    Source: _pack_default_job_details and job_set_req_tres in src/slurmctld/job_mgr.c, branch slurm-26.05.
    """
    return job.tres.get("node") or 1


def _asked(job: LiveJob, partition: _Partition) -> Mapping[str, int]:
    """Return what a waiting job is charged with at least, of each TRES.

    A limit counts what a job is given. Of CPUs, slurmctld 24.11 and 26.05 state what it asked for. They give what it
    needs on a node on as many as a partition's minNodes makes it take, and of nodes of its own all. Memory by CPU
    follows.
    """
    nodes = needed_nodes(job)
    cpus = max(job.tres.get("cpu", 0), job.cpus_per_node * nodes)
    charged = {
        "cpu": max(cpus, nodes * _cpus_of_own_node(job, partition)),
        "mem": max(job.tres.get("mem", 0), cpus * (job.memory_per_cpu or 0)),
    }
    return {**job.tres, **charged}


def _cpus_of_own_node(job: LiveJob, partition: _Partition) -> int:
    """Return how many CPUs a node of its own has at least; 0 for a job that shares nodes, or where nobody knows."""
    if job.exclusive != "node" or partition.others:
        return 0
    machines = [nodes.machine for nodes in partition.nodes if not _of_machine(job, nodes)]
    return min((machine.cpus if machine else 0 for machine in machines), default=0)


def _of_limits(job: LiveJob, options: PartitionOptionsSpec, flags: set[str]) -> str:
    max_seconds = time_seconds(options.max_time) if "partitiontimelimit" not in flags else None
    if max_seconds is not None and job.time_limit is not None and job.time_limit * 60 > max_seconds:
        return f"has maxTime {options.max_time}"
    nodes = needed_nodes(job)
    if options.max_nodes is not None and nodes > options.max_nodes and "partitionmaxnodes" not in flags:
        return f"has maxNodes {options.max_nodes}"
    if options.min_nodes is not None and nodes < options.min_nodes and "partitionminnodes" not in flags:
        return f"has minNodes {options.min_nodes}"
    return ""


def _of_accounts(job: LiveJob, accounts: set[str], allowed: set[str], denied: set[str]) -> str:
    """Return why its account may not; ``accounts`` are its own and those above, none where nobody looks."""
    if accounts and allowed and accounts.isdisjoint(allowed):
        return f"has no {job.account or 'account'} in allowAccounts"
    if accounts and not allowed and not accounts.isdisjoint(denied):
        return f"has {job.account} in denyAccounts"
    return ""


def _of_qos(job: LiveJob, options: PartitionOptionsSpec) -> str:
    """Return why its QoS may not."""
    qos = job.qos.lower()
    if options.allow_qos and qos not in map(str.lower, options.allow_qos):
        return f"has no {job.qos or 'QoS'} in allowQos"
    if not options.allow_qos and qos in map(str.lower, options.deny_qos):
        return f"has {job.qos} in denyQos"
    return ""


def _of_nodes(job: LiveJob, partition: _Partition) -> str:
    """Return why there are too few nodes that fit."""
    if partition.others:
        return ""
    count: float = 0
    why: dict[str, None] = {}
    for nodes in partition.nodes:
        if reason := _of_machine(job, nodes):
            why[reason] = None
        else:
            count += nodes.max_count
    needed = needed_nodes(job)
    if count >= needed:
        return ""
    if count == 0 and why:
        return f"has no node for it: {', '.join(why)}"
    return f"has {counted(int(count), 'node')} for it, and it needs {needed}"


def _of_gpus(job: LiveJob, partition: _Partition, flags: set[str]) -> str:
    """Return why all nodes that a job can have together don't have the GPUs that it asks for as a whole.

    Source: https://slurm.schedmd.com/sbatch.html#OPT_gpus and #OPT_gpus-per-task.
    """
    fitting = [nodes for nodes in partition.nodes if not _of_machine(job, nodes)]
    if partition.others or any(nodes.machine is None for nodes in fitting):
        return ""
    wanted = [(kind, count, 1) for kind, count in _gpus(job.gres_per_job)]
    wanted += [(kind, count * (job.tasks or 1), count) for kind, count in _gpus(job.gres_per_task)]
    limits = [job.most_nodes, None if "partitionmaxnodes" in flags else partition.options.max_nodes]
    for kind, count, together in wanted:
        available, room = 0.0, float(min(filter(None, limits), default=math.inf))
        for has, max_count in sorted(((_gpus_of(nodes, kind), nodes.max_count) for nodes in fitting), reverse=True):
            used = min(max_count, room) if has >= together else 0
            available += has // together * together * used
            room = 0 if used == room else room - used
        if available < count:
            gpus = counted(int(available), f"{kind} GPU" if kind else "GPU")
            return f"has {gpus} for it, and it needs {count}"
    return ""


def _gpus_of(nodes: _Nodes, kind: str | None) -> int:
    """Return how many GPUs of a kind each node has."""
    gpus = nodes.machine.gpus if nodes.machine else None
    return gpus.count if gpus and kind in (None, gpus.type) else 0


def _gpus(asked: str) -> Iterator[tuple[str | None, int]]:
    """Yield kind and number of GPUs in a list of resources."""
    for item in asked.split(","):
        if match := _GPUS.fullmatch(item):
            yield match["type"], int(match["count"] or 1)


def _of_machine(job: LiveJob, nodes: _Nodes) -> str:
    """Return why the nodes of a node set don't suffice."""
    name, machine = nodes.name, nodes.machine
    if missing := _missing_feature(job.features, nodes.features):
        return f"{name} lacks the feature {missing}"
    if machine is None:
        return ""
    if job.cpus_per_node > machine.cpus:
        return f"{name} has {counted(machine.cpus, 'CPU')} a node"
    if job.memory_per_node is not None and job.memory_per_node > memory_for_jobs(machine):
        return f"{name} has {memory_for_jobs(machine)} MiB a node"
    # Of GPUs of the job as a whole, each of its nodes has one: _foreach_gres_sock_list_create in
    # src/plugins/select/cons_tres/gres_sock_list.c, branch slurm-26.05.
    on_each = [(kind, 1) for kind, _ in _gpus(job.gres_per_job)]
    for kind, count in (*_gpus(job.gres_per_node), *_gpus(job.gres_per_task), *on_each):
        if _gpus_of(nodes, kind) < count:
            return f"{name} has {machine.gpus.gres if machine.gpus else 'no GPUs'} a node"
    return ""


def _missing_feature(asked: str, features: frozenset[str]) -> str:
    """Return what a node with some features lacks of a constraint: a word that must be there, or one of a choice."""
    words = _FEATURES.findall(asked)
    if "".join(words) != asked or _fits(iter(words), features):
        return ""
    missing = [word for word in words if word not in (*"&|()", *features)]
    return asked if {"|", "("}.intersection(words) else missing[0]


def _fits(words: Iterator[str], features: frozenset[str]) -> bool:
    """Return whether features are as a constraint says, which slurmctld reads from left to right.

    Source: valid_feature_counts in src/slurmctld/node_scheduler.c, branch slurm-26.05.
    """
    fits, joined_by = True, "&"
    for word in words:
        if word == ")":
            break
        if word in ("&", "|"):
            joined_by = word
        else:
            word_fits = _fits(words, features) if word == "(" else word in features
            fits = (fits and word_fits) if joined_by == "&" else (fits or word_fits)
    return fits
