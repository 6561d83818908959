"""Clusters for the tests of this folder."""

from typing import Any

from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.loading import load
from pulumi_slurm.model import NodePoolSpec, SlurmSpec

IMAGE = "registry.example/slurm:23.02"

POOLS: list[dict[str, Any]] = [
    {"name": "cpu", "machine": {"cpus": 17, "memory": "66Gi"}, "nodeLabels": {"pool": "cpu"}, "maxNodes": 20},
    {
        "name": "gpu",
        "machine": {"cpus": 65, "memory": "514Gi", "gpus": {"type": "a100", "count": 8}},
        "nodeLabels": {"pool": "gpu"},
        "taints": [{"key": "nvidia.com/gpu"}],
    },
]
SCALED: dict[str, Any] = {"kind": "hpa", "minReplicas": 1, "maxReplicas": 10}
CLUSTER: dict[str, Any] = {
    "name": "hpc",
    "namespace": "jobs",
    "nodeSets": [
        {"name": "cpu", "pool": "cpu", "replicas": 2, "weight": 5},
        {"name": "gpu", "pool": "gpu", "autoscaling": SCALED, "partition": {"maxTime": "2-00"}},
    ],
    "partitions": [
        {"name": "all", "nodeSets": ["ALL"], "default": True},
        {"name": "day", "nodeSets": ["cpu"], "maxTime": "1-00", "qos": "low"},
    ],
    "accounting": {
        "qos": [{"name": "low", "grpTres": {"gres/gpu": 16}}],
        "accounts": [{"name": "physics", "users": ["alice"]}],
    },
    "loginSets": [{"name": "login", "rootAuthorizedKeys": ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI me@example"]}],
    "identity": {"directory": {}},
    "sharedVolumes": [
        {"name": "home", "mountPath": "/home", "nfs": {"server": "nas.example.org", "path": "/home"}},
    ],
}
EVERYTHING: dict[str, Any] = {
    "copilot": {},
    "jobCompletion": {"host": "mysql.example.org"},
    "drainBeforeEnd": True,
    "ldap": {"adminPage": "docker.io/osixia/phpldapadmin:0.9.0"},
    "controllerHosts": [],
    "workers": {
        "gpu": {
            "setHostnameAsFqdn": True,
            "podSecurityContext": {"runAsUser": 0},
            "securityContext": {"privileged": True},
            "volumes": [{"name": "scratch", "emptyDir": {}}],
            "volumeMounts": [{"name": "scratch", "mountPath": "/scratch"}],
        }
    },
}


def cluster(**changes: Any) -> tuple[SlurmSpec, list[NodePoolSpec]]:
    """Return the cluster, with some fields changed, and its pools; None removes a field."""
    data = {key: value for key, value in {**CLUSTER, **changes}.items() if value is not None}
    return load(data, POOLS, other_release="23.02.7")


def ack(**fields: Any) -> AckSlurmSpec:
    """Return options of the route, with an image that looks up users."""
    return AckSlurmSpec.model_validate({"image": IMAGE, **fields})
