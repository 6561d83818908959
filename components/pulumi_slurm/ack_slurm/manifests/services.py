"""The Service for logins. The operator itself creates those of slurmdbd and slurmrestd."""

from pulumi_slurm.ack_slurm.manifests.names import CLUSTER_LABEL, TYPE_LABEL, ssh_service
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec, AckSshSpec
from pulumi_slurm.manifests.objects import Manifest
from pulumi_slurm.manifests.services import SSH_PORT, service
from pulumi_slurm.model import ServiceSpec, SlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef


def login_service(spec: SlurmSpec, ack: AckSlurmSpec) -> ServiceSpec | None:
    """Return the Service options of the controller's SSH server; None if logins aren't configured."""
    if ack.ssh:
        return ack.ssh.service
    if not spec.login_sets:
        return None
    configured = spec.login_sets[0].service
    return configured if configured != ServiceSpec() else AckSshSpec().service


def controller_ssh_service(spec: SlurmSpec, ack: AckSlurmSpec) -> list[Manifest]:
    """Return the Service for the controller's SSH server; empty if logins aren't configured."""
    service_spec = login_service(spec, ack)
    if service_spec is None:
        return []
    pods = {CLUSTER_LABEL: spec.name, TYPE_LABEL: (ack.ssh or AckSshSpec()).controller_type}
    return [service(ClusterRef.of(spec), ssh_service(spec.name), service_spec, pods, SSH_PORT, "ssh")]
