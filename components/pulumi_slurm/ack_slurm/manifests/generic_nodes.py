"""A small Deployment that makes a GenericNode for each Kubernetes node that is a node of a Slurm outside as well.

ack-slurm-operator makes those of its own workers alone, and a pool may grow at any time. The Deployment knows the
names of all nodes that may come, and looks which are there. It changes and deletes no GenericNode but its own, which
belong to its ClusterRole: with that they are gone too.
"""

from pulumi_slurm.ack_slurm.manifests.copilot import generic_node_labels
from pulumi_slurm.ack_slurm.manifests.names import GENERIC_NODE_API
from pulumi_slurm.ack_slurm.model.outside import OutsideSlurmSpec
from pulumi_slurm.manifests.kubectl_script import kubectl_script
from pulumi_slurm.manifests.node_script import INTERVAL_SECONDS, selector
from pulumi_slurm.manifests.objects import Manifests, by_kind, content_hash, manifest
from pulumi_slurm.manifests.rbac import GROUP, account_with_role
from pulumi_slurm.model.cluster_ref import ClusterRef

_ROLE = "generic-nodes"
_RESOURCE, _API_GROUP = "genericnodes", GENERIC_NODE_API.partition("/")[0]
_FOLDER, _FILE = "/names", "names"
_CONTENT = "slurm.pulumi.com/names"
"""Annotation of the pod with a hash of the names, so that other names replace it."""

# A query that fails ends the script, and the pod starts anew: what couldn't be read takes no GenericNode away.
_SCRIPT = f"""
set -eu
kind={_RESOURCE}.{_API_GROUP}
change() {{
  case "$1" in
    delete) kubectl delete "$kind" "$2" --ignore-not-found --wait=false ;;
    patch) kubectl patch "$kind" "$2" --type=merge --patch="{{\\"spec\\":{{\\"alias\\":\\"$3\\"}}}}" ;;
    create) kubectl create --filename=- <<END ;;
apiVersion: {GENERIC_NODE_API}
kind: GenericNode
metadata:
  name: "$2"
  labels:
$LABELS
  ownerReferences: [{{apiVersion: {GROUP}/v1, kind: ClusterRole, name: "$ROLE", uid: "$owner"}}]
spec: {{alias: "$3", type: Slurm}}
END
  esac
}}
owner=$(kubectl get clusterrole "$ROLE" --output=jsonpath='{{.metadata.uid}}')
while true; do
  kubectl get nodes --output=jsonpath="{{range .items[*]}}there {{.metadata.name}}{{'\\n'}}{{end}}" > "$HOME/there"
  kubectl get "$kind" --selector="$SELECTOR" \\
    --output=jsonpath="{{range .items[*]}}made {{.metadata.name}} {{.spec.alias}}{{'\\n'}}{{end}}" > "$HOME/made"
  awk '
    # An alias that others wrote may have a line break, and what is behind it stands for nothing.
    $2 !~ /^[a-z0-9][a-z0-9.-]*$/ || ($1 == "name" && FILENAME != "{_FOLDER}/{_FILE}") {{ next }}
    $1 == "there" {{ there[$2] }}
    $1 == "made" {{ made[$2] = $3 }}
    $1 == "name" && $2 in there {{
      wanted[$2]
      if (!($2 in made)) print "create", $2, $3
      else if (made[$2] != $3) print "patch", $2, $3
    }}
    END {{ for (node in made) if (!(node in wanted)) print "delete", node }}
  ' "$HOME/there" "$HOME/made" {_FOLDER}/{_FILE} > "$HOME/changes"
  failed=
  while read -r what node alias; do change "$what" "$node" "$alias" || failed=yes; done < "$HOME/changes"
  if [ -z "$failed" ]; then touch "$HOME/ready"; else rm -f "$HOME/ready"; fi
  sleep {INTERVAL_SECONDS}
done
"""


def generic_nodes(ref: ClusterRef, outside: OutsideSlurmSpec) -> Manifests:
    """Return the Deployment, its names and what it may do; empty where no nodes are shared.

    It is ready when there is a GenericNode for each of them that exists.
    """
    if not outside.nodes:
        return {}
    name = f"{ref.name}-{_ROLE}"
    names = "".join(f"name {node} {alias}\n" for node, alias in outside.aliases().items())
    rules = [
        {"apiGroups": [""], "resources": ["nodes"], "verbs": ["get", "list"]},
        {"apiGroups": [_API_GROUP], "resources": [_RESOURCE], "verbs": ["get", "list", "create", "patch", "delete"]},
        {
            "apiGroups": [GROUP],
            "resources": ["clusterroles"],
            "resourceNames": [f"{ref.namespace}-{name}"],
            "verbs": ["get"],
        },
    ]
    labels = {**generic_node_labels(outside.name, outside.namespace), "app.kubernetes.io/managed-by": name}
    env = {
        "ROLE": f"{ref.namespace}-{name}",
        "SELECTOR": selector(labels),
        "LABELS": "\n".join(f'    {label}: "{value}"' for label, value in labels.items()),
    }
    deployment = kubectl_script(
        ref,
        _ROLE,
        _SCRIPT,
        env,
        "$HOME/ready",
        folders={_FOLDER: {"configMap": {"name": name}}},
        annotations={_CONTENT: content_hash(names)},
    )
    config_map = manifest("v1", "ConfigMap", ref, name, data={_FILE: names})
    return by_kind("nodes", [*account_with_role(ref, name, rules), config_map, deployment])
