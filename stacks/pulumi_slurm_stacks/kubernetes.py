"""A Slurm cluster on a Kubernetes cluster that exists already, with or without slurm-operator on it."""

import os
from pathlib import Path

import pulumi
import pulumi_kubernetes as k8s

from pulumi_slurm import SlurmCluster
from pulumi_slurm_stacks.config import StackSecrets
from pulumi_slurm_stacks.kubernetes_config import KubernetesConfig
from pulumi_slurm_stacks.slurm import keda, slurm_cluster, slurm_operator


def build(config: KubernetesConfig, secrets: StackSecrets) -> SlurmCluster:
    """Build the operator, unless it is there, and the Slurm cluster; export what a user needs next."""
    stack = pulumi.get_stack()
    if os.pathsep in os.environ.get("KUBECONFIG", ""):
        # The SDK would hand the list to the provider as one path; without it the provider reads its own environment.
        del os.environ["KUBECONFIG"]
    provider = k8s.Provider(
        "kubernetes",
        kubeconfig=str(Path(config.kubeconfig).expanduser()) if config.kubeconfig else None,
        context=config.context,
        # Without it, a new address of the API server would replace every object.
        cluster_identifier=config.cluster_identifier or f"{pulumi.get_project()}-{stack}",
        # A rotated key then changes in its Secret, whose name the operator doesn't let us change, and a script in its
        # ConfigMap, which pods mount.
        enable_secret_mutable=True,
        enable_config_map_mutable=True,
    )
    opts = pulumi.ResourceOptions(provider=provider)
    before = [*slurm_operator(config.operator, config.cluster.operator_version, opts), *keda(config.keda, opts)]
    return slurm_cluster(
        config.cluster,
        config.pools,
        secrets,
        pulumi.ResourceOptions(provider=provider, depends_on=before),
        create_namespace=config.create_namespace,
    )
