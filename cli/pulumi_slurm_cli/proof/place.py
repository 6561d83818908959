"""Where the jobs of a proof are submitted: a pod of the cluster, and a user there."""

import re
import shlex
import uuid
from dataclasses import dataclass
from typing import Any

from pulumi_slurm.model import SlurmSpec
from pulumi_slurm_cli.kubectl import Kubectl, KubectlError

SECONDS = 120
"""How long a script may take."""
NOBODY = "nobody"
"""A user whom every image has, whoever else the cluster knows."""
_SLURM = "slurm"
_NO_END = 124
"""The exit code of timeout(1)."""
_READS_SCRIPT = 'script=$(cat); eval "$script"'
"""Runs a script that is its input: words of a command are in an address, which proxies hold to 8 KB."""
_EXITED = re.compile(r"srun: error: .*: Exited with exit code \d+")
"""What srun says of tasks that failed, after all that they have said themselves."""
_SCRIPT = (
    'mark=$1; shift; errors=$(mktemp); "$@" 2>"$errors"; printf "\\n%s %s\\n" "$mark" "$?"; cat "$errors"; rm "$errors"'
)
"""Runs a command; prints its output, then its exit code, which kubectl tells in words alone, then its errors.

The code comes after a mark that nothing in the cluster could write before."""


@dataclass(frozen=True)
class Done:
    """What a script has printed, and its exit code."""

    code: int
    output: str
    errors: str

    @property
    def lines(self) -> list[str]:
        """The lines of its output that aren't empty."""
        return [line for line in self.output.splitlines() if line.strip()]

    @property
    def complaint(self) -> str:
        """What it says of a failure, on one line."""
        lines = list(dict.fromkeys(line.strip() for line in self.errors.splitlines() if line.strip()))
        causes = [line for line in lines if not _EXITED.match(line)] or lines
        why = "it had no end in time" if self.code == _NO_END else f"it ended with {self.code}"
        return "; ".join(causes[-3:]) or why


@dataclass(frozen=True)
class Place:
    """A container of a pod, and a user in it."""

    kubectl: Kubectl
    namespace: str
    pod: str
    container: str
    user: str
    """The user whose jobs they are."""
    becomes: tuple[str, ...] = ()
    """The command by which the container's user becomes that one; nothing where it is already."""

    def run(self, script: str, seconds: int = SECONDS) -> Done:
        """Run a script of sh as the user.

        Raises:
            KubectlError: if it can't be run there.
        """
        words = (*self.becomes, "env", "--chdir=/tmp", "sh", "-c", _READS_SCRIPT)
        return self._execute(*words, seconds=seconds, stdin=script.encode())

    def query(self, script: str, stdin: bytes = b"", seconds: int = 30) -> Done:
        """Run a script of sh, which reads ``stdin``, as the container's own user, to whom slurmctld hides nothing.

        Raises:
            KubectlError: if it can't be run there.
        """
        return self._execute("timeout", str(seconds), "sh", "-c", script, seconds=seconds + SECONDS, stdin=stdin)

    def _execute(self, *command: str, seconds: int, stdin: bytes = b"") -> Done:
        mark = f"exit code {uuid.uuid4().hex}:"
        printed = self.kubectl.run(
            "exec",
            *(("--stdin",) if stdin else ()),
            *(f"--namespace={self.namespace}", self.pod, f"--container={self.container}", "--"),
            *("sh", "-c", _SCRIPT, "sh", mark, *command),
            seconds=seconds,
            stdin=stdin,
        )
        output, is_there, after = printed.decode(errors="replace").partition(f"{mark} ")
        code, _, errors = after.partition("\n")
        if not is_there or not code.isdecimal():
            raise KubectlError(f"pod {self.pod}: a script there ended without an exit code; was it ended from outside?")
        return Done(int(code), output, errors)


def find_place(spec: SlurmSpec, kubectl: Kubectl, user: str | None) -> Place:
    """Return a login pod of a cluster, with a user; without one slurmctld's pod, where only SlurmUser has the key.

    Raises:
        KubectlError: if there is no such pod, or no such user in it.
    """
    if not spec.login_sets:
        if user not in (None, _SLURM):
            problem = f"the cluster has no login set, and in slurmctld's pod {user} has no key of Slurm"
            raise KubectlError(f"{problem}. Leave --user out: the jobs are slurm's then")
        return slurmctld_of(spec, kubectl)
    name = user or NOBODY
    if name in ("root", _SLURM):
        raise KubectlError(f"--user={name}: as {name} everything is allowed, which proves nothing. Name another")
    selector = "--selector=app.kubernetes.io/name=login"
    pods = kubectl.objects(["pods"], f"--namespace={spec.namespace}", selector)
    ready = [pod["metadata"]["name"] for pod in pods if is_ready(pod)]
    if not ready:
        problem = f"namespace {spec.namespace}: no login pod is ready, from which jobs could be submitted"
        raise KubectlError(f"{problem}. See kubectl -n {spec.namespace} get pods")
    place = Place(kubectl, spec.namespace, ready[0], "login", name, ("runuser", "--user", name, "--"))
    identified = place.query(f"id -- {shlex.quote(name)} && command -v runuser srun sbatch")
    if identified.code:
        problem = f"pod {place.pod}: jobs of {name} can't be sent from there: {identified.complaint}"
        raise KubectlError(f"{problem}. Name a user whom it knows with --user")
    return place


def slurmctld_of(spec: SlurmSpec, kubectl: Kubectl) -> Place:
    """Return slurmctld's pod, with its own user."""
    return Place(kubectl, spec.namespace, f"{spec.name}-controller-0", "slurmctld", _SLURM)


def is_ready(pod: Any) -> bool:
    """Return whether a pod is ready and stays."""
    conditions = pod.get("status", {}).get("conditions", [])
    is_leaving = "deletionTimestamp" in pod["metadata"]
    return not is_leaving and any(one["type"] == "Ready" and one["status"] == "True" for one in conditions)
