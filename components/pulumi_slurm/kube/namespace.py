"""Namespaces, for a Slurm cluster or an operator, and the place in a namespace for the one Slurm cluster of it."""

from collections.abc import Mapping
from types import MappingProxyType

import pulumi

from pulumi_slurm.errors import respelled
from pulumi_slurm.kube.belonging import create_own, stack_id
from pulumi_slurm.kube.resources import KubernetesObject, annotated
from pulumi_slurm.manifests.objects import Manifest, only_cluster
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef

_POD_SECURITY = "pod-security.kubernetes.io/enforce"
OPERATOR_LABELS = MappingProxyType({_POD_SECURITY: "baseline"})
"""Labels of an operator's namespace: its pods need no privileges, but until 1.1 don't say so as "restricted" asks."""
_IS_THERE = "is there already, not made by this resource, with which it would go, and everything in it"


def create_namespace(
    name: str,
    namespace: str,
    opts: pulumi.ResourceOptions,
    labels: Mapping[str, str] | None = None,
    *,
    instead: str,
) -> KubernetesObject:
    """Return the resource called ``name`` for the namespace of an operator.

    A preview warns of one that is there already, which goes with the operator then; ``instead`` is what to write.
    """

    def warn(resource: KubernetesObject) -> None:
        pulumi.log.warn(respelled(f'the namespace "{namespace}" {_IS_THERE}. {instead}'), resource)

    return create_own(name, _namespace(namespace, labels), opts, warn)


def create_cluster_namespace(
    name: str, spec: SlurmSpec, opts: pulumi.ResourceOptions, root_key: pulumi.Output[str]
) -> KubernetesObject:
    """Return the resource called ``name`` for a cluster's namespace; a preview refuses one that is there already."""

    def refuse(_: KubernetesObject) -> None:
        refusal = (
            f'cluster "{spec.name}": the namespace "{spec.namespace}" {_IS_THERE}. If another Slurm cluster is in it, '
            "or this one under another name, choose another namespace, or destroy that cluster first. If not, write "
            f'createNamespace: false, which leaves the namespace to others. "kubectl get namespace {spec.namespace} '
            '--output=yaml" shows whose it is.'
        )
        raise pulumi.RunError(respelled(refusal))

    # Workers are privileged (internal/builder/workerbuilder/worker_app.go of slurm-operator v1.1.2), so none would be
    # admitted where Kubernetes enforces a stricter level by default. Source:
    # https://kubernetes.io/docs/concepts/security/pod-security-admission/.
    labels = {_POD_SECURITY: "privileged", **spec.labels, **spec.namespace_labels}
    return create_own(name, _namespace(spec.namespace, labels), opts, refuse, stack_id(root_key))


def create_bridged_namespace(name: str, manifest: Manifest, opts: pulumi.ResourceOptions) -> KubernetesObject:
    """Return the resource called ``name`` for a namespace whose pods Slurm schedules; a preview refuses as above."""
    namespace = manifest["metadata"]["name"]

    def refuse(_: KubernetesObject) -> None:
        raise pulumi.RunError(f'bridge.namespaces: the namespace "{namespace}" {_IS_THERE}. Write create: false.')

    return create_own(name, {**manifest, "metadata": annotated(manifest)}, opts, refuse)


def create_only_cluster(
    name: str, spec: SlurmSpec, opts: pulumi.ResourceOptions, root_key: pulumi.Output[str]
) -> KubernetesObject:
    """Return the resource called ``name`` for a cluster's place in its namespace; a preview refuses a second one."""
    place = only_cluster(ClusterRef.of(spec))
    whose = f"kubectl get configmap {place['metadata']['name']} --namespace={spec.namespace} --output=yaml"

    def refuse(_: KubernetesObject) -> None:
        raise pulumi.RunError(
            f'cluster "{spec.name}": the namespace "{spec.namespace}" '
            "has a Slurm cluster, of another stack or under another name, and it can hold only one. "
            "Choose another namespace, or destroy that cluster first. "
            f'"{whose}" shows whose it is.'
        )

    return create_own(name, place, opts, refuse, stack_id(root_key))


def _namespace(name: str, labels: Mapping[str, str] | None) -> Manifest:
    metadata = {"name": name, **({"labels": dict(labels)} if labels else {})}
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": metadata}


def outlives_the_cluster(spec: SlurmSpec) -> bool:
    """Return whether a cluster's namespace is left when the cluster goes.

    A namespace takes its claims along, so it stays whenever one of them is to stay.
    """
    return spec.controller.state.retain or any(volume.retain for volume in spec.shared_volumes)
