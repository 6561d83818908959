"""The rule on jobs that ask for no memory."""

from collections.abc import Iterator, Sequence

from pulumi_slurm.derived.machines import machine_of, memory_for_jobs
from pulumi_slurm.derived.partitions import all_partitions, partitions_of
from pulumi_slurm.derived.slurm_conf_lines import option_texts
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.machine import NodePoolSpec
from pulumi_slurm.model.node_set import NodeSetSpec
from pulumi_slurm.model.partition import OverSubscribe
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule, warns

_FIELDS = ("def_mem_per_cpu", "def_mem_per_node", "def_mem_per_gpu")


@warns
def jobs_have_a_default_of_memory(spec: SlurmSpec, pools: Sequence[NodePoolSpec]) -> Iterator[FieldError]:
    """Warn where jobs share nodes, and one that asks for no memory is given all of a node, so that it shares none.

    It may be stated once, for whichever partition. https://slurm.schedmd.com/slurm.conf.html#OPT_DefMemPerCPU
    """
    partitions = [options for _, _, options in all_partitions(spec)]
    if (
        spec.controller.external
        or _is_stated(spec)
        or any(getattr(one, field) for one in partitions for field in _FIELDS)
    ):
        return
    shared = {name for _, name, one in all_partitions(spec) if one.over_subscribe is not OverSubscribe.EXCLUSIVE}
    for node_set in spec.node_sets:
        machine = machine_of(node_set, pools)
        if machine and machine.cpus > 1 and shared.intersection(partitions_of(spec, node_set)):
            share = memory_for_jobs(machine) // machine.cpus
            yield FieldError(
                ("slurm_conf", "def_mem_per_cpu"),
                FieldError.ABSENT,
                f'a job without --mem gets all memory of its node, so none runs beside it on one of "{node_set.name}"',
                f'Write for example "{share}M", a CPU\'s share there, or a default of one of the partitions.',
                (("partitions",), ("node_sets",), ("slurm_conf",)),
            )
            return


@warns
def defaults_of_memory_fit_their_workers(spec: SlurmSpec, pools: Sequence[NodePoolSpec]) -> Iterator[FieldError]:
    """Warn where a job on all CPUs or GPUs of a worker, by the default for each, asks for more than there is for jobs.

    slurmd keeps a part of its pod's memory to itself, so an even share of the whole is too much. More than the whole is
    wanted where jobs are to take fewer CPUs of a node, but not where it is more than all jobs of a worker may use.
    """
    if spec.controller.external:
        return
    conf: Path = ("slurm_conf",)
    defaults = [((*conf, "def_mem_per_cpu"), spec.slurm_conf.def_mem_per_cpu, "CPUs", spec.node_sets)]
    for at, name, options in all_partitions(spec):
        members = [node_set for node_set in spec.node_sets if name in partitions_of(spec, node_set)]
        defaults.append(((*at, "def_mem_per_cpu"), options.def_mem_per_cpu, "CPUs", members))
        defaults.append(((*at, "def_mem_per_gpu"), options.def_mem_per_gpu, "GPUs", members))
    for path, text, of_what, node_sets in defaults:
        if text is not None and text.isdecimal():
            yield from _beyond_a_worker(path, int(text), of_what, node_sets, pools)


def _beyond_a_worker(
    path: Path, default: int, of_what: str, node_sets: Sequence[NodeSetSpec], pools: Sequence[NodePoolSpec]
) -> Iterator[FieldError]:
    """Yield what is wrong with a default of some MiB for the first node set that it doesn't fit."""
    for node_set in node_sets:
        machine = machine_of(node_set, pools)
        if machine is None:
            continue
        count = machine.cpus if of_what == "CPUs" else machine.gpus.count if machine.gpus else 0
        for_jobs = memory_for_jobs(machine)
        if count and default > for_jobs:
            none_starts = f"none that asks for {of_what} alone, and for no memory, starts"
        elif machine.memory_mib >= default * count > for_jobs:
            none_starts = f"none that asks for all {count} {of_what} starts"
        else:
            continue
        problem = f'workers of "{node_set.name}" have {for_jobs}M for jobs, and by this default {none_starts}'
        yield FieldError(path, f"{default}M", problem, f'Write "{for_jobs // count}M" or less.', (("node_sets",),))
        return


def _is_stated(spec: SlurmSpec) -> bool:
    """Return whether slurm.conf has a default, or gives no memory to jobs at all."""
    lines = {key.lower(): str(text).lower() for key, text in option_texts(spec).items()}
    # Both operators have CR_Core_Memory.
    return "memory" not in lines.get("selecttypeparameters", "memory") or any(
        field.replace("_", "") in lines for field in _FIELDS
    )


RULES_WITH_POOLS: tuple[Rule, ...] = (
    jobs_have_a_default_of_memory,
    defaults_of_memory_fit_their_workers,
)
