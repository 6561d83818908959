"""The MariaDB behind slurmdbd."""

from pulumi_slurm.manifests.database import database
from pulumi_slurm.manifests.objects import Manifests, by_kind
from pulumi_slurm.manifests.parts.part import Part
from pulumi_slurm.model import DatabaseSpec


class DatabasePart(Part):
    """The database of slurmdbd."""

    database: DatabaseSpec = DatabaseSpec()
    """What kind of database it is."""

    def manifests(self) -> Manifests:
        """Return its objects, without the Secret with passwords; none for a database elsewhere."""
        return by_kind("", database(self.cluster, self.database))
