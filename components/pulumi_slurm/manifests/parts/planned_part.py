"""An entry of the plan of a cluster."""

from dataclasses import dataclass

from pulumi_slurm.manifests.parts.part import Part

PartKey = tuple[type[Part] | None, str]
"""A part's class, None where it is no component, and its name."""


@dataclass(frozen=True)
class PlannedPart:
    """A part of a cluster, and what it comes right after."""

    name: str
    """The suffix of the component's name, after that of the cluster; "" for slurmctld."""
    part: Part | None = None
    """The arguments of its component; None for what is no component."""
    after: tuple[PartKey, ...] = ()
    """The parts that it comes right after, each by class and name. These come after all else that it needs."""

    @property
    def key(self) -> PartKey:
        """What `after` of other parts has."""
        return type(self.part) if self.part else None, self.name
