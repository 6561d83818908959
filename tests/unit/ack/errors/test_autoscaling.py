"""Autoscaling by Slurm: groups that can be scaled, lines that don't undo it, and time enough."""

from typing import Any

import pytest

from tests.unit.ack.errors.harness import MOUNTS, Case, errors_of

LIMITS = {"limits": {"cpu": "1", "memory": "4Gi"}}

CASES: dict[str, Case] = {
    "14: scaled group that is not there": (
        {"ack": {"powerSaving": {"groups": {"cpus": 4}}}},
        [
            (
                "ack.slurm.powerSaving.groups.cpus = 4: there is no such node set, so slurm.conf would "
                'list nodes that nothing can start. Did you mean "cpu"?'
            ),
        ],
    ),
    "14: fewer nodes than are always there": (
        {"ack": {"powerSaving": {"groups": {"cpu": 1}}}},
        [
            (
                "ack.slurm.powerSaving.groups.cpu = 1: 2 of its nodes are always running, and slurm.conf "
                "would not list all of them. Write 2 or more."
            ),
        ],
    ),
    "14: more nodes than the pool has": (
        {"ack": {"powerSaving": {"groups": {"cpu": 21}}}},
        [
            (
                'ack.slurm.powerSaving.groups.cpu = 21: the pool "cpu" has 20 nodes, and a node has room '
                "for one worker. Write 20 or less."
            ),
        ],
    ),
    "14: nodes by hand": (
        {"cluster": {"slurmConf": {"extra": {"NodeName": "hpc-worker-gpu-[1-10] State=CLOUD"}}}},
        [
            (
                'cluster.slurmConf.extra.NodeName = "hpc-worker-gpu-[1-10] State=CLOUD": this line is the '
                "operator's, and another would break the cluster. Instead set nodeSets: workers register "
                "by themselves."
            ),
        ],
    ),
    "14: MaxNodeCount too small": (
        {"cluster": {"slurmConf": {"extra": {"MaxNodeCount": 11}}}},
        [
            (
                "cluster.slurmConf.extra.MaxNodeCount = 11: the node sets have up to 12 nodes, and "
                "slurmctld would refuse the others. Leave it out: it is derived."
            ),
        ],
    ),
    "14: another SelectType": (
        {"cluster": {"slurmConf": {"extra": {"SelectType": "select/linear"}}}},
        [
            (
                'cluster.slurmConf.extra.SelectType = "select/linear": slurmctld ends with it, since nodes that '
                "register by themselves need select/cons_tres. Leave it out."
            ),
        ],
    ),
    "14: addresses from DNS": (
        {"cluster": {"slurmConf": {"extra": {"SlurmctldParameters": "enable_configless,cloud_dns"}}}},
        [
            (
                'cluster.slurmConf.extra.SlurmctldParameters = "enable_configless,cloud_dns": names of '
                "workers aren't in DNS, and with cloud_dns slurmctld would look for them there. Leave "
                "cloud_dns out."
            ),
        ],
    ),
    "15: programs without a path": (
        {"ack": {"powerSaving": {"suspendProgram": "slurm-suspend.sh", "resumeProgram": "./slurm-resume.sh"}}},
        [
            (
                'ack.slurm.powerSaving.suspendProgram = "slurm-suspend.sh": this is not an absolute path. '
                'Write for example "/slurm-resume.sh".'
            ),
            (
                'ack.slurm.powerSaving.resumeProgram = "./slurm-resume.sh": this is not an absolute path. '
                'Write for example "/slurm-resume.sh".'
            ),
        ],
    ),
    "15: programs without a path in slurm.conf": (
        {"cluster": {"slurmConf": {"extra": {"ResumeProgram": "resume"}}}},
        [
            (
                'cluster.slurmConf.extra.ResumeProgram = "resume": slurmctld needs the absolute path of '
                "this program, without which no node would be started or stopped. Leave it out, and set "
                "ack.slurm.powerSaving.resumeProgram."
            ),
        ],
    ),
    "15: too little time for a machine": (
        {"ack": {"powerSaving": {"resumeTimeout": 600}}, "more": {"pools_from_zero": ["gpu"]}},
        [
            (
                'ack.slurm.powerSaving.resumeTimeout = 600: a machine of pool "gpu" first has to be '
                "created, install its GPU driver and pull the image, and slurmctld would set the node "
                "DOWN before that. Write 900 or more."
            ),
        ],
    ),
    "15: negative rates": (
        {"ack": {"powerSaving": {"suspendRate": -1, "resumeRate": -1}}},
        [
            ("ack.slurm.powerSaving.suspendRate = -1: this is too small. Write 0 or more."),
            ("ack.slurm.powerSaving.resumeRate = -1: this is too small. Write 0 or more."),
        ],
    ),
    "15: another ServiceAccount": (
        {"cluster": {"controller": {"pod": {"serviceAccountName": "mine"}}}},
        [
            (
                'cluster.controller.pod.serviceAccountName = "mine": only the ServiceAccount with the '
                "cluster's name may scale groups and write the copilot's token. Leave it out."
            ),
        ],
    ),
    "15: fields of the scaler": (
        {
            "ack": {
                "overrides": {
                    "workerGroupSpecs": [
                        {
                            "groupName": "cpu",
                            "replicas": -1,
                            "podsToBeCreated": ["hpc-worker-cpu-0"],
                            "podsToBeDeleted": [0],
                            "template": {
                                "spec": {
                                    "containers": [
                                        {"name": "slurmd", "image": "i", "resources": LIMITS, "volumeMounts": MOUNTS}
                                    ]
                                }
                            },
                        }
                    ]
                }
            },
            "cluster": {"nodeSets": [{"name": "cpu", "pool": "cpu"}], "partitions": None},
        },
        [
            ("ack.slurm.overrides.workerGroupSpecs[0].replicas = -1: this is not a number of workers. Leave it out."),
            (
                'ack.slurm.overrides.workerGroupSpecs[0].podsToBeCreated[0] = "hpc-worker-cpu-0": the '
                "operator expects numbers of workers here, and the API server refuses anything else. "
                "Leave it out: Slurm's own programs write it."
            ),
            (
                "ack.slurm.overrides.workerGroupSpecs[0].podsToBeDeleted[0] = 0: the operator expects "
                "names of pods here, and the API server refuses anything else. Leave it out: Slurm's own "
                "programs write it."
            ),
        ],
    ),
}


@pytest.mark.parametrize(("part", "expected"), CASES.values(), ids=CASES)
def test_errors_have_path_value_problem_and_fix(part: dict[str, Any], expected: list[str]) -> None:
    assert errors_of(part) == expected
