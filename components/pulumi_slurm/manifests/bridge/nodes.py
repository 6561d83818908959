"""What tells the bridge which nodes are Slurm's external nodes: a label and an annotation of theirs.

Source: docs/config.md and internal/wellknown of https://github.com/SlinkyProject/slurm-bridge, v1.1.2 and v1.2.1. Pools
of clouds can set labels but no annotations, so a small Deployment writes both. It takes them off nodes that left their
group, which the bridge then removes from Slurm as soon as they are idle, and off no node that it didn't mark.
"""

from collections.abc import Mapping, Sequence

from pulumi_slurm.manifests.node_script import INTERVAL_SECONDS, node_script, read_rows, rows_of_nodes, selector
from pulumi_slurm.manifests.objects import Manifests, by_kind
from pulumi_slurm.model import BridgeNodesSpec, NodePoolSpec
from pulumi_slurm.model.cluster_ref import ClusterRef

EXTERNAL_NODE = "scheduler.slinky.slurm.net/external-node"
"""The label of nodes that the bridge registers in Slurm."""
PARTITIONS = "scheduler.slinky.slurm.net/external-node-partitions"
"""The annotation with the partitions of such a node, which become its features in Slurm. The bridge registers no node
with a name that is no partition: validatePartitionExists in internal/controller/node/slurmcontrol, v1.2.1."""
MARKED_BY = "slurm.pulumi.com/bridge"
"""The annotation of nodes that were marked here, with the namespace and the name of their cluster."""

# A query that fails ends the script, and the pod starts anew: what couldn't be read takes no node out of its group.
_MARK = f"""
set -eu
while true; do
  : > "$HOME/members"
  echo "$GROUPS_OF_NODES" > "$HOME/groups"
  while read -r partitions selector; do
    kubectl get nodes --selector="$selector" \\
      --output=jsonpath="{{range .items[*]}}{{.metadata.name}} $partitions{{'\\n'}}{{end}}" >> "$HOME/members"
  done < "$HOME/groups"
  kubectl get nodes --output="{rows_of_nodes([EXTERNAL_NODE])}" > "$HOME/nodes"
  {read_rows(1, [MARKED_BY, PARTITIONS])} "$HOME/nodes" > "$HOME/rows"
  while IFS='|' read -r node labelled marked before _; do
    partitions=$(awk -v node="$node" '$1 "" == node "" {{
      for (count = split($2, names, ","); ++position <= count;)
        if (!seen[names[position]]++) {{ printf "%s%s", comma, names[position]; comma = "," }}
      position = 0
    }}' "$HOME/members")
    if [ -n "$partitions" ]; then
      if [ "$marked|$labelled|$before" != "$CLUSTER|true|$partitions" ]; then
        kubectl annotate --overwrite -- node "$node" "{MARKED_BY}=$CLUSTER" "{PARTITIONS}=$partitions"
        kubectl label --overwrite -- node "$node" "{EXTERNAL_NODE}=true"
      fi
    elif [ "$marked" = "$CLUSTER" ]; then
      kubectl label -- node "$node" "{EXTERNAL_NODE}-"
      kubectl annotate -- node "$node" "{PARTITIONS}-" "{MARKED_BY}-"
    fi
  done < "$HOME/rows"
  sleep {INTERVAL_SECONDS}
done
"""


def node_marker(
    ref: ClusterRef,
    groups: Sequence[BridgeNodesSpec],
    pools: Sequence[NodePoolSpec],
    partitions: Mapping[str, Sequence[str]],
) -> tuple[Manifests, Manifests]:
    """Return what marks the nodes of groups with the ``partitions`` of each: its account, and its Deployment.

    Both are empty where there is no group.
    """
    if not groups:
        return {}, {}
    labels = {pool.name: pool.node_labels for pool in pools}
    lines = [
        f"{','.join(partitions[group.name])} {selector(group.node_selector or labels[group.pool or ''])}"
        for group in groups
    ]
    env = {"CLUSTER": f"{ref.namespace}/{ref.name}", "GROUPS_OF_NODES": "\n".join(lines)}
    access, deployment = node_script(ref, "bridge-nodes", _MARK, env)
    return by_kind("nodes", access), by_kind("nodes", [deployment])
