"""Rules on locked memory, which jobs need for RDMA: slurmd's limit is raised, and jobs get it."""

from collections.abc import Iterator, Mapping, Sequence

from pulumi_slurm.derived.machines import machine_of
from pulumi_slurm.derived.slurm_conf_lines import LOCK_MEMORY, MEMLOCK, PROPAGATED, has_rdma, limit_names
from pulumi_slurm.errors import FieldError
from pulumi_slurm.model.machine import NodePoolSpec
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule, warns

_EFFECT = "NCCL, UCX and libfabric fail for users, or fall back to TCP"


@warns
def jobs_may_lock_memory_for_rdma(spec: SlurmSpec, pools: Sequence[NodePoolSpec]) -> Iterator[FieldError]:
    """Warn of lines and commands with which jobs on nodes with RDMA may lock as little memory as login nodes allow."""
    if not has_rdma(spec, pools):
        return
    for key, text in spec.slurm_conf.extra.items():
        if key.lower() == PROPAGATED.lower() and MEMLOCK in limit_names(text):
            problem = f"jobs may lock as little memory as login nodes allow, so over RDMA {_EFFECT}"
            yield FieldError(("slurm_conf", "extra", key), text, problem, f"Leave {MEMLOCK} out.", (("node_sets",),))
    for index, node_set in enumerate(spec.node_sets):
        machine, slurmd = machine_of(node_set, pools), node_set.overrides.get("slurmd")
        command = slurmd.get("command") if isinstance(slurmd, Mapping) else None
        if machine and machine.has_rdma and command and "ulimit -l" not in str(command):
            problem = f"it replaces the command that lets jobs lock memory, so over RDMA {_EFFECT}"
            fix = f'Leave it out, or have a shell run "{LOCK_MEMORY}" before.'
            yield FieldError(("node_sets", index, "overrides", "slurmd", "command"), command, problem, fix)


RULES_WITH_POOLS: tuple[Rule, ...] = (jobs_may_lock_memory_for_rdma,)
