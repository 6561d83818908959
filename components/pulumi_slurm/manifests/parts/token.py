"""A token for the REST API."""

from pulumi_slurm.manifests import slinky
from pulumi_slurm.manifests.objects import Manifests
from pulumi_slurm.manifests.parts.part import Part
from pulumi_slurm.model import TokenSpec


class TokenPart(Part):
    """A token for the REST API."""

    token: TokenSpec
    """Whom it speaks for, and for how long."""

    def manifests(self) -> Manifests:
        """Return the Token."""
        return {"token": slinky.token(self.cluster, self.token)}
