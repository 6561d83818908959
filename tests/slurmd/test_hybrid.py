"""Hybrid clusters as in the docs: daemons outside of Kubernetes, which resolve only few names.

They are started with what the output `outside` has. With UPDATE_DOCS=1 in the environment the pages' sessions are
written anew, with what Slurm 26.05 answers.
"""

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
import yaml

from devcluster.folders import CHECKOUT
from devcluster.slurm_images import JOB_USER
from pulumi_slurm.loading import load
from pulumi_slurm.manifests.outside import outside
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.slurmconf.version import Series
from tests.doc_blocks import blocks_of
from tests.slurmd.cluster import Cluster
from tests.slurmd.controller import Controller
from tests.slurmd.database import Accounting, start_mariadb
from tests.slurmd.differences import for_this_machine
from tests.slurmd.host import Host, succeeded
from tests.slurmd.outside import OWN_LINES, slurmdbd_conf, start_as_told
from tests.slurmd.releases import ON_THE_NEWEST
from tests.slurmd.rendered import rendered_files
from tests.slurmd.site import Site
from tests.slurmd.workers import Worker
from tests.unit.importing.command_line import run
from tests.waiting import equals

pytestmark = ON_THE_NEWEST

HYBRID, OUTSIDE_SLURMDBD, EXTERNAL_NODES = (
    CHECKOUT / "docs" / f"{name}.md" for name in ("hybrid", "outside-slurmdbd", "external-nodes")
)
CPU = {"name": "cpu", "machine": {"cpus": 2, "memory": "1Gi"}}
MAIN = {"name": "main", "nodeSets": ["cpu"], "default": True}
SLURMCTLD = "slurmctld.example.org"
SLURMDBD = "slurmdbd.example.org"


@pytest.fixture
def series(site: Site) -> Series:
    return Series.of(site.image.series)


def from_page(page: Path, field: str) -> tuple[SlurmSpec, list[NodePoolSpec]]:
    """Return the specification of the page's example that has a field; of one cluster more, its name is `c`."""
    (config,) = [
        config
        for block in blocks_of(page)
        if block.check in ("cluster", "config")
        and field in (config := yaml.safe_load(block.text)["config"])["slurm:cluster"]
    ]
    cluster = {"name": "c", "nodeSets": [CPU], "partitions": [MAIN], **config["slurm:cluster"]}
    return load(cluster, config.get("slurm:pools", ()))


def says(page: Path, hosts: Mapping[str, Host], series: Series, controllers: Sequence[Controller]) -> None:
    """Run the commands of the page's session on the hosts before its prompts, and compare."""
    if str(series) != "26.05":
        return
    (block,) = [block for block in blocks_of(page) if block.check == "session"]
    answers = []
    for name, command in re.findall(r"^(\w+)\$ (.*)$", block.text, re.M):
        for controller in controllers:
            settle(controller)
        done = hosts[name].attempt(["sh", "-c", command], user=JOB_USER)
        answers.append(f"{name}$ {command}\n{done.stdout}{done.stderr}")
    output = re.sub(r" +$", "", "".join(answers), flags=re.M)
    text = page.read_text().replace(f"```console\n{block.text}```", f"```console\n{output}```")
    if os.environ.get("UPDATE_DOCS"):
        page.write_text(text)
    assert page.read_text() == text


def settle(controller: Controller) -> None:
    """Wait until no job is left and accounting knows of all."""
    daemon, host = controller.daemon, controller.host
    assert daemon
    daemon.eventually("being without jobs", lambda: host.run(["squeue", "--noheader"]), equals(""))
    sent = re.compile(r"DBD Agent queue size: *0$", re.M)
    daemon.eventually(
        "having told accounting",
        lambda: host.run(["sdiag"]),
        lambda text: "DBD Agent" not in text or sent.search(text),
    )


def wait_idle(controller: Controller, *nodes: str) -> None:
    """Wait until these nodes are there and idle."""
    daemon, host = controller.daemon, controller.host
    assert daemon
    states = ["sinfo", "--noheader", "--Node", "--format=%N=%T"]
    idle = {f"{node}=idle" for node in nodes}
    daemon.eventually("having idle nodes", lambda: {*host.attempt(states).stdout.split()}, idle.issubset)


def srun(host: Host, *arguments: str) -> str:
    return host.run(["srun", "--quiet", "--immediate=600", *arguments, "hostname"], user=JOB_USER)


def test_machines_and_login_nodes_outside_share_partitions_with_pods(site: Site, series: Series) -> None:
    spec, pools = from_page(EXTERNAL_NODES, "externalNodes")
    told = outside(spec, pools)
    cluster = Cluster(site)
    site.alias(cluster.controller.host, SLURMCTLD)
    cluster.start_controller(rendered_files(spec, series))
    cluster.start_workers({"cpu-0": "Features=cpu"})
    for name in ("onprem1", "onprem2"):
        machine = cluster.workers[name] = Worker(site, name)
        site.knows_only(machine.host, SLURMCTLD, *told["hostNames"], "cpu-0")
        machine.daemon = start_as_told(machine.host, told["slurmdCommands"]["onprem"])
    wait_idle(cluster.controller, "onprem1", "onprem2")
    login = site.host("login1", published=False)
    login.folder("/run/slurm")
    site.knows_only(login, SLURMCTLD, *told["hostNames"])
    sackd = start_as_told(login, told["sackdCommand"])
    sackd.eventually("having the configuration", lambda: login.attempt(["sinfo"]), succeeded)

    assert cluster.nodes("site") == {"cpu-0", "onprem1", "onprem2"}
    assert srun(login, "--partition=site", "--nodelist=onprem2") == "onprem2\n"
    settle(cluster.controller)
    assert sorted(srun(login, "--partition=site", "--nodes=3").split()) == ["cpu-0", "onprem1", "onprem2"]
    says(EXTERNAL_NODES, {"login1": login}, series, [cluster.controller])


def test_pods_are_workers_of_a_slurmctld_outside(site: Site, series: Series, tmp_path: Path) -> None:
    spec, pools = from_page(HYBRID, "controller")
    told = outside(spec, pools)
    lines = told["slurmConf"].replace(f"SlurmctldHost={SLURMCTLD}", f"SlurmctldHost=head({SLURMCTLD})")
    head = Controller(site.host("head", [SLURMCTLD]))
    head.start(for_this_machine({"slurm.conf": lines + OWN_LINES, "cgroup.conf": told["cgroupConf"]}))
    for name in ("burst-0", "burst-1"):
        worker = Worker(site, name)
        site.knows_only(worker.host, SLURMCTLD)
        worker.start(f"{SLURMCTLD}:6817", "Features=burst")
    wait_idle(head, "burst-0", "burst-1")
    assert srun(head.host, "--partition=burst", "--nodelist=burst-1") == "burst-1\n"
    says(HYBRID, {"head": head.host}, series, [head])

    (page,) = [block for block in blocks_of(HYBRID) if block.check == "config"]
    settings, ran = tmp_path / "Pulumi.site.yaml", tmp_path / "slurm.conf"
    settings.write_text(page.text)
    ran.write_text(head.host.read("/etc/slurm/slurm.conf"))
    assert run("check-outside", ran, settings).stdout == ""
    for line in lines.splitlines(keepends=True):
        ran.write_text((lines + OWN_LINES).replace(line, ""))
        found = run("check-outside", ran, settings).stdout
        # Slurm's own default is as good as the line.
        assert (f"{ran}: {line.split('=')[0]}" in found) == (line != "SlurmctldPort=6817\n"), line


def test_two_clusters_keep_their_jobs_in_one_slurmdbd_outside(site: Site, series: Series) -> None:
    start_mariadb(site)
    accounting = Accounting(site.host("c-accounting-0", ["c-accounting", SLURMDBD]))
    spec, pools = from_page(OUTSIDE_SLURMDBD, "keys")
    accounting.start({"slurmdbd.conf": slurmdbd_conf(outside(spec, pools)["slurmdbdConf"])})
    clusters = {"a": Cluster(site, "a"), "b": Cluster(site, "b")}
    for name, cluster in clusters.items():
        worker = f"{name}-worker-0"
        site.knows_only(cluster.controller.host, SLURMDBD, f"{name}-0", worker)
        cluster.start_controller(rendered_files(spec.model_copy(update={"name": name}), series))
        cluster.start_workers({worker: "Features=cpu"})
    shown = ["sacctmgr", "--noheader", "--parsable2", "show", "cluster", "format=cluster"]
    daemon = clusters["b"].controller.daemon
    assert daemon
    daemon.eventually("being in the database", lambda: sorted(clusters["a"].run(*shown).split()), equals(["a", "b"]))
    for name, cluster in clusters.items():
        assert srun(cluster.controller.host) == f"{name}-worker-0\n"
        settle(cluster.controller)
    jobs = ["sacct", "--clusters=a,b", "--allocations", "--noheader", "--parsable2", "--format=Cluster,NodeList,State"]
    done = {"a|a-worker-0|COMPLETED", "b|b-worker-0|COMPLETED"}
    daemon.eventually("having accounted jobs", lambda: {*clusters["a"].run(*jobs, user=JOB_USER).split()}, equals(done))
    hosts = {name: cluster.controller.host for name, cluster in clusters.items()}
    says(OUTSIDE_SLURMDBD, hosts, series, [cluster.controller for cluster in clusters.values()])
