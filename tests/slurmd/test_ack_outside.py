"""The copilot's view of a Slurm outside Kubernetes: our lines in its files, and tokens that we sign, with real daemons.

The copilot isn't public, and a test asks slurmrestd in its place. node_features/k8s_resources is one of the tests that
does as Alibaba's, and the submit plugin is left out.
"""

import json
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from devcluster.slurm_images import JOB_USER, SlurmImage
from pulumi_slurm.ack_slurm.manifests.outside_files import outside_needs
from pulumi_slurm.ack_slurm.model.outside import OutsideSlurmSpec
from pulumi_slurm.ack_slurm.rules.outside_check import unmet_by_copilot
from pulumi_slurm.loading import load_model
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import parse, render
from pulumi_slurm.slurmconf.version import Series
from tests.signing import STAND_INS, environment, signer
from tests.slurmd.controller import Files, configure
from tests.slurmd.host import Host
from tests.slurmd.plugins import compiled, plugin_folder
from tests.slurmd.rest import RestApi, token
from tests.slurmd.site import Site
from tests.waiting import HANGS, has

OUTSIDE = {
    "name": "old",
    "addresses": ["10.1.0.4"],
    "nodes": [{"name": "cn.10.1.0.[19-20]", "alias": "node[1-2]"}],
    "jwtKeySecret": {"name": "old-jwt", "key": "jwt_hs256.key"},
    "submitPlugin": False,
}
OWN_LINES = """\
ClusterName=old
SlurmctldHost=head
SlurmUser=slurm
SlurmdSpoolDir=/var/spool/slurmd
StateSaveLocation=/var/spool/slurmctld
AuthType=auth/slurm
CredType=cred/slurm
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SlurmdParameters=config_overrides
ReturnToService=2
NodeName=node1 CPUs=4 RealMemory=4000
NodeName=node2 CPUs=4 RealMemory=4000 Feature=fast
PartitionName=all Nodes=ALL Default=YES
"""
KEY = bytes(range(40))


class Outside:
    """slurmctld and two nodes with lines of their own and ours; one node has a feature, which the other must not."""

    def __init__(self, site: Site) -> None:
        self.spec = load_model(OutsideSlurmSpec, OUTSIDE, "The outside")
        ours = outside_needs(self.spec).files
        self.files: Files = {
            "slurm.conf": render(ours[File.SLURM]) + OWN_LINES,
            "gres.conf": render(ours[File.GRES]),
            "cgroup.conf": "CgroupPlugin=disabled\n",
        }
        self._plugin = compiled("k8s_resources.c", site.image, site.folder)
        self._plugin_file = f"{plugin_folder(site.image)}/node_features_k8s_resources.so"
        # slurmctld looks up all its nodes when it starts.
        self.head, *nodes = (site.host(name) for name in ("head", "node1", "node2"))
        self._configure(self.head)
        state = "/var/spool/slurmctld"
        self.head.folder(state, mode=0o700, owner="slurm")
        # Where slurmctld looks for the key without being told.
        self.head.write(f"{state}/jwt_hs256.key", KEY, mode=0o600, owner="slurm")
        self.head.folder("/run/slurmctld", owner="slurm")
        self.slurmctld = self.head.start(["slurmctld", "-D"], user="slurm")
        self.slurmctld.eventually("answering", lambda: self.head.attempt(["scontrol", "ping"]).stdout, has(" is UP"))
        for host in nodes:
            self._start_slurmd(host)
        self.rest = RestApi(site.host("rest"))
        self.rest.start(self.files)

    def _configure(self, host: Host) -> None:
        configure(host, self.files)
        host.write(self._plugin_file, self._plugin)

    def _start_slurmd(self, host: Host) -> None:
        self._configure(host)
        for folder in ("/var/spool/slurmd", "/run/slurm"):
            host.folder(folder)
        host.start(["slurmd", "-D", "-N", host.name])

    def node(self, name: str) -> dict[str, Any]:
        """Return what slurmctld has of a node."""
        shown: dict[str, Any] = json.loads(self.head.run(["scontrol", "--json", "show", "node", name]))["nodes"][0]
        return shown

    def eventually(self, name: str, states: set[str]) -> dict[str, Any]:
        """Wait until a node has all of these states; return what slurmctld has of it."""
        return self.slurmctld.eventually(
            f"{name} {states}", lambda: self.node(name), lambda node: states <= {*node["state"]}
        )

    def update(self, name: str, gres: str, jwt: str) -> int:
        """Change the counters of a node as the copilot does; return the status of the answer."""
        return self.rest.request("POST", f"node/{name}", jwt, {"gres": gres})[0]

    def srun(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a job on the first node, if there is room for it at once."""
        command = ["srun", "--quiet", "--nodelist=node1", f"--immediate={HANGS:.0f}", *arguments, "hostname"]
        return self.head.attempt(command, user=JOB_USER)

    def signed(self) -> str:
        """Return the token that our program writes, run on a host of its own."""
        host = self.rest.host
        for name, script in STAND_INS.items():
            host.write(f"/signer/{name}", script, mode=0o755)
        host.write("/signer/key", KEY)
        container = signer(self.spec)
        env = {**environment(container, "/signer/key"), "HOME": "/signer", "PATH": "/signer:/usr/bin:/bin"}
        host.attempt(container["command"], env=env)
        return str(json.loads(host.read("/signer/patch"))["stringData"]["old"])


@pytest.fixture(scope="module")
def outside(images: dict[str, SlurmImage], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outside]:
    with Site(images["24.11"], tmp_path_factory.mktemp("ack-outside")) as site:
        yield Outside(site)


def test_slurmctld_takes_the_lines_and_a_node_stays_valid_with_the_copilot_s_counters(outside: Outside) -> None:
    config = outside.head.run(["scontrol", "show", "config"])
    assert "k8scpu,k8smemory" in config
    node = outside.eventually("node1", {"IDLE"})
    assert node["active_features"] == ["k8s"]
    assert outside.update("node1", "k8scpu:3,k8smemory:3000", outside.signed()) == 200
    assert outside.node("node1")["gres"] == "k8scpu:3,k8smemory:3000"
    assert outside.srun("--gres=k8scpu:2,k8smemory:1000").stdout == "node1\n"
    refused = outside.srun("--gres=k8scpu:4")
    assert "Requested node configuration is not available" in refused.stderr
    # It registers again. Alibaba's plugin then sets the counts anew, which the one of the tests doesn't.
    outside.head.run(["scontrol", "reconfigure"])
    assert outside.srun().stdout == "node1\n"
    assert outside.update("node1", "k8scpu:2,k8smemory:2000", outside.signed()) == 200
    outside.eventually("node1", {"IDLE"})


def test_slurmctld_takes_no_token_of_another_key(outside: Outside) -> None:
    assert outside.update("node1", "k8scpu:1,k8smemory:1", token(KEY[::-1])) != 200


def test_a_node_with_a_feature_of_its_own_is_taken_out_and_check_tells(outside: Outside) -> None:
    files = (File.SLURM, File.GRES)
    given = {file: parse(str(outside.files[file]), file, Series(24, 11)) for file in files}
    (told,) = unmet_by_copilot(outside_needs(outside.spec), given, {file: str(file) for file in files})
    assert told.startswith("slurm.conf: NodeName=node2 Features=fast: ")
    assert "Reported active features (k8s) are not a superset" in outside.eventually("node2", {"INVALID_REG"})["reason"]
