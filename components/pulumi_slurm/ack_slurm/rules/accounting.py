"""Accounting and job completion."""

import re
from collections.abc import Iterator

from pulumi_slurm.ack_slurm.rules.context import ACK, CLUSTER, RuleContext
from pulumi_slurm.errors import FieldError
from pulumi_slurm.rules.run import Rule

_JOB_COMPLETION = re.compile(r"(?i)jobcomp(type|host|port|user|loc)")


def accounting_lines_need_slurmdbd(context: RuleContext) -> Iterator[FieldError]:
    """Refuse lines about accounting in a cluster without slurmdbd."""
    spec = context.spec
    if spec.accounting is None:
        for name in spec.slurm_conf.extra:
            if name.lower().startswith("accountingstorage"):
                problem = "without accounting there is no slurmdbd"
                at = (*CLUSTER, "slurm_conf", "extra", name)
                yield FieldError(at, spec.slurm_conf.extra[name], problem, "Add accounting, or leave this out.")


def job_completion_is_complete(context: RuleContext) -> Iterator[FieldError]:
    """Refuse job completion without a database, and lines about it in `slurmConf.extra`."""
    spec, completion = context.spec, context.ack.job_completion
    for name, value in spec.slurm_conf.extra.items():
        if _JOB_COMPLETION.fullmatch(name) and (completion or "mysql" in value):
            problem = "it would be in a ConfigMap, together with its password"
            at = (*CLUSTER, "slurm_conf", "extra", name)
            yield FieldError(at, value, problem, "Leave it out; set ack.slurm.jobCompletion.")
    if completion and completion.host is None and (spec.accounting is None or spec.accounting.external):
        problem = "there is no accounting database whose host could be used"
        at = (*ACK, "job_completion", "host")
        yield FieldError(
            at,
            FieldError.ABSENT,
            problem,
            "Add the host's name or address.",
            depends_on_fields=((*CLUSTER, "accounting"),),
        )


RULES: tuple[Rule, ...] = (
    accounting_lines_need_slurmdbd,
    job_completion_is_complete,
)
