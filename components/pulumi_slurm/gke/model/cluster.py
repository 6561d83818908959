"""The specification as a whole: a GKE cluster with its network, node pools, storage and database."""

from typing import ClassVar

from pydantic import Field, field_validator

from pulumi_slurm.clouds.cloud import CloudSpec
from pulumi_slurm.errors import field_error, optional
from pulumi_slurm.gke.model import names
from pulumi_slurm.gke.model.control_plane import GkeControlPlaneSpec
from pulumi_slurm.gke.model.database import CloudSqlSpec
from pulumi_slurm.gke.model.existing import (
    GkeExistingClusterSpec,
    GkeExistingPoolSpec,
    GkeManageSpec,
    account_email,
)
from pulumi_slurm.gke.model.nccl import NcclSpec
from pulumi_slurm.gke.model.network import GkeNetworkSpec
from pulumi_slurm.gke.model.new_project import GkeNewProjectSpec
from pulumi_slurm.gke.model.pool import GkePoolSpec, GkeSystemPoolSpec
from pulumi_slurm.gke.model.registry import GkeRegistrySpec
from pulumi_slurm.gke.model.slurm_operator import GkeOperator
from pulumi_slurm.gke.model.storage import GkeStorageSpec
from pulumi_slurm.machines.gke import GkeCatalogueSpec
from pulumi_slurm.model.one_of import OneOf


class GkeSpec(CloudSpec):
    """A GKE cluster for Slurm, and the Google services that it uses."""

    _max_name_length: ClassVar = names.MAX_CLUSTER_NAME_LENGTH

    @classmethod
    def _meant_elsewhere(cls, name: str) -> str | None:
        return "Write manage: {services: ...}." if name in ("enableServices", "enable_services") else None

    project: str
    """The id of the Google Cloud project."""
    new_project: GkeNewProjectSpec | None = None
    """Create the project, in a folder or an organization, in place of one that exists."""
    region: str
    """The region of all resources, e.g. "us-central1". The control plane runs in all of its zones."""
    zones: list[str] = Field(min_length=1)
    """The zones of nodes, e.g. ["us-central1-b"]; a pool may have other zones. Lustre and Filestore without a zone of
    their own, but for tier REGIONAL, are in the first one: another first zone makes them anew, and empty."""
    pools: list[GkePoolSpec] = []
    """The node pools that node sets run on."""
    system_pool: GkeSystemPoolSpec = GkeSystemPoolSpec()
    """The node pool of Slurm's control plane and of GKE's own pods."""
    existing_cluster: GkeExistingClusterSpec | None = None
    """A GKE cluster that exists, in place of one that is made. Then there is a system pool only if `systemPool` is
    written, and the VPC is the cluster's."""
    existing_pools: list[GkeExistingPoolSpec] = []
    """Node pools of the existing cluster that node sets run on, besides those of `pools`."""
    node_account: str | None = None
    """The e-mail address of a service account that exists, for the nodes of new pools; it is given no roles. By default
    one is made. A change replaces all pools."""
    application_default_login: bool = False
    """Reach Kubernetes too by the application-default login, with which Google's resources are made, and not by
    gcloud's own: for CI jobs, which then have one. It is not impersonated by `gcp:impersonateServiceAccount`."""
    network: GkeNetworkSpec = GkeNetworkSpec()
    """The VPC."""
    nccl: NcclSpec = NcclSpec()
    """NCCL on the fast networks of pools."""
    control_plane: GkeControlPlaneSpec = GkeControlPlaneSpec()
    """GKE's control plane."""
    slurm_operator: OneOf[GkeOperator] = GkeOperator.SLINKY
    """Who runs Slurm: "slinky" installs slurm-operator by its charts, "gke-addon" lets GKE run it (Slurm Operator
    add-on)."""
    encryption_key: str | None = None
    """A key of Cloud KMS in the region, projects/P/locations/R/keyRings/K/cryptoKeys/C, for all that takes one: Secrets
    in etcd, boot disks, Cloud SQL, Filestore, Lustre, new buckets and registries. Set it from the beginning: a change
    replaces node pools, Cloud SQL, Filestore, Lustre and registries."""
    registry: GkeRegistrySpec | None = None
    """A registry for your own images, and a cache of Slinky's."""
    storage: list[GkeStorageSpec] = []
    """Storage that login and worker pods share; every entry becomes one of the Slurm cluster's shared volumes."""
    database: CloudSqlSpec | None = None
    """Cloud SQL for slurmdbd; without it, `cluster.accounting.database` configures the database."""
    catalogue: GkeCatalogueSpec = Field(default_factory=GkeCatalogueSpec)
    """Machine types, prices and zones that differ from the built-in catalogue."""
    manage: GkeManageSpec = GkeManageSpec()
    """Which of the things around the cluster are made here."""
    preflight: bool = False
    """Compare the project's quotas with the plan before anything is made, at each preview, and ask whether the zones of
    pools offer their machine types. Needs a login that may read both, and the API cloudquotas.googleapis.com.
    Reservations that pools name are compared in any case."""
    labels: dict[str, str] = {}
    """Labels of every resource that can have labels, for example for billing."""

    _project = field_validator("project")(names.project_id)
    _node_account = field_validator("node_account")(optional(account_email))
    _encryption_key = field_validator("encryption_key")(optional(names.kms_key))
    _region = field_validator("region")(names.region)
    _zones = field_validator("zones")(names.zone_names)
    _labels = field_validator("labels")(names.resource_labels)

    @field_validator("pools")
    @classmethod
    def _pools_are_not_too_many(cls, value: list[GkePoolSpec]) -> list[GkePoolSpec]:
        if len(value) > 200:
            raise field_error(
                f"these are {len(value)} pools, and GKE manages 200 well", "Put node sets that are alike in one pool."
            )
        return value
