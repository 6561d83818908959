"""Rules on options of partitions: they agree with each other and with the rest of the cluster."""

from collections.abc import Iterator

from pydantic.alias_generators import to_camel

from pulumi_slurm.derived.partitions import all_partitions
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.partition import OverSubscribe, PartitionOptionsSpec, PreemptMode
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.model.units import time_seconds
from pulumi_slurm.rules.run import Rule

_EXCLUSIVE_FIELDS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("allow_accounts", "deny_accounts"), "Slurm ignores it when {} is set"),
    (("allow_qos", "deny_qos"), "Slurm ignores it when {} is set"),
    (("def_mem_per_node", "def_mem_per_cpu"), "Slurm ignores it when {} is set"),
    (("max_mem_per_node", "max_mem_per_cpu"), "Slurm ignores it when {} is set"),
)
_ACCOUNTING_FIELDS = ("qos", "allow_qos", "deny_qos", "allow_accounts", "deny_accounts")


def partition_options_agree(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse options that Slurm would ignore, or with which no job could run."""
    for at, _, options in all_partitions(spec):
        yield from _limits_agree(at, options)
        for fields, problem in _EXCLUSIVE_FIELDS:
            set_fields = [field for field in fields if getattr(options, field)]
            for field in set_fields[1:]:
                yield FieldError(
                    (*at, field), getattr(options, field), problem.format(to_camel(set_fields[0])), "Keep one."
                )
        if options.over_subscribe_jobs and options.over_subscribe not in {OverSubscribe.FORCE, OverSubscribe.YES}:
            yield FieldError(
                (*at, "over_subscribe_jobs"),
                options.over_subscribe_jobs,
                "only overSubscribe FORCE and YES take a number of jobs",
                "Set overSubscribe, or leave this out.",
                depends_on_fields=((*at, "over_subscribe"),),
            )
        if options.over_subscribe is OverSubscribe.YES and options.over_subscribe_jobs == 1:
            yield FieldError(
                (*at, "over_subscribe_jobs"),
                1,
                "one job shares nothing, and Slurm takes it for overSubscribe NO",
                "Write 2 or more, or overSubscribe NO.",
                depends_on_fields=((*at, "over_subscribe"),),
            )
        for field in _ACCOUNTING_FIELDS:
            if getattr(options, field) and not spec.accounting:
                yield FieldError(
                    (*at, field),
                    getattr(options, field),
                    "accounts and QoS live in the accounting database, and there is none",
                    "Add accounting, or leave this out.",
                    depends_on_fields=(("accounting",),),
                )


def _limits_agree(at: Path, options: PartitionOptionsSpec) -> Iterator[FieldError]:
    maximum, default = time_seconds(options.max_time), time_seconds(options.default_time or options.max_time)
    if maximum is not None and (default is None or default > maximum):
        yield FieldError(
            (*at, "default_time"),
            options.default_time,
            f"it is longer than maxTime, {options.max_time}",
            f'Write "{options.max_time}" or less.',
        )
    if options.min_nodes and options.max_nodes and options.min_nodes > options.max_nodes:
        yield FieldError(
            (*at, "min_nodes"),
            options.min_nodes,
            f"it is above maxNodes, {options.max_nodes}, so no job could run",
            f"Write {options.max_nodes} or less.",
        )


def preemption_is_configured(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse preemption in a partition if slurmConf does not enable it, and settings that lack accounting."""
    conf = spec.slurm_conf
    gang_scheduling = "GANG" in (conf.preempt_mode or "")
    for at, _, options in all_partitions(spec):
        mode = options.preempt_mode
        if mode not in (None, PreemptMode.OFF) and conf.preempt_type in (None, "preempt/none"):
            yield FieldError(
                (*at, "preempt_mode"),
                mode,
                "nothing is preempted as long as slurmConf.preemptType is not set",
                'Set slurmConf.preemptType, for example "preempt/partition_prio".',
                depends_on_fields=(("slurm_conf", "preempt_type"),),
            )
        elif mode is PreemptMode.SUSPEND and not gang_scheduling:
            yield FieldError(
                (*at, "preempt_mode"),
                mode,
                "suspended jobs are resumed by the gang scheduler, and it is off",
                'Set slurmConf.preemptMode to "SUSPEND,GANG".',
                depends_on_fields=(("slurm_conf", "preempt_mode"),),
            )
    needs_accounting = {
        "accounting_storage_enforce": bool(conf.accounting_storage_enforce),
        "preempt_type": conf.preempt_type == "preempt/qos",
    }
    for field, is_set in needs_accounting.items():
        if is_set and not spec.accounting:
            yield FieldError(
                ("slurm_conf", field),
                getattr(conf, field),
                "it needs the accounting database, and there is none",
                "Add accounting, or leave this out.",
                depends_on_fields=(("accounting",),),
            )
    for name, weight in conf.priority_weights.items():
        if name.lower() in {"age", "fairshare"} and weight and not spec.accounting:
            yield FieldError(
                ("slurm_conf", "priority_weights", name),
                weight,
                "Slurm ignores it without the accounting database",
                "Add accounting, or leave this out.",
                depends_on_fields=(("accounting",),),
            )


def one_default_partition(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse a second default partition."""
    defaults = [(at, name) for at, name, options in all_partitions(spec) if options.default]
    for at, name in defaults[1:]:
        first = defaults[0][1]
        yield FieldError(
            (*at, "default"),
            True,
            f'"{first}" is the default partition already, and Slurm has only one',
            f'Set default in only one of "{first}" and "{name}".',
        )


RULES: tuple[Rule, ...] = (
    partition_options_agree,
    preemption_is_configured,
    one_default_partition,
)
