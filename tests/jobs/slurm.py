"""Slurm's commands in the pods of the cluster, as the user on the login node and as root."""

import contextlib
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from devcluster import pods
from devcluster.cluster import Cluster
from devcluster.errors import DevclusterError
from devcluster.login import Login
from tests.e2e.objects import Object, uid
from tests.waiting import HANGS, equals, eventually, eventually_nothing, has

NO_ANSWER = (
    "Unable to contact slurm controller",
    "Problem talking to the database",
    "does not exist or the user entry does not contain all the required fields",
    "Could not establish a configuration source",
    "container does not exist",
    "container not running",
    "cannot exec in a stopped container",
)
"""What commands say while slurmctld or slurmdbd is away after its pod was replaced, slurmctld also at a reconfigure,
and while a login node doesn't know users: its sssd asks a directory that it didn't find again after 60 to 90 s. So say
Slurm's clients, sacct, runuser, a login node without slurmctld, and runc where a pod has just been replaced, or is
about to be."""
END = "/home/alice/end"
"""The file with which jobs of `Slurm.start_job` end."""
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

    def wait_for_another(self, pod: str, before: Mapping[str, str]) -> None:
        """Wait until there is another pod of that name than the one of these uids."""
        eventually(f"another {pod}", self.uids, lambda after: after.get(pod, before[pod]) != before[pod])

    def inside(self, daemon: str, *words: str, code: int = 0) -> str:
        """Run a command as root in the one pod of a daemon."""

        def command() -> list[str]:
            (pod,) = self.pods(daemon)
            return pods.command(self.cluster.processes, pod, daemon, words, tty=False)

        return _patient(command, code)

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
            lines.append(_run([*pods.inside(self.cluster.processes, pod["spec"]["nodeName"]), "sh", "-c", tail]).stdout)
        return "\n".join(lines)


@dataclass(frozen=True)
class Slurm(Daemons):
    """The Slurm cluster of these tests, as its user sees it."""

    login: Login

    def run(self, *words: str, code: int = 0) -> str:
        """Run a command as the user and return its output; another exit code than ``code`` is an error."""
        return _patient(lambda: self.login.slurm(words), code)

    def said(self, *words: str) -> str:
        """Return what a command says to the user, "" while it fails or there is no login node."""
        try:
            done = _run(self.login.slurm(words))
        except DevclusterError:
            return ""
        return done.stdout if done.returncode == 0 else ""

    def ssh(self, *words: str, code: int = 0) -> str:
        """Run a command as the user through sshd."""
        return _output(self.login.ssh(words), code)

    def root(self, *words: str) -> str:
        """Run a command as root on the login node."""
        return self.inside("login", *words)

    def beside(self, host: str, *words: str) -> str:
        """Run a command in the container of slurmctld, or of a node's slurmd, as the user of that container."""
        daemon = "slurmctld" if host == "slurmctld" else "slurmd"

        def command() -> list[str]:
            (pod,) = (pod for pod in self.pods(daemon) if host in (daemon, pod["spec"].get("hostname")))
            return pods.command(self.cluster.processes, pod, daemon, words, tty=False)

        return _patient(command, 0)

    def processes(self, node: str) -> str:
        """Return the names of the processes in a worker."""
        return self.beside(node, "ps", "-eo", "comm")

    def submit(self, script: str, *options: str) -> int:
        """Submit a batch job and return its number."""
        return int(self.run("sbatch", "--parsable", *options, f"--wrap={script}"))

    def start_job(self, *options: str, then: str = "true") -> int:
        """Start a job that runs until `end_jobs`, whatever time a test takes, and then does something."""
        self.run("rm", "-f", END)
        job = self.submit(f"until [ -e {END} ]; do sleep 1; done; {then}", *options)
        self.wait_for(job, "RUNNING")
        return job

    def end_jobs(self) -> None:
        """Let the jobs end that `start_job` has started."""
        self.run("touch", END)

    def state(self, job: int) -> str:
        """Return the state of a job, from the database."""
        return self.run("sacct", "-X", "-n", "-o", "state%20", "-j", str(job)).strip()

    def accounted(self, job: int) -> str:
        """Return the state of a job from the database, "" while there is no answer."""
        return self.said("sacct", "-X", "-n", "-o", "state%20", "-j", str(job)).strip()

    def is_running(self, job: int) -> bool:
        """Whether slurmctld says of a job that it runs."""
        return self.run("squeue", "-h", "-t", "RUNNING", "-o", "%i", "-j", str(job)).strip() == str(job)

    def wait_for(self, job: int, state: str) -> None:
        """Wait until a job has a state."""
        eventually(f"job {job} is {state}", lambda: self.accounted(job), equals(state))

    def nodes(self) -> dict[str, str]:
        """Return the state of each node, nothing while slurmctld doesn't answer."""
        lines = self.said("sinfo", "-h", "-N", "-o", "%N %T").splitlines()
        return dict(line.split(maxsplit=1) for line in lines)

    def wait_for_node(self, node: str, state: str) -> None:
        """Wait until a node has a state."""
        eventually(f"node {node} is {state}", lambda: self.nodes().get(node), equals(state))

    def wait_until_idle_again(self, node: str) -> None:
        """Wait until a node is idle that was drained or set DOWN; it is resumed unless it comes back by itself."""

        def state() -> str:
            state = self.nodes().get(node, "")
            if state.startswith(("down", "drained")):
                self.answer("slurmctld", "scontrol", "update", f"NodeName={node}", "State=RESUME")
            return state

        eventually(f"node {node} is idle again", state, equals("idle"))

    def wait_for_reason(self, job: int, shown: str) -> None:
        """Wait until slurmctld shows a job with such a state and reason."""
        words = ("squeue", "-h", "-o", "%T %r", "-j", str(job))
        eventually(f"job {job} is {shown}", lambda: self.run(*words).strip(), equals(shown))

    def wait_for_line(self, line: str) -> None:
        """Wait until slurmctld has a line such as ``KillWait = 45 sec`` in its configuration."""
        eventually(line, lambda: " ".join(self.run("scontrol", "show", "config").split()), has(line))

    def wait_for_file(self, node: str, name: str, part: str) -> None:
        """Wait until the slurmd of a node has such a text among the files that it got from slurmctld."""
        self._wait_for_file(node, name, part, lambda: None)

    def wait_for_new_worker(self, node: str, line: str) -> None:
        """Wait until the slurmd of a node that has registered has a line of the slurm.conf that slurmctld has read.

        One that fetched its files in the moment before slurmctld read the new ones, and registered after, is told of
        the next change only: slurmctld is asked to read them again, as docs/troubleshooting.md says.
        """
        reconfigure = ("slurmctld", "scontrol", "reconfigure")
        self._wait_for_file(node, "slurm.conf", line, lambda: self.answer(*reconfigure))

    def _wait_for_file(self, node: str, name: str, part: str, after_each: Callable[[], object]) -> None:
        cached = f"cat /var/spool/slurmd/conf-cache/{name} || true"
        subject = f"{name} with {part} on {node}"
        eventually(subject, lambda: self.beside(node, "sh", "-c", cached), has(part), after_each=after_each)

    def wait_for_pods(self) -> None:
        """Wait until the pods are those of the last update."""
        kinds = ("apps/v1/statefulsets", "apps/v1/deployments", "slinky.slurm.net/v1beta1/nodesets")

        def pending() -> list[Object]:
            items = [item for kind in kinds for item in self.cluster.api.get(f"/apis/{kind}")["items"]]
            return [item for item in items if _pending(item)]

        eventually_nothing("objects without the pods of the last update", pending)

    def wait_for_nodes(self, wanted: Mapping[str, str]) -> None:
        """Wait until the nodes are these and no others."""
        eventually(f"nodes {wanted}", self.nodes, equals(wanted), after_each=self.delete_left_nodes)

    def delete_left_nodes(self) -> None:
        """Delete Slurm's nodes whose worker is gone, as docs/troubleshooting.md says.

        slurmctld keeps a node that registers between its deletion and the end of its slurmd, which a slurmd does when
        it is resumed or reconfigured: see https://github.com/SlinkyProject/slurm-operator/pull/233.
        """
        names = set(self.nodes())
        every = self.cluster.api.get(f"/api/v1/namespaces/{self.namespace}/pods")["items"]
        for name in names - {pod["spec"].get("hostname") for pod in every}:
            self.answer("slurmctld", "scontrol", "delete", f"NodeName={name}")

    def cancel_all(self) -> None:
        """End all jobs and wait until none is there."""
        jobs = self.run("squeue", "-h", "-o", "%A").split()
        if jobs:
            self.root("scancel", *jobs)
        self.wait_for_no_job()

    def wait_for_no_job(self) -> None:
        """Wait until slurmctld has no job that is pending, runs or ends."""
        eventually_nothing("jobs", lambda: self.run("squeue", "-h").splitlines())

    def first_job(self, *options: str) -> int:
        """Submit a job as soon as slurmctld takes one, and return its number."""
        submit = ("sbatch", "--parsable", *options, "--wrap=true")
        return int(eventually("slurmctld takes jobs", lambda: self.said(*submit)))

    def failing(self, command: list[str], code: int) -> str:
        """Run a command that fails and return all that it says."""
        return _output(command, code)


def _pending(item: Object) -> bool:
    status = item.get("status", {})
    # All replicas too: a Deployment keeps its old pod until the new one is ready, and counts that as one that is.
    of_last_update = (status.get(name, 0) for name in ("replicas", "updatedReplicas", "readyReplicas"))
    return status.get("observedGeneration") != item["metadata"]["generation"] or {*of_last_update} != {
        item["spec"]["replicas"]
    }


def _patient(command: Callable[[], list[str]], code: int) -> str:
    """Run a command, again while its pod or a daemon that it asks is away."""

    def attempt() -> subprocess.CompletedProcess[str]:
        try:
            return _run(command())
        except (DevclusterError, LookupError, ValueError) as error:
            # There is no such pod, so nothing was run.
            return subprocess.CompletedProcess((), 1, "", repr(error))

    def is_answer(done: subprocess.CompletedProcess[str]) -> bool:
        return bool(done.args) and not any(text in done.stderr for text in NO_ANSWER)

    return _checked(eventually("an answer to a command in a pod", attempt, is_answer), code)


def _output(command: list[str], code: int) -> str:
    return _checked(_run(command), code)


def _checked(done: subprocess.CompletedProcess[str], code: int) -> str:
    assert done.returncode == code, f"{done.args[-3:]} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
    return done.stdout + (done.stderr if code else "")


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    nothing = subprocess.DEVNULL
    return subprocess.run(command, stdin=nothing, capture_output=True, text=True, check=False, timeout=HANGS)
