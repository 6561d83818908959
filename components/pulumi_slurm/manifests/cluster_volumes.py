"""Files of the cluster that pods mount in addition to the operator's: a certificate for LDAP, and the health check."""

from pulumi_slurm.manifests.objects import Manifest
from pulumi_slurm.model import IdentitySpec, LoginSetSpec, NodeSetSpec, SlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.cluster_volumes import (
    EXECUTABLE,
    HEALTH_CHECK,
    HEALTH_CHECK_FOLDER,
    LDAP_CA,
    LDAP_CA_FILE,
    LDAP_CA_FOLDER,
    health_check_config_map,
)


def with_cluster_volumes(spec: SlurmSpec, node_set: NodeSetSpec) -> NodeSetSpec:
    """Return a node set whose pods mount the cluster's files as well."""
    volumes, mounts = _ldap_ca(spec.identity) if node_set.ssh else ([], [])
    if spec.hooks.health_check:
        name = health_check_config_map(ClusterRef.of(spec).name)
        volumes = [*volumes, {"name": HEALTH_CHECK, "configMap": {"name": name, "defaultMode": EXECUTABLE}}]
        mounts = [*mounts, {"name": HEALTH_CHECK, "mountPath": HEALTH_CHECK_FOLDER, "readOnly": True}]
    return node_set.model_copy(
        update={
            "extra_volumes": [*volumes, *node_set.extra_volumes],
            "extra_volume_mounts": [*mounts, *node_set.extra_volume_mounts],
        }
    )


def with_login_volumes(spec: SlurmSpec, login_set: LoginSetSpec) -> LoginSetSpec:
    """Return a login set whose pods mount the cluster's files as well."""
    volumes, mounts = _ldap_ca(spec.identity)
    return login_set.model_copy(
        update={
            "extra_volumes": [*volumes, *login_set.extra_volumes],
            "extra_volume_mounts": [*mounts, *login_set.extra_volume_mounts],
        }
    )


def _ldap_ca(identity: IdentitySpec | None) -> tuple[list[Manifest], list[Manifest]]:
    secret = identity.ldap.ca_secret if identity and identity.ldap else None
    if secret is None:
        return [], []
    # With the default mode: all users' LDAP clients may read a certificate, and another mode would replace all workers.
    items = [{"key": secret.key, "path": LDAP_CA_FILE}]
    volume = {"name": LDAP_CA, "secret": {"secretName": secret.name, "items": items}}
    return [volume], [{"name": LDAP_CA, "mountPath": LDAP_CA_FOLDER, "readOnly": True}]
