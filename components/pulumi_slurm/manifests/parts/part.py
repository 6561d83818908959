"""What a part of a Slurm cluster is."""

from pulumi_slurm.manifests.objects import ClusterRef, Manifests
from pulumi_slurm.model.base import Model


class Part(Model):
    """A part of a Slurm cluster: what one component is told, and the objects that follow from it.

    The arguments of the component are this model and, where it needs them, secrets.
    """

    cluster: ClusterRef
    """The cluster that it belongs to."""

    def manifests(self) -> Manifests:
        """Return the objects in the order in which they are created, by the suffixes of their resources' names."""
        raise NotImplementedError
