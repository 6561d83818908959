"""Accounts, their users, shares and limits, changed by updates."""

import pytest

from devcluster.login import Login
from tests.e2e.program import Program
from tests.jobs.conftest import Settings
from tests.jobs.slurm import Slurm
from tests.waiting import eventually

ENFORCED = {"accountingStorageEnforce": ["associations", "limits", "qos"]}


def shares(slurm: Slurm) -> dict[str, tuple[int, float]]:
    """Return usage and FairShare of each user."""
    lines = slurm.run("sshare", "-a", "-n", "-P", "-o", "User,RawUsage,FairShare").splitlines()
    fields = (line.split("|") for line in lines if not line.startswith("|"))
    return {user: (int(usage), float(share)) for user, usage, share in fields}


@pytest.mark.repeats("tests/slurmd/test_accounts.py, in a cluster of Kubernetes")
@pytest.mark.from_any_settings
def test_users_share_an_account_under_limits_and_leave_it(
    changed: Program, settings: Settings, slurm: Slurm, long_job: int
) -> None:
    bobs = Slurm(slurm.cluster, slurm.namespace, Login(slurm.cluster, "bob", 10002))
    bobs.login.add_user()
    cluster = settings["slurm:cluster"]
    cluster["slurmConf"] = {**ENFORCED, "extra": {"PriorityCalcPeriod": 1}}
    research = cluster["accounting"]["accounts"][0]
    research["users"] = ["alice", "bob"]
    cluster["accounting"]["qos"][0] |= {"maxTresPerUser": {"gres/gpu": 1}, "flags": ["DenyOnLimit"]}
    changed.up(settings)
    slurm.wait_for_line("AccountingStorageEnforce = associations,limits,qos")
    used, _ = shares(slurm)["alice"]
    check_that_a_limit_of_gpus_holds_jobs_back(slurm, "-p", "gpu", "--qos=high")

    def alice_has_less_left(seen: dict[str, tuple[int, float]]) -> bool:
        (usage, share), (_, share_of_bob) = (seen.get(user, (0, 0.0)) for user in ("alice", "bob"))
        return usage > used and share < share_of_bob

    # Slurm counts the running job once a minute.
    eventually("alice, whose job runs, has less left than bob", lambda: shares(slurm), alice_has_less_left)
    job = bobs.submit("true", "-w", "cpu-1")
    bobs.wait_for(job, "COMPLETED")

    research["users"] = ["alice"]
    changed.up(settings)
    assert "Invalid account" in bobs.run("sbatch", "--wrap=true", code=1)
    assert slurm.is_running(long_job)
    slurm.run("srun", "-w", "cpu-1", "true")


def check_that_a_limit_of_gpus_holds_jobs_back(slurm: Slurm, *options: str) -> None:
    refused = slurm.run("sbatch", *options, "--gpus=2", "--wrap=true", code=1)
    assert "QOSMaxGRESPerUser" in refused
    first = slurm.submit("sleep 3600", *options, "--gpus=1")
    slurm.wait_for(first, "RUNNING")
    second = slurm.submit("sleep 3600", *options, "--gpus=1")
    slurm.wait_for_reason(second, "PENDING QOSMaxGRESPerUser")
    slurm.run("scancel", str(first))
    slurm.wait_for(second, "RUNNING")
