"""Where the jobs of a proof are submitted: a pod of the cluster, and a user there."""

import shlex
from dataclasses import dataclass
from typing import Any

from pulumi_slurm.model import SlurmSpec
from pulumi_slurm_cli.kubectl import Kubectl, KubectlError

SECONDS = 120
"""How long a script may take."""
NOBODY = "nobody"
"""A user whom every image has, whoever else the cluster knows."""
_SLURM = "slurm"
_SCRIPT = '"$@" 2>&1; printf "\\n%s" "$?"'
"""Runs a command and prints its exit code on a last line, which kubectl tells in words alone."""


@dataclass(frozen=True)
class Done:
    """What a script has printed, on both streams, and its exit code."""

    code: int
    output: str

    @property
    def lines(self) -> list[str]:
        """The lines that aren't empty."""
        return [line for line in self.output.splitlines() if line.strip()]


@dataclass(frozen=True)
class Place:
    """A container of a pod, and a user in it."""

    kubectl: Kubectl
    namespace: str
    pod: str
    container: str
    user: str
    """The user whose jobs they are."""

    def run(self, script: str, seconds: int = SECONDS) -> Done:
        """Run a script of sh as the user.

        Raises:
            KubectlError: if it can't be run there.
        """
        as_user = () if self.user == _SLURM else ("runuser", "--user", self.user, "--")
        command = (*as_user, "env", "--chdir=/tmp", "sh", "-c", script)
        printed = self.kubectl.run(
            "exec",
            *(f"--namespace={self.namespace}", self.pod, f"--container={self.container}", "--"),
            *("sh", "-c", _SCRIPT, "sh", *command),
            seconds=seconds,
        )
        output, _, code = printed.decode(errors="replace").rpartition("\n")
        if not code.isdecimal():
            raise KubectlError(f"pod {self.pod}: a script there ended without an exit code; was it ended from outside?")
        return Done(int(code), output)

    def __str__(self) -> str:
        """Return how messages call it."""
        return f"{self.user} in pod {self.pod}"


def find_place(spec: SlurmSpec, kubectl: Kubectl, user: str | None) -> Place:
    """Return a login pod of a cluster, with a user; without one slurmctld's pod, where only SlurmUser has the key.

    Raises:
        KubectlError: if neither is there.
    """
    selector = "--selector=app.kubernetes.io/name=login"
    pods = kubectl.objects(["pods"], f"--namespace={spec.namespace}", selector) if spec.login_sets else []
    if ready := [pod["metadata"]["name"] for pod in pods if _is_ready(pod)]:
        return Place(kubectl, spec.namespace, ready[0], "login", user or NOBODY)
    if spec.login_sets:
        raise KubectlError(
            f"namespace {spec.namespace}: no login pod is ready, from which jobs could be submitted. "
            f"See kubectl -n {spec.namespace} get pods"
        )
    if user not in (None, _SLURM):
        problem = f"the cluster has no login set, and in slurmctld's pod {shlex.quote(str(user))} has no key of Slurm"
        raise KubectlError(f"{problem}. Leave --user out: the jobs are slurm's then")
    return Place(kubectl, spec.namespace, f"{spec.name}-controller-0", "slurmctld", _SLURM)


def _is_ready(pod: Any) -> bool:
    conditions = pod.get("status", {}).get("conditions", [])
    is_leaving = "deletionTimestamp" in pod["metadata"]
    return not is_leaving and any(one["type"] == "Ready" and one["status"] == "True" for one in conditions)
