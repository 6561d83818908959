"""A node set with a worker on every node of its pool."""

import pytest

from tests.e2e.program import Program
from tests.jobs.conftest import Settings
from tests.jobs.slurm import Slurm
from tests.waiting import equals, eventually


@pytest.mark.repeats("tests/e2e/test_changes.py, with real daemons")
@pytest.mark.from_any_settings
def test_a_worker_on_every_node_of_the_pool(changed: Program, settings: Settings, slurm: Slurm) -> None:
    cluster = settings["slurm:cluster"]
    gpu = cluster["nodeSets"][1]
    every = {"name": "every", "pool": "cpu", "scalingMode": "DaemonSet"}
    # A worker of a DaemonSet has the name of its Kubernetes node, here that of a worker before. A node that registers
    # anew before it is deleted keeps its features, so those before have to be gone: see
    # tests/slurmd/test_dynamic_nodes.py.
    changed.up(settings | {"slurm:cluster": cluster | {"nodeSets": [gpu]}})
    slurm.wait_for_nodes({"gpu-0": "idle"})
    changed.up(settings | {"slurm:cluster": cluster | {"nodeSets": [every, gpu]}})
    try:
        hosts = {"cpu-0": ("cpu-0", "every"), "cpu-1": ("cpu-1", "every"), "gpu-0": ("gpu-0", "gpu,nvlink")}
        eventually("a worker on each node", lambda: hosts_and_features(slurm), equals(hosts))
        slurm.wait_for_nodes(dict.fromkeys(hosts, "idle"))
        assert sorted(slurm.run("srun", "-N2", "-C", "every", "hostname").split()) == ["cpu-0", "cpu-1"]

        job = slurm.submit("sleep 3600", "-w", "cpu-0")
        slurm.wait_for(job, "RUNNING")
        in_pool(slurm, "cpu-1", False)
        slurm.wait_for_nodes({"cpu-0": "allocated", "gpu-0": "idle"})
        in_pool(slurm, "cpu-1", True)
        slurm.wait_for_node("cpu-1", "idle")
        slurm.run("srun", "-w", "cpu-1", "true")
        assert slurm.is_running(job)
    finally:
        in_pool(slurm, "cpu-1", True)
        slurm.cancel_all()
        # Each of its nodes is taken until it is gone, and a node set with `wait` would wait for them.
        changed.up(settings | {"slurm:cluster": cluster | {"nodeSets": [gpu]}})


def hosts_and_features(slurm: Slurm) -> dict[str, tuple[str, str]]:
    """Return the Kubernetes node and the features of every Slurm node that has a pod."""
    features = dict(line.split() for line in slurm.run("sinfo", "-h", "-N", "-p", "all", "-o", "%N %f").splitlines())
    hosts = {pod["spec"]["hostname"]: pod["spec"]["nodeName"] for pod in slurm.pods("slurmd")}
    return {name: (hosts[name], features[name]) for name in hosts.keys() & features.keys()}


def in_pool(slurm: Slurm, node: str, belongs: bool) -> None:
    """Give a Kubernetes node the label of the pool, or take it away."""
    labels = {"metadata": {"labels": {"pulumi-slurm/pool": "cpu" if belongs else None}}}
    slurm.cluster.api.request("PATCH", f"/api/v1/nodes/{node}", labels, "application/merge-patch+json")
