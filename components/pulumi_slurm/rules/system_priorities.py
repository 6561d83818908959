"""PriorityClasses of Kubernetes' own, which GKE keeps for its namespace kube-system.

GKE has a ResourceQuota of them there, and where there is one for a PriorityClass, namespaces without one admit no pod
of it: https://github.com/NVIDIA/aicr/issues/915 and "Limit Priority Class consumption by default" in
https://kubernetes.io/docs/concepts/policy/resource-quotas/.
"""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.pod import PlacementSpec
from pulumi_slurm.model.slurm import SlurmSpec

KUBERNETES_CLASSES = frozenset({"system-cluster-critical", "system-node-critical"})


def system_priorities(spec: SlurmSpec) -> Iterator[FieldError]:
    """Yield an error for each of these that pods of the cluster have."""
    if spec.priority_class_name in KUBERNETES_CLASSES:
        yield _error(("priority_class_name",), spec.priority_class_name)
    for at, pod in _pods(spec):
        if pod.priority_class_name in KUBERNETES_CLASSES:
            yield _error((*at, "pod", "priority_class_name"), pod.priority_class_name)


def _pods(spec: SlurmSpec) -> Iterator[tuple[Path, PlacementSpec]]:
    yield ("controller",), spec.controller.pod
    yield ("rest_api",), spec.rest_api.pod
    if spec.accounting:
        yield ("accounting",), spec.accounting.pod
        yield ("accounting", "database"), spec.accounting.database.pod
    if spec.identity and spec.identity.directory:
        yield ("identity", "directory"), spec.identity.directory.pod
    if spec.monitoring.prometheus:
        yield ("monitoring", "prometheus"), spec.monitoring.prometheus.pod
    for index, node_set in enumerate(spec.node_sets):
        yield ("node_sets", index), node_set.pod
    for index, login_set in enumerate(spec.login_sets):
        yield ("login_sets", index), login_set.pod


def _error(at: Path, name: str | None) -> FieldError:
    return FieldError(
        at,
        name,
        "GKE admits such pods to kube-system alone, so none would be made",
        "Make a PriorityClass of your own and name it here, or a ResourceQuota for this one in the namespace.",
    )
