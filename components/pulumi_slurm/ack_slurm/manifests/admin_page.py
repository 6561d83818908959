"""phpLDAPadmin for the trial directory, as an alternative to ldapadd."""

from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.manifests.directory import directory_name
from pulumi_slurm.manifests.objects import Manifest, manifest
from pulumi_slurm.manifests.pod_security import WITHOUT_TOKEN, as_root, root_without_more
from pulumi_slurm.manifests.readiness import SKIP_WAIT
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef


def admin_page(spec: SlurmSpec, ack: AckSlurmSpec) -> list[Manifest]:
    """Return the Deployment and its Service, which is internal to the cluster; empty if no image is configured."""
    if not ack.ldap.admin_page:
        return []
    ref = ClusterRef.of(spec)
    name = f"{directory_name(ref)}-admin"
    labels = {"app.kubernetes.io/name": "phpldapadmin", "app.kubernetes.io/instance": name}
    admin_container = {
        "name": "phpldapadmin",
        "image": ack.ldap.admin_page,
        "env": [
            {"name": "PHPLDAPADMIN_LDAP_HOSTS", "value": directory_name(ref)},
            {"name": "PHPLDAPADMIN_HTTPS", "value": "false"},
        ],
        "ports": [{"name": "http", "containerPort": 80}],
        "securityContext": root_without_more(),
    }
    deployment = manifest("apps/v1", "Deployment", ref, name)
    pod = {**WITHOUT_TOKEN, "securityContext": as_root(), "containers": [admin_container]}
    deployment["spec"] = {
        "replicas": 1,
        "selector": {"matchLabels": labels},
        "template": {"metadata": {"labels": labels}, "spec": pod},
    }
    service = manifest("v1", "Service", ref, name)
    service["metadata"]["annotations"] = dict(SKIP_WAIT)
    port = {"name": "http", "port": 80, "targetPort": "http"}
    service["spec"] = {"type": "ClusterIP", "selector": labels, "ports": [port]}
    return [deployment, service]
