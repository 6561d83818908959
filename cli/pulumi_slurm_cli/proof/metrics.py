"""Steps for metrics: whether slurmctld counts the jobs that a proof has run."""

import re
from collections.abc import Iterator

from pulumi_slurm.derived.metrics_access import auth_users, private_data
from pulumi_slurm.derived.operator_lines import slurmctld_addresses
from pulumi_slurm.model.ports import SLURMCTLD_PORT
from pulumi_slurm_cli.proof.http import text_of
from pulumi_slurm_cli.proof.result import Result, judged, untried
from pulumi_slurm_cli.proof.trial import Trial

_PATH = "/metrics/scheduler"
_NOBODY = -1
_STARTED = re.compile(r"^slurm_sdiag_jobs_started (?P<count>\d+)", re.M)
"""It starts anew once a day, with sdiag: https://slurm.schedmd.com/sdiag.html."""


def metrics_start(trial: Trial) -> Iterator[Result]:
    """Read how many jobs slurmctld has started before those of the proof; that alone says nothing."""
    if trial.spec.monitoring.metrics:
        trial.started = _started(trial)
    yield from ()


def metrics_move(trial: Trial) -> Iterator[Result]:
    """Read it again."""
    subject = "jobs started"
    if not trial.spec.monitoring.metrics or trial.ended_well is None:
        why = "no job ended well" if trial.spec.monitoring.metrics else "slurmctld exports none"
        yield untried("metrics", subject, why)
        return
    if key := private_data(trial.spec) or auth_users(trial.spec):
        yield untried("metrics", subject, f"with {key} they are for those alone who authenticate")
        return
    before, after = trial.started, _started(trial)
    if _NOBODY in (before, after) or (before is None and after is not None):
        why = "they were not to be read before" if before is None else f"{trial.place.pod} has no bash to ask by"
        yield untried("metrics", subject, why)
        return
    if after is None:
        observed = f"slurmctld has no slurm_sdiag_jobs_started at {_PATH}"
    else:
        observed = f"slurm_sdiag_jobs_started {'is still' if before == after else f'was {before}, and is'} {after}"
    yield judged(
        "metrics",
        subject,
        observed,
        wrong=after is None or after == before,
        expected="it counts the jobs of this proof",
        fix="See `scontrol show config` for MetricsType, and slurmctld's log.",
    )


def _started(trial: Trial) -> int | None:
    """Return the count; None where slurmctld doesn't tell it, and `_NOBODY` where nobody can ask."""
    answers = [text_of(trial.place, address, SLURMCTLD_PORT, _PATH) for address in slurmctld_addresses(trial.spec)]
    matches = [match for answer in answers if (match := _STARTED.search(answer or ""))]
    if matches:
        return int(matches[0]["count"])
    return None if any(answer is not None for answer in answers) else _NOBODY
