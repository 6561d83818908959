"""Where images lie in Artifact Registry."""

from pulumi_slurm.gke.model import GkeSpec


def own_images(spec: GkeSpec) -> str | None:
    """Return the registry and path before the names of one's own images; None without a registry."""
    return f"{_host_and_project(spec)}/{own_repository(spec)}" if spec.registry else None


def slinky_images(spec: GkeSpec) -> str | None:
    """Return what to write as `images.registry` of the Slurm specification; None without a cache of Slinky's images."""
    cached = spec.registry is not None and spec.registry.cache_slinky
    return f"{_host_and_project(spec)}/{slinky_repository(spec)}/slinkyproject" if cached else None


def own_repository(spec: GkeSpec) -> str:
    """Return the id of the repository of one's own images."""
    return spec.cluster_name


def slinky_repository(spec: GkeSpec) -> str:
    """Return the id of the repository that caches ghcr.io."""
    return f"{own_repository(spec)}-slinky"


def _host_and_project(spec: GkeSpec) -> str:
    # The colon of a project that belongs to a domain would begin a port or a tag, so paths have a slash there:
    # https://cloud.google.com/artifact-registry/docs/docker/names
    return f"{spec.region}-docker.pkg.dev/{spec.project.replace(':', '/')}"
