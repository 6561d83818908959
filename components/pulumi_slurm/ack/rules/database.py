"""The database: that a second instance has a place."""

from collections.abc import Iterator

from pulumi_slurm.ack.model.cluster import AckSpec
from pulumi_slurm.errors import Mistake


def replicas_have_zones(spec: AckSpec) -> Iterator[Mistake]:
    """Refuse a second instance in the zone of the first: a zone that fails takes both."""
    if spec.database and spec.database.high_availability and len(spec.zones) == 1:
        yield Mistake(
            ("database", "high_availability"),
            True,
            f"its second instance would lie in {spec.zones[0]} too, the only zone",
            "Add a zone to zones, or leave highAvailability out.",
            rests_on=(("zones",),),
        )
