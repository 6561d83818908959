"""A Deployment with one pod that writes labels or annotations of nodes, by a shell script with kubectl.

It has a single pod rather than one on each node, because permission to change a node's annotations includes its labels
and taints, and nodes that run users' jobs should not have such a token.
"""

from collections.abc import Mapping, Sequence

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


def rows_of_nodes(labels: Sequence[str]) -> str:
    """Return the value of kubectl's ``--output`` that prints a line for each node, for `read_rows`.

    A name or the value of a label has neither a line break nor a "|":
    https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set.
    The value of an annotation may have both, and a kubelet may write those of its own node. kubectl prints a mapping
    as JSON, so that all annotations of a node are in one line, whatever they hold.
    """
    columns = [".metadata.name", *(f".metadata.labels.{_escaped(label)}" for label in labels), ".metadata.annotations"]
    return "jsonpath={range .items[*]}" + "|".join(f"{{{column}}}" for column in columns) + "{'\\n'}{end}"


def read_rows(labels: int, annotations: Sequence[str]) -> str:
    """Return the command that makes rows of `rows_of_nodes` such that a shell can split them at each "|".

    Each has the name, the values of as many ``labels``, those of the ``annotations``, and nothing behind a last "|".
    A value of an annotation that none of the scripts writes is a "?". What is no name of a node is left out.
    """
    values = "".join(f', value("{key}")' for key in annotations)
    return f"""awk -v columns={labels + 1} '
    function value(key,  start, text) {{
      start = index(json, "\\"" key "\\":\\"")
      if (!start) return ""
      text = substr(json, start + length(key) + 4)
      text = substr(text, 1, index(text, "\\"") - 1)
      return text ~ /^[A-Za-z0-9:,\\/._-]*$/ ? text : "?"
    }}
    {{
      json = $0; row = ""
      for (column = 1; column <= columns; column++) {{
        row = row substr(json, 1, index(json, "|"))
        json = substr(json, index(json, "|") + 1)
      }}
      if (row ~ /^[a-z0-9][a-z0-9.-]*[|]/) printf "{"%s" + "%s|" * len(annotations)}\\n", row{values}
    }}'"""


def _escaped(key: str) -> str:
    """Return a key of labels or annotations as kubectl's JSONPath takes it."""
    return key.replace(".", "\\.")
