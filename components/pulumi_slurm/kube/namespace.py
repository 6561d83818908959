"""Namespaces, for a Slurm cluster or an operator."""

import pulumi

from pulumi_slurm.kube.resources import KubernetesObject
from pulumi_slurm.model import SlurmSpec


def create_namespace(name: str, namespace: str, opts: pulumi.ResourceOptions) -> KubernetesObject:
    """Return the resource called ``name`` for a namespace."""
    return KubernetesObject(name, {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}}, opts)


def outlives_the_cluster(spec: SlurmSpec) -> bool:
    """Return whether a cluster's namespace is left when the cluster goes.

    A namespace takes its claims along, so it stays whenever one of them is to stay.
    """
    return spec.controller.state.retain or any(volume.retain for volume in spec.shared_volumes)
