"""Policies on lines of slurm.conf, wherever they stand: in a Controller's extraConf, or in a ConfigMap."""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError
from slurm_policies.policy import Level, Policy, Resource, Settings, Severity, policy, whole_number
from slurm_policies.reading import lines, number, text_at
from slurm_policies.types import CONFIG_MAP, CONTROLLER

_PLACES = (("spec", "extraConf"), ("data", "slurm.conf"))


def _lines(resource: Resource) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """Yield the lines of slurm.conf: their place, the key in small letters, and the value."""
    for place in _PLACES:
        for key, value in lines(text_at(resource.inputs, *place)):
            yield place, key, value


@policy(CONTROLLER, CONFIG_MAP, level=Level.MANDATORY, severity=Severity.HIGH, ends_jobs=True)
def jobs_are_requeued_when_a_node_fails(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """Jobs start again when their node fails or a cloud reclaims it.

    Source: JobRequeue in https://slurm.schedmd.com/slurm.conf.html; on spot nodes every job meets this.
    """
    for place, key, value in _lines(resource):
        if key == "jobrequeue" and value == "0":
            yield FieldError(
                place,
                f"JobRequeue={value}",
                "a job whose node fails, or is spot capacity that the cloud takes back, ends for good",
                "Leave it out; a job that must not run twice is submitted with --no-requeue.",
            )


@policy(CONTROLLER, CONFIG_MAP, level=Level.ADVISORY, severity=Severity.MEDIUM, ends_jobs=True)
def preempted_jobs_are_kept(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """Preemption puts jobs back in the queue.

    Source: PreemptMode in https://slurm.schedmd.com/slurm.conf.html, of the cluster and of partitions.
    """
    for place, key, value in _lines(resource):
        words = f"{key}={value}".lower().replace(",", " ").split()
        if "preemptmode=cancel" in words:
            yield FieldError(
                place,
                "PreemptMode=CANCEL",
                "a job that another preempts ends for good",
                "Write REQUEUE, or SUSPEND,GANG.",
            )


@policy(
    CONTROLLER,
    CONFIG_MAP,
    level=Level.ADVISORY,
    severity=Severity.HIGH,
    ends_jobs=True,
    leastSeconds=whole_number(120, "the shortest time without an answer after which slurmctld may give up a node"),
)
def slurmd_may_be_away_for_a_while(resource: Resource, settings: Settings) -> Iterator[FieldError]:
    """Slurm gives a node time to come back before it ends its jobs.

    Source: SlurmdTimeout in https://slurm.schedmd.com/slurm.conf.html, 300 s by default. A pod of slurmctld or a
    network that is away for a moment must not cost jobs; 0 means for ever, which is about nodes that never end.
    """
    for place, key, value in _lines(resource):
        if key == "slurmdtimeout" and value.isdecimal() and 0 < int(value) < settings["leastSeconds"]:
            yield FieldError(
                place,
                f"SlurmdTimeout={value}",
                "slurmctld sets a node down after so many seconds without an answer, and ends its jobs",
                f"Write {number(settings['leastSeconds'])} or more, or leave it out, which is 300.",
            )


POLICIES: tuple[Policy, ...] = (
    jobs_are_requeued_when_a_node_fails,
    preempted_jobs_are_kept,
    slurmd_may_be_away_for_a_while,
)
