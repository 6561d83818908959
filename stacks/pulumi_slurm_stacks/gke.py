"""A Slurm cluster on Google Cloud, with everything under it: network, GKE cluster, node pools, storage, database."""

import pulumi

from pulumi_slurm.gke.slurm import GkeSlurm, GkeSlurmArgs
from pulumi_slurm.slinky.cluster import SlurmCluster
from pulumi_slurm_stacks.config import StackSecrets
from pulumi_slurm_stacks.gke_config import GkeConfig
from pulumi_slurm_stacks.gke_provider import google_provider
from pulumi_slurm_stacks.whole_cluster import arguments, export_cluster, options, told_as_in_the_file


def build(config: GkeConfig, secrets: StackSecrets) -> SlurmCluster:
    """Build all of it; export what a user needs next."""
    gke = config.gke
    google = google_provider(gke)
    with told_as_in_the_file(config):
        args = GkeSlurmArgs(gke=gke, **arguments(config, secrets))
        hpc = GkeSlurm(config.name, args, options(config, google))
    export_cluster(config, hpc)
    pulumi.export("getCredentials", hpc.get_credentials)
    if config.plan.host_project and gke.existing_cluster is None:
        pulumi.export("sharedVpcGrants", hpc.shared_vpc_grants)
    if gke.registry:
        pulumi.export("registryUrl", hpc.registry_url)
    if gke.node_account or not gke.manage.iam:
        pulumi.export("neededGrants", hpc.needed_grants)
    return hpc.slurm
