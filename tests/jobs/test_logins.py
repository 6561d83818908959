"""Who logs in to login nodes."""

import subprocess

import pytest

from devcluster.login import Login, write_key
from tests.e2e.program import Program
from tests.jobs.conftest import Settings
from tests.jobs.slurm import Slurm
from tests.waiting import eventually

REFUSED = "Permission denied"
"""What ssh says where sshd lets a user not in, rather than being away."""


def attempted(login: Login) -> subprocess.CompletedProcess[str]:
    """Ask by ssh who the user is. A connection to a pod that ends may hang, and is then given up."""
    command = ["timeout", "120", *login.ssh(["id", "-un"])]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def wait_until_it_gets_in(login: Login) -> None:
    """Wait until a user gets in by ssh and is who it should be."""
    eventually(f"{login.user} gets in", lambda: attempted(login), lambda done: done.stdout == f"{login.user}\n")


@pytest.mark.from_any_settings
def test_a_user_is_known_once_the_directory_has_it(slurm: Slurm) -> None:
    """`make up` waits for that before its job: a login node that started before the directory asks it later."""
    carol = Login(slurm.cluster, "carol", 10003)
    assert not carol.known()
    carol.add_user()
    eventually("the login node knows carol", carol.known)
    assert slurm.root("id", "-u", "carol").strip() == "10003"


@pytest.mark.repeats("tests/jobs/test_first_steps.py, with root and its key")
@pytest.mark.from_any_settings
def test_root_logs_in_by_a_key_of_the_specification_alone(changed: Program, settings: Settings, slurm: Slurm) -> None:
    root = Login(slurm.cluster, "root")
    write_key(root.key)
    assert REFUSED in attempted(root).stderr
    generate = subprocess.run(["ssh-keygen", "-y", "-f", root.key], capture_output=True, text=True, check=True)
    login_set = settings["slurm:cluster"]["loginSets"][0]
    login_set["rootAuthorizedKeys"] = [generate.stdout.strip()]
    changed.up(settings)
    wait_until_it_gets_in(root)
    wait_until_it_gets_in(slurm.login)

    login_set["rootAuthorizedKeys"] = []
    changed.up(settings)
    eventually("root stays out", lambda: attempted(root), lambda done: REFUSED in done.stderr)
    wait_until_it_gets_in(slurm.login)
