"""The configuration of a stack on Google Cloud: a GKE cluster with all that belongs to it, and a Slurm cluster."""

from typing import Any, ClassVar

from pulumi_slurm.clouds.cloud import Cloud
from pulumi_slurm.gke.cloud import CLOUD
from pulumi_slurm.gke.model import GkeSpec
from pulumi_slurm_stacks.cloud_config import CloudConfig


class GkeConfig(CloudConfig):
    """The configuration of a stack on Google Cloud, without its secrets."""

    _cloud: ClassVar[Cloud[Any, Any]] = CLOUD

    gke: GkeSpec
    """The GKE cluster, its network, node pools, storage and database."""

    @property
    def kubernetes_cluster(self) -> tuple[str, ...]:
        """What tells its Kubernetes cluster from those of other stacks."""
        gke = self.gke
        existing = gke.existing_cluster
        return (gke.project, *((existing.location, existing.name) if existing else (gke.region, self.name)))


CONFIG = GkeConfig
