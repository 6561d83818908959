"""Prologs and health checks that fail: what becomes of the job and of the node, beside others who drain nodes."""

from typing import Any

import pytest
import yaml

from devcluster.folders import CHECKOUT
from devcluster.slurm_images import JOB_USER
from pulumi_slurm.configuration.slinky import slinky_files
from pulumi_slurm.loading import load
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.version import Series
from tests.doc_blocks import blocks_of
from tests.slurmd.cluster import Cluster
from tests.slurmd.host import Host
from tests.slurmd.releases import ON_THE_NEWEST
from tests.slurmd.rendered import here, rendered_files
from tests.slurmd.site import Site
from tests.slurmd.workers import Worker
from tests.waiting import equals, eventually, has

pytestmark = ON_THE_NEWEST

OF_OPERATOR = "slurm-operator: Node (kind-worker) was cordoned"
"""As slurm-operator writes it: internal/controller/nodeset of slurm-operator."""
PROLOG = "#!/bin/sh\n[ ! -e /tmp/broken ]\n"
CHECK = "/check.sh"
NODES = {"cpu-0": "Feature=cpu", "cpu-1": "Feature=cpu"}


def taught(page: str, hook: str) -> str:
    """Return the script of a page."""
    (script,) = (
        text
        for block in blocks_of(CHECKOUT / "docs" / page)
        if block.check == "cluster"
        for text in yaml.safe_load(block.text)["config"]["slurm:cluster"].get("hooks", {}).get(hook, {}).values()
    )
    return str(script)


def spec_with(**fields: Any) -> SlurmSpec:
    cluster = {
        "name": "c",
        "nodeSets": [{"name": "cpu", "machine": {"cpus": 1, "memory": "300Mi"}, "replicas": 2}],
        "partitions": [{"name": "all", "nodeSets": ["ALL"], "default": True}],
        "confine": {"cores": False, "memory": False, "devices": False},
        **fields,
    }
    return here(load(cluster)[0])


@pytest.fixture
def cluster(site: Site) -> Cluster:
    return Cluster(site)


def started(cluster: Cluster, **fields: Any) -> list[Host]:
    """Start a cluster with two workers, and return their hosts."""
    series = Series.of(cluster.site.image.version)
    cluster.start_controller(rendered_files(spec_with(**fields), series))
    cluster.start_workers(NODES)
    return [cluster.workers[name].host for name in NODES]


def job_of(cluster: Cluster, *options: str) -> str:
    """Submit a user's job, and return its number."""
    command = ["sbatch", "--parsable", "--output=/dev/null", "--chdir=/tmp", "--wrap=true", *options]
    return cluster.controller.host.run(command, user=JOB_USER).strip()


def job(cluster: Cluster, number: str) -> str:
    return cluster.run("scontrol", "--oneliner", "show", "job", number)


def reason(cluster: Cluster, node: str) -> str:
    return cluster.run("sinfo", "--noheader", f"--nodes={node}", "--format=%E").strip()


def test_a_job_goes_on_elsewhere_when_its_prolog_has_failed_on_a_node(cluster: Cluster) -> None:
    first, _ = started(cluster, hooks={"prolog": {"10-check.sh": PROLOG}}, slurmConf={"schedulerParameters": ["defer"]})
    assert "SchedulerParameters=defer,nohold_on_prolog_fail" in cluster.controller.host.read("/etc/slurm/slurm.conf")
    first.write("/tmp/broken", "")
    number = job_of(cluster, "--exclude=cpu-1")
    eventually("its failure", lambda: job(cluster, number), has("JobState=PENDING Reason=BeginTime "))
    assert cluster.node_state("cpu-0") in ("drained", "draining")
    assert reason(cluster, "cpu-0") == "Prolog error"
    # It would wait two minutes.
    cluster.run("scontrol", "update", f"jobid={number}", "starttime=now", "excnodelist=")
    done = eventually("its end", lambda: job(cluster, number), has("JobState=COMPLETED"))
    assert " NodeList=cpu-1 " in done


def test_a_job_waits_for_somebody_without_the_word(cluster: Cluster) -> None:
    """Why the word is there."""
    spec = spec_with(hooks={"prolog": {"10-check.sh": PROLOG}})
    files = rendered_files(spec, Series.of(cluster.site.image.version))
    files["slurm.conf"] = f"{files['slurm.conf']!s}SchedulerParameters=defer\n"
    cluster.start_controller(files)
    cluster.start_workers(NODES)
    cluster.workers["cpu-0"].host.write("/tmp/broken", "")
    number = job_of(cluster, "--exclude=cpu-1")
    eventually("being held", lambda: job(cluster, number), has("JobState=PENDING Reason=launch_failed_requeued_held "))


@pytest.fixture
def checked(cluster: Cluster) -> Host:
    """Return the worker cpu-0, whose health is checked each second by the script of the page."""
    script = taught("storage.md", "healthCheck")
    spec = spec_with(hooks={"healthCheck": {"disk.sh": script}}, slurmConf={"extra": {"HealthCheckInterval": 1}})
    cluster.start_controller(rendered_files(spec, Series.of(cluster.site.image.version)))
    program = str(slinky_files(spec)[File.SLURM].options["HealthCheckProgram"])
    for name in NODES:
        worker = cluster.workers.setdefault(name, Worker(cluster.site, name))
        worker.host.write(program, script, mode=0o755)
        worker.host.write(CHECK, script, mode=0o755)
        worker.host.folder("/scratch")
    cluster.start_workers(NODES)
    return cluster.workers["cpu-0"].host


def state(cluster: Cluster) -> str:
    """Return the state of cpu-0; a node that was just undrained has yet to answer, which is an asterisk."""
    return cluster.node_state("cpu-0").rstrip("*")


def check(host: Host) -> None:
    """Run the script once, as slurmd does each second."""
    host.run([CHECK], env={"SLURMD_NODENAME": host.name})


def test_a_check_drains_its_node_and_takes_it_back(cluster: Cluster, checked: Host) -> None:
    checked.run(["mv", "/scratch", "/gone"])
    eventually("drained", lambda: cluster.node_state("cpu-0"), equals("drained"))
    assert reason(cluster, "cpu-0") == "check: no scratch"
    assert cluster.node_state("cpu-1") == "idle"
    checked.run(["mv", "/gone", "/scratch"])
    cluster.wait_idle("cpu-0")


def test_a_check_lets_drains_of_others_alone(cluster: Cluster, checked: Host) -> None:
    """Cordoned, found broken, uncordoned, mended: the node works again, since the operator knows its own reason."""
    cluster.run("scontrol", "update", "nodename=cpu-0", "state=drain", f"reason={OF_OPERATOR}")
    checked.run(["mv", "/scratch", "/gone"])
    check(checked)
    assert (state(cluster), reason(cluster, "cpu-0")) == ("drained", OF_OPERATOR)
    # As the operator does for its own reasons; what the check has found it finds again.
    cluster.run("scontrol", "update", "nodename=cpu-0", "state=undrain", "reason=")
    check(checked)
    assert (state(cluster), reason(cluster, "cpu-0")) == ("drained", "check: no scratch")
    checked.run(["mv", "/gone", "/scratch"])
    check(checked)
    assert state(cluster) == "idle"
    # Of an administrator's drain nothing is left to the check either.
    cluster.run("scontrol", "update", "nodename=cpu-0", "state=drain", "reason=new disk")
    check(checked)
    assert (state(cluster), reason(cluster, "cpu-0")) == ("drained", "new disk")


def test_a_check_does_nothing_before_its_node_is_there(checked: Host) -> None:
    checked.run(["mv", "/scratch", "/gone"])
    assert checked.attempt(["scontrol", "--oneliner", "show", "node", "cpu-7"]).returncode
    done = checked.attempt([CHECK], env={"SLURMD_NODENAME": "cpu-7"})
    assert (done.returncode, done.stderr) == (0, "")
