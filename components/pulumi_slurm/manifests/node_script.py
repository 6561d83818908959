"""A Deployment with one pod that writes labels or annotations of nodes, by a shell script with kubectl.

It has a single pod rather than one on each node, because permission to change a node's annotations includes its labels
and taints, and nodes that run users' jobs should not have such a token.
"""

from collections.abc import Mapping

from pulumi_slurm.manifests.kubectl_script import kubectl_script
from pulumi_slurm.manifests.objects import Manifest
from pulumi_slurm.manifests.rbac import account_with_role
from pulumi_slurm.model.cluster_ref import ClusterRef

INTERVAL_SECONDS = 15
"""How often a script looks at the nodes."""


def node_script(
    ref: ClusterRef, role: str, script: str, env: Mapping[str, str], ready_file: str | None = None
) -> tuple[list[Manifest], Manifest]:
    """Return what runs a script without end: an account with a role and its binding, and a Deployment.

    The pod is ready when ``ready_file`` is there, where one is named.
    """
    rules = [{"apiGroups": [""], "resources": ["nodes"], "verbs": ["get", "list", "patch"]}]
    access = account_with_role(ref, f"{ref.name}-{role}", rules)
    return access, kubectl_script(ref, role, script, env, ready_file)


def selector(labels: Mapping[str, str]) -> str:
    """Return labels as the value of kubectl's ``--selector``."""
    return ",".join(f"{key}={value}" for key, value in sorted(labels.items()))


def jsonpath(field: str, key: str) -> str:
    """Return where kubectl's JSONPath finds the value of one of the ``labels`` or ``annotations``."""
    escaped = key.replace(".", "\\.")
    return f"{{.metadata.{field}.{escaped}}}"
