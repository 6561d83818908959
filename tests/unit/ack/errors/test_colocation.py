"""Colocation: what the copilot needs, GRES that both files have, and the requests of jobs."""

from typing import Any

import pytest

from tests.unit.ack.errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "10: copilot without slurmrestd": (
        {"ack": {"copilot": {}, "slurmrestd": False}},
        [
            (
                "ack.slurm.slurmrestd = false: the copilot changes nodes through slurmrestd. Write true, "
                "or leave copilot out."
            ),
        ],
    ),
    "10: copilot without its lines in gres.conf": (
        {"ack": {"copilot": {}}, "cluster": {"configFiles": {"gres.conf": "AutoDetect=nvml\n"}}},
        [
            (
                'cluster.configFiles["gres.conf"] = "k8scpu": the copilot counts in k8scpu, and there is '
                "no line for it. Add the line Name=k8scpu Flags=CountOnly."
            ),
            (
                'cluster.configFiles["gres.conf"] = "k8smemory": the copilot counts in k8smemory, and '
                "there is no line for it. Add the line Name=k8smemory Flags=CountOnly."
            ),
        ],
    ),
    "10: copilot on an old Kubernetes": (
        {"ack": {"copilot": {}}, "more": {"kubernetes_version": "1.24.6-aliyun.1"}},
        [
            (
                'ack.controlPlane.version = "1.24.6-aliyun.1": colocated scheduling needs Kubernetes 1.26. '
                "Write 1.26 or later."
            ),
        ],
    ),
    "10: copilot in another domain": (
        {"ack": {"copilot": {}}, "more": {"cluster_domain": "hpc.local"}},
        [
            (
                'ack.controlPlane.clusterDomain = "hpc.local": the copilot looks for slurmrestd in the '
                'domain svc.cluster.local, whatever the cluster\'s domain is. Write "cluster.local".'
            ),
        ],
    ),
    "10: copilot looks elsewhere": (
        {"ack": {"copilot": {}, "operator": {"watchNamespace": "default"}}},
        [
            (
                'ack.slurm.operator.watchNamespace = "default": the copilot only looks for clusters in '
                'this namespace, and this one is in jobs. Leave it out, or write "jobs".'
            ),
        ],
    ),
    "10: copilot switched off": (
        {"ack": {"copilot": {}, "operator": {"values": {"enableCopilot": False}}}},
        [
            (
                "ack.slurm.operator.values.enableCopilot = false: the copilot is a part of the operator, "
                "and this disables it. Leave it out."
            ),
        ],
    ),
    "10: features that the copilot's plugin doesn't report": (
        {
            "ack": {"copilot": {}},
            "cluster": {
                "nodeSets": [{"name": "cpu", "pool": "cpu", "features": ["fast"]}],
                "partitions": None,
                "accounting": None,
            },
        },
        [
            (
                'cluster.nodeSets[0].features = ["fast"]: with the copilot slurmd reports no feature but k8s, so '
                "slurmctld would set these nodes INVAL. Leave it out, and let jobs choose a partition."
            ),
        ],
    ),
    "11: counters without the copilot": (
        {"cluster": {"configFiles": {"gres.conf": "AutoDetect=nvml\nName=k8scpu Flags=CountOnly\n"}}},
        [
            (
                'cluster.configFiles["gres.conf"] = "k8scpu": slurm.conf doesn\'t have the GRES k8scpu '
                "(GresTypes), so no job could request it. Add ack.slurm.copilot, or leave the line out."
            ),
        ],
    ),
    "11: counters with files and types": (
        {
            "ack": {"copilot": {}},
            "cluster": {
                "configFiles": {"gres.conf": "Name=k8scpu Flags=CountOnly Type=fast\nName=k8smemory File=/dev/null\n"}
            },
        },
        [
            (
                'cluster.configFiles["gres.conf"] = "Type=fast": k8scpu is a counter without files and '
                "types. Leave Type out."
            ),
            (
                'cluster.configFiles["gres.conf"] = "File=/dev/null": k8smemory is a counter without files '
                "and types. Leave File out."
            ),
        ],
    ),
    "11: GPUs that no node has": (
        {
            "cluster": {
                "nodeSets": [{"name": "cpu", "pool": "cpu"}],
                "partitions": None,
                "accounting": None,
                "configFiles": {"gres.conf": "Name=gpu File=/dev/nvidia0\n"},
            }
        },
        [
            (
                'cluster.configFiles["gres.conf"] = "gpu": slurm.conf doesn\'t have the GRES gpu '
                "(GresTypes), so no job could request it. Configure the GPUs of a node set's machine or "
                "pool, or leave the line out."
            ),
        ],
    ),
    "12: request that is not the job's": (
        {
            "job": {"ntasks": 4, "cpus-per-task": 2, "mem-per-cpu": 500, "gres": "k8scpu:4,k8smemory:4000"},
            "plugin": False,
        },
        [
            (
                'gres = "k8scpu:4,k8smemory:4000": the job has 8 CPUs and 4000 MiB on each node. Write '
                "--gres=k8scpu:8,k8smemory:4000."
            ),
        ],
    ),
    "12: no request and no plugin": (
        {"job": {"ntasks": 4, "cpus-per-task": 2, "mem-per-cpu": 500}, "plugin": False},
        [
            (
                "gres: without the submit plugin only --gres requests the two GRES, and pods would get "
                "the same CPUs. Write --gres=k8scpu:8,k8smemory:4000."
            ),
        ],
    ),
    "12: job without its amounts": (
        {"job": {"nodes": 2}, "plugin": True},
        [
            ("ntasks: the submit plugin refuses the job, or requests amounts that no node has. Add --ntasks."),
            (
                '["cpus-per-task"]: the submit plugin refuses the job, or requests amounts that no node '
                "has. Add --cpus-per-task."
            ),
            ("mem: the submit plugin refuses the job, or requests amounts that no node has. Add --mem."),
        ],
    ),
    "12: options at which the plugin fails": (
        {
            "job": {
                "ntasks": 1,
                "cpus-per-task": 3,
                "mem": 4000,
                "gpus": 1,
                "gpus-per-socket": 1,
                "cpus-per-gpu": 1,
                "mem-per-gpu": 1,
                "mem-per-cpu": 1,
                "gres": "k8scpu:3",
            },
            "plugin": True,
        },
        [
            ('gpus = "1": the submit plugin refuses the job. Write --gpus-per-task.'),
            ('["gpus-per-socket"] = "1": the submit plugin refuses the job. Write --gpus-per-task.'),
            (
                '["cpus-per-gpu"] = "1": Alibaba\'s submit plugin reads a text that isn\'t set, which '
                "crashes slurmctld. Write --cpus-per-task."
            ),
            (
                '["mem-per-gpu"] = "1": Alibaba\'s submit plugin reads a text that isn\'t set, which '
                "crashes slurmctld. Write --mem."
            ),
            (
                '["mem-per-cpu"] = "1": the submit plugin would request memory that no node has. Write '
                "--mem, the memory on each node."
            ),
            (
                'gres = "k8scpu:3": the submit plugin requests the same again, and the job would be '
                "counted twice. Leave k8scpu and k8smemory out."
            ),
        ],
    ),
}


@pytest.mark.parametrize(("part", "expected"), CASES.values(), ids=CASES)
def test_errors_have_path_value_problem_and_fix(part: dict[str, Any], expected: list[str]) -> None:
    assert errors_of(part) == expected
