"""The source of users: the trial directory in the cluster, and the sssd.conf of login and worker pods."""

from pulumi_slurm.manifests.default_requests import with_default_requests
from pulumi_slurm.manifests.objects import SSSD_CONF, Manifest, content_hash, manifest, pruned
from pulumi_slurm.manifests.pod_security import WITHOUT_TOKEN, as_root, root_without_more
from pulumi_slurm.manifests.pods import container, placement
from pulumi_slurm.manifests.readiness import SKIP_WAIT
from pulumi_slurm.model import DirectorySpec, IdentitySpec, SecretKeyRef
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.cluster_volumes import LDAP_CA_FILE, LDAP_CA_FOLDER
from pulumi_slurm.model.identity import LdapSchema

ADMIN_PASSWORD_KEY = "admin-password"


def directory_name(ref: ClusterRef) -> str:
    """Return the name of the directory's objects, which is also its host name."""
    return f"{ref.name}-directory"


def directory_labels(ref: ClusterRef) -> dict[str, str]:
    """Return the labels by which the pod of the directory is found."""
    return {"app.kubernetes.io/name": "openldap", "app.kubernetes.io/instance": directory_name(ref)}


def sssd_secret(ref: ClusterRef, identity: IdentitySpec) -> SecretKeyRef:
    """Return the Secret with sssd.conf."""
    return identity.sssd_conf_secret or SecretKeyRef(name=f"{ref.name}-sssd", key=SSSD_CONF)


def sssd_conf(ref: ClusterRef, identity: IdentitySpec, password: str | None) -> str:
    """Return sssd.conf; it contains ``password``, that of the bind DN, so it belongs in a Secret.

    Options as in sssd.conf(5) and sssd-ldap(5). It has no `config_file_version`, which newer releases refuse: commit
    dec0c084 of https://github.com/SlinkyProject/slurm-operator.
    """
    if identity.ldap:
        uri, base, bind_dn = identity.ldap.uri, identity.ldap.base_dn, identity.ldap.bind_dn
        extra = {
            "ldap_user_search_base": identity.ldap.user_search_base,
            "ldap_group_search_base": identity.ldap.group_search_base,
            "ldap_id_use_start_tls": "true" if identity.ldap.start_tls else None,
            "ldap_schema": None if identity.ldap.ldap_schema is LdapSchema.RFC2307 else str(identity.ldap.ldap_schema),
            "ldap_tls_cacert": f"{LDAP_CA_FOLDER}/{LDAP_CA_FILE}" if identity.ldap.ca_secret else None,
            **_access(identity.ldap.access_filter),
        }
    else:
        assert identity.directory is not None
        base = identity.directory.base_dn
        uri, bind_dn = f"ldap://{directory_name(ref)}.{ref.namespace}", f"cn=admin,{base}"
        # The trial directory has a self-signed certificate, which can't be verified.
        extra = {"ldap_id_use_start_tls": "true", "ldap_tls_reqcert": "never"}
    domain = pruned(
        {
            "id_provider": "ldap",
            "auth_provider": "ldap",
            "ldap_uri": uri,
            "ldap_search_base": base,
            "ldap_default_bind_dn": bind_dn,
            "ldap_default_authtok": password if bind_dn else None,
            "cache_credentials": "true",
            # Both only count for users without such an attribute.
            "fallback_homedir": "/home/%u",
            "default_shell": "/bin/bash",
            **extra,
        }
    )
    lines = ["[sssd]", "services = nss, pam", "domains = slurm", ""]
    lines += ["[nss]", f"filter_users = {_LOCAL_USERS}", f"filter_groups = {_LOCAL_USERS}", "", "[domain/slurm]"]
    return "\n".join([*lines, *(f"{key} = {value}" for key, value in domain.items()), ""])


_LOCAL_USERS = "root,slurm"
"""Users of the images, whom no directory may replace."""


def _access(access_filter: str | None) -> dict[str, str]:
    if access_filter is None:
        return {}
    return {"access_provider": "ldap", "ldap_access_order": "filter", "ldap_access_filter": access_filter}


def sssd_revision(ref: ClusterRef, identity: IdentitySpec) -> str:
    """Return what changes with sssd.conf or its generation; the password has no part in it."""
    text = "" if identity.sssd_conf_secret else sssd_conf(ref, identity, None)
    return f"{identity.generation}-{content_hash(text)}"


def directory(ref: ClusterRef, options: DirectorySpec) -> list[Manifest]:
    """Return the objects of the trial directory, without the Secret with its password."""
    name = directory_name(ref)
    labels = directory_labels(ref)
    claim = manifest("v1", "PersistentVolumeClaim", ref, name)
    # If the StorageClass binds late, the claim stays Pending until its pod exists, which is created after it.
    claim["metadata"]["annotations"] = dict(SKIP_WAIT)
    claim["spec"] = pruned(
        {
            "accessModes": [str(options.volume.access_mode)],
            "resources": {"requests": {"storage": options.volume.size}},
            "storageClassName": options.volume.storage_class,
        }
    )
    service = manifest(
        "v1",
        "Service",
        ref,
        name,
        spec={"type": "ClusterIP", "selector": labels, "ports": [{"name": "ldap", "port": 389, "targetPort": "ldap"}]},
    )
    service["metadata"]["annotations"] = dict(SKIP_WAIT)
    openldap = {
        "name": "openldap",
        **with_default_requests("openldap", container(ref, options.image, resources=options.resources)),
        "env": [
            {"name": "LDAP_ORGANISATION", "value": ref.name},
            {"name": "LDAP_DOMAIN", "value": options.domain},
            {"name": "LDAP_ADMIN_PASSWORD", "valueFrom": {"secretKeyRef": {"name": name, "key": ADMIN_PASSWORD_KEY}}},
            {"name": "LDAP_TLS_VERIFY_CLIENT", "value": "never"},
        ],
        "ports": [{"name": "ldap", "containerPort": 389}],
        "readinessProbe": {"tcpSocket": {"port": "ldap"}, "periodSeconds": 10},
        "securityContext": root_without_more(),
        "volumeMounts": [
            {"name": "data", "mountPath": "/var/lib/ldap", "subPath": "data"},
            {"name": "data", "mountPath": "/etc/ldap/slapd.d", "subPath": "config"},
        ],
    }
    deployment = manifest(
        "apps/v1",
        "Deployment",
        ref,
        name,
        spec={
            "replicas": 1,
            # Two servers would corrupt a shared volume.
            "strategy": {"type": "Recreate"},
            "selector": {"matchLabels": labels},
            "template": {
                "metadata": pruned(
                    {"labels": {**ref.labels, **options.pod.labels, **labels}, "annotations": options.pod.annotations}
                ),
                "spec": {
                    **placement(ref, options.pod),
                    **WITHOUT_TOKEN,
                    # Its start script gives its folders and files to the user that slapd then runs as.
                    "securityContext": as_root(),
                    "containers": [openldap],
                    "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": name}}],
                },
            },
        },
    )
    return [claim, service, deployment]
