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
from pulumi_slurm.rules.run import Rule, warns

MAX_KUBE_DNS_WORKERS = 1000
"""How many addresses of a Service kube-dns supports: https://cloud.google.com/kubernetes-engine/docs/how-to/kube-dns."""
KUEUE = "kueue.x-k8s.io/queue-name"
"""The label of pods for which Kueue creates requests."""
GROUP = "kueue.x-k8s.io/pod-group-name"
"""The label of pods that Kueue admits together."""
GROUP_COUNT = "kueue.x-k8s.io/pod-group-total-count"
"""The annotation with the number of these pods."""


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


@warns
def queued_workers_start_together(plan: GkePlan, slurm: SlurmSpec) -> Iterator[FieldError]:
    """Warn of workers that Kueue admits one by one, each with a ProvisioningRequest, or for which it waits in vain.

    Source: https://kueue.sigs.k8s.io/docs/tasks/run/plain_pods/#running-a-group-of-pods-to-be-admitted-together.
    """
    for index, node_set in enumerate(slurm.node_sets):
        at: Path = ("node_sets", index, "pod")
        pools = _pools_of(plan, node_set)
        labels, count = node_set.pod.labels, node_set.pod.annotations.get(GROUP_COUNT)
        is_queued = any(pool.capacity_option.capacity is GkeCapacity.QUEUED for pool in pools)
        if not is_queued or KUEUE not in labels or node_set.max_replicas in (0, 1):
            continue
        group = [one for one in slurm.node_sets if one.pod.labels.get(GROUP) == labels.get(GROUP)]
        workers = sum(one.max_replicas or 0 for one in group)
        if GROUP not in labels or count is None:
            yield FieldError(
                (*at, "labels") if GROUP not in labels else (*at, "annotations"),
                labels if GROUP not in labels else node_set.pod.annotations or FieldError.ABSENT,
                "Kueue takes each worker for a workload of its own, and asks for its node alone: nodes come one by "
                "one, not all at once",
                f"Add the label {GROUP} with a name, and the annotation {GROUP_COUNT} with the number of replicas.",
            )
        elif node_set.autoscaling or (len(pools) == 1 and count != str(workers)):
            yield FieldError(
                (*at, "annotations"),
                node_set.pod.annotations,
                f'Kueue waits for {count} pods of the group "{labels[GROUP]}", and removes what are more; here are '
                + (f"at times less than {workers}" if node_set.autoscaling else str(workers)),
                "Leave autoscaling out, and write replicas." if node_set.autoscaling else f'Write "{workers}".',
                depends_on_fields=(("node_sets", index, "replicas"), ("node_sets", index, "autoscaling")),
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


RULES_WITH_SLURM: tuple[Rule, ...] = (
    workers_find_each_other,
    pods_reach_their_nodes,
    queued_workers_start_together,
)
