"""The position of nodes in Google's network, as a topology of Slurm.

GKE labels nodes with their block and subblock
(https://cloud.google.com/ai-hypercomputer/docs/workloads/schedule-gke-workloads-tas). slurm-operator 1.1 and later
passes the annotation `topology.slinky.slurm.net/spec` of a node to Slurm. `topology_manifests` copies the labels to the
annotation, and `with_topology` prepares Slurm for it.

The blocks are unknown until there are nodes. That works with Slurm's tree, in which intermediate switches of a path are
"created if needed" (https://slurm.schedmd.com/scontrol.html#OPT_Topology); topology/block needs its blocks beforehand.
So topology.yaml has a tree with only a root, and nodes register with their path: `gke:root:<block>:<subblock>`. Nodes
without labels are together under a switch "unknown", whose nodes may be anywhere. Partitions whose nodes are all on
such pools use the tree, by `Topology=gke`; the other partitions are unaffected.

Nodes get their position in the tree when they register and when they are updated, keep it when slurmctld restarts or is
reconfigured, and `--switches` depends on it. A node of such a partition without a position only runs jobs of a single
node. According to Google's pages, A4 and A3 Ultra nodes have the labels. See docs/verification.md.
"""

from collections.abc import Sequence

from pulumi_slurm.gke.plan.extra_networks import uses_fabric
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.pools import NODE_POOL_LABEL
from pulumi_slurm.manifests.objects import ClusterRef, Manifest, manifest
from pulumi_slurm.model import PartitionOptionsSpec, SlurmSpec
from pulumi_slurm.model.partition import ALL_NODE_SETS
from pulumi_slurm.model.with_fields import with_fields
from pulumi_slurm.rules import checked
from pulumi_slurm.slurmconf.topology import Switch, Topology, Tree, to_text
from pulumi_slurm.slurmconf.topology.rules import SINCE
from pulumi_slurm.slurmconf.version import Series

KUBECTL = "docker.io/alpine/kubectl:1.35.0"
"""An image with kubectl and a shell. See docs/verification.md."""

_TREE, _ROOT = "gke", "root"
_FILE = "topology.yaml"
_ANNOTATION = "topology.slinky.slurm.net/spec"
_INTERVAL_SECONDS = 15
_NOBODY = 65534

_COPY = f"""
set -eu
block='{{.metadata.labels.cloud\\.google\\.com/gce-topology-block}}'
subblock='{{.metadata.labels.cloud\\.google\\.com/gce-topology-subblock}}'
known='{{.metadata.annotations.{_ANNOTATION.replace(".", chr(92) + ".")}}}'
while true; do
  kubectl get nodes --selector="$NODES" \\
    --output=jsonpath="{{range .items[*]}}{{.metadata.name}}|$block|$subblock|$known|{{'\\n'}}{{end}}" |
  while IFS='|' read -r node in_block in_subblock before _; do
    place={_TREE}:{_ROOT}:unknown
    if [ -n "$in_block" ] && [ -n "$in_subblock" ]; then
      place="{_TREE}:{_ROOT}:block-$in_block:subblock-$in_subblock"
    fi
    if [ "$before" != "$place" ]; then
      kubectl annotate node "$node" --overwrite "{_ANNOTATION}=$place"
    fi
  done
  sleep {_INTERVAL_SECONDS}
done
"""


def pools_in_topology(plan: GkePlan) -> list[str]:
    """Return the names of the planned pools that get a topology: those with compact placement or a fast network."""
    return [planned.name for planned in plan.pools if planned.is_compact or uses_fabric(planned)]


def with_topology(plan: GkePlan, slurm: SlurmSpec) -> SlurmSpec:
    """Return the cluster with a topology in which nodes get their position when they register.

    ``slurm`` has node sets on planned pools, as `expand_priorities` returns it. It is returned unchanged if no
    partition needs a topology, if it has a topology already, if slurmctld is external, and if Slurm or the operator is
    too old. It needs the objects of `topology_manifests`: without them, these partitions would run no job on several
    nodes.
    """
    partitions = _partitions_with_topology(plan, slurm)
    if not partitions or not _accepts_topology(slurm):
        return slurm
    topologies = [
        Topology(topology="default", cluster_default=True, flat=True),
        Topology(topology=_TREE, tree=Tree(switches=[Switch(switch=_ROOT)])),
    ]
    return checked(
        with_fields(
            slurm,
            config_files={**slurm.config_files, _FILE: to_text(topologies)},
            partitions=[
                _in_the_tree(partition) if partition.name in partitions else partition for partition in slurm.partitions
            ],
            node_sets=[
                with_fields(node_set, partition=_in_the_tree(node_set.partition))
                if node_set.partition and node_set.slurm_name in partitions
                else node_set
                for node_set in slurm.node_sets
            ],
        )
    )


def topology_manifests(ref: ClusterRef, pools: Sequence[str], image: str = KUBECTL) -> list[Manifest]:
    """Return the objects that copy labels of these pools' nodes to the annotation: an account, a role, a Deployment.

    The Deployment has a single pod rather than one on each node, because permission to change a node's annotations
    includes its labels and taints, and nodes that run users' jobs should not have such a token.
    """
    name = f"{ref.name}-topology"
    cluster_wide_name = f"{ref.namespace}-{name}"
    role = manifest("rbac.authorization.k8s.io/v1", "ClusterRole", ref, cluster_wide_name)
    binding = manifest("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", ref, cluster_wide_name)
    for cluster_wide in (role, binding):
        del cluster_wide["metadata"]["namespace"]
    role["rules"] = [{"apiGroups": [""], "resources": ["nodes"], "verbs": ["get", "list", "patch"]}]
    binding["roleRef"] = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": cluster_wide_name}
    binding["subjects"] = [{"kind": "ServiceAccount", "name": name, "namespace": ref.namespace}]
    labels = {"app.kubernetes.io/name": "topology", "app.kubernetes.io/instance": ref.name}
    container = {
        "name": "kubectl",
        "image": image,
        "command": ["/bin/sh", "-c", _COPY],
        "env": [
            {"name": "NODES", "value": f"{NODE_POOL_LABEL} in ({','.join(pools)})"},
            {"name": "HOME", "value": "/tmp"},
        ],
        "resources": {"requests": {"cpu": "10m", "memory": "64Mi"}, "limits": {"memory": "128Mi"}},
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
            "readOnlyRootFilesystem": True,
        },
        "volumeMounts": [{"name": "tmp", "mountPath": "/tmp"}],
    }
    deployment = manifest("apps/v1", "Deployment", ref, name)
    deployment["spec"] = {
        "replicas": 1,
        "selector": {"matchLabels": labels},
        "template": {
            "metadata": {"labels": labels},
            "spec": {
                "serviceAccountName": name,
                "securityContext": {
                    "runAsNonRoot": True,
                    "runAsUser": _NOBODY,
                    "seccompProfile": {"type": "RuntimeDefault"},
                },
                "containers": [container],
                "volumes": [{"name": "tmp", "emptyDir": {}}],
            },
        },
    }
    return [manifest("v1", "ServiceAccount", ref, name), role, binding, deployment]


def _partitions_with_topology(plan: GkePlan, slurm: SlurmSpec) -> set[str]:
    """Return the names of the partitions whose node sets are all on pools that get a topology."""
    pools = set(pools_in_topology(plan))
    placed = {node_set.name for node_set in slurm.node_sets if node_set.pool in pools}
    all_node_sets = {node_set.name for node_set in slurm.node_sets}
    names = {node_set.slurm_name for node_set in slurm.node_sets if node_set.partition and node_set.name in placed}
    for partition in slurm.partitions:
        node_sets = all_node_sets if ALL_NODE_SETS in partition.node_sets else set(partition.node_sets)
        if node_sets and node_sets <= placed:
            names.add(partition.name)
    return names


def _accepts_topology(slurm: SlurmSpec) -> bool:
    options = {key.lower() for key in slurm.slurm_conf.extra} & {"topologyplugin", "topologyparam"}
    files = slurm.config_files.keys() & {_FILE, "topology.conf"}
    is_new_enough = slurm.operator.passes_on_topology and Series.of(slurm.slurm_version) >= SINCE
    return is_new_enough and not options and not files and not slurm.controller.external


def _in_the_tree(options: PartitionOptionsSpec) -> PartitionOptionsSpec:
    if "topology" in {key.lower() for key in options.extra}:
        return options
    return with_fields(options, extra={**options.extra, "Topology": _TREE})
