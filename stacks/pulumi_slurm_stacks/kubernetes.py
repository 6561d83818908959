"""A Slurm cluster on a Kubernetes cluster that exists already, with or without slurm-operator on it."""

import pulumi

from pulumi_slurm import SlurmCluster
from pulumi_slurm_stacks.config import StackSecrets
from pulumi_slurm_stacks.existing_cluster import existing_cluster
from pulumi_slurm_stacks.kubernetes_config import KubernetesConfig
from pulumi_slurm_stacks.slurm import keda, slurm_cluster, slurm_operator


def build(config: KubernetesConfig, secrets: StackSecrets) -> SlurmCluster:
    """Build the operator, unless it is there, and the Slurm cluster; export what a user needs next."""
    provider = existing_cluster(config, adopted=config.cluster.adopted is not None)
    opts = pulumi.ResourceOptions(provider=provider)
    before = [*slurm_operator(config.operator, config.cluster.operator_version, opts), *keda(config.keda, opts)]
    return slurm_cluster(
        config.cluster,
        config.pools,
        secrets,
        pulumi.ResourceOptions(provider=provider, depends_on=before),
        create_namespace=config.create_namespace,
    )
