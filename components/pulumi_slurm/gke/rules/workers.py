"""Workers: whether their pods get nodes, and their names are found."""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.gke.model.control_plane import ClusterDns
from pulumi_slurm.gke.model.pool import GkeCapacity
from pulumi_slurm.gke.plan.extra_networks import uses_fabric
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool
from pulumi_slurm.model.node_set import NodeSetSpec, ScalingMode
from pulumi_slurm.model.slurm import SlurmSpec

MOST_WITH_KUBE_DNS = 1000
"""How many addresses of one Service kube-dns knows: https://cloud.google.com/kubernetes-engine/docs/how-to/kube-dns."""
KUEUE = "kueue.x-k8s.io/queue-name"
"""The label of pods that Kueue makes requests for."""


def workers_find_each_other(plan: GkePlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse more workers than kube-dns can name: they are all in one Service."""
    if plan.spec.control_plane.dns is not ClusterDns.KUBE_DNS:
        return
    total = sum(_most(node_set, _pools_of(plan, node_set)) for node_set in slurm.node_sets)
    if total > MOST_WITH_KUBE_DNS:
        yield FieldError(
            ("node_sets",),
            FieldError.ABSENT,
            f"these are up to {total} workers, and kube-dns knows the names of {MOST_WITH_KUBE_DNS}",
            'Write controlPlane.dns "cloud-dns" in the GKE specification, or fewer replicas.',
        )


def pods_reach_their_nodes(plan: GkePlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse pods for which GKE would start no node, or that would miss its networks."""
    for index, node_set in enumerate(slurm.node_sets):
        at: Path = ("node_sets", index)
        pools = _pools_of(plan, node_set)
        empty = next(
            (each for each in pools if each.capacity_option.nodes is None and not each.capacity_option.min_nodes), None
        )
        if node_set.scaling_mode is ScalingMode.DAEMON_SET and empty:
            yield FieldError(
                (*at, "scaling_mode"),
                node_set.scaling_mode,
                f'pods of a DaemonSet make GKE start no node, and the pool "{empty.name}" begins with none',
                'Write "StatefulSet", or nodes or minNodes in the pool.',
            )
        queued = next((each for each in pools if each.capacity_option.capacity is GkeCapacity.QUEUED), None)
        if queued and KUEUE not in node_set.pod.labels:
            yield FieldError(
                (*at, "pod", "labels"),
                node_set.pod.labels or FieldError.ABSENT,
                f'the pool "{queued.name}" starts nodes for a ProvisioningRequest only, and nothing makes one',
                f'Run Kueue and add its label {KUEUE}, or write capacity "flex-start" in the pool.',
            )
        fast = next((each for each in pools if uses_fabric(each)), None)
        if fast and node_set.pod.host_network:
            yield FieldError(
                (*at, "pod", "host_network"),
                True,
                f'the {fast.machine_type.fabric} interfaces of "{fast.name}" are for pods of the pod network alone',
                "Write false, or fabric: false in the pool.",
            )


def _pools_of(plan: GkePlan, node_set: NodeSetSpec) -> list[GkePlannedPool]:
    """Return the pool that a node set names, or the pools of the priorities that it names."""
    return [each for each in plan.pools if node_set.pool in (each.name, each.pool.name)]


def _most(node_set: NodeSetSpec, pools: list[GkePlannedPool]) -> int:
    nodes = sum(each.capacity_option.most_nodes for each in pools)
    if node_set.max_replicas is None or any(each.pool.priorities for each in pools):
        return nodes
    return node_set.max_replicas
