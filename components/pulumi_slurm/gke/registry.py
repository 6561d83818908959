"""GkeRegistry: repositories for the user's images, and for a cache of Slinky's."""

from typing import Any, Unpack, overload

import pulumi
import pulumi_gcp as gcp
from pydantic import field_validator

from pulumi_slurm.gke.arguments import GkeArgs, cluster_name, when_known
from pulumi_slurm.gke.dicts import GkeRegistryArgsDict
from pulumi_slurm.gke.model import GkeRegistrySpec, names
from pulumi_slurm.gke.plan.images import cache_of_slinky, cache_repository, repository_url
from pulumi_slurm.kube.component import Component, Options

_WEEK = "604800s"


class GkeRegistryArgs(GkeArgs):
    """Arguments of `GkeRegistry`."""

    region: pulumi.Input[str]
    """The region of the repositories."""
    repository_id: pulumi.Input[str]
    """The id of the repository of your own images; the cache of Slinky's is <id>-slinky."""
    registry: GkeRegistrySpec = GkeRegistrySpec()
    """Which versions are kept, and whether Slinky's images are cached."""
    encryption_key: pulumi.Input[str] | None = None
    """A key of Cloud KMS that encrypts the repositories; a change replaces them."""
    labels: dict[str, str] = {}
    """Labels of the repositories, for example for billing."""

    _region = field_validator("region")(when_known(names.region))
    _repository_id = field_validator("repository_id")(when_known(cluster_name))
    _labels = field_validator("labels")(names.resource_labels)


class GkeRegistry(Component[GkeRegistryArgs]):
    """Docker repositories in Artifact Registry: one for your own images, one that caches ghcr.io.

    Nodes pull from both with the role artifactregistry.reader, which `GkeNodeAccount` has. Image streaming only works
    with images from Artifact Registry, so Slinky's images need the cache for it. Google's provider comes from ``opts``.
    Nothing protects the repositories from a destroy: images can be pushed and pulled again.

    Example::

        GkeRegistry("hpc", {"project": "my-project", "region": "us-central1", "repository_id": "hpc"})
    """

    url: pulumi.Output[str]
    """Where to push images: <region>-docker.pkg.dev/<project>/<repository>."""
    slinky_images: pulumi.Output[str | None]
    """The value for `images.registry` of the Slurm specification; None if Slinky's images aren't cached."""

    @overload
    def __init__(
        self, resource_name: str, args: GkeRegistryArgs | GkeRegistryArgsDict, opts: Options = None
    ) -> None: ...
    @overload
    def __init__(self, resource_name: str, *, opts: Options = None, **fields: Unpack[GkeRegistryArgsDict]) -> None: ...
    def __init__(self, resource_name: str, args: Any = None, opts: Options = None, **fields: Any) -> None:
        super().__init__(resource_name, args, opts, fields)
        args = self._args
        repository_id: pulumi.Output[str] = pulumi.Output.from_input(args.repository_id)
        shared: dict[str, Any] = {
            "format": "DOCKER",
            "project": args.project,
            "location": args.region,
            "labels": args.labels,
            "kms_key_name": args.encryption_key,
            "cleanup_policies": _cleanup(args.registry),
            # Their ids are in the program, so Google would refuse the new one beside the old one.
            "opts": self.child(delete_before_replace=True),
        }
        repositories = [
            gcp.artifactregistry.Repository(
                f"{self._name}-images",
                repository_id=repository_id,
                description="Images of one's own",
                docker_config={"immutable_tags": args.registry.immutable_tags},
                **shared,
            )
        ]
        if args.registry.cache_slinky:
            # Tags at ghcr.io can move, so those in the cache aren't immutable.
            cache = gcp.artifactregistry.Repository(
                f"{self._name}-slinky",
                repository_id=repository_id.apply(cache_repository),
                description="A cache of Slinky's images",
                mode="REMOTE_REPOSITORY",
                remote_repository_config={
                    "description": "GitHub's registry",
                    "common_repository": {"uri": "https://ghcr.io"},
                },
                **shared,
            )
            repositories.append(cache)
        self.url = pulumi.Output.all(args.region, args.project, repository_id).apply(
            lambda parts: repository_url(*parts)
        )
        cached = args.registry.cache_slinky
        self.slinky_images = self.url.apply(lambda url: cache_of_slinky(url) if cached else None)
        self.finish(*repositories)


def _cleanup(registry: GkeRegistrySpec) -> list[dict[str, Any]]:
    """Return the policies: untagged versions are deleted after a week, except the newest ones of an image.

    Parts of an image for several architectures are untagged, too. Artifact Registry doesn't delete a part that an image
    refers to.
    """
    return [
        {
            "id": "keep-newest",
            "action": "KEEP",
            "most_recent_versions": {"keep_count": registry.keep_versions},
        },
        {
            "id": "delete-untagged",
            "action": "DELETE",
            "condition": {"tag_state": "UNTAGGED", "older_than": _WEEK},
        },
    ]
