"""Workers: whether their pods get nodes, and whether their names can be resolved."""

from collections.abc import Iterator

from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.gke.model.control_plane import ClusterDns
from pulumi_slurm.gke.model.pool import GkeCapacity
from pulumi_slurm.gke.plan.extra_networks import uses_fabric
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.plan.planned_pool import GkePlannedPool
from pulumi_slurm.model.node_set import NodeSetSpec, ScalingMode
from pulumi_slurm.model.slurm import SlurmSpec

MAX_KUBE_DNS_WORKERS = 1000
"""How many addresses of a Service kube-dns supports: https://cloud.google.com/kubernetes-engine/docs/how-to/kube-dns."""
KUEUE = "kueue.x-k8s.io/queue-name"
"""The label of pods for which Kueue creates requests."""


def workers_find_each_other(plan: GkePlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse more workers than kube-dns can resolve, since they are all in one Service."""
    if plan.spec.control_plane.dns is not ClusterDns.KUBE_DNS:
        return
    workers = sum(_max_workers(node_set, _pools_of(plan, node_set)) for node_set in slurm.node_sets)
    if workers > MAX_KUBE_DNS_WORKERS:
        yield FieldError(
            ("node_sets",),
            FieldError.ABSENT,
            f"these are up to {workers} workers, and kube-dns resolves the names of {MAX_KUBE_DNS_WORKERS}",
            'Write controlPlane.dns "cloud-dns" in the GKE specification, or fewer replicas.',
        )


def pods_reach_their_nodes(plan: GkePlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Refuse pods for which GKE would start no node, or that could not use its networks."""
    for index, node_set in enumerate(slurm.node_sets):
        at: Path = ("node_sets", index)
        pools = _pools_of(plan, node_set)
        empty_pool = next((pool for pool in pools if _starts_empty(pool)), None)
        if node_set.scaling_mode is ScalingMode.DAEMON_SET and empty_pool:
            yield FieldError(
                (*at, "scaling_mode"),
                node_set.scaling_mode,
                f'GKE starts no node for pods of a DaemonSet, and the pool "{empty_pool.name}" starts with none',
                'Write "StatefulSet", or nodes or minNodes in the pool.',
            )
        queued_pool = next((pool for pool in pools if pool.capacity_option.capacity is GkeCapacity.QUEUED), None)
        if queued_pool and KUEUE not in node_set.pod.labels:
            yield FieldError(
                (*at, "pod", "labels"),
                node_set.pod.labels or FieldError.ABSENT,
                f'the pool "{queued_pool.name}" starts nodes for a ProvisioningRequest only, and nothing creates one',
                f'Run Kueue and add its label {KUEUE}, or write capacity "flex-start" in the pool.',
            )
        fast_pool = next((pool for pool in pools if uses_fabric(pool)), None)
        if fast_pool and node_set.pod.host_network:
            yield FieldError(
                (*at, "pod", "host_network"),
                True,
                f'the {fast_pool.machine_type.fabric} interfaces of "{fast_pool.name}" are only for pods in the pod '
                "network",
                "Write false, or fabric: false in the pool.",
            )


def _pools_of(plan: GkePlan, node_set: NodeSetSpec) -> list[GkePlannedPool]:
    """Return the pool that a node set names, or the capacity options of the pool that it names."""
    return [planned for planned in plan.pools if node_set.pool in (planned.name, planned.pool.name)]


def _starts_empty(planned: GkePlannedPool) -> bool:
    return planned.capacity_option.nodes is None and not planned.capacity_option.min_nodes


def _max_workers(node_set: NodeSetSpec, pools: list[GkePlannedPool]) -> int:
    nodes = sum(planned.capacity_option.most_nodes for planned in pools)
    if node_set.max_replicas is None or any(planned.pool.priorities for planned in pools):
        return nodes
    return node_set.max_replicas
