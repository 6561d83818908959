"""Rules on the bridge's external nodes: Kubernetes nodes without slurmd, which Slurm gives to pods alone.

Source of what the bridge does with them: internal/controller/node of https://github.com/SlinkyProject/slurm-bridge at
v1.2.1.
"""

from collections.abc import Iterator, Sequence

from pulumi_slurm.derived.bridge_nodes import bridge_node_groups, partitions_of_bridge_nodes
from pulumi_slurm.errors import FieldError, Path, nearest
from pulumi_slurm.model.machine import NodePoolSpec
from pulumi_slurm.model.partition import ALL_NODE_SETS
from pulumi_slurm.model.releases.bridge_version import bridge_release
from pulumi_slurm.model.slurm import SlurmSpec
from pulumi_slurm.rules.names import repeated
from pulumi_slurm.rules.run import Rule, warns

_AT: Path = ("bridge", "external_nodes")


def bridge_nodes_have_names_of_their_own(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse names by which partitions would refer to something else too."""
    used_names = {name for node_set in spec.node_sets for name in (node_set.name, node_set.slurm_name)}
    used_names |= {nodes.name for nodes in spec.external_nodes}
    for index, name in repeated([nodes.name for nodes in bridge_node_groups(spec)]):
        yield FieldError((*_AT, index, "name"), name, "this name is already used", "Choose another name.")
    for index, nodes in enumerate(bridge_node_groups(spec)):
        at: Path = (*_AT, index, "name")
        if nodes.name in used_names:
            problem = "a node set or a group of external nodes has this name, and partitions would mean either"
            yield FieldError(at, nodes.name, problem, "Choose another.")
        elif nodes.name.upper() in {ALL_NODE_SETS, "DEFAULT"}:
            problem = "slurm.conf reserves this word, for every node or for defaults"
            yield FieldError(at, nodes.name, problem, "Choose another name.")


def bridge_nodes_are_in_partitions(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse nodes that no partition has, which Slurm would give to no pod."""
    for index, nodes in enumerate(bridge_node_groups(spec)):
        if not partitions_of_bridge_nodes(spec, nodes):
            problem = "no partition names these nodes, so Slurm would give them to no pod"
            fix = "Add it to nodeSets of a partition."
            yield FieldError((*_AT, index, "name"), nodes.name, problem, fix, (("partitions",),))


def bridge_nodes_are_selected_once(spec: SlurmSpec) -> Iterator[FieldError]:
    """Refuse nodes without pool and labels or with both, and those of a pool on which others run."""
    by_pool = {
        node_set.pool: f'the node set "{node_set.name}" runs there' for node_set in spec.node_sets if node_set.pool
    }
    for index, nodes in enumerate(bridge_node_groups(spec)):
        at: Path = (*_AT, index)
        if nodes.pool is None and not nodes.node_selector:
            problem = "neither pool nor nodeSelector says which Kubernetes nodes they are"
            yield FieldError(
                at,
                nodes.name,
                problem,
                "Add pool: <name of a node pool>, or nodeSelector: {<label>: <value>}.",
                ((*at, "pool"), (*at, "node_selector")),
            )
        elif nodes.pool and nodes.node_selector:
            problem = "the labels of the pool select the nodes"
            yield FieldError(
                (*at, "node_selector"),
                nodes.node_selector,
                problem,
                "Leave it out, or leave pool out.",
                ((*at, "pool"),),
            )
        elif nodes.pool in by_pool:
            yield FieldError(
                (*at, "pool"),
                nodes.pool,
                f"{by_pool[nodes.pool]}, and Slurm would know each node twice",
                "Give these nodes a pool of their own; a node set that shares its nodes with pods has bridged: true.",
                (("node_sets",),),
            )
        if nodes.pool:
            by_pool.setdefault(nodes.pool, f'the external nodes "{nodes.name}" are there')


def bridge_nodes_have_no_workers(spec: SlurmSpec, pools: Sequence[NodePoolSpec]) -> Iterator[FieldError]:
    """Refuse nodes on which a node set runs, by whichever labels it gets there.

    The bridge puts a taint with effect NoExecute on its nodes, and only workers with the names of their nodes tolerate
    it, which these nodes have too. Where the workers' labels are fewer, there are other nodes for them, which they then
    get.
    """
    labels = {pool.name: pool.node_labels for pool in pools}
    for index, nodes in enumerate(bridge_node_groups(spec)):
        selected = {**labels.get(nodes.pool or "", {}), **nodes.node_selector}
        for node_set in spec.node_sets if selected else ():
            workers = {**labels.get(node_set.pool or "", {}), **node_set.pod.node_selector}
            if (nodes.pool and nodes.pool == node_set.pool) or not selected.items() <= workers.items():
                # `bridge_nodes_are_selected_once` reports two in one pool.
                continue
            consequence = (
                "Slurm would know each node twice"
                if node_set.has_names_of_kubernetes_nodes
                else "the bridge's taint would evict it"
            )
            instead = "" if node_set.bridged else ", or write bridged: true in the node set and leave this out"
            fix = f"Select other nodes{instead}."
            yield FieldError(
                (*_AT, index, "pool" if nodes.pool else "node_selector"),
                nodes.pool or nodes.node_selector,
                f'the node set "{node_set.name}" runs on these nodes, and {consequence}',
                fix,
                (("node_sets",),),
            )
            break


def bridge_nodes_fit_their_pools(spec: SlurmSpec, pools: Sequence[NodePoolSpec]) -> Iterator[FieldError]:
    """Refuse pools that don't exist, that begin without nodes, or whose GPUs Slurm would not know of.

    Slurm places pods on nodes that it knows. The bridge derives GRES from ResourceSlices of DRA alone, and counts no
    extended resource of a device plugin: GetGresAndGresConf in internal/nodeinfo at v1.2.1.
    """
    by_name = {pool.name: pool for pool in pools}
    for index, nodes in enumerate(bridge_node_groups(spec)):
        at: Path = (*_AT, index, "pool")
        if nodes.pool is None:
            continue
        pool = by_name.get(nodes.pool)
        if pool is None:
            yield FieldError(at, nodes.pool, "there is no such node pool", nearest(nodes.pool, by_name))
            continue
        if pool.machine.gpus:
            yield FieldError(
                at,
                nodes.pool,
                f"its nodes offer {pool.machine.gpus.resource} by a device plugin, which the bridge doesn't count, so "
                "no pod with a GPU would ever start there",
                "Make it a bridged node set: nodeSets: [{pool: ..., scalingMode: DaemonSet, bridged: true}].",
            )
        if pool.max_nodes == 0 or pool.min_nodes == 0:
            yield FieldError(
                at,
                nodes.pool,
                "this pool begins without nodes, and Slurm places pods on nodes that it knows, so none would be added",
                "Write nodes, or minNodes of 1 or more, in the pool.",
            )


@warns
def nodes_of_running_pods_stay(spec: SlurmSpec, pools: Sequence[NodePoolSpec]) -> Iterator[FieldError]:
    """Warn of pools that an autoscaler can shrink, with releases of the bridge that then lose jobs."""
    release = bridge_release(spec.bridge.version, spec.operator) if spec.bridge else None
    by_name = {pool.name: pool for pool in pools}
    for index, nodes in enumerate(bridge_node_groups(spec)):
        pool = by_name.get(nodes.pool or "")
        if release is None or pool is None or not release.loses_jobs_with_nodes:
            continue
        if pool.min_nodes is not None and pool.min_nodes < (pool.max_nodes or 0):
            yield FieldError(
                (*_AT, index, "pool"),
                nodes.pool,
                f"with slurm-bridge {release.version} all jobs of pods that could run on a node end, once that node is "
                "removed and slurmctld restarts, and this pool can shrink",
                "Write a fixed number of nodes in the pool, or a release of the bridge after 1.2.1 that mends it: "
                "https://github.com/SlinkyProject/slurm-bridge/issues/43.",
            )


RULES: tuple[Rule, ...] = (
    bridge_nodes_have_names_of_their_own,
    bridge_nodes_are_in_partitions,
    bridge_nodes_are_selected_once,
)
RULES_WITH_POOLS: tuple[Rule, ...] = (
    bridge_nodes_fit_their_pools,
    bridge_nodes_have_no_workers,
    nodes_of_running_pods_stay,
)
