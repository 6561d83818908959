"""Requests of workers that differ from their limits, and what such workers do to other pods."""

from collections.abc import Iterator

from pulumi_slurm.ack_slurm.rules.context import ACK, CLUSTER, RuleContext
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.errors.counts import counted
from pulumi_slurm.model.units import quantity
from pulumi_slurm.rules.run import Rule, warns
from pulumi_slurm.rules.system_priorities import KUBERNETES_CLASSES


def requests_are_within_limits(context: RuleContext) -> Iterator[FieldError]:
    """Refuse requests that are more than the size of the node in Slurm; Kubernetes would refuse such pods."""
    errors: dict[Path, FieldError] = {}
    for group in context.groups:
        requests, machine = context.ack.worker_requests(group.name), group.machine
        if requests is None or machine is None:
            continue
        worker = context.ack.worker(group.name)
        at: Path = (*ACK, "workers", group.name) if worker.requests else (*ACK, "copilot")
        for resource, limit, limit_text in (
            ("cpu", machine.cpus, counted(machine.cpus, "CPU")),
            ("memory", machine.memory_mib * 2**20, f"{machine.memory_mib}Mi"),
        ):
            value = getattr(requests, resource)
            path = (*at, "requests", resource)
            if quantity(value) > limit:
                problem = f'nodes of "{group.name}" have {limit_text}, and a pod can\'t request more than its limit'
                errors.setdefault(path, FieldError(path, value, problem, "Write less; slurmd itself needs little."))
    yield from errors.values()


@warns
def workers_end_no_other_pods(context: RuleContext) -> Iterator[FieldError]:
    """Warn where the scheduler would end pods of others so that a worker gets the GPUs of its node."""
    of_cluster = context.spec.priority_class_name
    errors: dict[Path, FieldError] = {}
    for index, node_set in enumerate(context.spec.node_sets):
        of_pod = node_set.pod.priority_class_name
        at: Path = ("node_sets", index, "pod", "priority_class_name") if of_pod else ("priority_class_name",)
        name = of_pod or of_cluster
        if name in KUBERNETES_CLASSES and context.ack.worker_requests(node_set.name):
            problem = (
                "for pods of this class the scheduler ends others: workers share their nodes, and one asks for all "
                "GPUs of its node"
            )
            fix = "Leave it out: workers then have a class of their own, which only waits."
            errors.setdefault(at, FieldError((*CLUSTER, *at), name, problem, fix))
    yield from errors.values()


RULES: tuple[Rule, ...] = (
    requests_are_within_limits,
    workers_end_no_other_pods,
)
