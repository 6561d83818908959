"""Who uses a key of Cloud KMS: the service agents of Google's services, which may use none by default.

Source of their addresses: https://cloud.google.com/iam/docs/service-agents. That they need the role on the key:
https://cloud.google.com/kms/docs/compatible-services, and the page of each service there.
"""

from collections.abc import Iterator
from enum import StrEnum
from types import MappingProxyType

from pulumi_slurm.gke.plan.gke_plan import GkePlan


class KeyUser(StrEnum):
    """A service whose agent uses keys, by the first part of the name of its API."""

    GKE = "container"
    COMPUTE_ENGINE = "compute"
    CLOUD_SQL = "sqladmin"
    FILESTORE = "file"
    LUSTRE = "lustre"
    CLOUD_STORAGE = "storage"
    ARTIFACT_REGISTRY = "artifactregistry"

    def member(self, number: str) -> str:
        """Return the service agent of the project with this number, as the member of a policy."""
        return f"serviceAccount:service-{number}@{_DOMAINS[self]}.iam.gserviceaccount.com"

    @property
    def api(self) -> str:
        """The full name of its API."""
        return f"{self}.googleapis.com"


_DOMAINS = MappingProxyType(
    {
        KeyUser.GKE: "container-engine-robot",
        KeyUser.COMPUTE_ENGINE: "compute-system",
        KeyUser.CLOUD_SQL: "gcp-sa-cloud-sql",
        KeyUser.FILESTORE: "cloud-filer",
        KeyUser.LUSTRE: "gcp-sa-lustre",
        KeyUser.CLOUD_STORAGE: "gs-project-accounts",
        KeyUser.ARTIFACT_REGISTRY: "gcp-sa-artifactregistry",
    }
)


def key_users(plan: GkePlan) -> list[KeyUser]:
    """Return the services that need `encryption_key`; none without one."""
    return [*_users(plan)] if plan.spec.encryption_key else []


def secrets_key(plan: GkePlan) -> str | None:
    """Return the key of Secrets in etcd."""
    return plan.spec.control_plane.secrets_encryption_key or plan.spec.encryption_key


def _users(plan: GkePlan) -> Iterator[KeyUser]:
    spec = plan.spec
    control_plane = spec.control_plane
    if (
        spec.existing_cluster is None
        and control_plane.secrets_encryption_key is None
        and control_plane.grant_encryption_key
    ):
        yield KeyUser.GKE
    if plan.new_pools or plan.makes_system_pool:
        yield KeyUser.COMPUTE_ENGINE
    if spec.database:
        yield KeyUser.CLOUD_SQL
    if any(storage.filestore for storage in spec.storage):
        yield KeyUser.FILESTORE
    if any(storage.lustre for storage in spec.storage):
        yield KeyUser.LUSTRE
    if any(storage.bucket and storage.bucket.name is None for storage in spec.storage):
        yield KeyUser.CLOUD_STORAGE
    if spec.registry:
        yield KeyUser.ARTIFACT_REGISTRY
