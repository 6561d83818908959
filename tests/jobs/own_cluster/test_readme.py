"""The checkout as a newcomer has it: `make up`, the README's commands with their answers, and what `make down` leaves.

With UPDATE_DOCS=1 in the environment the README's block is written anew.
"""

import glob
import os
import re
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from devcluster import pods
from devcluster.api import Api
from devcluster.folders import CHECKOUT
from devcluster.processes import ProcessTable
from devcluster.real_nodes import cgroup_prefix
from devcluster.toolchain import Toolchain
from tests.doc_blocks import Block, blocks
from tests.waiting import eventually, eventually_nothing

README = CHECKOUT / "README.md"
SENT = re.compile(r"DBD Agent queue size: *0$", re.M)
"""What sdiag says once slurmdbd has been told everything."""
NODES = 4
"""How many lines sinfo has: three nodes, one of them in two partitions."""


@dataclass(frozen=True)
class Checkout:
    """This checkout, with a state folder of its own."""

    state: Path

    @property
    def env(self) -> dict[str, str]:
        # Below `make test` another make would say which directory it enters, and take its options.
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
        return {**inherited, "PULUMI_SLURM_STATE": str(self.state), "TERM": "dumb"}

    def shell(self, command: str) -> str:
        """Run a command and return what it prints; failure is an error."""
        done = self.attempt(command)
        assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
        return done.stdout

    def attempt(self, command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-c", command], cwd=CHECKOUT, env=self.env, capture_output=True, text=True, check=False
        )

    def make(self, *words: str) -> str:
        return self.shell(" ".join(["make", *words]))


@pytest.fixture(scope="module")
def checkout(tools: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checkout]:
    assert tools.path("control-plane").exists()
    checkout = Checkout(tmp_path_factory.mktemp("readme") / "state")
    try:
        yield checkout
    finally:
        checkout.make("down")


@pytest.fixture(scope="module")
def up(checkout: Checkout) -> str:
    return checkout.make("up")


def test_make_up_ends_with_a_job(up: str) -> None:
    assert "Nodes: real ones" in up
    assert "pods run nothing" not in up
    shown = up.partition("Slurm answers:")[2]
    assert "idle cpu-[0-1],gpu-0" in shown
    assert hosts_of_the_first_job(up) == ["cpu-0", "cpu-1"]
    # Whether all of it is PASS on a machine as slow as this one, tests/jobs/test_prove.py asks.
    proof = up.partition("$ pulumi-slurm prove Pulumi.local.yaml")[2]
    assert {"daemons", "nodes", "srun", "sbatch", "inside", "limits", "storage", "record"} <= set(
        re.findall(r"^[A-Z]{4}  (\w+), ", proof, re.M)
    )


def test_nothing_has_failed_on_the_way(checkout: Checkout, up: str) -> None:
    """The first thing that a newcomer reads is the summary, so that it says nothing of pods that had to be retried."""
    every = Api(checkout.state / "cluster" / "kubeconfig").get("/api/v1/pods")["items"]
    assert [pod["metadata"]["name"] for pod in every if pod["status"]["phase"] == "Failed"] == []
    (counts,) = re.findall(r"^ +pods: (.*)$", up, re.M)
    assert "Succeeded" in counts
    assert "Failed" not in counts


@pytest.mark.usefixtures("up")
def test_the_readme_says_what_happens(checkout: Checkout) -> None:
    (block,) = blocks("first-jobs")
    shown = session(checkout, block)
    if os.environ.get("UPDATE_DOCS"):
        README.write_text(README.read_text().replace(block.text, shown))
    else:
        assert shown == block.text


def session(checkout: Checkout, block: Block) -> str:
    """Return the commands of a block with their answers; lines of one answer come in any order, so they are sorted."""
    answers = []
    for command in re.findall(r"^\$ (.*)$", block.text, re.M):
        # Accounting has each job before the next command, that of `make up` too.
        eventually_nothing("jobs", lambda: checkout.make("slurm", "ARGS='squeue --noheader'").splitlines())
        eventually("accounting", lambda: checkout.make("slurm", "ARGS=sdiag"), SENT.search)
        lines = [line.rstrip() for line in checkout.shell(command).splitlines()]
        together = "srun --nodes" in command
        answers += [f"$ {command}", *(sorted(lines) if together else lines)]
    return "".join(f"{line}\n" for line in answers)


@pytest.mark.usefixtures("up")
def test_up_again_changes_nothing(checkout: Checkout) -> None:
    shown = checkout.make("up")
    assert re.search(r"^ +\d+ unchanged$", shown, re.M)
    assert not re.search(r"\d+ (created|updated|replaced|deleted)$", shown, re.M)


@pytest.mark.usefixtures("up")
def test_what_is_killed_is_started_by_the_next_up(checkout: Checkout) -> None:
    """A launcher killed in the middle leaves processes of any state behind."""
    cluster = checkout.state / "cluster"
    (slurmctld,) = pods.running(Api(cluster / "kubeconfig"), "app.kubernetes.io/name=slurmctld")
    os.kill(ProcessTable(cluster).pid(f"node-{slurmctld['spec']['nodeName']}"), signal.SIGKILL)
    launcher = subprocess.Popen(
        ["make", "up"], cwd=CHECKOUT, env=checkout.env, stdout=subprocess.DEVNULL, start_new_session=True
    )
    home = str(checkout.state / "pulumi" / "pulumi-home")
    try:
        eventually("an engine", lambda: set(processes_of(home)))
    finally:
        os.killpg(launcher.pid, signal.SIGKILL)
        launcher.wait()
    engines = set(processes_of(home))
    assert_up_ends_with_a_job(checkout)
    assert not engines & set(processes_of(home))
    wait_for_all_nodes(checkout)


@pytest.mark.usefixtures("up")
@pytest.mark.parametrize("process", ["kube-apiserver", "network"])
def test_a_process_that_ended_is_started_by_the_next_up(checkout: Checkout, process: str) -> None:
    """With the network all that is in it is started anew."""
    os.kill(ProcessTable(checkout.state / "cluster").pid(process), signal.SIGKILL)
    assert "not running as a whole" in checkout.attempt("make status").stdout
    assert_up_ends_with_a_job(checkout)
    wait_for_all_nodes(checkout)


def assert_up_ends_with_a_job(checkout: Checkout) -> None:
    done = checkout.attempt("make up")
    assert hosts_of_the_first_job(done.stdout), f"{done.stdout}{done.stderr}\n{jobs(checkout)}"


def hosts_of_the_first_job(shown: str) -> list[str]:
    """Return the nodes on which the job ran with which `make up` ends."""
    return sorted(re.findall(r"^(?:cpu|gpu)-\d$", shown.partition("Slurm answers:")[2], re.M))


def wait_for_all_nodes(checkout: Checkout) -> None:
    def others() -> list[str]:
        # While pods start again, slurmctld among them perhaps, commands fail.
        answer = checkout.attempt("make slurm ARGS='sinfo --Node --long --noheader'")
        lines = answer.stdout.splitlines()
        idle = [line for line in lines if " idle " in line]
        return [] if len(idle) == len(lines) == NODES else [*lines, answer.stderr, *jobs(checkout)]

    eventually_nothing("nodes that are not idle", others)


def jobs(checkout: Checkout) -> list[str]:
    return checkout.attempt("make slurm ARGS='scontrol --oneliner show jobs'").stdout.splitlines()


@pytest.mark.usefixtures("up")
def test_down_leaves_nothing(checkout: Checkout) -> None:
    prefix = cgroup_prefix(checkout.state / "cluster")
    assert cgroups(prefix)
    assert processes_of(str(checkout.state))
    removed = checkout.make("down")
    assert "Removed." in removed
    assert not checkout.state.exists()
    assert not cgroups(prefix)
    assert processes_of(str(checkout.state)) == []
    assert str(checkout.state) not in Path("/proc/mounts").read_text()
    assert "Nothing to remove" in checkout.make("down")


def cgroups(prefix: str) -> list[str]:
    # Not Path.rglob, for which a group that goes meanwhile is an error; other tests have theirs there too.
    return glob.glob(f"/sys/fs/cgroup/**/{prefix}-*", recursive=True)


def processes_of(folder: str) -> list[str]:
    """Return the processes that name the folder on their command line or in their environment, with their ids."""
    named = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            text = (process / "cmdline").read_bytes() + (process / "environ").read_bytes()
        except OSError:
            continue
        if folder.encode() in text:
            named.append(f"{process.name}: {text.replace(bytes(1), b' ').decode(errors='replace')[:200]}")
    return named
