"""The base of the parts of a Slurm cluster."""

from pulumi_slurm.manifests.objects import Manifests
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.cluster_ref import ClusterRef


class Part(Model):
    """A part of a Slurm cluster: the arguments of one component, and the objects that follow from them.

    The arguments of the component are this model and, where it needs them, secrets.
    """

    cluster: ClusterRef
    """The cluster that it belongs to."""

    def manifests(self) -> Manifests:
        """Return the objects in the order in which they are created, by the suffixes of their resources' names."""
        raise NotImplementedError
