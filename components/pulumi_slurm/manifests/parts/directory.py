"""A small LDAP server in the cluster, for trials."""

from pulumi_slurm.manifests.directory import directory
from pulumi_slurm.manifests.objects import Manifests, by_kind
from pulumi_slurm.manifests.parts.part import Part
from pulumi_slurm.model import DirectorySpec


class DirectoryPart(Part):
    """An OpenLDAP server."""

    directory: DirectorySpec = DirectorySpec()
    """Its domain, volume and image."""

    def manifests(self) -> Manifests:
        """Return its objects, without the Secret with the admin's password."""
        return by_kind("", directory(self.cluster, self.directory))
