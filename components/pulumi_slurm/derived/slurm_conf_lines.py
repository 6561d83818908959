"""The options of slurm.conf that a specification comes to, as text: the operator's, and ours after them."""

from collections.abc import Sequence
from itertools import chain
from types import MappingProxyType

from pulumi_slurm.derived.bridge_nodes import bridge_nodes
from pulumi_slurm.derived.machines import machine_of
from pulumi_slurm.derived.operator_lines import (
    MAX_NODE_COUNT,
    OptionTexts,
    lines_operator_omits,
    lines_operator_writes,
    with_words_of_operator,
)
from pulumi_slurm.derived.partitions import all_partitions
from pulumi_slurm.model.machine import NodePoolSpec
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.model.tres import NODE_WEIGHTS, PRIORITY_WEIGHT_TRES, tres_names
from pulumi_slurm.model.units import MAX_SLURM_NODES

PROPAGATED, NOT_PROPAGATED = "PropagateResourceLimits", "PropagateResourceLimitsExcept"
MEMLOCK = "MEMLOCK"
"""Slurm's name of the limit of locked memory."""
LOCK_MEMORY = "ulimit -l unlimited"
"""What a shell runs so that jobs of the slurmd that it starts may lock memory; it needs the capability SYS_RESOURCE."""

NO_HOLD = "nohold_on_prolog_fail"
MCS_LINES = MappingProxyType({"MCSPlugin": "mcs/label", "MCSParameters": "ondemand,select"})
"""By which pods and Slurm's jobs share no node: a job with a label gets nodes without jobs or with jobs of its label,
and others get nodes without a label. The bridge's documentation has "ondemandselect", which only concerns jobs with
`--exclusive=mcs`, and the bridge doesn't ask for that.

Source: slurm_mcs_get_select in src/interfaces/mcs.c and filter_by_node_mcs in src/slurmctld/node_scheduler.c of
SchedMD/slurm at slurm-26-05-3-1; docs/config.md and internal/scheduler/plugins/slurmbridge/slurmcontrol of
SlinkyProject/slurm-bridge at v1.2.1."""


def slurm_conf_lines(spec: SlurmSpec) -> OptionTexts:
    """Return all options that slurmctld reads, without those for prolog and epilog scripts; Slurm uses the last one."""
    lines: OptionTexts = {}
    for options in (lines_operator_writes(spec), lines_operator_omits(spec), option_texts(spec)):
        for name, text in options.items():
            lines.pop(next((other for other in lines if other.lower() == name.lower()), name), None)
            lines[name] = text
    return with_words_of_operator(spec, lines)


def option_texts(spec: SlurmSpec, pools: Sequence[NodePoolSpec] = ()) -> OptionTexts:
    """Return the options that a specification sets, or that are derived from its node sets and their pools."""
    conf = spec.slurm_conf
    texts: OptionTexts = {
        "SlurmctldAddr": spec.controller.address,
        "MaxNodeCount": _max_node_count(spec, pools),
        "GresTypes": _gres_types(spec),
        "AccountingStorageTRES": _tracked_tres(spec),
        **(MCS_LINES if any(node_set.bridged for node_set in spec.node_sets) else {}),
        "SchedulerParameters": ",".join(_scheduler_parameters(spec)) or None,
        "SelectTypeParameters": conf.select_type_parameters,
        "PreemptType": conf.preempt_type,
        "PreemptMode": conf.preempt_mode,
        "PriorityType": conf.priority_type,
        **{f"PriorityWeight{name}": weight for name, weight in sorted(conf.priority_weights.items())},
        "AccountingStorageEnforce": ",".join(conf.accounting_storage_enforce) or None,
        "MpiDefault": conf.mpi_default,
        "MaxArraySize": conf.max_array_size,
        "MaxJobCount": conf.max_job_count,
        "DefMemPerCPU": conf.def_mem_per_cpu,
        "SlurmdTimeout": conf.slurmd_timeout,
        "SlurmctldDebug": conf.slurmctld_debug,
        "SlurmdDebug": conf.slurmd_debug,
    }
    if spec.accounting and spec.accounting.external:
        # The operator writes the name of its own Service, which it doesn't create for an external slurmdbd.
        texts["AccountingStorageHost"] = spec.accounting.external.host
        texts["AccountingStoragePort"] = spec.accounting.external.port
    configured = {key: value for key, value in texts.items() if value is not None}
    return _with_own_locked_memory(spec, pools, {**configured, **conf.extra})


def has_rdma(spec: SlurmSpec, pools: Sequence[NodePoolSpec]) -> bool:
    """Return whether jobs of some node set may lock memory."""
    return any(machine.has_rdma for node_set in spec.node_sets if (machine := machine_of(node_set, pools)))


def _with_own_locked_memory(spec: SlurmSpec, pools: Sequence[NodePoolSpec], texts: OptionTexts) -> OptionTexts:
    """Return options by which jobs have slurmd's limit of locked memory, and not that of who submits them.

    Of the two keys Slurm reads the one with exceptions, so it is left out where the other one passes on some limits
    alone. `read_slurm_conf` in src/common/read_config.c; slurm.conf(5).
    """
    names = {key.lower(): key for key in texts}
    passed_on = texts.get(names.get(PROPAGATED.lower(), ""), "ALL")
    if not has_rdma(spec, pools) or limit_names(str(passed_on)) != {"ALL"}:
        return texts
    key = names.get(NOT_PROPAGATED.lower(), NOT_PROPAGATED)
    kept = str(texts.get(key, "NONE"))
    if limit_names(kept) & {MEMLOCK, "ALL"}:
        return texts
    return {**texts, key: MEMLOCK if limit_names(kept) == {"NONE"} else f"{kept},{MEMLOCK}"}


def limit_names(text: str) -> set[str]:
    """Return the names of limits in a value of either key, without the beginning that Slurm lets one write."""
    return {name.strip().upper().removeprefix("RLIMIT_") for name in text.split(",")}


def _max_node_count(spec: SlurmSpec, pools: Sequence[NodePoolSpec]) -> int | None:
    """Return MaxNodeCount if more nodes can come than the operator's line allows."""
    total = nodes_that_can_come(spec, pools)
    return total if total > MAX_NODE_COUNT else None


def nodes_that_can_come(spec: SlurmSpec, pools: Sequence[NodePoolSpec]) -> int:
    """Return how many dynamic nodes there can be, of those for which Slurm has room.

    Each Kubernetes node of a DaemonSet has a name of its own, and records of nodes that are gone stay for a while, so
    there is room for each node twice. So have the external nodes of the bridge, which removes those that are gone, and
    all workers where their records stay: with other names they would find no room (slurmctld is asked in
    tests/slurmd/test_dynamic_nodes.py). Source: preStop in internal/builder/workerbuilder/worker_app.go of
    slurm-operator, v1.1.2 and v1.2.0.
    """
    records_per_worker = 2 if spec.operator.keeps_node_records else 1
    max_nodes = {pool.name: pool.max_nodes or 0 for pool in pools}
    of_bridge = sum(
        2 * (max_nodes.get(nodes.pool or "") or nodes.max_nodes or 0) for nodes in bridge_nodes(spec).values()
    )
    total = (
        sum(
            2 * max_nodes.get(node_set.pool or "", 0)
            if node_set.max_replicas is None
            else records_per_worker * node_set.max_replicas
            for node_set in spec.node_sets
        )
        + sum(nodes.node_count for nodes in spec.external_nodes)
        + of_bridge
    )
    return min(total, MAX_SLURM_NODES)


def _scheduler_parameters(spec: SlurmSpec) -> list[str]:
    """Return SchedulerParameters, with the one by which a job goes on whose prolog has failed on a node.

    Without it the job waits, held, until somebody releases it. slurm.conf(5), "nohold_on_prolog_fail". A cluster that a
    chart has made keeps its lines.
    """
    parameters = spec.slurm_conf.scheduler_parameters
    hooks_of_workers = spec.hooks.prolog and not spec.controller.external and spec.adopted is None
    return [*parameters, *([NO_HOLD] if hooks_of_workers and NO_HOLD not in map(str.lower, parameters) else [])]


def _gres_types(spec: SlurmSpec) -> str | None:
    outside = (gres for nodes in spec.external_nodes for gres in nodes.gres)
    inside = (gres for node_set in spec.node_sets for gres in node_set.extra_gres)
    names = {gres.split(":")[0] for gres in (*inside, *outside)} - {"gpu"}
    return ",".join(["gpu", *sorted(names)]) if names else None


def _tracked_tres(spec: SlurmSpec) -> str | None:
    """Return AccountingStorageTRES: GPUs, as in the operator's own line, and all TRES that have a weight or a limit."""
    if not spec.accounting:
        return None
    weights = (options.tres_billing_weights.keys() for _, _, options in all_partitions(spec))
    limits = (limit.grp_tres.keys() for limit in (*spec.accounting.qos, *spec.accounting.accounts))
    per_user = (qos.max_tres_per_user.keys() for qos in spec.accounting.qos)
    priority = [tres_names(spec.slurm_conf.extra, PRIORITY_WEIGHT_TRES) or []]
    of_nodes = [tres_names(node_set.slurmd_options, NODE_WEIGHTS) or [] for node_set in spec.node_sets]
    named = chain(weights, priority, of_nodes, limits, per_user)
    tres = {name.lower() for names in named for name in names if "/" in name}
    return ",".join(sorted({"gres/gpu", *tres})) if tres - {"gres/gpu"} else None
