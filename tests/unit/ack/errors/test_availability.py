"""Several controllers: their names, their number, and the state that they share."""

from typing import Any

import pytest

from tests.unit.ack.errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "18: one controller of another name": (
        {"ack": {"controllerHosts": ["head"]}},
        [
            (
                'ack.slurm.controllerHosts[0] = "head": the host name of a single controller is the '
                "cluster's, hpc, and slurmctld exits on other hosts. Leave controllerHosts out."
            ),
        ],
    ),
    "18: two controllers of one name": (
        {"ack": {"controllerHosts": ["a", "a"]}, "cluster": {"controller": {"state": {"accessMode": "ReadWriteMany"}}}},
        [
            ('ack.slurm.controllerHosts[1] = "a": this host is in the list twice. Keep one of them.'),
        ],
    ),
    "18: two controllers and a state for one": (
        {"ack": {"controllerHosts": ["a", "b"]}},
        [
            (
                'cluster.controller.state.accessMode = "ReadWriteOnce": several controllers share their '
                "state, and only one could mount this volume. Write ReadWriteMany, and a storageClass of "
                "NAS."
            ),
        ],
    ),
    "18: two controllers without a state": (
        {"ack": {"controllerHosts": ["a", "b"]}, "cluster": {"controller": {"state": {"enabled": False}}}},
        [
            (
                "cluster.controller.state.enabled = false: a controller that takes over reads the state "
                "of the previous one. Write true, and a storageClass of NAS."
            ),
        ],
    ),
    "18: another number of controllers": (
        {"ack": {"overrides": {"slurmctld": {"replicas": 2}}}},
        [
            (
                "ack.slurm.overrides.slurmctld.replicas = 2: slurm.conf has 1 controller. Leave it out, "
                "and set ack.slurm.controllerHosts."
            ),
        ],
    ),
}


@pytest.mark.parametrize(("part", "expected"), CASES.values(), ids=CASES)
def test_errors_have_path_value_problem_and_fix(part: dict[str, Any], expected: list[str]) -> None:
    assert errors_of(part) == expected
