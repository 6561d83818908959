"""Services of ours before the operator's pods. Those of slurmdbd and slurmrestd are the operator's own."""

from pulumi_slurm.ack.model.ack_slurm import AckSlurmSpec, AckSshSpec
from pulumi_slurm.ack.slurm.names import CLUSTER_LABEL, TYPE_LABEL, ssh_service
from pulumi_slurm.manifests.objects import ClusterRef, Manifest
from pulumi_slurm.manifests.pods import service
from pulumi_slurm.manifests.readiness import SKIP_WAIT
from pulumi_slurm.manifests.services import SSH_PORT
from pulumi_slurm.model import ServiceSpec, ServiceType, SlurmSpec


def login_service(spec: SlurmSpec, ack: AckSlurmSpec) -> ServiceSpec | None:
    """Return how people reach the controller's SSH server; None where nobody is to."""
    if ack.ssh:
        return ack.ssh.service
    if not spec.login_sets:
        return None
    stated = spec.login_sets[0].service
    return stated if stated != ServiceSpec() else AckSshSpec().service


def before_controller(spec: SlurmSpec, ack: AckSlurmSpec) -> list[Manifest]:
    """Return the Service before the controller's SSH server."""
    options = login_service(spec, ack)
    if options is None:
        return []
    pods = {CLUSTER_LABEL: spec.name, TYPE_LABEL: "head"}
    made = service(ClusterRef.of(spec), ssh_service(spec.name), options, pods, SSH_PORT, "ssh")
    # Only a load balancer has something to wait for, its address.
    if options.type is not ServiceType.LOAD_BALANCER:
        made["metadata"]["annotations"] = {**made["metadata"].get("annotations", {}), **SKIP_WAIT}
    return [made]
