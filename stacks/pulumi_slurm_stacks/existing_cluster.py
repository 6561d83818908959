"""The provider of a Kubernetes cluster that exists already."""

import os
from pathlib import Path

import pulumi
import pulumi_kubernetes as k8s

from pulumi_slurm_stacks.existing_cluster_config import ExistingClusterConfig


def existing_cluster(config: ExistingClusterConfig, *, adopted: bool = False) -> k8s.Provider:
    """Return the provider of the cluster that a configuration names; ``adopted`` for a Slurm cluster of a chart."""
    if os.pathsep in os.environ.get("KUBECONFIG", ""):
        # The SDK would hand the list to the provider as one path; without it the provider reads its own environment.
        del os.environ["KUBECONFIG"]
    return k8s.Provider(
        "kubernetes",
        kubeconfig=str(Path(config.kubeconfig).expanduser()) if config.kubeconfig else None,
        context=config.context,
        # Without it, a new address of the API server would replace every object.
        cluster_identifier=config.cluster_identifier or f"{pulumi.get_project()}-{pulumi.get_stack()}",
        # A rotated key then changes in its Secret, whose name the operator doesn't let us change, and a script in its
        # ConfigMap, which pods mount.
        enable_secret_mutable=True,
        enable_config_map_mutable=True,
        # The operator would copy the annotation that forces a single object into the pods that the chart made.
        enable_patch_force=True if adopted else None,
    )
