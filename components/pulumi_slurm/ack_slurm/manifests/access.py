"""The rights of controllers in Kubernetes: to scale their cluster, and to write the copilot's token."""

from pulumi_slurm.ack_slurm.manifests.names import API
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.ack_slurm.model.outside import TOKEN_SECRET
from pulumi_slurm.manifests.objects import Manifest, manifest
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef

_RBAC = "rbac.authorization.k8s.io"


def controller_account(spec: SlurmSpec) -> list[Manifest]:
    """Return the controllers' ServiceAccount with its Role and RoleBinding.

    All of them have the cluster's name, as in Alibaba's own chart.
    """
    ref = ClusterRef.of(spec)
    rule = {
        "apiGroups": [API.partition("/")[0]],
        "resources": ["slurmclusters"],
        "resourceNames": [spec.name],
        "verbs": ["get", "watch", "list", "update", "patch"],
    }
    return [manifest("v1", "ServiceAccount", ref, spec.name), *_role(ref, ref.namespace, rule)]


def copilot_access(spec: SlurmSpec, ack: AckSlurmSpec) -> list[Manifest]:
    """Return the Role and RoleBinding in the operator's namespace; empty without the copilot.

    Without them slurmctld can't replace a token that is written by hand.
    """
    if not ack.copilot or ack.copilot.token:
        return []
    # Alibaba's own rule is not public; writing the token needs these rights.
    rule = {
        "apiGroups": [""],
        "resources": ["secrets"],
        "resourceNames": [TOKEN_SECRET],
        "verbs": ["get", "update", "patch"],
    }
    return _role(ClusterRef.of(spec), ack.operator.namespace, rule)


def _role(ref: ClusterRef, namespace: str, rule: Manifest) -> list[Manifest]:
    role = manifest(f"{_RBAC}/v1", "Role", ref, ref.name, rules=[rule])
    binding = manifest(
        f"{_RBAC}/v1",
        "RoleBinding",
        ref,
        ref.name,
        roleRef={"apiGroup": _RBAC, "kind": "Role", "name": ref.name},
        subjects=[{"kind": "ServiceAccount", "name": ref.name, "namespace": ref.namespace}],
    )
    for rbac_object in (role, binding):
        rbac_object["metadata"]["namespace"] = namespace
    return [role, binding]
