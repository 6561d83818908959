"""Needs of dashboards: a slurmctld of which is known what it exports."""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule


def dashboards_have_metrics(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse dashboards of a slurmctld that is outside."""
    if spec.monitoring.dashboards and spec.controller.external:
        yield FieldError(
            ("monitoring", "dashboards"),
            FieldError.ABSENT,
            "slurmctld is outside, and nothing is known here of its metrics",
            "Leave it out.",
        )


RULES: tuple[Rule, ...] = (dashboards_have_metrics,)
