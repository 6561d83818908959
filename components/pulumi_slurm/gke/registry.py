"""GkeRegistry: images of one's own, and a cache of Slinky's."""

from collections.abc import Mapping
from typing import Any, Self

import pulumi
import pulumi_gcp as gcp
from pydantic import model_validator

from pulumi_slurm.gke.inputs import PLACE, inputs
from pulumi_slurm.gke.model import GkeRegistrySpec
from pulumi_slurm.gke.plan.images import own_images, own_repository, slinky_images, slinky_repository
from pulumi_slurm.gke.rules import CheckedGkeSpec
from pulumi_slurm.kube.component import Args, Component, child_options, parse_args
from pulumi_slurm.kube.stated_parts import check_stated

_WEEK = "604800s"


class GkeRegistryArgs(Args):
    """Arguments of `GkeRegistry`."""

    spec: CheckedGkeSpec
    """The GKE cluster; its `registry` is what is made."""

    @model_validator(mode="after")
    def _there_is_one(self) -> Self:
        check_stated(self.spec, "registry")
        return self


class GkeRegistry(Component[GkeRegistryArgs]):
    """Docker repositories in Artifact Registry: one for images of one's own, one that caches ghcr.io.

    Nodes pull from both with the role artifactregistry.reader, which `GkeNodeAccount` has. Image streaming works only
    with images from Artifact Registry, so the cache is also what makes Slinky's images start early. Google's provider
    comes from ``opts``. Nothing protects the repositories from a destroy: images can be pushed and pulled anew.
    """

    url: pulumi.Output[str]
    """Where to push images to: <region>-docker.pkg.dev/<project>/<cluster>."""
    slinky_images: pulumi.Output[str | None]
    """What `images.registry` of the Slurm specification is to be; None where Slinky's images aren't cached."""

    def __init__(
        self, name: str, args: GkeRegistryArgs | Mapping[str, Any], opts: pulumi.ResourceOptions | None = None
    ) -> None:
        args = parse_args(GkeRegistryArgs, args)
        what = args.spec.registry or GkeRegistrySpec()
        super().__init__(name, args, opts, inputs=inputs(args.spec, (*PLACE, "registry", "labels")))
        shared: dict[str, Any] = {
            "format": "DOCKER",
            "project": args.spec.project,
            "location": args.spec.region,
            "labels": args.spec.labels,
            "cleanup_policies": _cleanup(what),
            "opts": child_options(self, opts),
        }
        images = gcp.artifactregistry.Repository(
            f"{name}-images",
            repository_id=own_repository(args.spec),
            description="Images of one's own",
            docker_config={"immutable_tags": what.immutable_tags},
            **shared,
        )
        self._last = [images]
        if what.cache_slinky:
            # Tags at ghcr.io move, so those in the cache have to.
            cache = gcp.artifactregistry.Repository(
                f"{name}-slinky",
                repository_id=slinky_repository(args.spec),
                description="A cache of Slinky's images",
                mode="REMOTE_REPOSITORY",
                remote_repository_config={
                    "description": "GitHub's registry",
                    "common_repository": {"uri": "https://ghcr.io"},
                },
                **shared,
            )
            self._last.append(cache)
        self.url = pulumi.Output.from_input(own_images(args.spec) or "")
        self.slinky_images = pulumi.Output.from_input(slinky_images(args.spec))
        self.finish(*self._last)


def _cleanup(registry: GkeRegistrySpec) -> list[dict[str, Any]]:
    """Return the policies: untagged versions go after a week, but never the newest of an image.

    Parts of an image for several architectures are untagged, too. Artifact Registry doesn't delete a part that an image
    refers to; this was not checked with a cleanup policy.
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
