"""Slurm's commands in the pods of the cluster, as the user on the login node and as root."""

import contextlib
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass

from devcluster import pods
from devcluster.cluster import Cluster
from devcluster.errors import DevclusterError
from devcluster.login import Login
from tests.e2e.objects import Object, uid
from tests.jobs.waiting import LONG, eventually

AWAY = 30.0
"""Seconds for which slurmctld may be away at a reconfigure, or after its pod was replaced."""
NAME = "app.kubernetes.io/name"


@dataclass(frozen=True)
class Daemons:
    """The pods of one Slurm cluster."""

    cluster: Cluster
    namespace: str

    def pods(self, name: str) -> list[Object]:
        """Return the running pods of a daemon, such as slurmctld."""
        every = pods.running(self.cluster.api, f"{NAME}={name}")
        return [pod for pod in every if pod["metadata"]["namespace"] == self.namespace]

    def uids(self) -> dict[str, str]:
        """Return the uid of every daemon's pod, by its name."""
        daemons = ("slurmctld", "slurmdbd", "slurmrestd", "slurmd", "login", "mariadb", "openldap")
        return {pod["metadata"]["name"]: uid(pod) for daemon in daemons for pod in self.pods(daemon)}

    def inside(self, daemon: str, *words: str, code: int = 0) -> str:
        """Run a command as root in the one pod of a daemon."""
        (pod,) = self.pods(daemon)
        return _patient(pods.command(self.cluster.processes, pod, daemon, words, tty=False), code, LONG)

    def answer(self, daemon: str, *words: str) -> str:
        """Return what a command says in a daemon's pod, "" while it fails or there is no such pod."""
        for pod in self.pods(daemon):
            with contextlib.suppress(DevclusterError):
                done = pods.run(self.cluster.processes, pod, daemon, words)
                return done.stdout.strip() if done.returncode == 0 else ""
        return ""

    def seen(self) -> str:
        """Return what a person would look at after a failure: pods, nodes, jobs, and slurmctld's last words."""
        every = self.cluster.api.get(f"/api/v1/namespaces/{self.namespace}/pods")["items"]
        lines = [
            f"{pod['metadata']['name']} {pod['status']['phase']} {pod['spec'].get('nodeName')} "
            f"{[state['state'] for state in pod['status'].get('containerStatuses', [])]}"
            for pod in every
        ]
        for words in (("sinfo", "--Node", "--long"), ("scontrol", "--oneliner", "show", "jobs")):
            lines.append(self.answer("slurmctld", *words))
        for pod in self.pods("slurmctld"):
            tail = f"tail -n 60 /var/log/pods/{self.namespace}_{pod['metadata']['name']}_*/slurmctld/*.log"
            lines.append(
                _run([*pods.inside(self.cluster.processes, pod["spec"]["nodeName"]), "sh", "-c", tail], 60).stdout
            )
        return "\n".join(lines)


@dataclass(frozen=True)
class Slurm(Daemons):
    """The Slurm cluster of these tests, as its user sees it."""

    login: Login

    def run(self, *words: str, code: int = 0, seconds: float = LONG) -> str:
        """Run a command as the user and return its output; another exit code than ``code`` is an error."""
        return _patient(self.login.slurm(words), code, seconds)

    def ssh(self, *words: str, code: int = 0) -> str:
        """Run a command as the user through sshd."""
        return _output(self.login.ssh(words), code, LONG)

    def root(self, *words: str) -> str:
        """Run a command as root on the login node."""
        return self.inside("login", *words)

    def beside(self, host: str, *words: str) -> str:
        """Run a command in the container of slurmctld, or of a node's slurmd, as the user of that container."""
        daemon, name = ("slurmctld",) * 2 if host == "slurmctld" else ("slurmd", f"slurm-worker-{host}")
        (pod,) = (pod for pod in self.pods(daemon) if name in (daemon, pod["metadata"]["name"]))
        return _output(pods.command(self.cluster.processes, pod, daemon, words, tty=False), 0, LONG)

    def processes(self, node: str) -> str:
        """Return the names of the processes in a worker; none while its pod is being replaced."""
        words = ("ps", "-eo", "comm")
        workers = [pod for pod in self.pods("slurmd") if pod["metadata"]["name"] == f"slurm-worker-{node}"]
        return "".join(
            _run(pods.command(self.cluster.processes, pod, "slurmd", words, tty=False), LONG).stdout for pod in workers
        )

    def submit(self, script: str, *options: str) -> int:
        """Submit a batch job and return its number."""
        return int(self.run("sbatch", "--parsable", *options, f"--wrap={script}"))

    def state(self, job: int) -> str:
        """Return the state of a job, from the database."""
        return self.run("sacct", "-X", "-n", "-o", "state%20", "-j", str(job)).strip()

    def accounted(self, job: int) -> str:
        """Return the state of a job from the database, "" while there is no answer."""
        done = _run(self.login.slurm(["sacct", "-X", "-n", "-o", "state%20", "-j", str(job)]), LONG)
        return done.stdout.strip() if done.returncode == 0 else ""

    def is_running(self, job: int) -> bool:
        """Whether slurmctld says of a job that it runs."""
        return self.run("squeue", "-h", "-t", "RUNNING", "-o", "%i", "-j", str(job)).strip() == str(job)

    def wait_for(self, job: int, state: str) -> None:
        """Wait until a job has a state."""
        eventually(f"job {job} is {state}", lambda: self.accounted(job) == state)

    def nodes(self) -> dict[str, str]:
        """Return the state of each node, nothing while slurmctld doesn't answer."""
        lines = _run(self.login.slurm(["sinfo", "-h", "-N", "-o", "%N %T"]), LONG).stdout.splitlines()
        return dict(line.split(maxsplit=1) for line in lines)

    def wait_for_line(self, line: str) -> None:
        """Wait until slurmctld has a line such as ``KillWait = 45 sec`` in its configuration."""
        eventually(line, lambda: line in " ".join(self.run("scontrol", "show", "config").split()))

    def wait_for_pods(self) -> None:
        """Wait until the pods are those of the last update."""
        kinds = ("apps/v1/statefulsets", "apps/v1/deployments", "slinky.slurm.net/v1beta1/nodesets")

        def old() -> bool:
            items = [item for kind in kinds for item in self.cluster.api.get(f"/apis/{kind}")["items"]]
            return any(_pending(item) for item in items)

        eventually("the pods of the last update", lambda: not old())

    def wait_for_nodes(self, wanted: Mapping[str, str]) -> None:
        """Wait until the nodes are these."""
        eventually(f"nodes {wanted}", lambda: self.nodes() == wanted)

    def cancel_all(self) -> None:
        """End all jobs and wait until none is there."""
        jobs = self.run("squeue", "-h", "-o", "%A").split()
        if jobs:
            self.root("scancel", *jobs)
        eventually("no job", lambda: not self.run("squeue", "-h").strip())

    def first_job(self, *options: str) -> int:
        """Submit a job as soon as slurmctld takes one, and return its number."""

        def submitted() -> str:
            done = _run(self.login.slurm(["sbatch", "--parsable", *options, "--wrap=true"]), LONG)
            return done.stdout if done.returncode == 0 else ""

        return int(eventually("slurmctld takes jobs", submitted))

    def failing(self, command: list[str], code: int) -> str:
        """Run a command that fails and return all that it says."""
        return _output(command, code, LONG)


def _pending(item: Object) -> bool:
    status = item["status"]
    of_last_update = (status.get(name, 0) for name in ("updatedReplicas", "readyReplicas"))
    return status["observedGeneration"] != item["metadata"]["generation"] or {*of_last_update} != {
        item["spec"]["replicas"]
    }


def _patient(command: list[str], code: int, seconds: float) -> str:
    """Run a command of Slurm, again while slurmctld is away."""
    deadline = time.monotonic() + AWAY
    while True:
        done = _run(command, seconds)
        if time.monotonic() > deadline or "Unable to contact slurm controller" not in done.stderr:
            return _checked(done, code)
        time.sleep(0.5)


def _output(command: list[str], code: int, seconds: float) -> str:
    return _checked(_run(command, seconds), code)


def _checked(done: subprocess.CompletedProcess[str], code: int) -> str:
    assert done.returncode == code, f"{done.args[-3:]} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
    return done.stdout + (done.stderr if code else "")


def _run(command: list[str], seconds: float) -> subprocess.CompletedProcess[str]:
    nothing = subprocess.DEVNULL
    return subprocess.run(command, stdin=nothing, capture_output=True, text=True, check=False, timeout=seconds)
