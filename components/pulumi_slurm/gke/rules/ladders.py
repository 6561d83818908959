"""Ladders: their rungs say what a pool without one says itself."""

from collections.abc import Iterator

from pydantic.alias_generators import to_camel

from pulumi_slurm.errors import Mistake
from pulumi_slurm.gke.model.cluster import GkeSpec
from pulumi_slurm.gke.model.pool import Rung


def ladders_say_it_all(spec: GkeSpec) -> Iterator[Mistake]:
    """Refuse capacity and numbers of nodes beside a ladder."""
    for index, pool in enumerate(spec.pools):
        if not pool.ladder:
            continue
        for field in Rung.model_fields:
            if field in pool.model_fields_set and getattr(pool, field) is not None:
                yield Mistake(
                    ("pools", index, field),
                    getattr(pool, field),
                    "the rungs of the ladder say it, each for its own nodes",
                    f"Leave {to_camel(field)} out here, and state it in the rungs.",
                    rests_on=(("pools", index, "ladder"),),
                )
