"""A step for mail: whether slurmctld has the program that it sends mail by."""

import shlex
from collections.abc import Iterator

from pulumi_slurm.derived.slurm_conf_lines import slurm_conf_lines
from pulumi_slurm_cli.proof.place import slurmctld_of
from pulumi_slurm_cli.proof.result import Result, judged, untried
from pulumi_slurm_cli.proof.trial import Trial


def mail_has_a_program(trial: Trial) -> Iterator[Result]:
    """Look for MailProg where slurmctld runs, which says nothing of a mail's arrival."""
    lines = {key.lower(): str(value) for key, value in slurm_conf_lines(trial.spec).items()}
    program = lines.get("mailprog")
    if not program or trial.spec.controller.external:
        yield untried("mail", "MailProg", "slurmctld is outside" if program else "none is set")
        return
    path = shlex.quote(program)
    done = slurmctld_of(trial.spec, trial.place.kubectl).query(f"test -f {path} && test -x {path}")
    yield judged(
        "mail",
        "MailProg",
        f"{program} {'is not there, or no program' if done.code else 'is there'}",
        wrong=bool(done.code),
        expected="slurmctld's pod has it",
        fix="Name a program that the image of slurmctld has, or add it to that.",
    )
