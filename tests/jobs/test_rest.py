"""Tokens of the specification: what a program does with them at slurmrestd, and how long they are good."""

import base64
import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from devcluster.login import USER_ID
from tests.e2e.objects import Objects
from tests.e2e.program import Program
from tests.jobs.conftest import Settings
from tests.jobs.slurm import Slurm
from tests.waiting import equals, eventually, eventually_nothing

CLIENT = """\
import sys, urllib.error, urllib.request
method, path, token, body = sys.argv[1:]
headers = {"X-SLURM-USER-TOKEN": token, "Content-Type": "application/json"}
url = "http://slurm-restapi:6820/slurm/v0.0.44/" + path
request = urllib.request.Request(url, body.encode() or None, headers, method=method)
try:
    answer = urllib.request.urlopen(request)
except urllib.error.HTTPError as error:
    answer = error
print(answer.status, answer.read().decode())
"""
JOB = {
    "script": "#!/bin/sh\nid -u >/home/alice/from-rest\n",
    "job": {"current_working_directory": "/home/alice", "environment": ["PATH=/usr/bin:/bin"]},
}


def ask(slurm: Slurm, method: str, path: str, token: str, body: object = None) -> tuple[int, str]:
    """Return status and answer of a request that a program on the login node makes."""
    words = ("python3", "-c", CLIENT, method, path, token, json.dumps(body) if body else "")
    status, _, answer = slurm.run(*words).partition(" ")
    return int(status), answer


def answers(slurm: Slurm, token: str) -> bool:
    """Whether slurmrestd shows jobs to whoever has this token."""
    return ask(slurm, "GET", "jobs/", token)[0] == 200


def wait_until_taken(slurm: Slurm, token: Callable[[], str]) -> None:
    """Wait until slurmrestd shows jobs to whoever has this token, or the one by which it is replaced."""
    eventually("the token is taken", lambda: ask(slurm, "GET", "jobs/", token()), lambda answer: answer[0] == 200)


def token(objects: Objects, secret: str) -> str:
    """Return the token in a Secret, as soon as the operator has written it."""
    item = eventually(secret, lambda: objects.find("Secret", "slurm", secret))
    return base64.b64decode(item["data"]["SLURM_JWT"]).decode()


def is_expired(token: str) -> bool:
    """Whether a token says itself that it is no longer good."""
    claims = token.split(".")[1]
    return bool(json.loads(base64.urlsafe_b64decode(claims + "=="))["exp"] <= time.time())


def known_to_slurmctld(slurm: Slurm, objects: Objects) -> dict[str, Any]:
    """Return overrides by which slurmctld's pod knows the user, as an image with users would."""
    users = slurm.beside("slurmctld", "cat", "/etc/passwd") + f"alice:x:{USER_ID}:{USER_ID}::/home/alice:/bin/sh\n"
    groups = slurm.beside("slurmctld", "cat", "/etc/group") + f"alice:x:{USER_ID}:\n"
    metadata = {"name": "users", "namespace": "slurm"}
    files = {"passwd": users, "group": groups}
    objects.apply({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": files})
    mounts = [{"name": "users", "mountPath": f"/etc/{file}", "subPath": file} for file in files]
    volumes = [{"name": "users", "configMap": {"name": "users"}}]
    return {"slurmctld": {"volumeMounts": mounts}, "template": {"spec": {"volumes": volumes}}}


def test_a_program_acts_for_a_user(changed: Program, settings: Settings, slurm: Slurm, objects: Objects) -> None:
    cluster = settings["slurm:cluster"]
    cluster["tokens"].append({"name": "alice", "username": "alice"})
    warned = changed.up(settings)
    assert "knows no users of a directory, and jobs with this token never start" in warned.output
    alice = token(objects, "slurm-token-alice")
    status, answer = ask(slurm, "POST", "job/submit", alice, JOB)
    assert (status, "Rejecting authentication of user nobody" in answer) == (500, True)

    before = slurm.uids()
    cluster["controller"] = {"overrides": known_to_slurmctld(slurm, objects)}
    changed.up(settings)
    slurm.wait_for_another("slurm-controller-0", before)
    slurm.wait_for_pods()
    of_root = slurm.root("sbatch", "--parsable", "--output=/dev/null", "--chdir=/", "-w", "cpu-0", "--wrap=sleep 3600")
    status, answer = ask(slurm, "POST", "job/submit", alice, JOB)
    assert status == 200, answer
    job = json.loads(answer)["job_id"]
    slurm.wait_for(job, "COMPLETED")
    shown = json.loads(ask(slurm, "GET", f"job/{job}", alice)[1])["jobs"][0]
    # slurmrestd's pod knows no name for the user.
    assert (shown["user_id"], shown["account"], shown["job_state"]) == (USER_ID, "research", ["COMPLETED"])
    assert slurm.run("cat", "/home/alice/from-rest") == f"{USER_ID}\n"

    ask(slurm, "DELETE", f"job/{of_root.strip()}", alice)
    assert slurm.is_running(int(of_root))
    assert ask(slurm, "DELETE", f"job/{of_root.strip()}", token(objects, "slurm-token-admin"))[0] == 200
    slurm.wait_for_no_job()


@pytest.mark.repeats("tests/slurmd/test_tokens.py, in pods")
def test_a_token_expires_unless_the_operator_renews_it(
    changed: Program, settings: Settings, slurm: Slurm, objects: Objects
) -> None:
    once = {"name": "once", "username": "alice", "lifetime": "60s", "refresh": False}
    renewed = {"name": "renewed", "username": "alice", "lifetime": "60s"}
    settings["slurm:cluster"]["tokens"] += [once, renewed]
    changed.up(settings)
    first = {name: token(objects, f"slurm-token-{name}") for name in ("once", "renewed")}
    # On a slow machine they have expired before anybody could use them.
    assert all(answers(slurm, text) or is_expired(text) for text in first.values())
    eventually_nothing("tokens that are taken", lambda: [name for name in first if answers(slurm, first[name])])
    assert token(objects, "slurm-token-once") == first["once"]
    # It may be about to be renewed again.
    wait_until_taken(slurm, lambda: token(objects, "slurm-token-renewed"))


@pytest.mark.repeats("tests/slurmd/test_tokens.py, in pods")
def test_a_rotated_key_replaces_slurmctld_and_slurmdbd_alone_and_ends_the_tokens_of_the_old_one(
    changed: Program, settings: Settings, slurm: Slurm, objects: Objects, long_job: int
) -> None:
    before = slurm.uids()
    old = token(objects, "slurm-token-admin")
    assert answers(slurm, old)
    settings["slurm:cluster"]["keys"] = {"jwt": {"generation": 2}}
    changed.up(settings)
    expected = {"slurm-controller-0", "slurm-accounting-0"}
    # The operator replaces them a moment after the update.
    eventually("their new pods", lambda: replaced(before, slurm.uids()), equals(expected))
    slurm.wait_for_pods()
    new = token(objects, "slurm-token-admin-2")
    wait_until_taken(slurm, lambda: new)
    assert not answers(slurm, old)
    assert replaced(before, slurm.uids()) == expected
    assert slurm.is_running(long_job)
    slurm.run("srun", "-w", "cpu-1", "true")


def replaced(before: dict[str, str], after: dict[str, str]) -> set[str]:
    """Return the pods that are new; none while one is missing."""
    return {name for name in before if before[name] != after[name]} if before.keys() <= after.keys() else set()
