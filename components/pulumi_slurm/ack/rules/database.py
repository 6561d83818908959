"""The database: its second instance needs another zone, and a key of one's own a dedicated instance type."""

from collections.abc import Iterator

from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.errors import FieldError
from pulumi_slurm.rules.run import Rule, warns

_GENERAL_PURPOSE = "mysql.n"
"""Where the names of general-purpose types begin; those of dedicated ones begin with "mysql.x":
https://www.alibabacloud.com/help/en/rds/product-overview/primary-apsaradb-rds-instance-types"""


def second_instance_has_a_zone(plan: AckPlan) -> Iterator[FieldError]:
    """Refuse a second instance in the zone of the first, because both would fail with the zone."""
    if plan.spec.database and plan.spec.database.high_availability and len(plan.spec.zones) == 1:
        yield FieldError(
            ("database", "high_availability"),
            True,
            f"its second instance would be in {plan.spec.zones[0]} too, the only zone",
            "Add a zone to zones, or leave highAvailability out.",
            depends_on_fields=(("zones",),),
        )


@warns
def keys_have_dedicated_instances(plan: AckPlan) -> Iterator[FieldError]:
    """Warn of a key for a general-purpose instance, which may take the key that RDS makes alone.

    Stated for PostgreSQL, likely for MySQL too:
    https://www.alibabacloud.com/help/en/rds/apsaradb-rds-for-postgresql/configure-disk-encryption-for-an-apsaradb-rds-for-postgresql-instance.
    """
    database = plan.spec.database
    if database and database.encryption_key and database.machine.startswith(_GENERAL_PURPOSE):
        yield FieldError(
            ("database", "encryption_key"),
            database.encryption_key,
            f"{database.machine} is a general-purpose type, and RDS may encrypt those by a key of its own alone",
            'Write a dedicated instanceType, which begins with "mysql.x", or leave encryptionKey out.',
            depends_on_fields=(("database", "instance_type"),),
        )


RULES: tuple[Rule, ...] = (
    second_instance_has_a_zone,
    keys_have_dedicated_instances,
)
