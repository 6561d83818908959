"""What a pod of ack-slurm-operator's can have beside what a Slurm specification says of any pod.

Selectors, tolerations, affinity, pull secrets, priority and the node's network are `pod` of the Slurm specification.
"""

from typing import Any

from pydantic import Field, field_validator

from pulumi_slurm.errors import field_error
from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.base import Model

KNOWN_FIELDS = (".MungeKeyPath", ".SlurmConfPath")
"""Fields that a start script may name between double braces; the operator fills them in."""


class PodExtrasSpec(Model):
    """Further fields of a pod template, in Kubernetes' own form."""

    image: str | None = None
    """The image, in place of the cluster's."""
    set_hostname_as_fqdn: bool = False
    """Give the pod its full name as host name."""
    pod_security_context: dict[str, Any] = {}
    """The pod's `securityContext`, laid over ours."""
    security_context: dict[str, Any] = {}
    """The main container's `securityContext`."""
    volumes: list[dict[str, Any]] = []
    """Further volumes of the pod."""
    volume_mounts: list[dict[str, Any]] = []
    """Their mounts in the main container."""

    _image = field_validator("image")(kubernetes_names.image)


class StartedPodExtrasSpec(PodExtrasSpec):
    """The same for pods whose start script can be replaced: controllers and workers."""

    init_bash: str | None = Field(default=None, min_length=1)
    """A start script of your own in place of ours, or of the operator's; {{.MungeKeyPath}} and {{.SlurmConfPath}} are
    filled in, and all else between double braces is refused."""

    @field_validator("init_bash")
    @classmethod
    def _braces_are_known(cls, value: str | None) -> str | None:
        for field in braces(value or ""):
            if field not in KNOWN_FIELDS:
                raise field_error(
                    f"the operator reads the script as a Go template, and {{{{{field}}}}} is not one of its two fields",
                    "Write {{.MungeKeyPath}} or {{.SlurmConfPath}}; for braces of the shell put a space between them.",
                )
        return value


def braces(script: str) -> list[str]:
    """Return what stands between double braces; an unclosed pair goes on to the end."""
    return [part.partition("}}")[0].strip(" -") for part in script.split("{{")[1:]]


def absolute(path: str) -> str:
    """Return an absolute path; raise the field's error otherwise."""
    if not path.startswith("/") or path.rstrip("/") == "" or ".." in path.split("/") or any(map(str.isspace, path)):
        raise field_error("this is not an absolute path", 'Write for example "/slurm-resume.sh".')
    return path
