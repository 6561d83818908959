"""The database: its second instance needs another zone."""

from collections.abc import Iterator

from pulumi_slurm.ack.plan.ack_plan import AckPlan
from pulumi_slurm.errors import FieldError


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
