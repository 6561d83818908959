"""What slurmctld makes of dynamic nodes, as each worker is one: what they register with, and what it keeps of them."""

import re

from pulumi_slurm.configuration.node_sets import slurmd_conf
from pulumi_slurm.loading import load
from tests.slurmd.cluster import Cluster
from tests.slurmd.operator_files import files
from tests.slurmd.releases import ON_THE_NEWEST
from tests.slurmd.scontrol import show_nodes
from tests.slurmd.site import Site
from tests.slurmd.workers import Worker
from tests.waiting import has

pytestmark = ON_THE_NEWEST


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


def test_slurmd_takes_each_form_of_features_and_gres(site: Site) -> None:
    gres = ["bandwidth:lustre:no_consume:4G", "tmpdisk:100G"]
    machine = {"cpus": 2, "memory": "4Gi"}
    fields = {"name": "cpu", "machine": machine, "features": ["cpu", "mig=on", "rack:1"], "extraGres": gres}
    spec, _ = load({"name": "c", "nodeSets": [fields]})
    cluster = Cluster(site)
    general = str(files()["slurm.conf"]).replace("GresTypes=gpu", "GresTypes=gpu,bandwidth,tmpdisk")
    cluster.start_controller(files() | {"slurm.conf": general})
    cluster.start_workers({"cpu-0": slurmd_conf(spec.node_sets[0], None)})
    node = show_nodes(cluster.controller.host)["cpu-0"]
    assert node["AvailableFeatures"] == "cpu,mig=on,rack:1"
    assert node["Gres"] == "bandwidth:lustre:no_consume:4G,tmpdisk:100G"


def test_a_node_whose_worker_is_gone_takes_a_place(site: Site) -> None:
    """From slurm-operator 1.2 on such nodes stay, for which `nodes_that_can_come` leaves room."""
    cluster = Cluster(site)
    full = str(files()["slurm.conf"]).replace("MaxNodeCount=1024", "MaxNodeCount=1")
    cluster.start_controller(files() | {"slurm.conf": full})
    cluster.start_workers({"cpu-0": "Features=cpu"})
    worker = cluster.workers["cpu-0"].daemon
    assert worker
    worker.stop()
    cluster.run("scontrol", "update", "NodeName=cpu-0", "State=DOWN", "Reason=gone")
    Worker(site, "cpu-1").start(cluster.server, "Features=cpu")
    slurmctld = cluster.controller.daemon
    assert slurmctld
    slurmctld.eventually("refusing it", lambda: slurmctld.log, has("node table is full (cpu-1)"))
    cluster.run("scontrol", "delete", "NodeName=cpu-0")
    cluster.start_workers({"cpu-1": "Features=cpu"})
