"""What stands before the operator's pods: Services of ours, and how it is known that the pods are ready.

The operator makes Services too, but never updates them once they are there, so what users configure goes here.
"""

from pulumi_slurm.manifests.objects import ClusterRef, Manifest
from pulumi_slurm.manifests.pods import service
from pulumi_slurm.manifests.readiness import SKIP_WAIT, budget
from pulumi_slurm.model import LoginSetSpec, RestApiSpec, ServiceSpec, ServiceType
from pulumi_slurm.model.names import login_set_object
from pulumi_slurm.model.ports import SLURMCTLD_PORT, SLURMDBD_PORT, SLURMRESTD_PORT

SSH_PORT = 22


def before_slurmctld(ref: ClusterRef) -> list[Manifest]:
    """Return what stands before slurmctld."""
    pods = _pods("slurmctld", ref.name)
    name = f"{ref.name}-slurmctld"
    return [_front(ref, name, ServiceSpec(), pods, SLURMCTLD_PORT, "slurmctld"), budget(ref, name, pods, 1)]


def before_slurmdbd(ref: ClusterRef) -> list[Manifest]:
    """Return what stands before slurmdbd."""
    pods = _pods("slurmdbd", ref.name)
    name = f"{ref.name}-slurmdbd"
    return [_front(ref, name, ServiceSpec(), pods, SLURMDBD_PORT, "slurmdbd"), budget(ref, name, pods, 1)]


def before_slurmrestd(ref: ClusterRef, options: RestApiSpec) -> list[Manifest]:
    """Return what stands before slurmrestd."""
    pods = _pods("slurmrestd", ref.name)
    name = f"{ref.name}-slurmrestd"
    if ref.operator.rest_api_has_budget:
        # Pods with two budgets can't be evicted at all, so here Pulumi waits for the Service.
        return [service(ref, name, options.service, pods, SLURMRESTD_PORT, "http")]
    front = _front(ref, name, options.service, pods, SLURMRESTD_PORT, "http")
    return [front, budget(ref, name, pods, options.replicas)]


def before_login(ref: ClusterRef, options: LoginSetSpec) -> list[Manifest]:
    """Return what stands before the SSH servers of a login set."""
    instance = login_set_object(ref.name, options.name)
    pods = _pods("login", instance)
    replicas = None if options.autoscaling else (1 if options.replicas is None else options.replicas)
    front = _front(ref, f"{instance}-ssh", options.service, pods, SSH_PORT, "ssh", empty=replicas == 0)
    return [front, budget(ref, instance, pods, replicas)]


def _front(
    ref: ClusterRef,
    name: str,
    options: ServiceSpec,
    pods: dict[str, str],
    port: int,
    port_name: str,
    *,
    empty: bool = False,
) -> Manifest:
    made = service(ref, name, options, pods, port, port_name)
    # Only a load balancer has something to wait for, its address; and that only comes with a pod behind it.
    if options.type is not ServiceType.LOAD_BALANCER or empty:
        made["metadata"]["annotations"] = {**made["metadata"].get("annotations", {}), **SKIP_WAIT}
    return made


def _pods(daemon: str, instance: str) -> dict[str, str]:
    return {"app.kubernetes.io/name": daemon, "app.kubernetes.io/instance": instance}
