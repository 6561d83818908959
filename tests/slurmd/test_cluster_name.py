"""Another ClusterName for a slurmctld with a state: what it says, and the way of docs/cluster-name.md."""

import shlex
from typing import Any

import pytest

from devcluster.folders import CHECKOUT
from devcluster.slurm_images import JOB_USER
from pulumi_slurm.configuration.accounts import accounts_script
from pulumi_slurm.loading import load
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.slurmconf.version import Series
from tests.doc_blocks import blocks, blocks_of
from tests.slurmd.cluster import Cluster
from tests.slurmd.controller import Files, state_folder
from tests.slurmd.operator_files import SLURMDBD_CONF
from tests.slurmd.rendered import rendered_files
from tests.slurmd.sacctmgr import SacctmgrPod
from tests.slurmd.site import Site
from tests.waiting import equals

CONFIG: dict[str, Any] = {
    "name": "c",
    "clusterName": "hpc",
    "nodeSets": [{"name": "cpu", "machine": {"cpus": 2, "memory": "1Gi"}, "partition": {"default": True}}],
    "slurmConf": {
        "defMemPerCpu": 100,
        "accountingStorageEnforce": ["associations"],
        # So that jobs start soon once they have their account.
        "schedulerParameters": ["bf_interval=1", "sched_interval=1"],
    },
    "accounting": {"accounts": [{"name": "science", "users": [JOB_USER]}]},
}
SBATCH = ("sbatch", "--parsable", "--output=/dev/null")


class Named:
    """A cluster with a database, jobs, and the name hpc at first."""

    def __init__(self, site: Site) -> None:
        self.series = Series.of(site.image.version)
        self.cluster = Cluster(site)
        self.cluster.start_accounting({"slurmdbd.conf": SLURMDBD_CONF})
        self.pod = SacctmgrPod(site)
        self.cluster.start_controller(self.files("hpc"))
        self.run_accounts_job("hpc")
        self.cluster.start_workers({"cpu-0": "Features=cpu"})

    def spec(self, name: str) -> SlurmSpec:
        return load({**CONFIG, "clusterName": name})[0]

    def files(self, name: str) -> Files:
        return rendered_files(self.spec(name), self.series)

    def run_accounts_job(self, name: str) -> None:
        self.pod.run_job(self.spec(name), "accounts", accounts_script(self.spec(name)))

    def submit(self, *options: str, then: str = "true") -> str:
        return self.cluster.run(*SBATCH, *options, f"--wrap={then}", user=JOB_USER).strip()

    def states(self) -> dict[str, str]:
        rows = self.cluster.run("squeue", "--noheader", "--all", "--states=all", "--format=%i %T").splitlines()
        return dict(row.split() for row in rows)

    def wait_for(self, states: dict[str, str]) -> None:
        daemon = self.cluster.controller.daemon
        assert daemon
        daemon.eventually("jobs in their states", self.states, equals(states))

    def move_state(self, name: str) -> None:
        """Stop slurmctld, and mount the volume of its state where one of another name has it."""
        old, new = (state_folder(str(self.files(each)["slurm.conf"])) for each in ("hpc", name))
        self.cluster.controller.stop()
        self.cluster.controller.host.run(["mv", old, new])

    def associations(self) -> set[str]:
        shown = ("show", "association", "format=cluster,account,user")
        return {*self.pod.run("sacctmgr", "--noheader", "--parsable2", *shown).split()}


def removal_of_the_page() -> list[str]:
    """Return the command that the page runs in slurmctld's pod."""
    texts = (block.text for block in blocks_of(CHECKOUT / "docs" / "cluster-name.md") if block.check == "elsewhere")
    (command,) = (line for text in texts for line in text.splitlines() if " exec " in line)
    return shlex.split(command.split(" -- ")[1])


@pytest.fixture
def named(site: Site) -> Named:
    return Named(site)


def test_slurmctld_takes_its_state_under_another_name_once_a_file_is_gone(named: Named) -> None:
    cluster = named.cluster
    running = named.submit(then="until [ -e /tmp/end ]; do sleep 0.1; done")
    held = named.submit("--hold")
    named.wait_for({running: "RUNNING", held: "PENDING"})
    named.move_state("other")

    assert cluster.refusal(named.files("other"), keep_state=True) == "fatal: CLUSTER NAME MISMATCH."
    assert cluster.controller.daemon
    (documented,) = blocks("name-mismatch")
    assert documented.text in cluster.controller.daemon.log

    cluster.controller.host.run(removal_of_the_page())
    cluster.start_controller(named.files("other"), keep_state=True)
    named.wait_for({running: "RUNNING", held: "PENDING"})
    # Under the new name slurmdbd has no accounts yet; those of the old one stay, with the jobs that it has of them.
    named.run_accounts_job("other")
    assert {"hpc|science|alice", "other|science|alice"} <= named.associations()
    cluster.run("scontrol", "release", held)
    cluster.workers["cpu-0"].host.write("/tmp/end", "")
    named.wait_for({running: "COMPLETED", held: "COMPLETED"})
    named.submit("--wait")
    # Another start finds the new name.
    cluster.start_controller(named.files("other"), keep_state=True)
