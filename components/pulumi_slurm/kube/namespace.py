"""Namespaces, for a Slurm cluster or an operator."""

from collections.abc import Mapping
from types import MappingProxyType

import pulumi

from pulumi_slurm.kube.resources import KubernetesObject
from pulumi_slurm.model import SlurmSpec

_POD_SECURITY = "pod-security.kubernetes.io/enforce"
OPERATOR_LABELS = MappingProxyType({_POD_SECURITY: "baseline"})
"""Labels of an operator's namespace: its pods need no privileges, but until 1.1 don't say so as "restricted" asks."""


def create_namespace(
    name: str, namespace: str, opts: pulumi.ResourceOptions, labels: Mapping[str, str] | None = None
) -> KubernetesObject:
    """Return the resource called ``name`` for a namespace."""
    metadata = {"name": namespace, **({"labels": dict(labels)} if labels else {})}
    return KubernetesObject(name, {"apiVersion": "v1", "kind": "Namespace", "metadata": metadata}, opts)


def namespace_labels(spec: SlurmSpec) -> dict[str, str]:
    """Return the labels of a cluster's namespace.

    Workers are privileged (internal/builder/workerbuilder/worker_app.go of slurm-operator v1.1.2), so none would be
    admitted where Kubernetes enforces a stricter level by default. Source:
    https://kubernetes.io/docs/concepts/security/pod-security-admission/.
    """
    return {_POD_SECURITY: "privileged", **spec.labels, **spec.namespace_labels}


def outlives_the_cluster(spec: SlurmSpec) -> bool:
    """Return whether a cluster's namespace is left when the cluster goes.

    A namespace takes its claims along, so it stays whenever one of them is to stay.
    """
    return spec.controller.state.retain or any(volume.retain for volume in spec.shared_volumes)
