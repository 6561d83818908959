"""Container images. The operator has no default images, so every daemon gets one from here."""

import re
from enum import StrEnum
from types import MappingProxyType

from pydantic import field_validator

from pulumi_slurm.errors import field_error
from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.one_of import OneOf
from pulumi_slurm.slurmconf.version import Series


class Daemon(StrEnum):
    """A daemon whose container needs an image."""

    SLURMCTLD = "slurmctld"
    SLURMDBD = "slurmdbd"
    SLURMRESTD = "slurmrestd"
    SLURMD = "slurmd"
    LOGIN = "login"


OS_BY_SERIES = MappingProxyType({Series(25, 11): "ubuntu24.04", Series(26, 5): "ubuntu26.04"})
"""The distribution of Slinky's default images, by Slurm series."""


class PullPolicy(StrEnum):
    """When a node pulls an image, as in Kubernetes."""

    ALWAYS = "Always"
    IF_NOT_PRESENT = "IfNotPresent"
    NEVER = "Never"


class ImagesSpec(Model):
    """Registry, tag and pulling of the images; each daemon's own `image` field takes precedence."""

    registry: str = "ghcr.io/slinkyproject"
    """The registry and the path before the daemon's name."""
    tag: str | None = None
    """The tag; by default the Slurm version and the distribution, for example "25.11-ubuntu24.04", which Slinky moves
    to each new release. For a digest write `image` of each daemon."""
    logfile: str = "docker.io/library/alpine:3.22"
    """The image of the container that prints a daemon's log file."""
    kubectl: str = "docker.io/alpine/kubectl:1.35.0"
    """The image, with kubectl and a shell, of the pods that write to nodes: one tells Slurm where nodes are, see
    `topologies`, and one marks the external nodes of `bridge`."""
    pull_policy: OneOf[PullPolicy] | None = None
    """When nodes pull the images of all pods; by default as in Kubernetes: Always with the tag "latest" only."""
    pull_secrets: list[str] = []
    """Names of Secrets in the cluster's namespace for pulling the images of all pods."""

    _pull_secrets = field_validator("pull_secrets")(kubernetes_names.object_names)
    _logfile = field_validator("logfile", "kubectl")(kubernetes_names.image)

    @field_validator("registry")
    @classmethod
    def _registry_and_path(cls, value: str) -> str:
        name = value.rpartition("://")[2]
        host_and_path = name.rpartition("@")[2]
        if host_and_path != name:
            problem = "an image's name has no user and password, which nodes take from a Secret"
            raise field_error(problem, f'Write "{host_and_path}", and the name of a Secret in pullSecrets.')
        if name != value:
            raise field_error("an image's name has no scheme", f'Write "{name}".')
        if not re.fullmatch(r"[a-z0-9][A-Za-z0-9.-]*(:[0-9]+)?(/[a-z0-9][a-z0-9._-]*)*", value):
            raise field_error("this is not a registry and a path", 'Write for example "ghcr.io/slinkyproject".')
        return value

    @field_validator("tag")
    @classmethod
    def _tag_is_a_tag(cls, value: str | None) -> str | None:
        if value is not None and "sha256:" in value:
            problem = "this is a digest, and each daemon's own image has a digest of its own"
            fix = "Write image of each daemon, for example ghcr.io/slinkyproject/slurmd:25.11-ubuntu24.04@sha256:..."
            raise field_error(problem, fix)
        if value is not None and not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}", value):
            raise field_error(
                "this is not a tag", 'Use letters, digits, "_", "-" and ".", for example "25.11-ubuntu24.04".'
            )
        return value

    def of(self, daemon: Daemon, slurm_version: str) -> str:
        """Return the image of a daemon."""
        tag = self.tag or f"{slurm_version}-{OS_BY_SERIES[Series.of(slurm_version)]}"
        return f"{self.registry}/{daemon}:{tag}"
