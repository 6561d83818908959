"""Accounts of pods, and what they may do in the whole Kubernetes cluster."""

from collections.abc import Sequence

from pulumi_slurm.manifests.objects import Manifest, cluster_wide, manifest
from pulumi_slurm.model.cluster_ref import ClusterRef

GROUP = "rbac.authorization.k8s.io"


def account_with_role(ref: ClusterRef, name: str, rules: Sequence[Manifest]) -> list[Manifest]:
    """Return an account and what gives it rights in the whole Kubernetes cluster: a role and its binding."""
    cluster_wide_name = f"{ref.namespace}-{name}"
    role = cluster_wide(f"{GROUP}/v1", "ClusterRole", ref, cluster_wide_name)
    role["rules"] = list(rules)
    binding = cluster_wide(f"{GROUP}/v1", "ClusterRoleBinding", ref, cluster_wide_name)
    binding |= role_binding(ref, name, "ClusterRole", cluster_wide_name)
    return [manifest("v1", "ServiceAccount", ref, name), role, binding]


def role_binding(ref: ClusterRef, account: str, kind: str, role: str) -> Manifest:
    """Return the fields of a binding that give a role to an account of the cluster's namespace."""
    return {
        "roleRef": {"apiGroup": GROUP, "kind": kind, "name": role},
        "subjects": [{"kind": "ServiceAccount", "name": account, "namespace": ref.namespace}],
    }
