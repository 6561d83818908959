"""Files and start scripts for ack-slurm-operator, with real daemons, munge and database; see `ack_pods.py`."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from devcluster.slurm_images import JOB_USER, SlurmImage
from pulumi_slurm.ack_slurm.manifests.cluster_object import slurm_cluster
from pulumi_slurm.ack_slurm.manifests.start_scripts import AFTER_START
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.ack_slurm.rules import check_ack_slurm
from pulumi_slurm.loading import load
from tests.slurmd.ack_pods import JWT_KEY, MUNGE_KEY, AckCluster
from tests.slurmd.database import NAME, PASSWORD, SOCKET, USER
from tests.slurmd.host import Host
from tests.slurmd.site import Site
from tests.waiting import equals, has

MACHINE: dict[str, Any] = {"cpus": 1, "memory": "300Mi"}
CLUSTER: dict[str, Any] = {
    "name": "hpc",
    "namespace": "jobs",
    "nodeSets": [
        {"name": "cpu", "machine": MACHINE, "replicas": 1, "features": ["fast"], "weight": 5},
        {"name": "burst", "machine": MACHINE, "autoscaling": {"kind": "hpa", "minReplicas": 1, "maxReplicas": 4}},
    ],
    "partitions": [
        {"name": "all", "nodeSets": ["ALL"]},
        {"name": "steady", "nodeSets": ["cpu"], "default": True, "qos": "low"},
        {"name": "bursts", "nodeSets": ["burst"]},
    ],
    "accounting": {
        "database": {
            "kind": "external",
            "host": "mysql",
            "user": USER,
            "passwordSecret": {"name": "mysql", "key": "password"},
        },
        "qos": [{"name": "low", "maxTresPerUser": {"cpu": 8}}],
        "accounts": [{"name": "physics", "users": [JOB_USER]}],
    },
    "slurmConf": {"accountingStorageEnforce": ["associations"]},
}
ROUTE: dict[str, Any] = {
    "slurmVersion": "24.11.5",
    "jobCompletion": {"user": USER, "database": NAME},
    "powerSaving": {"suspendTime": 6, "suspendTimeout": 5, "resumeTimeout": 600, "resumeRate": 0, "suspendRate": 0},
}


@pytest.fixture(scope="module")
def cluster(images: dict[str, SlurmImage], tmp_path_factory: pytest.TempPathFactory) -> Iterator[AckCluster]:
    spec, pools = load(CLUSTER)
    ack = AckSlurmSpec.model_validate(ROUTE)
    assert list(check_ack_slurm(spec, pools, ack)) == []
    with Site(images["24.11"], tmp_path_factory.mktemp("ack")) as site:
        cluster = AckCluster(site, spec, pools, ack)
        cluster.start_slurmdbd()
        cluster.run_accounting_job()
        cluster.start_slurmctld()
        cluster.start_worker("cpu", 0)
        cluster.start_worker("burst", 0)
        cluster.wait_for("hpc-worker-cpu-0", "idle")
        cluster.wait_for("hpc-worker-burst-0", "idle")
        yield cluster


def complaints(log: list[str]) -> list[str]:
    """Return the errors that a daemon has logged, but for those of a first start and of this machine."""
    usual = ("Could not open", "NOTE: Trying backup", "fed_mgr state", "MailProg", "differs from hardware")
    # Gathered without slurmdbd too, since that ends jobs with too much memory.
    of_accounting = (
        *("Database settings not recommended", "We can't find assoc"),
        "Job accounting information gathered, but not stored",
    )
    # slurmctld measures its clock at its start, and other tests may take the processor meanwhile.
    busy = ("High latency for 1000 calls to gettimeofday",)
    return [line for line in log if not any(word in line for word in (*usual, *of_accounting, *busy))]


def srun(cluster: AckCluster, *arguments: str) -> str:
    return cluster.run("srun", "--quiet", *arguments, user=JOB_USER)


def test_the_daemons_take_the_files_without_complaint(cluster: AckCluster) -> None:
    for name in ("slurmdbd", "slurmctld", "hpc-worker-cpu-0", "hpc-worker-burst-0"):
        assert complaints(cluster.daemons[name].complaints) == [], name


def test_nodes_are_in_the_partitions_of_their_node_sets(cluster: AckCluster) -> None:
    def nodes(partition: str) -> set[str]:
        return set(cluster.run("sinfo", "--noheader", "--Node", f"--partition={partition}", "--format=%N").split())

    burst = {f"hpc-worker-burst-{number}" for number in range(4)}
    assert nodes("steady") == {"hpc-worker-cpu-0"}
    assert nodes("bursts") == burst
    assert nodes("all") == {"hpc-worker-cpu-0", *burst}


def test_nodes_are_what_the_specification_says(cluster: AckCluster) -> None:
    text = cluster.run("sinfo", "--noheader", "--Node", "--partition=all", "--format=%N|%c|%m|%f|%w")
    assert "hpc-worker-cpu-0|1|300|cpu,fast|5" in text.split()
    assert "hpc-worker-burst-3|1|300|burst,cloud|1" in text.split()


def test_a_job_of_a_user_with_an_account_runs_and_is_accounted_for(cluster: AckCluster) -> None:
    out = srun(cluster, "sh", "-c", "echo $SLURM_JOB_ID; hostname")
    job, host = out.split()
    assert host == "hpc-worker-cpu-0"
    show = ["sacct", "--noheader", "--parsable2", "--allocations", "--jobs", job, "--format=User,Account,State"]
    daemon = cluster.daemons["slurmctld"]
    daemon.eventually("the job's end in accounting", lambda: cluster.run(*show), has("COMPLETED"))
    assert cluster.run(*show).strip() == f"{JOB_USER}|physics|COMPLETED"
    database = cluster.database
    assert database
    count = f"--execute=SELECT COUNT(*) FROM jobcomp_table WHERE jobid={job}"
    query = [
        "mariadb",
        f"--socket={SOCKET}",
        f"--user={USER}",
        f"--password={PASSWORD}",
        "--skip-column-names",
        NAME,
        count,
    ]
    daemon.eventually("a record of the job in MySQL", lambda: database.run(query).strip(), equals("1"))


def test_a_job_stays_on_the_cpus_that_it_was_given(cluster: AckCluster) -> None:
    machine = len(os.sched_getaffinity(0))
    assert MACHINE["cpus"] < machine, "nothing is shown where a worker is as large as this machine"
    assert srun(cluster, "-p", "steady", "nproc").strip() == str(MACHINE["cpus"])


def test_a_job_that_takes_more_memory_than_it_asked_for_ends(cluster: AckCluster) -> None:
    asked = ("srun", "--acctg-freq=1", "--mem=50", "-p", "steady")
    taking = cluster.controller.attempt([*asked, "perl", "-e", '$taken = "x" x (150 << 20); sleep 600'], user=JOB_USER)
    assert "exceeded memory limit" in taking.stderr
    assert cluster.run(*asked, "sleep", "3", user=JOB_USER) == ""


def test_tokens_are_made_with_the_key(cluster: AckCluster) -> None:
    assert cluster.run("scontrol", "token", "username=slurm").startswith("SLURM_JWT=ey")


def test_slurm_asks_for_nodes_and_gives_them_back(cluster: AckCluster) -> None:
    """A job that needs two nodes: one is kept, one is asked for by its name, and given back when it is idle."""
    command = ["sbatch", "--parsable", "--partition=bursts", "--nodes=2", "--output=/dev/null", "--wrap=srun hostname"]
    job = cluster.run(*command, user=JOB_USER).strip()
    daemon = cluster.daemons["slurmctld"]
    daemon.eventually("asking for a node", cluster.calls, has("resume hpc-worker-burst-1"))
    node = cluster.start_worker("burst", 1)
    show = ["scontrol", "show", "job", job]
    daemon.eventually("the job's end", lambda: cluster.run(*show), has("JobState=COMPLETED"))
    daemon.eventually("giving the node back", cluster.calls, has(f"suspend {node}"))
    cluster.stop_worker(node)
    cluster.wait_for(node, "idle~")
    # What has to stay has stayed, though it was idle for as long.
    states = cluster.node_states()
    assert (states["hpc-worker-cpu-0"], states["hpc-worker-burst-0"]) == ("idle", "idle")
    assert cluster.calls() == ["resume hpc-worker-burst-1", f"suspend {node}"]


def test_several_nodes_are_asked_for_by_one_hostlist(cluster: AckCluster) -> None:
    before = len(cluster.calls())
    job = cluster.run(
        "sbatch", "--parsable", "--partition=bursts", "--nodes=4", "--output=/dev/null", "--wrap=true", user=JOB_USER
    ).strip()
    daemon = cluster.daemons["slurmctld"]
    daemon.eventually("asking for nodes", lambda: cluster.calls()[before:])
    assert cluster.calls()[before:] == ["resume hpc-worker-burst-[1-3]"]
    cluster.run("scancel", job)


def test_accounts_are_added_where_associations_have_no_comment(images: dict[str, SlurmImage], tmp_path: Path) -> None:
    spec, pools = load(CLUSTER)
    with Site(images["22.05"], tmp_path) as site:
        cluster = AckCluster(site, spec, pools, AckSlurmSpec.model_validate(ROUTE))
        cluster.start_slurmdbd()
        printed = cluster.run_accounting_job()
        assert "Adding Account(s)" in printed
        assert "Adding User(s)" in printed


def test_a_slurm_older_than_the_image_s_reaches_workers_that_are_in_no_dns(
    images: dict[str, SlurmImage], tmp_path: Path
) -> None:
    """22.05 takes addresses of CLOUD nodes from registrations only with cloud_reg_addrs; Debian has no 23.02."""
    spec, pools = load({**CLUSTER, "accounting": None, "slurmConf": {}, "partitions": CLUSTER["partitions"][:1]})
    with Site(images["22.05"], tmp_path) as site:
        cluster = AckCluster(site, spec, pools, AckSlurmSpec(slurmrestd=False))
        daemon = cluster.start_slurmctld()
        for group in ("cpu", "burst"):
            name = cluster.start_worker(group, 0)
            cluster.wait_for(name, "idle")
            assert srun(cluster, "--partition=all", f"--nodelist={name}", "hostname").strip() == name
        # Without its host, a job that still completes would hold the node. In a new pod it has another address.
        cluster.wait_for(name, "idle")
        site.remove(cluster.hosts.pop(name))
        cluster.start_worker("burst", 0)
        address = f"NodeAddr={cluster.hosts[name].address} "
        daemon.eventually("the new address", lambda: cluster.run("scontrol", "show", "node", name), has(address))
        assert srun(cluster, "--partition=all", f"--nodelist={name}", "hostname").strip() == name


@pytest.mark.parametrize("munge_path", ["/var/munge", "/var/munge/munge.key"])
def test_controllers_start_munge_where_the_operator_s_script_could_not(
    images: dict[str, SlurmImage], tmp_path: Path, munge_path: str
) -> None:
    """The script that runs after the operator's; what else it starts is not in this image."""
    spec, pools = load({**CLUSTER, "accounting": None, "slurmConf": {}, "partitions": CLUSTER["partitions"][:1]})
    ack = AckSlurmSpec(munge_path=munge_path)
    with Site(images["24.11"], tmp_path) as site:
        cluster = AckCluster(site, spec, pools, ack)
        host = cluster.controller
        cluster.mount(host, cluster.object["slurmctld"])
        assert host.attempt(["munge", "-n"]).returncode
        host.attempt(["bash", f"{ack.config_path}/{AFTER_START}"])
        assert host.run(["munge", "-n"]).startswith("MUNGE:")


@pytest.mark.parametrize("munge_path", ["/var/munge", "/var/munge/munge.key"])
def test_no_user_reads_a_key_in_a_pod(images: dict[str, SlurmImage], tmp_path: Path, munge_path: str) -> None:
    """Whoever has munge's is root to Slurm, and whoever has that of tokens too."""
    spec, pools = load({**CLUSTER, "accounting": None, "slurmConf": {}, "partitions": CLUSTER["partitions"][:1]})
    ack = AckSlurmSpec(slurm_version="24.11.5", munge_path=munge_path)
    with Site(images["24.11"], tmp_path) as site:
        cluster = AckCluster(site, spec, pools, ack)
        cluster.start_slurmctld()
        name = cluster.start_worker("cpu", 0)
        cluster.wait_for(name, "idle")
        for host, keys in ((cluster.controller, {MUNGE_KEY, JWT_KEY}), (cluster.hosts[name], {MUNGE_KEY})):
            assert {key for key in (MUNGE_KEY, JWT_KEY) if files_with(host, key)} == keys
            assert [file for key in keys for file in files_with(host, key, user=JOB_USER)] == []


def files_with(host: Host, text: str, user: str | None = None) -> list[str]:
    """Return the files of a pod in which root, or a user, reads a text."""
    command = ["grep", "--fixed-strings", "--files-with-matches", "--dereference-recursive", "--no-messages", text]
    return host.attempt([*command, "/etc", "/run", "/tmp", "/var"], user=user).stdout.split()


def test_a_dynamic_node_may_not_be_one_that_is_named(images: dict[str, SlurmImage], tmp_path: Path) -> None:
    """Why scaled groups start slurmd without -Z."""
    spec, pools = load({**CLUSTER, "accounting": None, "slurmConf": {}, "partitions": CLUSTER["partitions"][:1]})
    with Site(images["24.11"], tmp_path) as site:
        cluster = AckCluster(site, spec, pools, AckSlurmSpec(slurm_version="24.11.5", slurmrestd=False))
        cluster.start_slurmctld()
        name = cluster.start_worker("burst", 0)
        cluster.wait_for(name, "idle")
        cluster.daemons[name].stop()
        daemon = cluster.hosts[name].start(["slurmd", "-D", "-Z", "--conf", "Features=burst"])
        assert daemon.wait_end()
        assert f"Duplicated NodeName {name} in the config file" in daemon.log


@pytest.mark.parametrize(
    ("extra", "ends"),
    [
        ({"PrologFlags": "X11"}, "cannot be combined with proctrack/linuxproc"),
        ({"JobContainerType": "job_container/tmpfs"}, "PrologFlags=Contain is required"),
        ({"JobAcctGatherParams": "NoShared"}, None),
    ],
)
def test_slurmctld_ends_with_the_lines_that_are_refused_beside_ours(
    images: dict[str, SlurmImage], tmp_path: Path, extra: dict[str, str], ends: str | None
) -> None:
    spec, pools = load({**CLUSTER, "accounting": None, "slurmConf": {"extra": extra}, "partitions": []})
    ack = AckSlurmSpec(slurm_version="24.11.5", slurmrestd=False)
    refused = [error for error in check_ack_slurm(spec, pools, ack) if "slurmctld exits" in error.problem]
    assert bool(refused) == bool(ends)
    with Site(images["24.11"], tmp_path) as site:
        cluster = AckCluster(site, spec, pools, ack)
        if ends is None:
            cluster.start_slurmctld()
            return
        with pytest.raises(AssertionError, match=ends):
            cluster.start_slurmctld()


def test_a_node_is_drained_when_its_pod_ends_and_taken_back_when_it_is_there_again(
    images: dict[str, SlurmImage], tmp_path: Path
) -> None:
    spec, pools = load({**CLUSTER, "accounting": None, "slurmConf": {}, "partitions": CLUSTER["partitions"][:1]})
    options = {"slurm_version": "24.11.5", "slurmrestd": False, "drain_before_end": True}
    with Site(images["24.11"], tmp_path) as site:
        cluster = AckCluster(site, spec, pools, AckSlurmSpec.model_validate(options))
        cluster.start_slurmctld()
        name = cluster.start_worker("cpu", 0)
        cluster.wait_for(name, "idle")
        worker_group = slurm_cluster(spec, pools, cluster.ack, "image")["spec"]["workerGroupSpecs"][0]
        (container,) = worker_group["template"]["spec"]["containers"]
        before_end = container["lifecycle"]["preStop"]["exec"]["command"]
        cluster.hosts[name].run(before_end, env={"NODE_NAME": name})
        cluster.wait_for(name, "drained")
        cluster.daemons[name].stop()
        cluster.start_worker("cpu", 0)
        cluster.wait_for(name, "idle")
        # Whom an administrator has drained is not taken back, since the reason stays.
        cluster.controller.run(["scontrol", "update", f"nodename={name}", "state=drain", "reason=bad disk"])
        cluster.hosts[name].run(before_end, env={"NODE_NAME": name})
        assert cluster.controller.run(["sinfo", "-h", "-n", name, "-o", "%E"]).strip() == "bad disk"
