"""The Google APIs that a specification needs."""

from collections.abc import Iterator

from pulumi_slurm.gke.model.control_plane import ClusterDns
from pulumi_slurm.gke.plan.address_needs import uses_private_services
from pulumi_slurm.gke.plan.gke_plan import GkePlan


def google_services(plan: GkePlan) -> list[str]:
    """Return the names of the APIs to enable, e.g. container.googleapis.com; none if they are managed elsewhere."""
    return [f"{api}.googleapis.com" for api in _apis(plan)] if plan.spec.manage.services else []


def _apis(plan: GkePlan) -> Iterator[str]:
    """Yield the first part of the name of each API."""
    # Image streaming, which the system pool always has, needs the third one:
    # https://cloud.google.com/kubernetes-engine/docs/how-to/image-streaming#requirements.
    yield from ("compute", "container", "containerfilesystem", "cloudresourcemanager", "iam", "logging", "monitoring")
    if plan.spec.existing_cluster is None and plan.spec.control_plane.dns is ClusterDns.CLOUD_DNS:
        yield "dns"
    if plan.spec.encryption_key or plan.spec.control_plane.secrets_encryption_key:
        yield "cloudkms"
    if plan.makes_network and plan.spec.network.ssh_from_iap:
        yield "iap"
    if plan.spec.registry:
        yield "artifactregistry"
    if any(item.filestore for item in plan.spec.storage):
        yield "file"
    if any(item.lustre for item in plan.spec.storage):
        yield "lustre"
    if any(item.bucket for item in plan.spec.storage):
        # Pods get their tokens for buckets from the second one.
        yield from ("storage", "iamcredentials")
    if plan.spec.database:
        yield "sqladmin"
    if uses_private_services(plan):
        yield "servicenetworking"
