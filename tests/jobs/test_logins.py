"""Who logs in to login nodes."""

import subprocess

from devcluster.login import Login, write_key
from tests.e2e.program import Program
from tests.jobs.conftest import Settings
from tests.jobs.slurm import Slurm
from tests.jobs.waiting import eventually


def logs_in(login: Login) -> bool:
    """Whether a user gets in by ssh and is who it should be; a connection to a pod that ends may hang."""
    command = ["timeout", "10", *login.ssh(["id", "-un"])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout == f"{login.user}\n"


def test_a_user_is_known_once_the_directory_has_it(slurm: Slurm) -> None:
    """`make up` waits for that before its job: a login node that started before the directory asks it later."""
    bob = Login(slurm.cluster, "bob", 10002)
    assert not bob.known()
    bob.add_user()
    eventually("the login node knows bob", bob.known)
    assert slurm.root("id", "-u", "bob").strip() == "10002"


def test_root_logs_in_by_a_key_of_the_specification_alone(changed: Program, settings: Settings, slurm: Slurm) -> None:
    root = Login(slurm.cluster, "root")
    write_key(root.key)
    assert not logs_in(root)
    generate = subprocess.run(["ssh-keygen", "-y", "-f", root.key], capture_output=True, text=True, check=True)
    login_set = settings["slurm:cluster"]["loginSets"][0]
    login_set["rootAuthorizedKeys"] = [generate.stdout.strip()]
    changed.up(settings)
    eventually("root gets in", lambda: logs_in(root))
    eventually("the user gets in", lambda: logs_in(slurm.login))

    login_set["rootAuthorizedKeys"] = []
    changed.up(settings)
    eventually("root stays out", lambda: not logs_in(root))
    eventually("the user gets in", lambda: logs_in(slurm.login))
    assert "Permission denied" in slurm.failing(root.ssh(["true"]), 255)
