"""Slurm nodes outside the Kubernetes cluster."""

from pydantic import Field, field_validator

from pulumi_slurm.model.base import Model
from pulumi_slurm.model.names import slurm_name


class ExternalNodesSpec(Model):
    """Machines outside the Kubernetes cluster, whose slurmds register by themselves.

    Each runs ``slurmd -Z --conf-server <slurmctld>:6817 --conf "Feature=<name>"``; see the page on hybrid clusters.
    """

    name: str
    """The name by which partitions refer to them, which is also the feature that their slurmds state."""
    max_nodes: int = Field(ge=1, le=65536)
    """The maximum number of nodes."""

    @field_validator("name")
    @classmethod
    def _name_is_a_word(cls, value: str) -> str:
        return slurm_name(value)
