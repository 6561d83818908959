"""Login nodes: the LoginSet, its Service, and its autoscaler where it has one."""

from pulumi_slurm.manifests import slinky
from pulumi_slurm.manifests.autoscaling import autoscaler_of
from pulumi_slurm.manifests.objects import Manifests, by_kind
from pulumi_slurm.manifests.parts.part import Part
from pulumi_slurm.manifests.services import login_service
from pulumi_slurm.model import LoginSetSpec, SecretKeyRef, SharedVolumeSpec


class LoginSetPart(Part):
    """Login nodes."""

    login_set: LoginSetSpec
    """The login nodes and their Service."""
    sssd: SecretKeyRef
    """The Secret with sssd.conf."""
    shared_volumes: list[SharedVolumeSpec] = []
    """Volumes that they mount."""

    def manifests(self) -> Manifests:
        """Return the LoginSet, its Service and its autoscaler."""
        resource = slinky.login_set(self.cluster, self.login_set, sssd=self.sssd, volumes=self.shared_volumes)
        return {
            "loginset": resource,
            **by_kind("ssh", login_service(self.cluster, self.login_set)),
            **autoscaler_of(self.cluster, resource, self.login_set.autoscaling),
        }
