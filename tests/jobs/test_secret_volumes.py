"""What a kubelet makes of the Secrets in pods of ack-slurm-operator, which `tests/pod_volumes.py` tells other tests.

Nobody runs that operator here, so pods are made of its templates, with a program that waits in place of a daemon.
"""

import stat
from collections.abc import Iterator
from typing import Any

import pytest

from devcluster import pods
from devcluster.cluster import Cluster
from pulumi_slurm.ack_slurm.manifests.cluster_object import slurm_cluster
from pulumi_slurm.ack_slurm.manifests.config_maps import config_maps
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.loading import load
from tests.e2e.objects import Object, Objects
from tests.pod_volumes import VolumeFile, volume_files
from tests.waiting import eventually

NAMESPACE = "volumes"
WAITS = {"image": "docker.io/library/alpine:3.22", "command": ["sleep", "infinity"]}
SPEC: dict[str, Any] = {
    "name": "hpc",
    "namespace": NAMESPACE,
    "nodeSets": [{"name": "cpu", "machine": {"cpus": 1, "memory": "300Mi"}, "replicas": 1}],
    "accounting": {},
    "identity": {"directory": {}},
}
KEY = "m" * 64
SECRETS = {
    "hpc-auth-munge": {"munge.key": KEY},
    "hpc-auth-jwt": {"jwt.key": KEY},
    "hpc-slurmdbd-conf": {"slurmdbd.conf": "StoragePass=x\n"},
    "hpc-ldap-client": {"nslcd.conf": "bindpw x\n", "ldap.conf": "BASE x\n", "nsswitch.conf": "passwd: files\n"},
}
AS_USER = ("setpriv", "--reuid=10001", "--regid=10001", "--clear-groups")


@pytest.fixture(scope="module")
def templates(objects: Objects) -> Iterator[dict[str, Object]]:
    """The pods' specs of daemons and workers, and in the cluster what they mount."""
    spec, pools = load(SPEC)
    made = {
        path.rpartition("/")[2]: slurm_cluster(spec, pools, AckSlurmSpec(munge_path=path), "image")["spec"]
        for path in ("/var/munge", "/var/munge/munge.key")
    }
    objects.api.request("POST", "/api/v1/namespaces", {"metadata": {"name": NAMESPACE}})
    for name, data in SECRETS.items():
        body = {"metadata": {"name": name}, "stringData": data}
        objects.api.request("POST", f"/api/v1/namespaces/{NAMESPACE}/secrets", body)
    for config_map in config_maps(spec, pools, AckSlurmSpec()):
        objects.api.request("POST", f"/api/v1/namespaces/{NAMESPACE}/configmaps", config_map)
    yield {
        f"{daemon}-{path}".replace(".", "-"): item["template"]["spec"]
        for path, cluster in made.items()
        for daemon, item in {
            "slurmctld": cluster["slurmctld"],
            "slurmdbd": cluster["slurmdbd"],
            "worker": cluster["workerGroupSpecs"][0],
        }.items()
    }
    objects.api.request("DELETE", f"/api/v1/namespaces/{NAMESPACE}")


def started(objects: Objects, name: str, template: Object) -> Object:
    """Start a pod with a template's volumes, and wait for it."""
    (container,) = template["containers"]
    kept = {
        volume["name"]: volume for volume in template["volumes"] if {"secret", "configMap", "projected"} & volume.keys()
    }
    mounts = [mount for mount in container["volumeMounts"] if mount["name"] in kept]
    spec = {
        "containers": [{"name": "waits", **WAITS, "volumeMounts": mounts}],
        "volumes": [*kept.values()],
        "securityContext": template.get("securityContext", {}),
        "terminationGracePeriodSeconds": 0,
    }
    body = {"metadata": {"name": name}, "spec": spec}
    objects.api.request("POST", f"/api/v1/namespaces/{NAMESPACE}/pods", body)
    return eventually(
        name, lambda: objects.get("Pod", NAMESPACE, name), lambda pod: pod["status"].get("phase") == "Running"
    )


def test_modes_and_groups_are_what_other_tests_believe(
    cluster: Cluster, objects: Objects, templates: dict[str, Object]
) -> None:
    for name, template in templates.items():
        pod = started(objects, name, template)

        def inside(*words: str, pod: Object = pod) -> str:
            return pods.run(cluster.processes, pod, "waits", words).stdout.strip()

        places = {mount["name"]: mount for mount in template["containers"][0]["volumeMounts"]}
        for file in volume_files(template):
            if file.kind != "Secret":
                continue
            path = mounted_at(file, [m for m in template["containers"][0]["volumeMounts"] if m["name"] == file.volume])
            mode, group = inside("stat", "--dereference", "--format=%f %g", path).split()
            expected = f"{stat.S_IMODE(int(mode, 16)):o}", int(group)
            assert expected == (f"{file.mode:o}", file.group or 0), f"{path} of {name}"
        at = places["munge"]["mountPath"]
        if "subPath" not in places["munge"]:
            assert inside("readlink", f"{at}/munge.key") == "..data/munge.key"
            assert inside("stat", "--format=%F", f"{at}/..data") == "symbolic link"
            at = f"{at}/munge.key"
        assert inside("cat", at) == KEY
        assert inside(*AS_USER, "cat", at) == ""
        assert "Read-only" in pods.run(cluster.processes, pod, "waits", ("touch", at)).stderr


def mounted_at(file: VolumeFile, mounts: list[Object]) -> str:
    """Return where a container has a file of a volume."""
    for mount in mounts:
        if "subPath" not in mount:
            return f"{mount['mountPath']}/{file.path}"
        if mount["subPath"] == file.path:
            return str(mount["mountPath"])
    raise AssertionError(f"{file} is mounted nowhere")
