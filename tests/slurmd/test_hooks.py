"""Prologs and health checks that fail: what becomes of the job and of the node, beside others who drain nodes."""

import subprocess
from typing import Any

import pytest
import yaml

from devcluster.folders import CHECKOUT
from devcluster.slurm_images import JOB_USER
from pulumi_slurm.loading import load
from pulumi_slurm.manifests.files import health_check_manifests
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.cluster_ref import ClusterRef
from pulumi_slurm.model.cluster_volumes import EXECUTABLE, HEALTH_CHECK_FOLDER, NODE_VERDICT
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
NVIDIA_SMI = "/usr/bin/nvidia-smi"
VERDICT = f"{HEALTH_CHECK_FOLDER}/{NODE_VERDICT}"
NO_SCRATCH = "pulumi-slurm: scratch: no scratch"
NODES = {"cpu-0": "Feature=cpu", "cpu-1": "Feature=cpu"}


def taught(name: str) -> str:
    """Return a script of the page by its name."""
    (script,) = (
        text
        for block in blocks_of(CHECKOUT / "docs" / "storage.md")
        if block.check == "cluster"
        for scripts in yaml.safe_load(block.text)["config"]["slurm:cluster"].get("hooks", {}).values()
        for file, text in scripts.items()
        if file == name
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


def job_of(cluster: Cluster, *options: str, script: str = "true") -> str:
    """Submit a user's job, and return its number."""
    command = ["sbatch", "--parsable", "--output=/dev/null", "--chdir=/tmp", f"--wrap={script}", *options]
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


def test_a_job_whose_prologs_fail_drains_few_nodes(cluster: Cluster) -> None:
    hooks = {"prolog": {"10-check.sh": PROLOG}}
    for host in started(cluster, hooks=hooks, slurmConf={"extra": {"MaxBatchRequeue": 1}}):
        host.write("/tmp/broken", "")
    number = job_of(cluster)
    held = "JobState=REQUEUE_HOLD Reason=launch_failure_limit_exceeded_requeued_held "
    eventually("being held", lambda: job(cluster, number), has(held))


def test_a_job_of_srun_ends_when_its_prolog_fails(cluster: Cluster) -> None:
    first, _ = started(cluster, hooks={"prolog": {"10-check.sh": PROLOG}})
    first.write("/tmp/broken", "")
    done = cluster.controller.host.attempt(["srun", "--exclude=cpu-1", "--chdir=/tmp", "true"], user=JOB_USER)
    assert done.returncode
    assert "Prolog failure on node cpu-0" in done.stderr
    assert "JobState=CANCELLED" in job(cluster, "1")


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
    script = taught("disk.sh")
    epilog = f"#!/bin/sh\n[ ! -e /tmp/lost ] || {VERDICT} bad gpu 'GPU 3 is lost'\n"
    prolog = taught("50-gpu.sh")
    hooks = {"healthCheck": {"disk.sh": script}, "prolog": {"50-gpu.sh": prolog}, "epilog": {"gpu.sh": epilog}}
    spec = spec_with(hooks=hooks, slurmConf={"extra": {"HealthCheckInterval": 1}})
    cluster.start_controller(rendered_files(spec, Series.of(cluster.site.image.version)))
    (config_map,) = health_check_manifests(ClusterRef.of(spec), spec.hooks).values()
    for name in NODES:
        worker = cluster.workers.setdefault(name, Worker(cluster.site, name))
        for file, text in config_map["data"].items():
            worker.host.write(f"{HEALTH_CHECK_FOLDER}/{file}", text, mode=EXECUTABLE)
        worker.host.folder("/scratch")
        worker.host.write("/dev/nvidiactl", "")
        worker.host.write(NVIDIA_SMI, "#!/bin/sh\n", mode=EXECUTABLE)
    cluster.start_workers(NODES)
    return cluster.workers["cpu-0"].host


def state(cluster: Cluster) -> str:
    """Return the state of cpu-0; a node that was just undrained has yet to answer, which is an asterisk."""
    return cluster.node_state("cpu-0").rstrip("*")


def drained(cluster: Cluster) -> tuple[str, str]:
    """Return the state of cpu-0 and its reason."""
    return state(cluster), reason(cluster, "cpu-0")


def update(cluster: Cluster, *words: str) -> None:
    cluster.run("scontrol", "update", "nodename=cpu-0", *words)


def uncordon(cluster: Cluster) -> None:
    """Undrain cpu-0 as the operator does for its own reasons."""
    update(cluster, "state=undrain", "reason=")


def check(host: Host) -> None:
    """Run the script once, as slurmd does each second."""
    host.run([f"{HEALTH_CHECK_FOLDER}/disk.sh"], env={"SLURMD_NODENAME": host.name})


def verdict(host: Host, *words: str, node: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run it as in `kubectl exec`, or as slurmd does."""
    return host.attempt([VERDICT, *words], env={"SLURMD_NODENAME": node} if node else {})


def test_a_check_drains_its_node_and_takes_it_back(cluster: Cluster, checked: Host) -> None:
    checked.run(["mv", "/scratch", "/gone"])
    eventually("drained", lambda: drained(cluster), equals(("drained", NO_SCRATCH)))
    assert cluster.node_state("cpu-1") == "idle"
    checked.run(["mv", "/gone", "/scratch"])
    cluster.wait_idle("cpu-0")


def test_a_check_lets_drains_of_others_alone(cluster: Cluster, checked: Host) -> None:
    """Cordoned, found broken, uncordoned, mended: the node works again, since the operator knows its own reason."""
    update(cluster, "state=drain", f"reason={OF_OPERATOR}")
    checked.run(["mv", "/scratch", "/gone"])
    check(checked)
    assert drained(cluster) == ("drained", OF_OPERATOR)
    uncordon(cluster)
    # What the check has found it finds again.
    check(checked)
    assert drained(cluster) == ("drained", NO_SCRATCH)
    checked.run(["mv", "/gone", "/scratch"])
    check(checked)
    assert state(cluster) == "idle"
    # Of an administrator's drain nothing is left to the check either.
    update(cluster, "state=drain", "reason=new disk")
    check(checked)
    assert drained(cluster) == ("drained", "new disk")


def test_a_check_lets_a_node_alone_that_is_down(cluster: Cluster, checked: Host) -> None:
    """As the operator says before a pod ends."""
    update(cluster, "state=down", "reason=slurm-operator: Pod is terminating")
    checked.run(["mv", "/scratch", "/gone"])
    check(checked)
    assert drained(cluster) == ("down", "slurm-operator: Pod is terminating")


def test_a_check_lets_a_node_alone_that_lacks_what_it_should_have(cluster: Cluster, checked: Host) -> None:
    small = cluster.workers["cpu-2"] = Worker(cluster.site, "cpu-2")
    small.start(cluster.server, "Feature=cpu RealMemory=900000000")
    eventually("invalid", lambda: cluster.node_state("cpu-2"), equals("inval"))
    # As when it was drained before it became so.
    cluster.run("scontrol", "update", "nodename=cpu-2", "state=drain", f"reason={NO_SCRATCH}")
    # slurmctld would refuse to undrain it.
    done = verdict(checked, "good", "scratch", node="cpu-2")
    assert (done.returncode, done.stderr) == (0, "")
    assert "+DRAIN" in cluster.run("scontrol", "--oneliner", "show", "node", "cpu-2")


def test_a_check_does_nothing_before_its_node_is_there(checked: Host) -> None:
    assert checked.attempt(["scontrol", "--oneliner", "show", "node", "cpu-7"]).returncode
    done = verdict(checked, "bad", "scratch", "no scratch", node="cpu-7")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "words", [["bad", "gpu"], ["good"], ["good", ""], ["bad", "../x", "y"], ["good", "."], ["fine", "gpu"]]
)
def test_a_verdict_that_makes_no_sense_is_an_error(checked: Host, words: list[str]) -> None:
    done = verdict(checked, *words)
    assert (done.returncode, done.stderr.partition(" ")[0]) == (2, "usage:")


def test_a_node_is_drained_until_its_last_verdict_has_gone(cluster: Cluster, checked: Host) -> None:
    verdict(checked, "bad", "gpu", f'GPU 3\nis "lost" {"x" * 300}')
    in_one_line = f"pulumi-slurm: gpu: GPU 3 is 'lost' {'x' * 300}"[: len("pulumi-slurm: gpu: ") + 150]
    assert drained(cluster) == ("drained", in_one_line)
    checked.run(["mv", "/scratch", "/gone"])
    check(checked)
    assert drained(cluster) == ("drained", in_one_line)
    verdict(checked, "good", "gpu")
    assert drained(cluster) == ("drained", NO_SCRATCH)
    # As when slurmd's container starts anew: what has not been looked at since is not over.
    checked.run(["rm", "-r", "/run/slurm-verdicts"])
    verdict(checked, "good", "gpu")
    assert drained(cluster) == ("drained", NO_SCRATCH)
    checked.run(["mv", "/gone", "/scratch"])
    cluster.wait_idle("cpu-0")


def test_a_node_is_taken_back_once_its_jobs_have_ended(cluster: Cluster, checked: Host) -> None:
    number = job_of(cluster, "--exclude=cpu-1", script="while [ ! -e /tmp/end ]; do sleep 0.1; done")
    eventually("running", lambda: job(cluster, number), has("JobState=RUNNING"))
    verdict(checked, "bad", "gpu", "GPU 3 is lost")
    verdict(checked, "good", "gpu")
    # The reason would stay, and slurmctld keep it if the epilog drains the node.
    assert drained(cluster)[1] == "pulumi-slurm: gpu: GPU 3 is lost"
    checked.write("/tmp/end", "")
    eventually("its end", lambda: drained(cluster), equals(("drained", "pulumi-slurm: gpu: GPU 3 is lost")))
    verdict(checked, "good", "gpu")
    cluster.wait_idle("cpu-0")


def test_a_node_is_drained_also_where_nothing_can_be_written(cluster: Cluster, checked: Host) -> None:
    checked.run(["rm", "-rf", "/run/slurm-verdicts"])
    checked.write("/run/slurm-verdicts", "")
    try:
        checked.attempt([VERDICT, "bad", "disk", "it is full"])
        assert drained(cluster) == ("drained", "pulumi-slurm: disk: it is full")
    finally:
        checked.run(["rm", "/run/slurm-verdicts"])
    verdict(checked, "good", "disk")
    cluster.wait_idle("cpu-0")


def test_what_an_epilog_finds_on_a_cordoned_node_drains_it_again(cluster: Cluster, checked: Host) -> None:
    number = job_of(cluster, "--exclude=cpu-1", script="while [ ! -e /tmp/end ]; do sleep 0.1; done")
    eventually("running", lambda: job(cluster, number), has("JobState=RUNNING"))
    update(cluster, "state=drain", f"reason={OF_OPERATOR}")
    for file in ("/tmp/lost", "/tmp/end"):
        checked.write(file, "")
    eventually("its end", lambda: drained(cluster), equals(("drained", OF_OPERATOR)))
    uncordon(cluster)
    lost = ("drained", "pulumi-slurm: gpu: GPU 3 is lost")
    eventually("drained for the GPU", lambda: drained(cluster), equals(lost))
    # Whoever resumes it has not mended it.
    update(cluster, "state=resume")
    eventually("drained again", lambda: drained(cluster), equals(lost))
    verdict(checked, "good", "gpu")
    cluster.wait_idle("cpu-0")


def test_a_prolog_drains_its_node_by_a_verdict(cluster: Cluster, checked: Host) -> None:
    checked.run(["rm", NVIDIA_SMI])
    number = job_of(cluster, "--exclude=cpu-1")
    eventually("its failure", lambda: job(cluster, number), has("JobState=PENDING Reason=BeginTime "))
    fails = ("drained", "pulumi-slurm: gpu: nvidia-smi fails")
    eventually("drained", lambda: drained(cluster), equals(fails))
    update(cluster, "state=resume")
    eventually("drained again", lambda: drained(cluster), equals(fails))
    checked.write(NVIDIA_SMI, "#!/bin/sh\n", mode=EXECUTABLE)
    verdict(checked, "good", "gpu")
    cluster.wait_idle("cpu-0")
