"""A Slurm cluster on Alibaba Cloud, with everything under it: network, ACK cluster, node pools, storage, database."""

import pulumi
import pulumi_alicloud as alicloud

from pulumi_slurm.ack.slurm import AckSlurm, AckSlurmArgs
from pulumi_slurm.ack_slurm.cluster import AckSlurmCluster
from pulumi_slurm.slinky.cluster import SlurmCluster
from pulumi_slurm_stacks.ack_config import AckConfig, AckSecrets
from pulumi_slurm_stacks.whole_cluster import arguments, export_cluster, options, told_as_in_the_file


def build(config: AckConfig, secrets: AckSecrets) -> SlurmCluster | AckSlurmCluster:
    """Build all of it; export what a user needs next."""
    alibaba = alicloud.Provider("alibaba", region=config.ack.region)
    with told_as_in_the_file(config):
        args = AckSlurmArgs(
            ack=config.ack,
            **arguments(config, secrets),
            database_password=secrets.database_password,
            job_completion_password=secrets.job_completion_password,
            copilot_token=secrets.copilot_token,
        )
        hpc = AckSlurm(config.name, args, options(config, alibaba))
    export_cluster(config, hpc)
    pulumi.export("clusterId", hpc.cluster_id)
    return hpc.slurm
