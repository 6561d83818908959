"""The addresses of images in Artifact Registry."""

from pulumi_slurm.gke.plan.gke_plan import GkePlan


def slinky_images(plan: GkePlan) -> str | None:
    """Return the value of `images.registry` in the Slurm specification; None without a cache of Slinky's images."""
    cached = plan.spec.registry is not None and plan.spec.registry.cache_slinky
    return (
        cache_of_slinky(repository_url(plan.spec.region, plan.spec.project, own_repository(plan))) if cached else None
    )


def own_repository(plan: GkePlan) -> str:
    """Return the id of the repository of the user's images."""
    return plan.spec.cluster_name


def cache_repository(repository: str) -> str:
    """Return the id of the repository that caches ghcr.io; ``repository`` is that of the user's images."""
    return f"{repository}-slinky"


def cache_of_slinky(url: str) -> str:
    """Return where Slinky's images are cached; ``url`` is that of the repository of the user's images."""
    return f"{cache_repository(url)}/slinkyproject"


def repository_url(location: str, project: str, repository: str) -> str:
    """Return the registry and path that the names of images in a repository start with."""
    # The id of a project that belongs to a domain has a colon, which in an image's name would start a port or a tag, so
    # paths have a slash instead: https://cloud.google.com/artifact-registry/docs/docker/names
    return f"{location}-docker.pkg.dev/{project.replace(':', '/')}/{repository}"
