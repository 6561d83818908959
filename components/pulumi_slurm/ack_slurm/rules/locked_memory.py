"""A rule on locked memory, which users' jobs need for eRDMA: our start script of workers raises slurmd's limit."""

from collections.abc import Iterator

from pulumi_slurm.ack_slurm.rules.context import ACK, CLUSTER, RuleContext
from pulumi_slurm.derived.slurm_conf_lines import LOCK_MEMORY
from pulumi_slurm.errors import FieldError
from pulumi_slurm.rules.run import Rule, warns

_EFFECT = "users' jobs may lock 64 KiB, so NCCL and MPI fail over RDMA or fall back to TCP"


@warns
def start_scripts_let_jobs_lock_memory(context: RuleContext) -> Iterator[FieldError]:
    """Warn of workers with RDMA that start by another script than ours."""
    for index, group in enumerate(context.groups):
        script = context.ack.worker(group.name).init_bash
        if not group.machine or not group.machine.has_rdma:
            continue
        if context.ack.cluster_chart:
            at = (*CLUSTER, "node_sets", index, "pool")
            problem = f"workers of the chart start by the operator's script, with which {_EFFECT}"
            fix = "Leave ack.slurm.clusterChart out, or have ACK's containerd give containers the limit infinity."
            yield FieldError(at, group.node_set.pool or FieldError.ABSENT, problem, fix)
        elif script and "ulimit -l" not in script:
            problem = f"the script doesn't raise the limit of locked memory, with which {_EFFECT}"
            yield FieldError((*ACK, "workers", group.name, "init_bash"), "...", problem, f'Begin with "{LOCK_MEMORY}".')


RULES: tuple[Rule, ...] = (start_scripts_let_jobs_lock_memory,)
