"""Sidecars: additional containers of worker pods, for daemons that jobs need besides slurmd."""

from pydantic import Field, field_validator

from pulumi_slurm.errors import check_each, field_error
from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.names import dns_label
from pulumi_slurm.model.pod import ResourcesSpec
from pulumi_slurm.model.storage import HostPathSpec

OPERATOR_CONTAINERS = frozenset({"logfile", "slurmd"})
"""Containers that the operator itself adds to worker pods."""

_MAX_NAME_LENGTH = 22
"""The names of the sidecar's volumes start with its name, and are limited to 63 characters."""


class SidecarSpec(Model):
    """A container that starts before slurmd, ends after it, and is restarted if it exits.

    It is a sidecar container of Kubernetes, that is, an init container that keeps running
    (https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/). It shares the pod's network with slurmd.
    """

    _with_line_breaks = frozenset({"command", "args", "env", "ready_command"})

    name: str
    """The container's name."""
    image: str
    """The container's image."""
    command: list[str] = []
    """The command, in place of the image's entry point."""
    args: list[str] = []
    """The arguments, in place of the image's."""
    env: dict[str, str] = {}
    """Environment variables."""
    resources: ResourcesSpec | None = None
    """CPU and memory, which the node needs in addition to those of slurmd."""
    privileged: bool = False
    """Run the container as privileged, with all rights of root on the node."""
    capabilities: list[str] = []
    """Additional Linux capabilities, as in capabilities(7) without CAP_, for example "NET_ADMIN"."""
    host_paths: list[HostPathSpec] = []
    """Directories and files of the node that the container can access."""
    ready_command: list[str] = []
    """A command in the container that exits with 0 once the sidecar is ready; slurmd starts only after that."""
    ready_seconds: int = Field(default=300, ge=5)
    """Seconds until the sidecar is restarted if it doesn't become ready."""

    _image = field_validator("image")(kubernetes_names.image)
    _env = field_validator("env")(kubernetes_names.environment)

    @field_validator("name")
    @classmethod
    def _name_is_free(cls, value: str) -> str:
        if value in OPERATOR_CONTAINERS:
            raise field_error("the operator's pods have a container of this name", "Choose another name.")
        return dns_label(value, _MAX_NAME_LENGTH)

    @field_validator("capabilities")
    @classmethod
    def _capabilities_have_short_names(cls, value: list[str]) -> list[str]:
        return check_each(value, _check_capability)

    def volume_name(self, host_path: HostPathSpec) -> str:
        """Return the name of the pod's volume for a host path; two sidecars may both have one named "sys"."""
        return f"{self.name}-{host_path.name}"


def _check_capability(name: str) -> str:
    if not name.isupper() or not name.replace("_", "").isalnum() or name.startswith("CAP_"):
        suggested = name.upper().replace("-", "_").removeprefix("CAP_") or "NET_ADMIN"
        raise field_error("Kubernetes knows no capability of this name", f'Write for example "{suggested}".')
    return name
