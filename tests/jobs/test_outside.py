"""Hybrid clusters: one half in pods, the other on machines beside the Kubernetes nodes, which run no pods.

The machines are on the nodes' network, and nothing on the way translates addresses. They know the names of pods that
stand in their /etc/hosts, and no name server of the cluster's.
"""

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from devcluster.login import USER, USER_ID
from devcluster.real_nodes import NETWORK
from devcluster.slurm_images import ensure_images
from devcluster.toolchain import Toolchain
from pulumi_slurm.loading import load
from pulumi_slurm.manifests.outside import SLURM_USER, outside
from tests.e2e.objects import Objects
from tests.e2e.program import Program
from tests.jobs.conftest import Settings
from tests.jobs.slurm import Daemons, Slurm
from tests.slurmd.controller import KEYS, Controller
from tests.slurmd.database import PORT, Accounting, start_mariadb
from tests.slurmd.differences import for_this_machine
from tests.slurmd.host import Host, succeeded
from tests.slurmd.operator_files import ACCOUNTING
from tests.slurmd.outside import OWN_LINES, slurmdbd_conf, start_as_told
from tests.slurmd.site import Network, Site
from tests.slurmd.workers import Worker
from tests.waiting import equals, eventually, has

SLURMCTLD = "slurm-controller.slurm.svc"
"""What pods resolve by the cluster's name server, and machines by /etc/hosts."""


@pytest.fixture
def site(slurm: Slurm, tmp_path: Path) -> Iterator[Site]:
    network = Network.beside_pods(slurm.cluster.processes.pid(NETWORK))
    with Site(ensure_images()["26.05"], tmp_path, network) as site:
        yield site


@pytest.fixture
def machine(changed: Program, slurm: Slurm, site: Site) -> Iterator[Worker]:
    """A machine for slurmd; slurmctld forgets it before the cluster is as shipped again."""
    assert changed
    machine = Worker(site, "onprem1")
    with_users_of_pods(machine.host)
    yield machine
    slurm.cancel_all()
    if machine.daemon:
        machine.daemon.stop()
    if "onprem1" in slurm.nodes():
        slurm.root("scontrol", "delete", "nodename=onprem1")


@pytest.fixture
def programs(site: Site, objects: Objects) -> Iterator[list[Program]]:
    """Programs that are destroyed, with their namespaces, before the machines end."""
    programs: list[Program] = []
    yield programs
    for program in programs:
        program.destroy()
        objects.delete("Namespace", None, program.folder.parent.name)
    assert site


def with_users_of_pods(host: Host) -> Host:
    """Give the users of a machine the numbers that they have in pods: those of the directory and of Slurm's images."""
    for name, number in ((USER, USER_ID), (SLURM_USER["name"], SLURM_USER["uid"])):
        host.run(["usermod", f"--uid={number}", str(name)])
        host.run(["groupmod", f"--gid={number}", str(name)])
    return host


@pytest.mark.from_any_settings
def test_machines_and_login_nodes_outside_share_partitions_with_pods(
    changed: Program, settings: Settings, slurm: Slurm, objects: Objects, site: Site, machine: Worker
) -> None:
    cluster = settings["slurm:cluster"]
    cluster["externalNodes"] = [{"name": "onprem", "nodes": "onprem1", "cpus": 1, "memory": "512Mi"}]
    cluster["partitions"].append({"name": "site", "nodeSets": ["cpu", "onprem"]})
    cluster["controller"] = {"address": SLURMCTLD}
    changed.up(settings)
    slurm.wait_for_pods()
    # A node that registers just before slurmctld reads new files counts as away until the next ping, 100 s later.
    eventually("the partition", lambda: slurm.run("sinfo", "-h", "-o", "%R").split(), has("site"))
    told = changed.outputs()["outside"]
    where = told["files"]["/etc/slurm/slurm.key"]
    secret = objects.get("Secret", where["namespace"], where["secret"])
    key = base64.b64decode(secret["data"][where["key"]])
    (slurmctld,) = slurm.pods("slurmctld")
    site.beyond(slurmctld["status"]["podIP"], SLURMCTLD, *told["hostNames"])
    for worker in slurm.pods("slurmd"):
        site.beyond(worker["status"]["podIP"], worker["spec"]["hostname"])

    machine.daemon = start_as_told(machine.host, told["slurmdCommands"]["onprem"], key)
    login = site.host("login1")
    with_users_of_pods(login)
    login.folder("/run/slurm")
    sackd = start_as_told(login, told["sackdCommand"], key)
    sackd.eventually("having the configuration", lambda: login.attempt(["sinfo"]), succeeded)
    row = "site up infinite 3 idle cpu-[0-1],onprem1"
    srun = ["srun", "--quiet", "--immediate=120", "--partition=site", "--nodes=3", "hostname"]

    def nodes_of_a_job() -> str:
        nodes = login.attempt(["sinfo", "--noheader", "--partition=site"]).stdout
        if nodes.split() != row.split():
            return f"no job, since the nodes are not idle: {nodes}"
        # slurmctld revokes a job where a node doesn't answer within MessageTimeout. Seen 1 s after a reconfigure, so
        # it is believed that the node read its new files just then.
        done = login.attempt(srun, user=USER)
        return done.stdout or done.stderr

    three = ["cpu-0", "cpu-1", "onprem1"]
    eventually("a job on all three", nodes_of_a_job, lambda answer: sorted(answer.split()) == three)
    slurm.wait_for_no_job()
    assert slurm.run("srun", "-p", "site", "-w", "onprem1", "hostname") == "onprem1\n"
    job = slurm.submit("srun hostname", "-p", "site", "-w", "onprem1")
    slurm.wait_for(job, "COMPLETED")
    assert machine.host.read(f"/home/{USER}/slurm-{job}.out") == "onprem1\n"


@pytest.mark.repeats("tests/slurmd/test_hybrid.py, in pods")
@pytest.mark.from_any_settings
@pytest.mark.filterwarnings("ignore::pulumi_slurm.errors.SpecWarning")
def test_pods_work_for_a_slurmctld_outside_and_share_a_slurmdbd_outside(
    tools: Toolchain,
    settings: Settings,
    slurm: Slurm,
    objects: Objects,
    site: Site,
    programs: list[Program],
    tmp_path: Path,
) -> None:
    start_mariadb(site)
    slurmdbd = Accounting(with_users_of_pods(site.host(f"{ACCOUNTING}-0", [ACCOUNTING])))
    head = Controller(with_users_of_pods(site.host("head")))
    theirs = of_a_stack(settings, "site", "burst", slurmdbd.host)
    theirs["slurm:cluster"]["controller"] = {"external": {"host": head.host.address, "port": 6817}}
    told = outside(*load(theirs["slurm:cluster"], theirs["slurm:pools"]))
    slurmdbd.start({"slurmdbd.conf": slurmdbd_conf(told["slurmdbdConf"])})
    # As its owner writes it: slurmctld looks for the name of its own host.
    line = f"SlurmctldHost={head.host.address}"
    lines = told["slurmConf"].replace(line, f"SlurmctldHost=head({head.host.address})")
    head.start(for_this_machine({"slurm.conf": lines + OWN_LINES, "cgroup.conf": told["cgroupConf"]}))
    ours = of_a_stack(settings, "west", "cpu", slurmdbd.host)
    for each in (theirs, ours):
        name = each["slurm:cluster"]["name"]
        with_keys(objects, name)
        programs.append(Program(tools, tmp_path / name, slurm.cluster.kubeconfig))
        programs[-1].up(each)

    states = ["sinfo", "--noheader", "--format=%P %N %T"]
    eventually("the worker", lambda: head.host.attempt(states).stdout, equals("burst* burst-0 idle\n"))
    assert head.host.run(["srun", "--quiet", "--immediate=600", "hostname"], user=USER) == "burst-0\n"
    west = Daemons(slurm.cluster, "west")
    eventually("the other's worker", lambda: west.answer("slurmctld", *states), equals("cpu* cpu-0 idle"))
    assert west.inside("slurmctld", "srun", "hostname") == "cpu-0\n"
    jobs = ["sacct", "--allusers", "--clusters=site,west", "-X", "--noheader", "--parsable2"]
    done = {"site|burst-0|COMPLETED", "west|cpu-0|COMPLETED"}
    eventually(
        "accounting of both",
        lambda: {*head.host.attempt([*jobs, "--format=cluster,nodelist,state"]).stdout.split()},
        equals(done),
    )


def of_a_stack(settings: Settings, name: str, nodes: str, slurmdbd: Host) -> Settings:
    """Return the settings of a small cluster in a namespace of its name, whose slurmdbd is outside."""
    shipped, external = settings["slurm:cluster"], {"host": slurmdbd.address, "port": PORT}
    cluster: dict[str, Any] = {key: shipped[key] for key in ("operatorVersion", "slurmVersion")}
    cluster |= {"name": name, "namespace": name, "accounting": {"external": external}}
    cluster["keys"] = {key: {"existing": {"name": "site-keys", "key": f"{key}.key"}} for key in ("slurm", "jwt")}
    cluster["configFiles"] = {"cgroup.conf": shipped["configFiles"]["cgroup.conf"]}
    cluster["nodeSets"] = [{"name": nodes, "pool": "cpu", "replicas": 1}]
    cluster["partitions"] = [{"name": nodes, "nodeSets": [nodes], "default": True}]
    outer = {"slurm:kind": "local", "slurm:createNamespace": False, "slurm:pools": settings["slurm:pools"]}
    return {**outer, "slurm:cluster": cluster}


def with_keys(objects: Objects, namespace: str) -> None:
    """Make a namespace with the keys that daemons outside have too."""
    objects.namespace(namespace)
    metadata = {"name": "site-keys", "namespace": namespace}
    data = {file: base64.b64encode(key).decode() for file, key in KEYS.items() if isinstance(key, bytes)}
    objects.apply({"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "data": data})
