"""Rules on the resources of each slurmd: those of its node set's machine, or its pool's minus the pool's reserve."""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.errors.counts import counted
from pulumi_slurm.model.machine import MachineSpec
from pulumi_slurm.model.node_set import NodeSetSpec
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.model.units import quantity
from pulumi_slurm.rules.run import Rule


def node_sets_have_a_machine(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse node sets without a machine or pool, and GRES that the machine doesn't have.

    Those that a chart made may go without: whatever follows from a machine would replace their pods.
    """
    for index, node_set in enumerate(spec.node_sets):
        machine = node_set.machine
        if node_set.pool is None and machine is None and not spec.adopted:
            yield FieldError(
                ("node_sets", index),
                node_set.name,
                "neither pool nor machine is given, so CPUs, memory and GRES can't be derived",
                "Add pool: <name of a node pool>, or machine: {cpus: ..., memory: ...}.",
                depends_on_fields=(("node_sets", index, "pool"), ("node_sets", index, "machine")),
            )
        gpu_count = machine.gpus.count if machine and machine.gpus else 0
        if machine and node_set.gpus and node_set.gpus > gpu_count:
            yield FieldError(
                ("node_sets", index, "gpus"),
                node_set.gpus,
                f"the machine has {counted(gpu_count, 'GPU')}, so the nodes would be invalid",
                f"Write {gpu_count} or less, or set machine.gpus.count.",
                depends_on_fields=(("node_sets", index, "machine"),),
            )
        if machine and machine.gpus and machine.gpus.resource in machine.resources:
            yield FieldError(
                ("node_sets", index, "machine", "resources", machine.gpus.resource),
                machine.resources[machine.gpus.resource],
                "this is the resource of machine.gpus",
                "Leave it out.",
                depends_on_fields=(("node_sets", index, "machine", "gpus"),),
            )
        if machine:
            yield from shared_memory_fits(node_set, machine, ("node_sets", index))
        for position, gres in enumerate(node_set.extra_gres):
            has_machine = node_set.pool is not None or machine is not None
            if gres.split(":", maxsplit=1)[0] == "gpu" and (has_machine or not spec.adopted):
                yield FieldError(
                    ("node_sets", index, "extra_gres", position),
                    gres,
                    "GPUs come from the machine and would be counted twice",
                    "Leave it out; machine.gpus and gpus say how many there are.",
                )


def shared_memory_fits(node_set: NodeSetSpec, machine: MachineSpec, at: Path) -> Iterator[FieldError]:
    """Refuse a /dev/shm that could use up all memory of slurmd; ``at`` is the path of the node set."""
    if node_set.shared_memory and quantity(node_set.shared_memory) / 1024**2 >= machine.memory_mib:
        yield FieldError(
            (*at, "shared_memory"),
            node_set.shared_memory,
            f"slurmd and its jobs have {machine.memory_mib}Mi, and what lies in /dev/shm is part of that",
            "Write less than that, for example half of it.",
            depends_on_fields=((*at, "machine"),),
        )


RULES: tuple[Rule, ...] = (node_sets_have_a_machine,)
