"""Slurm Bridge as slurmctld sees it: its requests, sent to a real slurmrestd, and looks at what came of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from devcluster.slurm_images import JOB_USER
from tests.slurmd import bridge_requests as requests
from tests.slurmd.bridge_requests import Body, Request
from tests.slurmd.cluster import Cluster
from tests.slurmd.controller import KEYS
from tests.slurmd.rest import token
from tests.waiting import T, equals, eventually_nothing

SOON = "SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,sched_interval=2,bf_interval=1\n"
"""So that tests don't wait for the scheduler's next round."""
WAITING_REASONS = ("Resources", "ReqNodeNotAvail", "Nodes required for job are DOWN")
"""With these slurmctld has tried to start a job and could not; before, there is no reason or another job's priority."""


class Bridge:
    """The bridge's place in a cluster whose slurmctld and slurmrestd run."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster

    def ask(self, request: Request) -> tuple[int, Body]:
        """Return the status and the answer of a request."""
        assert self.cluster.rest
        key = KEYS["jwt.key"]
        assert isinstance(key, bytes)
        return self.cluster.rest.request(
            request.method, request.path, token(key), request.body, api=requests.API, user="slurm"
        )

    def send(self, *sent: Request) -> Body:
        """Send requests that have to be taken, and return the last answer."""
        answer: Body = {}
        for request in sent:
            status, answer = self.ask(request)
            assert (status, answer.get("errors")) == (200, []), (request, status, answer)
        return answer

    def refusal(self, request: Request) -> tuple[int, str]:
        """Send a request that has to be refused, and return Slurm's number and text of the error."""
        status, answer = self.ask(request)
        assert status != 200, (request, answer)
        error = answer["errors"][0]
        return error["error_number"], error["error"]

    def node(self, name: str) -> Body:
        """Return a node; empty when Slurm does not have it."""
        nodes = self.ask(Request("GET", f"node/{name}"))[1].get("nodes")
        return dict(nodes[0]) if nodes else {}

    def job(self, number: int) -> Body:
        """Return a job."""
        (job,) = self.send(Request("GET", f"job/{number}"))["jobs"]
        return dict(job)

    def submit(self, pods: Sequence[str], nodes: Sequence[str], partition: str = "pods", **info: Any) -> int:
        """Submit the job of some pods and return its number."""
        return int(self.send(requests.submit(requests.job(pods, nodes, partition, **info)))["job_id"])

    def sbatch(self, *arguments: str) -> int:
        """Submit an ordinary job."""
        command = ("sbatch", "--parsable", "--output=/dev/null", *arguments, "--wrap=sleep 3600")
        return int(self.cluster.run(*command, user=JOB_USER))

    def state(self, number: int) -> str:
        """Return the state of a job, such as RUNNING."""
        return str(self.job(number)["job_state"][0])

    def verdict(self, number: int) -> str:
        """Return where a job runs, or how it ended, or why it waits, as soon as slurmctld has tried to start it."""

        def state_reason_and_nodes() -> tuple[str, str, str]:
            job = self.job(number)
            return job["job_state"][0], job["state_reason"], job["nodes"]

        def was_tried(seen: tuple[str, str, str]) -> bool:
            return seen[0] != "PENDING" or seen[1].startswith(WAITING_REASONS)

        state, _, nodes = self.eventually(f"a trial of job {number}", state_reason_and_nodes, was_tried)
        if state == "PENDING":
            return "waits"
        return f"on {nodes}" if state == "RUNNING" else state

    def eventually_is(self, number: int, state: str) -> None:
        """Wait until a job has a state."""
        self.eventually(f"job {number} being {state}", lambda: self.state(number), equals(state))

    def eventually(self, subject: str, look: Callable[[], T | None], until: Callable[[T], object] = bool) -> T:
        """Look until what is seen is as wanted, and return it."""
        daemon = self.cluster.controller.daemon
        assert daemon
        return daemon.eventually(subject, look, until)

    def clear(self) -> None:
        """End all jobs, and wait for their end: slurmd 26.05 may hang when it is told to end in between."""
        host = self.cluster.controller.host
        host.attempt(["scancel", "--user=slurm"])
        host.attempt(["scancel", f"--user={JOB_USER}"])
        eventually_nothing("jobs", lambda: host.attempt(["squeue", "--noheader"]).stdout)
