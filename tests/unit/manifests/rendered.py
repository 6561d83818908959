"""The objects of a small cluster."""

from typing import Any

from pulumi_slurm.loading import load
from pulumi_slurm.manifests.cluster import render
from pulumi_slurm.manifests.objects import Manifest

MACHINE: dict[str, Any] = {"cpus": 8, "memory": "32Gi"}
WHOLE: dict[str, Any] = {
    "nodeSets": [{"name": "cpu", "machine": MACHINE}],
    "accounting": {"accounts": [{"name": "physics"}]},
    "identity": {"ldap": {"uri": "ldaps://ldap.example.org", "baseDn": "dc=example,dc=org"}},
    "loginSets": [{"name": "login"}],
}
"""A cluster with every type of pod that runs a daemon of Slurm."""


def rendered(**fields: Any) -> list[Manifest]:
    """Return all objects of a cluster."""
    spec, pools = load({"name": "hpc", **fields})
    return [*render(spec, pools)]


def rendered_by_kind(**fields: Any) -> dict[str, Manifest]:
    """Return the objects by kind; of several of a kind the last."""
    return {item["kind"]: item for item in rendered(**fields)}
