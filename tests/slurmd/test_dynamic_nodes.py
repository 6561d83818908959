"""What slurmctld keeps of a dynamic node, as each worker is one, when another slurmd registers by its name."""

import re

from tests.slurmd.cluster import Cluster
from tests.slurmd.operator_files import files
from tests.slurmd.site import Site


def test_it_keeps_its_features_until_it_is_deleted(site: Site) -> None:
    cluster = Cluster(site)
    cluster.start_controller(files())

    def registrations() -> int:
        return sum(map(int, re.findall(r"NODE_REGISTRATION_STATUS .*count:(\d+)", cluster.run("sdiag"))))

    def registered(features: str) -> str:
        """Return the features of the node when a slurmd has registered with these."""
        before = registrations()
        cluster.start_workers({"cpu-0": f"Features={features}"})
        worker = cluster.workers["cpu-0"].daemon
        assert worker
        worker.eventually("its registration", registrations, lambda count: count > before)
        return cluster.run("sinfo", "--noheader", "--Node", "--partition=all", "--format=%f").strip()

    assert registered("cpu") == "cpu"
    assert registered("cpu,new") == "cpu"
    worker = cluster.workers["cpu-0"].daemon
    assert worker
    worker.stop()
    cluster.run("scontrol", "delete", "NodeName=cpu-0")
    assert registered("cpu,new") == "cpu,new"
