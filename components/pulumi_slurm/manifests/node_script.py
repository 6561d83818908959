"""A Deployment with one pod that writes labels or annotations of nodes, by a shell script with kubectl.

It has a single pod rather than one on each node, because permission to change a node's annotations includes its labels
and taints, and nodes that run users' jobs should not have such a token.
"""

from collections.abc import Mapping

from pulumi_slurm.manifests.objects import Manifest, manifest
from pulumi_slurm.manifests.pods import container, placement
from pulumi_slurm.manifests.rbac import account_with_role
from pulumi_slurm.model import PlacementSpec
from pulumi_slurm.model.cluster_ref import ClusterRef

INTERVAL_SECONDS = 15
"""How often a script looks at the nodes."""
_MOST_MEMORY = "1Gi"
"""kubectl holds all nodes at once, of which one is some 15 to 50 kB of JSON and several times that when it is read."""
_NOBODY = 65534


def node_script(
    ref: ClusterRef, role: str, script: str, env: Mapping[str, str], ready_file: str | None = None
) -> tuple[list[Manifest], Manifest]:
    """Return what runs a script without end: an account with a role and its binding, and a Deployment.

    The pod is ready when ``ready_file`` is there, where one is named.
    """
    name = f"{ref.name}-{role}"
    labels = {"app.kubernetes.io/name": role, "app.kubernetes.io/instance": ref.name}
    kubectl = {
        "name": "kubectl",
        **container(
            ref, ref.images.kubectl, {**env, "HOME": "/tmp"}, volume_mounts=[{"name": "tmp", "mountPath": "/tmp"}]
        ),
        "command": ["/bin/sh", "-c", script],
        **({"readinessProbe": _probe(ready_file)} if ready_file else {}),
        "resources": {"requests": {"cpu": "10m", "memory": "64Mi"}, "limits": {"memory": _MOST_MEMORY}},
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
            "readOnlyRootFilesystem": True,
        },
    }
    deployment = manifest("apps/v1", "Deployment", ref, name)
    deployment["spec"] = {
        "replicas": 1,
        # Two pods of different specifications would take what they write from each other.
        "strategy": {"type": "Recreate"},
        "selector": {"matchLabels": labels},
        "template": {
            "metadata": {"labels": {**ref.labels, **labels}},
            "spec": {
                **placement(ref, PlacementSpec()),
                "serviceAccountName": name,
                "securityContext": {
                    "runAsNonRoot": True,
                    "runAsUser": _NOBODY,
                    "seccompProfile": {"type": "RuntimeDefault"},
                },
                "containers": [kubectl],
                "volumes": [{"name": "tmp", "emptyDir": {}}],
            },
        },
    }
    rules = [{"apiGroups": [""], "resources": ["nodes"], "verbs": ["get", "list", "patch"]}]
    return account_with_role(ref, name, rules), deployment


def selector(labels: Mapping[str, str]) -> str:
    """Return labels as the value of kubectl's ``--selector``."""
    return ",".join(f"{key}={value}" for key, value in sorted(labels.items()))


def jsonpath(field: str, key: str) -> str:
    """Return where kubectl's JSONPath finds the value of one of the ``labels`` or ``annotations``."""
    escaped = key.replace(".", "\\.")
    return f"{{.metadata.{field}.{escaped}}}"


def _probe(file: str) -> Manifest:
    return {"exec": {"command": ["/bin/sh", "-c", f'test -e "{file}"']}, "periodSeconds": 2}
