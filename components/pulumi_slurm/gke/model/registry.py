"""Artifact Registry: your own images, and a cache of Slinky's."""

from pydantic import Field

from pulumi_slurm.model.base import Model


class GkeRegistrySpec(Model):
    """A Docker repository in the cluster's region."""

    cache_slinky: bool = True
    """Pull Slinky's images through a cache in the region, which also makes image streaming possible."""
    keep_versions: int = Field(default=10, ge=1)
    """How many versions of each image to keep; older untagged ones are deleted."""
    immutable_tags: bool = True
    """Refuse to move a tag to another image."""
