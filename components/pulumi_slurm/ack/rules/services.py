"""Volumes and the database: configured in the ACK specification or in the Slurm specification, not in both."""

from collections.abc import Iterator

from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.clouds.rules import services as cloud_services
from pulumi_slurm.errors import FieldError
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.run import Rule


def volumes_have_one_owner(plan: AckPlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse shared volumes that the ACK specification creates as well."""
    return cloud_services.volumes_have_one_owner(plan.spec.storage, slurm, specification="ACK specification")


def database_has_one_owner(plan: AckPlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse RDS next to another database, or without a slurmdbd that uses it."""
    if plan.spec.database:
        yield from cloud_services.database_has_one_owner(slurm, specification="ACK specification")


RULES_WITH_SLURM: tuple[Rule, ...] = (
    volumes_have_one_owner,
    database_has_one_owner,
)
