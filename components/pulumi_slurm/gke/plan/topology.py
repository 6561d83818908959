"""Where nodes stand in Google's network, told to Slurm.

GKE labels nodes with the block and the subblock that they stand in
(https://cloud.google.com/ai-hypercomputer/docs/workloads/schedule-gke-workloads-tas). slurm-operator, from 1.1 on,
hands Slurm what the annotation `topology.slinky.slurm.net/spec` of a node says. `topology_manifests` copies the one
into the other, and `with_topology` prepares Slurm for it.

Blocks are not known before nodes are there. Slurm's tree copes with that: intermediate switches of a path are "created
if needed" (https://slurm.schedmd.com/scontrol.html#OPT_Topology); topology/block wants its blocks named beforehand. So
topology.yaml has a tree with nothing but its root, and nodes bring their path: `gke:root:<block>:<subblock>`. Nodes
without labels stand together under a switch "unknown", of which nothing is claimed. Partitions whose nodes are all on
such pools use the tree, by `Topology=gke`; the others go on as they would without.

With slurmctld 26.05.5, nodes take their places when they register and when they are updated, keep them when
slurmctld restarts or is reconfigured, and `--switches` goes by them. A node of such a partition that has no place yet
runs jobs of one node alone. By Google's pages the labels are there on A4 and A3 Ultra nodes. See docs/verification.md.
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
_SECONDS_BETWEEN_LOOKS = 15
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
  sleep {_SECONDS_BETWEEN_LOOKS}
done
"""


def placed_pools(plan: GkePlan) -> list[str]:
    """Return the names of planned pools of which it is worth knowing where nodes stand: compact ones, fast networks."""
    return [planned.name for planned in plan.pools if planned.pool.compact_placement or uses_fabric(planned)]


def with_topology(plan: GkePlan, slurm: SlurmSpec) -> SlurmSpec:
    """Return the cluster with a topology in which nodes take their places as they come.

    ``slurm`` has node sets on planned pools, as `expand_priorities` returns it. It is returned as it is where there is
    nothing to place, where a topology is stated already, where slurmctld runs elsewhere, and where Slurm or the
    operator is too old. Make `topology_manifests` along with it: without them, these partitions would run no job of
    several nodes.
    """
    partitions = _placed_partitions(plan, slurm)
    if not partitions or not _can_be_told(slurm):
        return slurm
    topologies = [
        Topology(topology="default", cluster_default=True, flat=True),
        Topology(topology=_TREE, tree=Tree(switches=[Switch(switch=_ROOT)])),
    ]
    placed = with_fields(
        slurm,
        config_files={**slurm.config_files, _FILE: to_text(topologies)},
        partitions=[_in_the_tree(each) if each.name in partitions else each for each in slurm.partitions],
        node_sets=[
            with_fields(each, partition=_in_the_tree(each.partition))
            if each.partition and each.slurm_name in partitions
            else each
            for each in slurm.node_sets
        ],
    )
    return checked(placed)


def topology_manifests(ref: ClusterRef, pools: Sequence[str], image: str = KUBECTL) -> list[Manifest]:
    """Return what copies labels of these pools' nodes into the annotation: an account, its rights, and a Deployment.

    It is one pod beside slurmctld rather than one on each node, since whoever may change a node's annotations may
    change its labels and taints too, and that is nothing to leave lying on nodes where users' jobs run.
    """
    name = f"{ref.name}-topology"
    everywhere = f"{ref.namespace}-{name}"
    role = manifest("rbac.authorization.k8s.io/v1", "ClusterRole", ref, everywhere)
    binding = manifest("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", ref, everywhere)
    for each in (role, binding):
        del each["metadata"]["namespace"]
    role["rules"] = [{"apiGroups": [""], "resources": ["nodes"], "verbs": ["get", "list", "patch"]}]
    binding["roleRef"] = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": everywhere}
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


def _placed_partitions(plan: GkePlan, slurm: SlurmSpec) -> set[str]:
    """Return the names of partitions all of whose node sets are on pools with known places."""
    placed = set(placed_pools(plan))
    inside = {node_set.name for node_set in slurm.node_sets if node_set.pool in placed}
    everything = {node_set.name for node_set in slurm.node_sets}
    found = {node_set.slurm_name for node_set in slurm.node_sets if node_set.partition and node_set.name in inside}
    for partition in slurm.partitions:
        held = everything if ALL_NODE_SETS in partition.node_sets else set(partition.node_sets)
        if held and held <= inside:
            found.add(partition.name)
    return found


def _can_be_told(slurm: SlurmSpec) -> bool:
    stated = {key.lower() for key in slurm.slurm_conf.extra} & {"topologyplugin", "topologyparam"}
    files = slurm.config_files.keys() & {_FILE, "topology.conf"}
    new_enough = slurm.operator.passes_on_topology and Series.of(slurm.slurm_version) >= SINCE
    return new_enough and not stated and not files and not slurm.controller.external


def _in_the_tree(options: PartitionOptionsSpec) -> PartitionOptionsSpec:
    if "topology" in {key.lower() for key in options.extra}:
        return options
    return with_fields(options, extra={**options.extra, "Topology": _TREE})
