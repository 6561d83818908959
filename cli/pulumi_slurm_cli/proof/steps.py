"""The steps of a proof, in their order."""

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from pulumi_slurm_cli.kubectl import KubectlError
from pulumi_slurm_cli.proof.accounts import account_is_gone, accounts_limit_jobs, remove_account, users_have_accounts
from pulumi_slurm_cli.proof.daemons import daemons_answer, tokens_are_accepted
from pulumi_slurm_cli.proof.gpus import gpus_are_fast
from pulumi_slurm_cli.proof.inside import jobs_have_what_they_asked_for, limits_end_jobs
from pulumi_slurm_cli.proof.jobs import partitions_run_jobs, queue_takes_jobs
from pulumi_slurm_cli.proof.mail import mail_has_a_program
from pulumi_slurm_cli.proof.metrics import metrics_move, metrics_start
from pulumi_slurm_cli.proof.nccl import gpus_work_together, nodes_work_together
from pulumi_slurm_cli.proof.network import daemons_are_out_of_reach
from pulumi_slurm_cli.proof.node_sets import nodes_are_as_specified
from pulumi_slurm_cli.proof.others import jobs_are_out_of_others_reach
from pulumi_slurm_cli.proof.record import jobs_are_recorded
from pulumi_slurm_cli.proof.requeue import jobs_are_requeued
from pulumi_slurm_cli.proof.result import Result, Verdict
from pulumi_slurm_cli.proof.storage import volumes_are_shared
from pulumi_slurm_cli.proof.storage_rates import volumes_are_fast
from pulumi_slurm_cli.proof.trial import Trial

Step = Callable[[Trial], Iterator[Result]]
_QUICK: tuple[Step, ...] = (
    daemons_answer,
    tokens_are_accepted,
    metrics_start,
    nodes_are_as_specified,
    users_have_accounts,
    partitions_run_jobs,
    queue_takes_jobs,
    jobs_have_what_they_asked_for,
    jobs_are_out_of_others_reach,
    limits_end_jobs,
    accounts_limit_jobs,
    daemons_are_out_of_reach,
    volumes_are_shared,
    jobs_are_recorded,
    metrics_move,
    mail_has_a_program,
)
_GPU: tuple[Step, ...] = (*_QUICK, gpus_are_fast, gpus_work_together)
LEVELS: Mapping[str, tuple[Step, ...]] = MappingProxyType(
    {"quick": _QUICK, "gpu": _GPU, "full": (*_GPU, nodes_work_together, volumes_are_fast, jobs_are_requeued)}
)
"""The steps by level; each level has those of the one before."""


def results_of(trial: Trial, level: str = "quick") -> Iterator[Result]:
    """Run the steps of a level and yield what they come to; cancel what is left of their jobs, however it ends.

    Without slurmctld no other step is tried.

    Raises:
        KubectlError: if a script can't be run in the cluster.
    """
    try:
        for step in (*LEVELS[level], account_is_gone):
            for result in step(trial):
                yield result
                if result.subject == "slurmctld" and result.verdict is Verdict.FAIL:
                    return
    except BaseException:
        # The script that ran goes on in the pod for a moment, and may send one more job.
        _cancel(trial)
        time.sleep(3)
        raise
    finally:
        _cancel(trial)


def _cancel(trial: Trial) -> None:
    # Where this fails too, they end by their limits and deadlines, within ten minutes.
    with contextlib.suppress(KubectlError):
        trial.cancel()
    with contextlib.suppress(KubectlError):
        remove_account(trial)
