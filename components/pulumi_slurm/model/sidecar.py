"""Sidecars: further containers of worker pods, for daemons that jobs need beside slurmd."""

from pydantic import Field, field_validator

from pulumi_slurm.errors import check_each, field_error
from pulumi_slurm.model import kubernetes_names
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.names import dns_label
from pulumi_slurm.model.pod import ResourcesSpec
from pulumi_slurm.model.storage import HostPathSpec

TAKEN_CONTAINERS = frozenset({"logfile", "slurmd"})
"""Containers that the operator's worker pods have already."""

_LONGEST_NAME = 22
"""Names of its volumes begin with it, and have 63 characters at most."""


class SidecarSpec(Model):
    """A container that starts before slurmd and ends after it, and is started again when it ends by itself.

    Kubernetes' own kind: an init container that stays
    (https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/). It shares the pod's network with slurmd.
    """

    name: str
    """The container's name."""
    image: str
    """Its image."""
    command: list[str] = []
    """What to run, in place of the image's entry point."""
    args: list[str] = []
    """Its arguments, in place of the image's."""
    env: dict[str, str] = {}
    """Its environment."""
    resources: ResourcesSpec | None = None
    """Its CPU and memory, which the node needs beside those of slurmd."""
    privileged: bool = False
    """Let it do on the node what root may."""
    capabilities: list[str] = []
    """What it may do besides, as in capabilities(7) without CAP_, for example "NET_ADMIN"."""
    host_paths: list[HostPathSpec] = []
    """Folders and files of the node that it sees."""
    ready_command: list[str] = []
    """A program in it that ends with 0 once the sidecar is ready; slurmd starts after that."""
    ready_seconds: int = Field(default=300, ge=5)
    """How long that may take before the sidecar is started again."""

    _image = field_validator("image")(kubernetes_names.image)
    _env = field_validator("env")(kubernetes_names.environment)

    @field_validator("name")
    @classmethod
    def _name_is_free(cls, value: str) -> str:
        if value in TAKEN_CONTAINERS:
            raise field_error("the operator's pods have a container of this name", "Choose another name.")
        return dns_label(value, _LONGEST_NAME)

    @field_validator("capabilities")
    @classmethod
    def _capabilities_have_short_names(cls, value: list[str]) -> list[str]:
        return check_each(value, _capability)

    def volume(self, folder: HostPathSpec) -> str:
        """Return the name of the pod's volume for one of its folders: two sidecars may each call one "sys"."""
        return f"{self.name}-{folder.name}"


def _capability(name: str) -> str:
    if not name.isupper() or not name.replace("_", "").isalnum() or name.startswith("CAP_"):
        suggested = name.upper().replace("-", "_").removeprefix("CAP_") or "NET_ADMIN"
        raise field_error("Kubernetes knows no capability of this name", f'Write for example "{suggested}".')
    return name
