"""A small Deployment that makes a GenericNode for each Kubernetes node that is a node of a Slurm outside as well.

ack-slurm-operator makes those of its own workers alone, and a pool may grow at any time. The Deployment knows the
names of all nodes that may come, and looks which are there. It changes and deletes no GenericNode but its own, which
belong to its ClusterRole: with that they are gone too. Those that somebody has made by hand, as Alibaba Cloud's guide
says, or that the operator has made, stay as they are; one that says something else is told in the log.
"""

from pulumi_slurm.ack_slurm.manifests.copilot import CLUSTER_LABEL, GENERIC_NODE_TYPE as _TYPE, NAMESPACE_LABEL
from pulumi_slurm.ack_slurm.manifests.names import GENERIC_NODE_API
from pulumi_slurm.ack_slurm.model.outside import OutsideSlurmSpec
from pulumi_slurm.manifests.kubectl_script import kubectl_script
from pulumi_slurm.manifests.node_script import INTERVAL_SECONDS
from pulumi_slurm.manifests.objects import Manifests, by_kind, content_hash, manifest
from pulumi_slurm.manifests.rbac import GROUP, account_with_role
from pulumi_slurm.model.cluster_ref import ClusterRef

_ROLE = "generic-nodes"
_RESOURCE, _API_GROUP = "genericnodes", GENERIC_NODE_API.partition("/")[0]
_FOLDER, _FILE = "/names", "names"
_MADE_BY = "app.kubernetes.io/managed-by"
_CONTENT = "slurm.pulumi.com/names"
"""Annotation of the pod with a hash of the names, so that other names replace it."""

# A query that fails ends the script, and the pod starts anew: what couldn't be read takes no GenericNode away. kubectl
# prints a mapping as JSON, in one line, so that no text in it stands for another GenericNode.
_SCRIPT = f"""
set -eu
kind={_RESOURCE}.{_API_GROUP}
change() {{
  case "$1" in
    tell) ;;
    delete) kubectl delete "$kind" "$2" --ignore-not-found --wait=false ;;
    patch) kubectl patch "$kind" "$2" --type=merge --patch="{{\\"spec\\":{{\\"alias\\":\\"$3\\"}}}}" ;;
    create) kubectl create --filename=- <<END ;;
apiVersion: {GENERIC_NODE_API}
kind: GenericNode
metadata:
  name: "$2"
  labels:
    {CLUSTER_LABEL}: "$CLUSTER"
    {NAMESPACE_LABEL}: "$CLUSTER_NAMESPACE"
    {_MADE_BY}: "$MADE_BY"
  ownerReferences: [{{apiVersion: {GROUP}/v1, kind: ClusterRole, name: "$ROLE", uid: "$owner"}}]
spec: {{alias: "$3", type: {_TYPE}}}
END
  esac
}}
owner=$(kubectl get clusterrole "$ROLE" --output=jsonpath='{{.metadata.uid}}')
told=
while true; do
  kubectl get nodes --output=jsonpath="{{range .items[*]}}there {{.metadata.name}}{{'\\n'}}{{end}}" > "$HOME/there"
  row="made {{.metadata.name}} {{.metadata.labels}}|{{.spec}}{{'\\n'}}"
  kubectl get "$kind" --output=jsonpath="{{range .items[*]}}$row{{end}}" > "$HOME/made"
  awk '
    function value(json, key,  start, text) {{
      start = index(json, "\\"" key "\\":\\"")
      if (!start) return ""
      text = substr(json, start + length(key) + 4)
      return substr(text, 1, index(text, "\\"") - 1)
    }}
    BEGIN {{ ours = ENVIRON["CLUSTER_NAMESPACE"] "/" ENVIRON["CLUSTER"] }}
    $2 !~ /^[a-z0-9][a-z0-9.-]*$/ {{ next }}
    $1 == "there" {{ there[$2] }}
    $1 == "made" {{
      spec = substr($0, index($0, "|") + 1)
      labels = substr($0, 1, index($0, "|"))
      cluster = value(labels, "{NAMESPACE_LABEL}") "/" value(labels, "{CLUSTER_LABEL}")
      if (cluster == ours && value(labels, "{_MADE_BY}") == ENVIRON["MADE_BY"]) made[$2] = value(spec, "alias")
      else of_others[$2] = value(spec, "type") " node " value(spec, "alias") " of " cluster
    }}
    $1 == "name" && $2 in there {{
      wanted[$2]
      if ($2 in of_others) {{
        node = "{_TYPE} node " $3 " of " ours
        if (of_others[$2] != node) print "tell", $2, "is " of_others[$2] ", stays so, and should be " node
      }}
      else if (!($2 in made)) print "create", $2, $3
      else if (made[$2] != $3) print "patch", $2, $3
    }}
    END {{ for (node in made) if (!(node in wanted)) print "delete", node }}
  ' "$HOME/there" "$HOME/made" {_FOLDER}/{_FILE} > "$HOME/changes"
  telling=$(sed -n 's/^tell /GenericNode /p' "$HOME/changes")
  [ "$telling" = "$told" ] || printf '%s\\n' "$telling"
  told=$telling
  failed=
  while read -r what node alias; do change "$what" "$node" "$alias" || failed=yes; done < "$HOME/changes"
  if [ -z "$failed" ]; then touch "$HOME/ready"; else rm -f "$HOME/ready"; fi
  sleep {INTERVAL_SECONDS}
done
"""


def generic_nodes(ref: ClusterRef, outside: OutsideSlurmSpec) -> Manifests:
    """Return the Deployment, its names and what it may do; empty where no nodes are shared.

    It is ready when there is a GenericNode for each of them that exists, whoever has made it.
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
    env = {
        "ROLE": f"{ref.namespace}-{name}",
        "CLUSTER": outside.name,
        "CLUSTER_NAMESPACE": outside.namespace,
        "MADE_BY": name,
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
