"""Services of ours that lead to the operator's pods. Those of slurmdbd and slurmrestd are the operator's own."""

from pulumi_slurm.ack.model.ack_slurm import AckSlurmSpec, AckSshSpec
from pulumi_slurm.ack.slurm.names import CLUSTER_LABEL, TYPE_LABEL, ssh_service
from pulumi_slurm.manifests.objects import ClusterRef, Manifest
from pulumi_slurm.manifests.pods import service
from pulumi_slurm.manifests.readiness import SKIP_WAIT
from pulumi_slurm.manifests.services import SSH_PORT
from pulumi_slurm.model import ServiceSpec, ServiceType, SlurmSpec


def login_service(spec: SlurmSpec, ack: AckSlurmSpec) -> ServiceSpec | None:
    """Return how people reach the controller's SSH server; None where nobody logs in."""
    if ack.ssh:
        return ack.ssh.service
    if not spec.login_sets:
        return None
    own = spec.login_sets[0].service
    return own if own != ServiceSpec() else AckSshSpec().service


def controller_ssh_service(spec: SlurmSpec, ack: AckSlurmSpec) -> list[Manifest]:
    """Return the Service that leads to the controller's SSH server; nothing where nobody logs in."""
    service_spec = login_service(spec, ack)
    if service_spec is None:
        return []
    pods = {CLUSTER_LABEL: spec.name, TYPE_LABEL: "head"}
    manifest = service(ClusterRef.of(spec), ssh_service(spec.name), service_spec, pods, SSH_PORT, "ssh")
    # Only a load balancer has something to wait for, its address.
    if service_spec.type is not ServiceType.LOAD_BALANCER:
        manifest["metadata"]["annotations"] = {**manifest["metadata"].get("annotations", {}), **SKIP_WAIT}
    return [manifest]
