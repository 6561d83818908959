"""The database: that a second instance has a place."""

from collections.abc import Iterator

from pulumi_slurm.ack.model.cluster import AckSpec
from pulumi_slurm.errors import FieldError


def replicas_have_zones(spec: AckSpec) -> Iterator[FieldError]:
    """Refuse a second instance in the zone of the first: a zone that fails takes both."""
    if spec.database and spec.database.high_availability and len(spec.zones) == 1:
        yield FieldError(
            ("database", "high_availability"),
            True,
            f"its second instance would lie in {spec.zones[0]} too, the only zone",
            "Add a zone to zones, or leave highAvailability out.",
            depends_on_fields=(("zones",),),
        )
