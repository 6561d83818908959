"""What keys of slurm.conf need of each other; that slurmctld exits without it is shown in `tests/slurmd/`."""

import pytest

from pulumi_slurm.slurmconf.requirements import unmet
from pulumi_slurm.slurmconf.version import Series

OPERATOR = {
    "MaxNodeCount": "1024",
    "ProctrackType": "proctrack/cgroup",
    "PrologFlags": "Contain",
    "TaskPlugin": "task/affinity,task/cgroup",
    "SlurmctldParameters": "enable_configless,enable_stepmgr",
    "SlurmSchedLogFile": "/var/log/slurm/slurmctld.log",
    "GresTypes": "gpu",
}
CONFINED = {"cgroup.conf": "ConstrainRAMSpace = yes\n"}


def told(lines: dict[str, str], files: dict[str, str] | None = None) -> list[str]:
    return [item.keys[0] for item in unmet({**OPERATOR, **lines}, Series(25, 11), files or {})]


def test_the_lines_of_the_operator_meet_their_requirements() -> None:
    assert told({}) == []


@pytest.mark.parametrize(
    ("lines", "fine"),
    [
        ({"SelectType": "select/linear"}, {"SelectType": "select/cons_tres"}),
        ({"SelectTypeParameters": "CR_Core,CR_Memory"}, {"SelectTypeParameters": "CR_Core,CR_LLN"}),
        ({"SelectTypeParameters": "CR_LLN"}, {"SelectTypeParameters": "CR_CPU"}),
        ({"SelectTypeParameters": "CR_CPU,CR_ONE_TASK_PER_CORE"}, {"SelectTypeParameters": "CR_Core"}),
        ({"TaskPluginParam": "cores,threads"}, {"TaskPluginParam": "cores,verbose"}),
        ({"TaskPluginParam": "OOMKillStep", "TaskPlugin": "affinity"}, {"TaskPluginParam": "OOMKillStep"}),
        ({"TaskPluginParam": "SlurmdOffSpec,SlurmdSpecOverride"}, {"TaskPluginParam": "SlurmdSpecOverride"}),
        ({"PrologFlags": "Contain,NoHold"}, {"PrologFlags": "Contain,Serial"}),
        ({"PrologFlags": "Alloc"}, {"PrologFlags": "RunInJob"}),
        ({"PrologFlags": "X11", "ProctrackType": "proctrack/linuxproc"}, {"PrologFlags": "X11"}),
        ({"CommunicationParameters": "DisableIPv4"}, {"CommunicationParameters": "DisableIPv4,EnableIPv6"}),
        ({"LaunchParameters": "enable_nss_slurm,disable_send_gids"}, {"LaunchParameters": "enable_nss_slurm"}),
        ({"JobAcctGatherParams": "UsePss,NoShared"}, {"JobAcctGatherParams": "UsePss"}),
        ({"FirstJobId": "UNLIMITED"}, {"FirstJobId": "0x10"}),
        ({"FirstJobId": "200", "MaxJobId": "100"}, {"FirstJobId": "100", "MaxJobId": "100"}),
        ({"PriorityDecayHalfLife": "0-00"}, {"PriorityDecayHalfLife": "0", "PriorityUsageResetPeriod": "DAILY"}),
        ({"SlurmSchedLogFile": "/var/log/sched.log"}, {"SlurmSchedLogLevel": "1"}),
        ({"MCSParameters": "enforced"}, {"MCSParameters": "enforced", "MCSPlugin": "mcs/user"}),
        ({"MCSPlugin": "mcs/group"}, {"MCSPlugin": "mcs/none"}),
        (
            {"CertmgrType": "certmgr/script", "CertmgrParameters": "single_use_tokens"},
            {"CertmgrType": "certmgr/script", "CertmgrParameters": "single_use_tokens,sign_csr_script=/x"},
        ),
        ({"GresTypes": "shard"}, {"GresTypes": "shard,gpu"}),
        ({"HealthCheckNodeState": "START_ONLY,IDLE"}, {"HealthCheckNodeState": "START_ONLY,a word that Slurm ignores"}),
        ({"SlurmctldHttpAuthParameters": "x"}, {"SlurmctldHttpAuthParameters": "jwt_key=/etc/slurm/jwt.key"}),
    ],
)
def test_lines_need_each_other(lines: dict[str, str], fine: dict[str, str]) -> None:
    assert told(lines) == [next(iter(lines))]
    assert told(fine) == []


@pytest.mark.parametrize(
    ("lines", "file"),
    [
        ({"NodeFeaturesPlugins": "node_features/helpers"}, "helpers.conf"),
        ({"BurstBufferType": "lua"}, "burst_buffer.lua"),
        ({"JobCompType": "jobcomp/lua"}, "jobcomp.lua"),
        ({"JobCompLoc": "/etc/slurm/jobcomp.sh", "JobCompType": "jobcomp/script"}, "jobcomp.sh"),
    ],
)
def test_plugins_need_their_files(lines: dict[str, str], file: str) -> None:
    assert told(lines) == [next(iter(lines))]
    assert told(lines, {file: "x"}) == []


def test_completed_jobs_need_a_file_that_slurmctld_can_create() -> None:
    # The key that is there is told, or the other one: see `Unmet.keys`.
    (item,) = unmet({**OPERATOR, "JobCompType": "jobcomp/filetxt"}, Series(25, 11), {})
    assert item.keys == ("JobCompLoc", "JobCompType")
    assert told({"JobCompType": "jobcomp/filetxt", "JobCompLoc": "/var/log/slurm/jobs.log"}) == []


def test_memory_is_confined_once() -> None:
    assert told({"JobAcctGatherParams": "OverMemoryKill"}, CONFINED) == ["JobAcctGatherParams"]
    assert told({"JobAcctGatherParams": "OverMemoryKill"}) == []


def test_old_series_need_accounting_without_a_fair_tree() -> None:
    lines = {"PriorityFlags": "NO_FAIR_TREE", "AccountingStorageType": "accounting_storage/none"}
    assert [item.keys for item in unmet(lines, Series(24, 11), {})] == [("PriorityFlags",)]
    assert not list(unmet(lines, Series(25, 11), {}))
    assert not list(unmet({**lines, "AccountingStorageType": "accounting_storage/slurmdbd"}, Series(24, 11), {}))
