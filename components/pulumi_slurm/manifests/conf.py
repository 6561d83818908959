"""The text of slurm.conf and slurmdbd.conf lines that we add to the operator's own."""

from collections.abc import Sequence

from pulumi_slurm.spec import NodeSet, Partition, PartitionOptions, SlurmSpec
from pulumi_slurm.spec.machine import Machine
from pulumi_slurm.spec.partition import ALL_NODE_SETS

OPERATOR_MAX_NODE_COUNT = 1024
"""MaxNodeCount as the operator writes it; slurmctld refuses dynamic nodes beyond it."""


def partition_line(partition: Partition, node_sets: Sequence[NodeSet]) -> str:
    """Return a PartitionName line."""
    names = {node_set.name: node_set.slurm_name for node_set in node_sets}
    nodes = [ALL_NODE_SETS] if ALL_NODE_SETS in partition.node_sets else [names[name] for name in partition.node_sets]
    return f"PartitionName={partition.name} Nodes={','.join(nodes)} {partition_options(partition)}"


def partition_options(options: PartitionOptions) -> str:
    """Return the tail of a PartitionName line, in a stable order."""
    over_subscribe: str | None = options.over_subscribe.value if options.over_subscribe else None
    if over_subscribe and options.over_subscribe_jobs:
        over_subscribe += f":{options.over_subscribe_jobs}"
    weights = ",".join(f"{name}={weight:g}" for name, weight in sorted(options.tres_billing_weights.items()))
    values: dict[str, str | int | None] = {
        "State": options.state.value,
        "Default": "YES" if options.default else "NO",
        "MaxTime": options.max_time,
        "DefaultTime": options.default_time,
        "MinNodes": options.min_nodes,
        "MaxNodes": options.max_nodes,
        "MaxCPUsPerNode": options.max_cpus_per_node,
        "MaxMemPerNode": options.max_mem_per_node,
        "MaxMemPerCPU": options.max_mem_per_cpu,
        "DefMemPerNode": options.def_mem_per_node,
        "DefMemPerCPU": options.def_mem_per_cpu,
        "DefMemPerGPU": options.def_mem_per_gpu,
        "DefCpuPerGPU": options.def_cpu_per_gpu,
        "PriorityTier": options.priority_tier,
        "PriorityJobFactor": options.priority_job_factor,
        "PreemptMode": options.preempt_mode.value if options.preempt_mode else None,
        "GraceTime": options.grace_time,
        "OverSubscribe": over_subscribe,
        "OverTimeLimit": options.over_time_limit,
        "QOS": options.qos,
        "AllowAccounts": ",".join(options.allow_accounts) or None,
        "DenyAccounts": ",".join(options.deny_accounts) or None,
        "AllowGroups": ",".join(options.allow_groups) or None,
        "AllowQos": ",".join(options.allow_qos) or None,
        "DenyQos": ",".join(options.deny_qos) or None,
        "ExclusiveUser": "YES" if options.exclusive_user else None,
        "Hidden": "YES" if options.hidden else None,
        "LLN": "YES" if options.lln else None,
        "ReqResv": "YES" if options.req_resv else None,
        "RootOnly": "YES" if options.root_only else None,
        "DisableRootJobs": None if options.disable_root_jobs is None else "YES" if options.disable_root_jobs else "NO",
        "SuspendTime": options.suspend_time,
        "TRESBillingWeights": f'"{weights}"' if weights else None,
        **options.extra,
    }
    return " ".join(f"{key}={value}" for key, value in values.items() if value is not None)


def slurmd_conf(node_set: NodeSet, machine: Machine | None) -> str:
    """Return the items of ``slurmd --conf``, separated by single spaces, as the operator splits them."""
    gres = [machine.gpus.gres] if machine and machine.gpus else []
    values = {
        "Features": ",".join(node_set.features),
        "Gres": ",".join([*gres, *node_set.extra_gres]),
        "Weight": "" if node_set.weight is None else str(node_set.weight),
        **node_set.slurmd_options,
    }
    return " ".join(f"{key}={value}" for key, value in values.items() if value)


def extra_conf(spec: SlurmSpec) -> str:
    """Return the lines that the operator appends to slurm.conf."""
    conf = spec.slurm_conf
    lines: dict[str, str | int | None] = {
        "MaxNodeCount": _max_node_count(spec),
        "GresTypes": _gres_types(spec),
        "SchedulerParameters": ",".join(conf.scheduler_parameters) or None,
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
        # The operator writes the name of a Service that it doesn't make for an external slurmdbd; the last line wins.
        lines["AccountingStorageHost"] = spec.accounting.external.host
        lines["AccountingStoragePort"] = spec.accounting.external.port
    lines |= conf.extra
    text = [f"{key}={value}" for key, value in lines.items() if value is not None]
    text += [partition_line(partition, spec.node_sets) for partition in spec.partitions]
    return "\n".join(text)


def _max_node_count(spec: SlurmSpec) -> int | None:
    most = sum(node_set.most_replicas or 0 for node_set in spec.node_sets)
    return most if most > OPERATOR_MAX_NODE_COUNT else None


def _gres_types(spec: SlurmSpec) -> str | None:
    names = {gres.split(":")[0] for node_set in spec.node_sets for gres in node_set.extra_gres}
    return ",".join(["gpu", *sorted(names)]) if names else None
