"""The rule on releases of Slurm with a mistake by which daemons end; `slurm_security` has those that let people in."""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.releases.slurm_security import Release, release_in, tag_of
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule, warns

_FIRST_WITH_METRICS: Release = (25, 11, 0)
_FIRST_WITHOUT_CRASH: Release = (25, 11, 5)
"""CHANGELOG/slurm-25.11.md of https://github.com/SchedMD/slurm, "after a partition is deleted": metrics of its jobs."""


@warns
def metrics_outlive_removed_partitions(spec: SlurmSpec) -> Iterator[FieldError]:
    """Warn of releases of slurmctld that exit when they are asked for metrics after a partition has gone."""
    if spec.controller.external or not spec.monitoring.metrics:
        return
    path, text = _slurmctld_version(spec)
    release = release_in(text)
    if release and _FIRST_WITH_METRICS <= release < _FIRST_WITHOUT_CRASH:
        yield FieldError(
            path,
            text,
            "slurmctld exits, and again after each start, if it is asked for metrics while it remembers jobs of a "
            "partition that has gone",
            "Take 25.11.5 or a later release, or write monitoring: {metrics: false}.",
            depends_on_fields=(("monitoring",),),
        )


def _slurmctld_version(spec: SlurmSpec) -> tuple[Path, str]:
    """Return what says which release slurmctld is, with its path: a version, or the tag of an image."""
    controller = spec.controller
    if controller.image:
        return ("controller", "image"), tag_of(controller.image)
    if spec.images.tag:
        return ("images", "tag"), spec.images.tag
    if controller.slurm_version:
        return ("controller", "slurm_version"), controller.slurm_version
    return ("slurm_version",), spec.slurm_version


RULES: tuple[Rule, ...] = (metrics_outlive_removed_partitions,)
RULES_OF_SLINKY = RULES
