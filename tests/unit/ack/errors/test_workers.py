"""Workers: limits, and whole CPUs."""

from typing import Any

import pytest

from tests.unit.ack.errors.harness import MOUNTS, Case, errors_of

CASES: dict[str, Case] = {
    "13: workers that share their nodes with pods of slurm-bridge": (
        {
            "cluster": {
                "bridge": {"partition": "cpu", "namespaces": [{"name": "pods"}]},
                "nodeSets": [
                    {"name": "cpu", "pool": "cpu", "scalingMode": "DaemonSet", "bridged": True, "partition": {}}
                ],
                "partitions": [],
                "loginSets": [],
            }
        },
        [
            (
                'cluster.nodeSets[0].scalingMode = "DaemonSet": ack-slurm-operator creates a number of workers, not '
                "one for each node. Write StatefulSet and the number of nodes."
            ),
            "cluster.nodeSets[0].bridged = true: slurm-bridge needs slurm-operator. Leave it out.",
            (
                'cluster.bridge = "cpu": slurm-bridge needs slurm-operator, and a newer Slurm than ack-slurm-operator '
                "runs. Leave it out, or run slurm-operator."
            ),
        ],
    ),
    "13: requests beyond the limits": (
        {"ack": {"copilot": {"requests": {"cpu": 17}}, "workers": {"gpu": {"requests": {"memory": "1Ti"}}}}},
        [
            (
                'ack.slurm.copilot.requests.cpu = "17": nodes of "cpu" have 16 CPUs, and a pod can\'t request more '
                "than its limit. Write less; slurmd itself needs little."
            ),
            (
                'ack.slurm.workers.gpu.requests.memory = "1Ti": nodes of "gpu" have 524288Mi, and a pod can\'t '
                "request more than its limit. Write less; slurmd itself needs little."
            ),
        ],
    ),
    "13: worker without limits": (
        {
            "ack": {
                "overrides": {
                    "workerGroupSpecs": [
                        {
                            "groupName": "cpu",
                            "template": {
                                "spec": {"containers": [{"name": "slurmd", "image": "i", "volumeMounts": MOUNTS}]}
                            },
                        }
                    ]
                }
            },
            "cluster": {"nodeSets": [{"name": "cpu", "pool": "cpu"}], "partitions": None},
        },
        [
            (
                "ack.slurm.overrides.workerGroupSpecs[0].template.spec.containers[0].resources.limits.cpu: "
                "without it Slurm would use the whole machine for the worker. Leave resources as they are."
            ),
            (
                "ack.slurm.overrides.workerGroupSpecs[0].template.spec.containers[0].resources.limits.memory: "
                "without it Slurm would use the whole machine for the worker. Leave resources as they are."
            ),
        ],
    ),
    "13: worker with half a CPU": (
        {
            "ack": {
                "overrides": {
                    "workerGroupSpecs": [
                        {
                            "groupName": "cpu",
                            "template": {
                                "spec": {
                                    "containers": [
                                        {
                                            "name": "slurmd",
                                            "image": "i",
                                            "resources": {"limits": {"cpu": "1500m", "memory": "4Gi"}},
                                            "volumeMounts": MOUNTS,
                                        }
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
            (
                "ack.slurm.overrides.workerGroupSpecs[0].template.spec.containers[0].resources.limits.cpu "
                '= "1500m": Slurm counts whole CPUs, and would round this up past what the pod may use. '
                "Write a whole number."
            ),
        ],
    ),
    "13: machine with half a CPU": (
        {"cluster": {"nodeSets": [{"name": "cpu", "machine": {"cpus": 1.5, "memory": "4Gi"}}], "partitions": None}},
        [
            (
                "cluster.nodeSets[0].machine.cpus = 1.5: this is not a whole number. Write a whole number, "
                "without quotes."
            ),
        ],
    ),
}


@pytest.mark.parametrize(("part", "expected"), CASES.values(), ids=CASES)
def test_errors_have_path_value_problem_and_fix(part: dict[str, Any], expected: list[str]) -> None:
    assert errors_of(part) == expected
