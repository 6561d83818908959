"""Partitions as entries of slurm.conf."""

from collections.abc import Iterable

from pulumi_slurm.configuration.options import slurm_entry
from pulumi_slurm.model import PartitionOptionsSpec
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, Entry, render


def partition_entry(name: str, nodes: Iterable[str], options: PartitionOptionsSpec) -> Entry:
    """Return the entry of a partition; ``nodes`` are names of nodes or of node sets."""
    return slurm_entry("PartitionName", name, {"Nodes": ",".join(nodes), **partition_texts(options)})


def partition_options(options: PartitionOptionsSpec) -> str:
    """Return a partition's line without its name and nodes."""
    placeholder = Entry("PartitionName", "x")
    line = render(
        Conf(File.SLURM, entries=(slurm_entry(placeholder.keyword, placeholder.name, partition_texts(options)),))
    )
    return line.strip().removeprefix(f"{placeholder.keyword}={placeholder.name} ")


def partition_texts(options: PartitionOptionsSpec) -> dict[str, str | int | None]:
    """Return the options by their keys in slurm.conf; None for those that are left out."""
    over_subscribe: str | None = str(options.over_subscribe) if options.over_subscribe else None
    if over_subscribe and options.over_subscribe_jobs:
        over_subscribe += f":{options.over_subscribe_jobs}"
    weights = ",".join(f"{name}={_number(weight)}" for name, weight in sorted(options.tres_billing_weights.items()))
    return {
        "State": str(options.state),
        "Default": "YES" if options.default else "NO",
        "MaxTime": options.max_time,
        "DefaultTime": options.default_time,
        "MinNodes": options.min_nodes,
        "MaxNodes": options.max_nodes,
        "MaxCPUsPerNode": options.max_cpus_per_node,
        "MaxCPUsPerSocket": options.max_cpus_per_socket,
        "MaxMemPerNode": options.max_mem_per_node,
        "MaxMemPerCPU": options.max_mem_per_cpu,
        "DefMemPerNode": options.def_mem_per_node,
        "DefMemPerCPU": options.def_mem_per_cpu,
        "DefMemPerGPU": options.def_mem_per_gpu,
        "DefCpuPerGPU": options.def_cpu_per_gpu,
        "PriorityTier": options.priority_tier,
        "PriorityJobFactor": options.priority_job_factor,
        "PreemptMode": str(options.preempt_mode) if options.preempt_mode else None,
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
        "Topology": options.topology,
        "TRESBillingWeights": weights or None,
        **options.extra,
    }


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)
