"""What exists already and is used as it is: a VPC, a GKE cluster, node pools. Nothing of it is changed or deleted."""

import re

from pydantic import Field, PrivateAttr, field_validator

from pulumi_slurm.errors import field_error, optional
from pulumi_slurm.gke.model import names
from pulumi_slurm.gke.model.pool import GkePoolSpec
from pulumi_slurm.model.base import Model
from pulumi_slurm.model.names import dns_label
from pulumi_slurm.model.units import bytes_or_zero

MAX_EXISTING_NAME_LENGTH = 40
"""How many characters GKE accepts in the names of clusters and of node pools."""

_ACCOUNT = re.compile(r"[a-z0-9-]+@[a-z0-9.-]+\.gserviceaccount\.com")


def resource_name(value: str) -> str:
    """Return the name of a resource of Compute Engine, without its path."""
    if not re.fullmatch(names.RESOURCE, value):
        last = value.rstrip("/").rpartition("/")[2]
        is_path = re.fullmatch(names.RESOURCE, last)
        fix = f'Write its name alone: "{last}".' if is_path else "Write its name, as `gcloud` shows it."
        raise field_error("this is not the name of a resource", fix)
    return value


def existing_name(value: str) -> str:
    """Return the name of a cluster or of a node pool in GKE."""
    return dns_label(value, MAX_EXISTING_NAME_LENGTH)


def account_email(value: str) -> str:
    """Return the e-mail address of a service account."""
    if not _ACCOUNT.fullmatch(value):
        raise field_error(
            "this is not the e-mail address of a service account",
            "Write what `gcloud iam service-accounts list` shows as EMAIL.",
        )
    return value


class GkeExistingNetworkSpec(Model):
    """A VPC that exists, with a subnetwork for nodes: of the project, or of the host project of a Shared VPC.

    Nodes have no public addresses, so the VPC needs a way to the Internet (Cloud NAT) unless all images are in Artifact
    Registry. Cloud SQL, Filestore and Lustre need its private services access, which is made if `privateServicesRange`
    is written.
    """

    project: str | None = None
    """The host project of a Shared VPC; by default the VPC is the project's own."""
    network: str
    """The VPC's name."""
    subnetwork: str
    """The name of the nodes' subnetwork, in the region."""
    pods_range: str
    """The name of the subnetwork's secondary range for pods."""
    services_range: str
    """The name of the subnetwork's secondary range for Kubernetes Services."""
    grant_access: bool = False
    """In a Shared VPC: let Google's service agents of the project use the subnetwork, and manage what GKE needs in the
    host project. Without it, the output `sharedVpcGrants` of a preview says what its administrators have to grant."""

    _project = field_validator("project")(optional(names.project_id))
    _names = field_validator("network", "subnetwork", "pods_range", "services_range")(resource_name)


class GkeExistingClusterSpec(Model):
    """A GKE cluster that exists, in the project. Pools are added to it, and it is never changed or deleted."""

    name: str
    """Its name."""
    location: str
    """Its region, or its zone if its control plane runs in a single one: LOCATION in `gcloud container clusters
    list`."""

    _name = field_validator("name")(existing_name)
    _location = field_validator("location")(names.region_or_zone)


class GkeExistingPoolSpec(Model):
    """A node pool that exists in the existing cluster.

    Its machine type, GPUs, zones, numbers of nodes, labels and taints are read from GKE. Node sets name it like any
    other pool, and what schedules their pods there follows from what was read. It is never changed or deleted.
    """

    name: str
    """Its name in GKE, to which node sets refer."""
    reserved_cpus: int = Field(default=1, ge=0)
    """CPUs of each node that are left to DaemonSets, in addition to what GKE reserves for itself."""
    reserved_memory: str = "2Gi"
    """Memory of each node that is left to DaemonSets, in addition to what GKE reserves for itself."""

    _found: GkePoolSpec | None = PrivateAttr(default=None)

    _name = field_validator("name")(existing_name)
    _reserved_memory = field_validator("reserved_memory", mode="before")(bytes_or_zero)

    @property
    def found(self) -> GkePoolSpec | None:
        """The pool as it would be written if it were ours; None until the program has read it."""
        return self._found

    def with_found(self, pool: GkePoolSpec) -> "GkeExistingPoolSpec":
        """Return the same with what was read."""
        copy = self.model_copy()
        copy._found = pool
        return copy


class GkeManageSpec(Model):
    """Which of the things around the cluster are made; where others make them, the outputs say what is needed."""

    nat: bool | None = None
    """Cloud NAT, by which nodes reach the Internet; by default only in a VPC that is made."""
    firewall: bool | None = None
    """Rules of the firewall; by default unless the VPC is another project's. In a VPC that exists it is the one that
    lets the control plane reach the operators' webhooks, and that of Lustre if `privateServicesRange` is written."""
    iam: bool = True
    """Roles: of the nodes' service account, of GKE's service agent for the encryption key, and of pods for buckets.
    With false, the output `neededGrants` has them."""
    services: bool = True
    """Enable the Google APIs that are needed."""
