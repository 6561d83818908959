"""Requests of workers that differ from their limits."""

from collections.abc import Iterator

from pulumi_slurm.ack_slurm.rules.context import ACK, RuleContext
from pulumi_slurm.errors import FieldError, Path
from pulumi_slurm.model.units import quantity


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
            ("cpu", machine.cpus, f"{machine.cpus} CPUs"),
            ("memory", machine.memory_mib * 2**20, f"{machine.memory_mib}Mi"),
        ):
            value = getattr(requests, resource)
            path = (*at, "requests", resource)
            if quantity(value) > limit:
                problem = f'nodes of "{group.name}" have {limit_text}, and a pod can\'t request more than its limit'
                errors.setdefault(path, FieldError(path, value, problem, "Write less; slurmd itself needs little."))
    yield from errors.values()
