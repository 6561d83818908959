"""The configuration of a stack on Google Cloud: a GKE cluster with all that belongs to it, and a Slurm cluster."""

from typing import Any, ClassVar

from pulumi_slurm.clouds.cloud import Cloud
from pulumi_slurm.gke.cloud import CLOUD
from pulumi_slurm.gke.model import GkeSpec
from pulumi_slurm_stacks.cloud_config import CloudConfig


class GkeConfig(CloudConfig):
    """The configuration of a stack on Google Cloud, without its secrets."""

    CLOUD: ClassVar[Cloud[Any, Any]] = CLOUD

    gke: GkeSpec
    """The GKE cluster, its network, node pools, storage and database."""
    create_namespace: bool = True
    """Create the Slurm cluster's namespace. Write false if another program creates it, on a cluster that exists."""

    @property
    def get_credentials(self) -> str:
        """The command after which kubectl talks to the cluster."""
        existing = self.gke.existing_cluster
        if existing:
            where = f"--location {existing.location} --project {self.gke.project}"
            return f"gcloud container clusters get-credentials {existing.name} {where}"
        where = f"--region {self.gke.region} --project {self.gke.project} --dns-endpoint"
        return f"gcloud container clusters get-credentials {self.name} {where}"


CONFIG = GkeConfig
