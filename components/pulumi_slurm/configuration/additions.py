"""The lines that we add to the operator's slurm.conf: options, then partitions of node sets."""

from itertools import chain

from pulumi_slurm.configuration.operator_lines import MAX_NODE_COUNT, OptionTexts, lines_operator_omits
from pulumi_slurm.configuration.options import parse_options
from pulumi_slurm.configuration.partitions import partition_entry
from pulumi_slurm.model import PartitionSpec, SlurmSpec
from pulumi_slurm.model.cluster_volumes import HEALTH_CHECK_FOLDER
from pulumi_slurm.model.partition import ALL_NODE_SETS
from pulumi_slurm.model.tres import PRIORITY_WEIGHT_TRES, tres_names
from pulumi_slurm.rules.partitions import all_partitions
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf

HEALTH_CHECK_SECONDS = 300
"""Slurm's own default, 0, runs no check."""


def additions(spec: SlurmSpec) -> Conf:
    """Return the lines to append to the operator's slurm.conf; Slurm uses the last value of a key."""
    entries = tuple(partition_entry(p.name, _node_sets(spec, p), p) for p in spec.partitions)
    texts = {**lines_operator_omits(spec), **_health_check(spec), **option_texts(spec)}
    return Conf(File.SLURM, parse_options(File.SLURM, texts), entries)


def option_texts(spec: SlurmSpec) -> OptionTexts:
    """Return the options that a specification sets, or that are derived from its node sets."""
    conf = spec.slurm_conf
    texts: OptionTexts = {
        "MaxNodeCount": _max_node_count(spec),
        "GresTypes": _gres_types(spec),
        "AccountingStorageTRES": _tracked_tres(spec),
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
        # The operator writes the name of its own Service, which it doesn't create for an external slurmdbd.
        texts["AccountingStorageHost"] = spec.accounting.external.host
        texts["AccountingStoragePort"] = spec.accounting.external.port
    configured = {key: value for key, value in texts.items() if value is not None}
    return {**configured, **conf.extra}


def _health_check(spec: SlurmSpec) -> OptionTexts:
    paths = [f"{HEALTH_CHECK_FOLDER}/{name}" for name in spec.hooks.health_check]
    return {"HealthCheckProgram": paths[0], "HealthCheckInterval": HEALTH_CHECK_SECONDS} if paths else {}


def _node_sets(spec: SlurmSpec, partition: PartitionSpec) -> list[str]:
    names = {node_set.name: node_set.slurm_name for node_set in spec.node_sets}
    return [name if name == ALL_NODE_SETS else names[name] for name in partition.node_sets]


def _max_node_count(spec: SlurmSpec) -> int | None:
    total = sum(node_set.max_replicas or 0 for node_set in spec.node_sets)
    return total if total > MAX_NODE_COUNT else None


def _gres_types(spec: SlurmSpec) -> str | None:
    names = {gres.split(":")[0] for node_set in spec.node_sets for gres in node_set.extra_gres}
    return ",".join(["gpu", *sorted(names)]) if names else None


def _tracked_tres(spec: SlurmSpec) -> str | None:
    """Return AccountingStorageTRES: GPUs, as in the operator's own line, and all TRES that have a weight or a limit."""
    if not spec.accounting:
        return None
    weights = (options.tres_billing_weights.keys() for _, _, options in all_partitions(spec))
    limits = (limit.grp_tres.keys() for limit in (*spec.accounting.qos, *spec.accounting.accounts))
    per_user = (qos.max_tres_per_user.keys() for qos in spec.accounting.qos)
    priority = [tres_names(spec.slurm_conf.extra, PRIORITY_WEIGHT_TRES) or []]
    tres = {name.lower() for names in chain(weights, priority, limits, per_user) for name in names if "/" in name}
    return ",".join(sorted({"gres/gpu", *tres})) if tres - {"gres/gpu"} else None
