"""The database of slurmdbd, if it runs in the cluster."""

from pulumi_slurm.manifests.default_requests import default_requests, with_default_requests
from pulumi_slurm.manifests.objects import Manifest, manifest, pruned
from pulumi_slurm.manifests.pod_security import WITHOUT_TOKEN, as_user, without_rights
from pulumi_slurm.manifests.pods import container, container_resources, placement
from pulumi_slurm.manifests.readiness import SKIP_WAIT
from pulumi_slurm.model import BackupSpec, ClaimSpec, DatabaseKind, DatabaseSpec, S3Spec, SecretKeyRef
from pulumi_slurm.model.cluster_ref import ClusterRef

PASSWORD_KEY = "password"
ROOT_PASSWORD_KEY = "root-password"
_MYSQL = 999
"""The user `mysql` of MariaDB's images, as which their start script otherwise goes on: useradd in the Dockerfiles, and
`_main` in docker-entrypoint.sh, of https://github.com/MariaDB/mariadb-docker."""

# Settings that slurmdbd requires: https://slurm.schedmd.com/accounting.html#slurm-accounting-configuration-before-build.
# From 11.6.2 on MariaDB enables snapshot isolation by default, with which slurmdbd exits on the first conflict of two
# writes; the prefix "loose" lets servers without the setting ignore it.
MY_CNF = """[mysqld]
innodb_buffer_pool_size=1024M
innodb_log_file_size=64M
innodb_lock_wait_timeout=900
max_allowed_packet=16M
loose_innodb_snapshot_isolation=OFF
"""


def database_name(ref: ClusterRef) -> str:
    """Return the name of the database's objects, which is also its host name."""
    return f"{ref.name}-mariadb"


def database_labels(ref: ClusterRef) -> dict[str, str]:
    """Return the labels by which the pod of a MariaDB in the cluster is found."""
    return {"app.kubernetes.io/name": "mariadb", "app.kubernetes.io/instance": database_name(ref)}


def database_host(ref: ClusterRef, options: DatabaseSpec) -> str:
    """Return the host name of the database for slurmdbd.

    mariadb-operator's Service with the name of the MariaDB leads to all Galera servers, and only the one that ends in
    "-primary" always to the same. Conflicts between writes to several servers would end slurmdbd. Source: docs/HA.md of
    https://github.com/mariadb-operator/mariadb-operator.
    """
    primary = f"{database_name(ref)}-primary" if options.replicas > 1 else database_name(ref)
    return options.host or primary


def password_secret(ref: ClusterRef, options: DatabaseSpec) -> SecretKeyRef:
    """Return the Secret with the password of slurmdbd's user."""
    return options.password_secret or SecretKeyRef(name=database_name(ref), key=PASSWORD_KEY)


def database(ref: ClusterRef, options: DatabaseSpec) -> list[Manifest]:
    """Return the objects of the database, without the Secret with its passwords."""
    if options.kind is DatabaseKind.EXTERNAL:
        return []
    if options.kind is DatabaseKind.MARIADB_OPERATOR:
        return _mariadb_operator_objects(ref, options)
    return _single_pod_objects(ref, options)


def _single_pod_objects(ref: ClusterRef, options: DatabaseSpec) -> list[Manifest]:
    name = database_name(ref)
    labels = database_labels(ref)
    password = password_secret(ref, options)
    config = manifest("v1", "ConfigMap", ref, name, data={"slurmdbd.cnf": MY_CNF})
    service = manifest(
        "v1",
        "Service",
        ref,
        name,
        spec={
            "type": "ClusterIP",
            "selector": labels,
            "ports": [{"name": "mysql", "port": options.port, "targetPort": "mysql"}],
        },
    )
    # The Service may be created before its pod; Pulumi waits for the StatefulSet instead.
    service["metadata"]["annotations"] = dict(SKIP_WAIT)
    root_secret = {"name": name, "key": ROOT_PASSWORD_KEY} if not options.password_secret else None
    env = [
        {"name": "MARIADB_DATABASE", "value": options.name},
        {"name": "MARIADB_USER", "value": options.user},
        {"name": "MARIADB_PASSWORD", "valueFrom": {"secretKeyRef": {"name": password.name, "key": password.key}}},
        {"name": "MARIADB_ROOT_PASSWORD", "valueFrom": {"secretKeyRef": root_secret}}
        if root_secret
        else {"name": "MARIADB_RANDOM_ROOT_PASSWORD", "value": "yes"},
    ]
    health_check = {"exec": {"command": ["healthcheck.sh", "--connect", "--innodb_initialized"]}}
    mariadb = {
        "name": "mariadb",
        **with_default_requests("mariadb", container(ref, options.image, resources=options.resources)),
        "env": env,
        "ports": [{"name": "mysql", "containerPort": 3306}],
        "startupProbe": {**health_check, "failureThreshold": 60, "periodSeconds": 5},
        "readinessProbe": {**health_check, "periodSeconds": 10},
        "securityContext": without_rights(),
        "volumeMounts": [
            {"name": "data", "mountPath": "/var/lib/mysql"},
            {"name": "config", "mountPath": "/etc/mysql/conf.d"},
        ],
    }
    claim = {"metadata": {"name": "data"}, "spec": _claim(options.volume)}
    stateful_set = manifest(
        "apps/v1",
        "StatefulSet",
        ref,
        name,
        spec={
            "replicas": 1,
            "serviceName": name,
            "selector": {"matchLabels": labels},
            "template": {
                "metadata": pruned(
                    {"labels": {**ref.labels, **options.pod.labels, **labels}, "annotations": options.pod.annotations}
                ),
                "spec": {
                    **placement(ref, options.pod),
                    **WITHOUT_TOKEN,
                    "securityContext": as_user(_MYSQL, has_volumes=True),
                    "containers": [mariadb],
                    "volumes": [{"name": "config", "configMap": {"name": name}}],
                },
            },
            "volumeClaimTemplates": [claim],
        },
    )
    return [config, service, stateful_set]


def _spread(options: DatabaseSpec) -> Manifest:
    """Return what keeps a Galera cluster alive when nodes go: servers on different nodes, which leave one at a time."""
    if options.replicas == 1:
        return {}
    return {
        "affinity": options.pod.affinity or {"antiAffinityEnabled": True},
        "podDisruptionBudget": {"maxUnavailable": 1},
    }


def _mariadb_operator_objects(ref: ClusterRef, options: DatabaseSpec) -> list[Manifest]:
    name = database_name(ref)
    password = password_secret(ref, options)
    server = {"name": name}
    return [
        manifest(
            "k8s.mariadb.com/v1alpha1",
            "MariaDB",
            ref,
            name,
            spec=pruned(
                {
                    "image": options.image,
                    "port": options.port,
                    "replicas": options.replicas,
                    "galera": {"enabled": True} if options.replicas > 1 else None,
                    "rootPasswordSecretKeyRef": {"name": password.name, "key": password.key}
                    if options.password_secret
                    else {"name": name, "key": ROOT_PASSWORD_KEY},
                    "username": options.user,
                    "database": options.name,
                    "passwordSecretKeyRef": {"name": password.name, "key": password.key},
                    "myCnf": MY_CNF,
                    "imagePullPolicy": str(ref.images.pull_policy) if ref.images.pull_policy else None,
                    "resources": container_resources(options.resources) or {"requests": default_requests("mariadb")},
                    "podMetadata": pruned(
                        {"labels": {**ref.labels, **options.pod.labels}, "annotations": options.pod.annotations}
                    ),
                    **placement(ref, options.pod),
                    **_spread(options),
                    "storage": pruned({"size": options.volume.size, "storageClassName": options.volume.storage_class}),
                }
            ),
        ),
        manifest(
            "k8s.mariadb.com/v1alpha1",
            "Grant",
            ref,
            name,
            spec={
                "mariaDbRef": server,
                "privileges": ["ALL PRIVILEGES"],
                "database": options.name,
                "table": "*",
                "username": options.user,
            },
        ),
        *([_backup(ref, options, options.backup)] if options.backup else []),
    ]


def _backup(ref: ClusterRef, options: DatabaseSpec, backup: BackupSpec) -> Manifest:
    spec = {
        "mariaDbRef": {"name": database_name(ref)},
        "databases": [options.name],
        "schedule": {"cron": backup.schedule},
        "maxRetention": backup.retention,
        "compression": "gzip",
        "storage": _s3(backup.s3) if backup.s3 else {"persistentVolumeClaim": _claim(backup.volume)},
    }
    return manifest("k8s.mariadb.com/v1alpha1", "Backup", ref, database_name(ref), spec=spec)


def _s3(s3: S3Spec) -> Manifest:
    return {
        "s3": pruned(
            {
                "bucket": s3.bucket,
                "endpoint": s3.endpoint,
                "region": s3.region,
                "prefix": s3.prefix,
                "accessKeyIdSecretKeyRef": s3.access_key_id.model_dump(),
                "secretAccessKeySecretKeyRef": s3.secret_access_key.model_dump(),
                "tls": {"enabled": s3.tls},
            }
        )
    }


def _claim(volume: ClaimSpec) -> Manifest:
    return pruned(
        {
            "accessModes": [str(volume.access_mode)],
            "resources": {"requests": {"storage": volume.size}},
            "storageClassName": volume.storage_class,
        }
    )
