"""Changes of a specification that no rule refuses, of which slurmctld takes some and refuses others.

What it refuses no rule can know: what an image of the user's lacks, what a script in Lua needs, what the state holds.
"""

from collections.abc import Mapping
from typing import Any

MACHINE = {"cpus": 4, "memory": "8Gi"}
BASE: Mapping[str, Any] = {
    "name": "c",
    "namespace": "slurm",
    "nodeSets": [
        {"name": "cpu", "replicas": 2, "machine": MACHINE},
        {"name": "gpu", "replicas": 1, "machine": MACHINE},
    ],
    "partitions": [{"name": "main", "nodeSets": ["ALL"], "default": True}],
}
_OWN_IMAGE = {"controller": {"image": "registry.example/slurmctld:1"}}
_LUA = """\
function slurm_job_submit(job, partitions, uid) return slurm.SUCCESS end
function slurm_job_modify(job, record, partitions, uid) return slurm.SUCCESS end
"""


def _line(**lines: str) -> dict[str, Any]:
    return {"slurmConf": {"extra": lines}}


def _plugin(**lines: str) -> dict[str, Any]:
    return {**_line(**lines), **_OWN_IMAGE}


def _lua(text: str) -> dict[str, Any]:
    return {**_line(JobSubmitPlugins="lua"), "configFiles": {"job_submit.lua": text}}


def _partition(**options: Any) -> dict[str, Any]:
    return {"partitions": [{"name": "main", "nodeSets": ["ALL"], "default": True, **options}]}


CHANGES: Mapping[str, Mapping[str, Any]] = {
    "a plugin for MCS": _plugin(MCSPlugin="mcs/nosuch"),
    "a plugin that selects": _plugin(SelectType="select/nosuch"),
    "a plugin for switches": _plugin(SwitchType="switch/nosuch"),
    "a plugin that schedules": _plugin(SchedulerType="sched/nosuch"),
    "a plugin for prologs": _plugin(PrEpPlugins="prep/nosuch"),
    "a filter of clients": _plugin(CliFilterPlugins="cli_filter/nosuch"),
    "a plugin for containers": _plugin(JobContainerType="job_container/nosuch"),
    "a plugin for hashes": _plugin(HashPlugin="hash/nosuch"),
    "a plugin that gathers": _plugin(JobAcctGatherType="jobacct_gather/nosuch"),
    "a plugin for energy": _plugin(AcctGatherEnergyType="acct_gather_energy/nosuch"),
    "a plugin for tasks": _plugin(TaskPlugin="task/nosuch"),
    "a plugin for features": _plugin(NodeFeaturesPlugins="node_features/nosuch"),
    "a plugin for profiles": _plugin(AcctGatherProfileType="acct_gather_profile/nosuch"),
    "a plugin for submissions": _plugin(JobSubmitPlugins="nosuch"),
    "a plugin for topology": _plugin(TopologyPlugin="topology/nosuch"),
    "a plugin for burst buffers": _plugin(BurstBufferType="burst_buffer/nosuch"),
    "Lua that works": _lua(_LUA),
    "Lua that needs a module": _lua(f'require("nosuch")\n{_LUA}'),
    "Lua that fails": _lua(f'error("not yet")\n{_LUA}'),
    "Lua that reads a file": _lua(f'io.open("/nosuch"):read()\n{_LUA}'),
    "licenses": _line(Licenses="matlab:10,ansys:2"),
    "GRES that nobody has": _line(GresTypes="gpu,foo"),
    "a window beyond all": {"slurmConf": {"schedulerParameters": ["bf_window=99999999"]}},
    "an interval of its own": {"slurmConf": {"schedulerParameters": ["sched_interval=10", "bf_interval=7", "defer"]}},
    "another hash": _line(HashPlugin="hash/sha3"),
    "a program that starts nodes": _line(
        SuspendProgram="/nosuch", ResumeProgram="/nosuch", SuspendTime="60", ResumeTimeout="10"
    ),
    "parameters that nobody knows": _line(SlurmctldParameters="nosuch", FederationParameters="nosuch"),
    "frequencies of GPUs": _line(GpuFreqDef="low"),
    "jobs that are forgotten soon": _line(MinJobAge="2"),
    "a wide tree": _line(TreeWidth="65533"),
    "a long wait for messages": _line(MessageTimeout="100"),
    "exit codes that requeue": _line(RequeueExit="1-5"),
    "an epilog of reservations": _line(ResvEpilog="/nosuch"),
    "time slices": {"slurmConf": {"preemptMode": "GANG"}},
    "a limit": _partition(maxTime="1:00:00"),
    "a partition that is down": _partition(state="DOWN"),
    "a partition of a name of its own": {"partitions": [{"name": "other", "nodeSets": ["ALL"], "default": True}]},
    "another node set": {"nodeSets": [*BASE["nodeSets"], {"name": "big", "replicas": 1, "machine": MACHINE}]},
    "helpers of features": {
        **_line(NodeFeaturesPlugins="node_features/helpers"),
        "configFiles": {"helpers.conf": "Feature=a Helper=/nosuch\n"},
    },
    "helpers that nobody may ask": {
        **_line(NodeFeaturesPlugins="node_features/helpers"),
        "configFiles": {"helpers.conf": "AllowUserBoot=nosuch\nFeature=a Helper=/nosuch\n"},
    },
}
