"""Who logs in to login nodes."""

import subprocess

import pytest

from devcluster.login import Login, write_key
from tests.e2e.program import Program
from tests.jobs.conftest import Settings
from tests.jobs.slurm import Slurm
from tests.jobs.waiting import eventually


def logs_in(login: Login) -> bool:
    """Whether a user gets in by ssh and is who it should be; a connection to a pod that ends may hang."""
    return attempted(login).stdout == f"{login.user}\n"


def is_refused(login: Login) -> bool:
    """Whether sshd lets a user not in, rather than being away."""
    return "Permission denied" in attempted(login).stderr


def attempted(login: Login) -> subprocess.CompletedProcess[str]:
    command = ["timeout", "30", *login.ssh(["id", "-un"])]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.from_any_settings
def test_a_user_is_known_once_the_directory_has_it(slurm: Slurm) -> None:
    """`make up` waits for that before its job: a login node that started before the directory asks it later."""
    carol = Login(slurm.cluster, "carol", 10003)
    assert not carol.known()
    carol.add_user()
    eventually("the login node knows carol", carol.known)
    assert slurm.root("id", "-u", "carol").strip() == "10003"


@pytest.mark.from_any_settings
def test_root_logs_in_by_a_key_of_the_specification_alone(changed: Program, settings: Settings, slurm: Slurm) -> None:
    root = Login(slurm.cluster, "root")
    write_key(root.key)
    assert is_refused(root)
    generate = subprocess.run(["ssh-keygen", "-y", "-f", root.key], capture_output=True, text=True, check=True)
    login_set = settings["slurm:cluster"]["loginSets"][0]
    login_set["rootAuthorizedKeys"] = [generate.stdout.strip()]
    changed.up(settings)
    eventually("root gets in", lambda: logs_in(root))
    eventually("the user gets in", lambda: logs_in(slurm.login))

    login_set["rootAuthorizedKeys"] = []
    changed.up(settings)
    eventually("root stays out", lambda: is_refused(root))
    eventually("the user gets in", lambda: logs_in(slurm.login))
