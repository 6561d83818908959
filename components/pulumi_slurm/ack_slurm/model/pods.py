"""Fields of ack-slurm-operator's pods in addition to those of the Slurm specification.

Selectors, tolerations, affinity, pull secrets, priority and the node's network are set by `pod` of the Slurm
specification.
"""

import re
from typing import Any

from pydantic import Field, field_validator

from pulumi_slurm.errors import field_error
from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.kubernetes_fields import in_form_of
from pulumi_slurm.model.units import bytes_text, quantity_text

_PATH = re.compile(r"/[A-Za-z0-9._/-]*[A-Za-z0-9._-]/*")
TEMPLATE_FIELDS = (".MungeKeyPath", ".SlurmConfPath")
"""Fields that a start script may use between double braces; the operator replaces them."""


class PodExtrasSpec(Model):
    """Additional fields of a pod template, as in the Kubernetes API."""

    image: str | None = None
    """The image, instead of the cluster's."""
    set_hostname_as_fqdn: bool = False
    """Use the pod's fully qualified domain name as its host name."""
    pod_security_context: dict[str, Any] = {}
    """The pod's `securityContext`, merged over the default one."""
    security_context: dict[str, Any] = {}
    """The main container's `securityContext`."""
    volumes: list[dict[str, Any]] = []
    """Additional volumes of the pod."""
    volume_mounts: list[dict[str, Any]] = []
    """Their mounts in the main container."""

    _image = field_validator("image")(kubernetes_names.image)
    _pod_security_context = field_validator("pod_security_context")(in_form_of("PodSecurityContext"))
    _security_context = field_validator("security_context")(in_form_of("SecurityContext"))
    _volumes = field_validator("volumes")(in_form_of("[Volume]"))
    _volume_mounts = field_validator("volume_mounts")(in_form_of("[VolumeMount]"))

    @classmethod
    def _meant_elsewhere(cls, name: str) -> str | None:
        fix = "Write it in the daemon's own section: cluster.controller, cluster.accounting or cluster.restApi."
        return fix if name == "resources" else None


class StartedPodExtrasSpec(PodExtrasSpec):
    """The same for pods whose start script can be replaced: controllers and workers."""

    _with_line_breaks = frozenset({"init_bash"})

    init_bash: str | None = Field(default=None, min_length=1)
    """A custom start script instead of the default one; {{.MungeKeyPath}} and {{.SlurmConfPath}} are replaced, and
    anything else between double braces is refused."""

    @field_validator("init_bash")
    @classmethod
    def _braces_contain_template_fields(cls, value: str | None) -> str | None:
        for field in braces(value or ""):
            if field not in TEMPLATE_FIELDS:
                raise field_error(
                    f"the operator reads the script as a Go template, and {{{{{field}}}}} is not one of its two fields",
                    "Write {{.MungeKeyPath}} or {{.SlurmConfPath}}; for braces of the shell put a space between them.",
                )
        return value


class WorkerRequestsSpec(Model):
    """The requests of a worker if they are less than its limits, which are the size of its Slurm node.

    Kubernetes has the rest of the node for other pods. No two such workers are on the same node.
    """

    cpu: str = "100m"
    """CPUs, for example "500m": enough for slurmd itself."""
    memory: str = "256Mi"
    """Memory, for example "1Gi"."""

    _cpu_is_a_quantity = field_validator("cpu", mode="before")(quantity_text)
    _memory_is_a_quantity = field_validator("memory", mode="before")(bytes_text)


class WorkerExtrasSpec(StartedPodExtrasSpec):
    """The same for workers, and what they request of Kubernetes."""

    requests: WorkerRequestsSpec | None = None
    """Requests apart from limits; by default `copilot.requests` with colocation, otherwise the limits."""


def braces(script: str) -> list[str]:
    """Return the texts between double braces; an unclosed pair extends to the end of the script."""
    return [part.partition("}}")[0].strip(" -") for part in script.split("{{")[1:]]


def absolute(path: str) -> str:
    """Return the value if it is an absolute path of letters that no shell reads as its own; else raise a field error.

    The operator's scripts have some of these paths too, and don't quote them.
    """
    if not _PATH.fullmatch(path) or ".." in path.split("/"):
        raise field_error(
            "this is not a plain absolute path",
            'Write a path below "/" of letters, digits, ".", "_" and "-", without "..", for example "/opt/slurm".',
        )
    return path
