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


CONFIG = GkeConfig
