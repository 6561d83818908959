"""The database of slurmdbd in the cluster."""

from typing import Any

from pulumi_slurm.manifests.objects import Manifest
from tests.unit.manifests.rendered import rendered_by_kind

PLACED: dict[str, Any] = {
    "nodeSelector": {"disk": "ssd"},
    "priorityClassName": "high",
    "imagePullSecrets": ["pull"],
    "labels": {"team": "db"},
    "tolerations": [{"key": "db", "operator": "Exists"}],
}
RESOURCES: dict[str, Any] = {"cpu": 2, "memory": "4Gi", "requests": {"cpu": "500m"}}


def database(**fields: Any) -> dict[str, Manifest]:
    return rendered_by_kind(accounting={"database": fields})


def test_slurmdbd_writes_to_one_galera_server() -> None:
    """The Service with the plain name leads to all servers, and conflicts between their writes end slurmdbd."""
    several = database(kind="mariadb-operator", replicas=3)
    assert several["Accounting"]["spec"]["storageConfig"]["host"] == "hpc-mariadb-primary"
    single = database(kind="mariadb-operator")
    assert single["Accounting"]["spec"]["storageConfig"]["host"] == "hpc-mariadb"


def test_galera_servers_run_on_different_nodes_and_leave_one_at_a_time() -> None:
    several = database(kind="mariadb-operator", replicas=3)["MariaDB"]["spec"]
    assert several["affinity"] == {"antiAffinityEnabled": True}
    assert several["podDisruptionBudget"] == {"maxUnavailable": 1}
    affinity: dict[str, Any] = {"nodeAffinity": {}}
    stated = database(kind="mariadb-operator", replicas=3, pod={"affinity": affinity})["MariaDB"]["spec"]
    assert stated["affinity"] == affinity
    assert not database(kind="mariadb-operator")["MariaDB"]["spec"].keys() & {"affinity", "podDisruptionBudget"}


def test_servers_are_placed_and_sized_by_either_way_of_running_them() -> None:
    requests = {"requests": {"cpu": "500m", "memory": "4Gi"}, "limits": {"cpu": "2", "memory": "4Gi"}}
    by_operator = database(kind="mariadb-operator", pod=PLACED, resources=RESOURCES)["MariaDB"]["spec"]
    assert by_operator["resources"] == requests
    assert by_operator["podMetadata"] == {"labels": {"team": "db"}}
    template = database(pod=PLACED, resources=RESOURCES)["StatefulSet"]["spec"]["template"]
    (container,) = template["spec"]["containers"]
    assert container["resources"] == requests
    assert template["metadata"]["labels"]["team"] == "db"
    for pod in (by_operator, template["spec"]):
        assert pod["nodeSelector"] == {"kubernetes.io/os": "linux", "disk": "ssd"}
        assert pod["priorityClassName"] == "high"
        assert pod["imagePullSecrets"] == [{"name": "pull"}]
        assert pod["tolerations"] == [{"key": "db", "operator": "Exists"}]


def test_backups_go_to_a_volume_or_to_a_bucket() -> None:
    assert "Backup" not in database(kind="mariadb-operator")
    on_volume = database(kind="mariadb-operator", backup={"volume": {"size": "50Gi"}})["Backup"]["spec"]
    assert on_volume["mariaDbRef"] == {"name": "hpc-mariadb"}
    assert (on_volume["schedule"], on_volume["maxRetention"]) == ({"cron": "0 3 * * *"}, "720h")
    assert on_volume["storage"] == {
        "persistentVolumeClaim": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "50Gi"}}}
    }
    keys = {"accessKeyId": {"name": "s3", "key": "id"}, "secretAccessKey": {"name": "s3", "key": "key"}}
    s3 = {"bucket": "hpc-backups", "endpoint": "s3.example.org", "prefix": "hpc", **keys}
    in_bucket = database(kind="mariadb-operator", backup={"s3": s3, "schedule": "30 */6 * * 1-5"})["Backup"]["spec"]
    assert in_bucket["storage"] == {
        "s3": {
            "bucket": "hpc-backups",
            "endpoint": "s3.example.org",
            "prefix": "hpc",
            "accessKeyIdSecretKeyRef": {"name": "s3", "key": "id"},
            "secretAccessKeySecretKeyRef": {"name": "s3", "key": "key"},
            "tls": {"enabled": True},
        }
    }
