"""Where images lie in Artifact Registry."""

from pulumi_slurm.gke.plan.gke_plan import GkePlan


def slinky_images(plan: GkePlan) -> str | None:
    """Return what to write as `images.registry` of the Slurm specification; None without a cache of Slinky's images."""
    cached = plan.spec.registry is not None and plan.spec.registry.cache_slinky
    return (
        cache_of_slinky(repository_url(plan.spec.region, plan.spec.project, own_repository(plan))) if cached else None
    )


def own_repository(plan: GkePlan) -> str:
    """Return the id of the repository of one's own images."""
    return plan.spec.cluster_name


def cache_repository(repository: str) -> str:
    """Return the id of the repository that caches ghcr.io, beside a repository of one's own images."""
    return f"{repository}-slinky"


def cache_of_slinky(url: str) -> str:
    """Return where Slinky's images are cached, beside the repository of one's own images at ``url``."""
    return f"{cache_repository(url)}/slinkyproject"


def repository_url(location: str, project: str, repository: str) -> str:
    """Return the registry and path before the names of images in a repository."""
    # The colon of a project that belongs to a domain would begin a port or a tag, so paths have a slash there:
    # https://cloud.google.com/artifact-registry/docs/docker/names
    return f"{location}-docker.pkg.dev/{project.replace(':', '/')}/{repository}"
