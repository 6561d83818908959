"""A small Deployment by which Slurm learns the places of nodes: it turns labels of Kubernetes nodes into an annotation.

slurm-operator 1.1 and later passes a node's annotation `topology.slinky.slurm.net/spec` to slurmd when a worker starts
on it, and to slurmctld when it changes: `syncSlurmTopology` in internal/controller/nodeset/nodeset_sync.go of
SlinkyProject/slurm-operator at v1.1.2. Its value has the place of the node in each topology, as in
"net:root:/a:/a/1,rack:b2".

slurmctld takes or refuses it as a whole, so there is nothing in it that slurmctld would refuse. In a tree slurmctld
makes the switches that are missing. Each has a name that no other has, with that of the switch above as its beginning.
Nodes without all labels of a tree are together under a switch "unknown", since a node without a place gets no job of
several nodes. In other blocks than the stated ones there can be no node.
"""

from collections.abc import Mapping, Sequence

from pulumi_slurm.derived.topology import ROOT
from pulumi_slurm.manifests.node_script import INTERVAL_SECONDS, node_script, read_rows, rows_of_nodes, selector
from pulumi_slurm.manifests.objects import Manifest
from pulumi_slurm.model import NodePoolSpec, SlurmSpec, TopologyKind, TopologySpec
from pulumi_slurm.model.cluster_ref import ClusterRef

ANNOTATION = "topology.slinky.slurm.net/spec"
_READY = "$HOME/ready"


def selectors_of_nodes(spec: SlurmSpec, pools: Sequence[NodePoolSpec]) -> list[dict[str, str]]:
    """Return the labels of the Kubernetes nodes on which Slurm nodes can be; no labels stand for every node."""
    labels = {pool.name: pool.node_labels for pool in pools}
    selectors = [{**labels.get(one.pool or "", {}), **one.pod.node_selector} for one in spec.node_sets]
    bridged = spec.bridge.external_nodes if spec.bridge else []
    selectors += [{**labels.get(nodes.pool or "", {}), **nodes.node_selector} for nodes in bridged]
    return [{}] if {} in selectors else [one for at, one in enumerate(selectors) if one not in selectors[:at]]


def node_topology(
    ref: ClusterRef, topologies: Sequence[TopologySpec], selectors: Sequence[Mapping[str, str]]
) -> list[Manifest]:
    """Return an account, a role for it, and the Deployment, which is ready when all nodes have the annotation."""
    access, deployment = node_script(ref, "topology", script(topologies, selectors), {}, _READY)
    return [*access, deployment]


def script(topologies: Sequence[TopologySpec], selectors: Sequence[Mapping[str, str]]) -> str:
    """Return the program of the Deployment; it only reads label values, keys and names that models have checked."""
    labels = list(dict.fromkeys(label for topology in topologies for label in topology.node_labels))
    variables = {label: f"label{number}" for number, label in enumerate(labels)}
    gets = " && ".join(f'nodes "{selector(one)}"' for one in selectors)
    places = "\n".join(_place(topology, variables) for topology in topologies if topology.node_labels)
    return f"""set -u
nodes() {{
  kubectl get nodes --selector="$1" --output="{rows_of_nodes(labels)}"
}}
rows() {{
  {read_rows(len(labels), [ANNOTATION])}
}}
annotated() {{
  failed=
  while IFS='|' read -r node {"".join(f"{name} " for name in variables.values())}before _; do
    place=
{places}
    if [ "$before" != "${{place#,}}" ]; then
      kubectl annotate --overwrite -- node "$node" "{ANNOTATION}=${{place#,}}" </dev/null || failed=yes
    fi
  done
  [ -z "$failed" ]
}}
while true; do
  if found=$({gets}) && printf '%s\\n' "$found" | rows | annotated; then touch "{_READY}"; fi
  sleep {INTERVAL_SECONDS}
done
"""


def _place(topology: TopologySpec, variables: Mapping[str, str]) -> str:
    """Return the lines that add a node's place in a topology."""
    names = [variables[label] for label in topology.node_labels]
    if topology.kind is TopologyKind.BLOCK:
        (name,) = names
        return (
            f'    case "${name}" in\n'
            f'      {"|".join(topology.blocks)}) place="$place,{topology.name}:${name}" ;;\n'
            "    esac"
        )
    path = "".join(":" + "".join(f"/${name}" for name in names[: depth + 1]) for depth in range(len(names)))
    has_all_labels = " && ".join(f'[ -n "${name}" ]' for name in names)
    return (
        f"    if {has_all_labels}; then\n"
        f'      place="$place,{topology.name}:{ROOT}{path}"\n'
        "    else\n"
        f'      place="$place,{topology.name}:{ROOT}:unknown"\n'
        "    fi"
    )
