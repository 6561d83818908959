"""A volume such as /home that login and worker pods share."""

from pulumi_slurm.manifests.objects import Manifests, by_kind
from pulumi_slurm.manifests.parts.part import Part
from pulumi_slurm.manifests.storage import shared_volume
from pulumi_slurm.model import SharedVolumeSpec


class SharedVolumePart(Part):
    """A shared volume."""

    volume: SharedVolumeSpec
    """Its source, size and mount path."""

    def manifests(self) -> Manifests:
        """Return the claim, after the volume behind it where that is an NFS export or a CSI handle."""
        return by_kind("", shared_volume(self.cluster, self.volume))
