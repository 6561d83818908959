"""Versions of Slurm and slurm-operator: unknown ones, and fields that a release doesn't support."""

import pytest

from pulumi_slurm.errors import Severity
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.model.operator_version import RELEASES
from pulumi_slurm.rules import check_cluster
from tests.unit.spec_errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "a restart for each change, with a release that has none": (
        """
        name: c
        operatorVersion: 1.1.2
        controller: {inplaceReconfigure: false}
        """,
        [
            "controller.inplaceReconfigure = false: slurm-operator 1.1.2 always reconfigures slurmctld in place. Write "
            'operatorVersion "1.2.0" or later, or leave this out.',
        ],
    ),
    "daemons in the wrong order of an upgrade": (
        """
        name: c
        operatorVersion: 1.2.1
        slurmVersion: '26.05'
        accounting: {}
        controller: {slurmVersion: 25.11.3}
        """,
        [
            (
                'controller.slurmVersion = "25.11.3": 25.11 is older than slurmVersion, that of workers and login '
                'nodes, 26.05, and these daemons can\'t connect to older ones. Write "26.05".'
            ),
        ],
    ),
    "versions of daemons whose tag is fixed": (
        """
        name: c
        operatorVersion: 1.2.1
        images: {tag: 25.11-ubuntu24.04}
        accounting: {slurmVersion: '26.05', image: registry.example.org/slurmdbd:26.05}
        controller: {slurmVersion: '26.05'}
        """,
        [
            (
                'controller.slurmVersion = "26.05": images.tag, "25.11-ubuntu24.04", is the tag of its image too, so '
                "this has no effect. Write controller.image, or leave images.tag out."
            ),
        ],
    ),
    "slurmdbd after slurmctld": (
        """
        name: c
        operatorVersion: 1.2.1
        accounting: {slurmVersion: '25.11'}
        controller: {slurmVersion: '26.05'}
        """,
        [
            (
                'accounting.slurmVersion = "25.11": 25.11 is older than the one of slurmctld, 26.05, and these daemons '
                'can\'t connect to older ones. Write "26.05".'
            ),
        ],
    ),
    "a newer slurmctld, and an older slurmdbd by default": (
        """
        name: c
        operatorVersion: 1.2.1
        accounting: {}
        controller: {slurmVersion: '26.05'}
        """,
        [
            (
                "accounting.slurmVersion: 25.11 is older than the one of slurmctld, 26.05, and these daemons can't "
                'connect to older ones. Write "26.05".'
            ),
        ],
    ),
    "a newer slurmdbd than the operator speaks to": (
        """
        name: c
        operatorVersion: 1.0.5
        accounting: {slurmVersion: '26.05'}
        controller: {slurmVersion: '27.05'}
        """,
        [
            (
                'controller.slurmVersion = "27.05": this Slurm version is not known here. Write one of: 25.11, 26.05, '
                "or a release of it."
            ),
            (
                'accounting.slurmVersion = "26.05": slurm-operator 1.0.5 doesn\'t speak to it. Write one of: 25.11, or '
                "choose another operatorVersion."
            ),
        ],
    ),
    "labels of slurmdbd's pod with a release that ignores them": (
        """
        name: c
        operatorVersion: 1.0.5
        accounting: {pod: {labels: {a: b}, annotations: {c: d}, nodeSelector: {e: f}}}
        """,
        [
            'accounting.pod.labels = {"a": "b"}: slurm-operator 1.0.5 doesn\'t put them on slurmdbd\'s pod. Write '
            'operatorVersion "1.1.0" or later, or leave this out.',
            'accounting.pod.annotations = {"c": "d"}: slurm-operator 1.0.5 doesn\'t put them on slurmdbd\'s pod. Write '
            'operatorVersion "1.1.0" or later, or leave this out.',
        ],
    ),
    "slurm version unknown": (
        """
        name: c
        slurmVersion: '24.11'
        """,
        [
            (
                'slurmVersion = "24.11": this Slurm version is not known here. Write one of: 25.11, '
                "26.05, or a release of it."
            ),
        ],
    ),
    "slurm version as a list": (
        """
        name: c
        slurmVersion: [25, 11]
        """,
        [
            (
                "slurmVersion = [25, 11]: this Slurm version is not known here. Write one of: 25.11, 26.05, "
                "or a release of it."
            ),
        ],
    ),
    "operator version unknown": (
        """
        name: c
        operatorVersion: 99.0.0
        """,
        [
            (
                'operatorVersion = "99.0.0": this release of slurm-operator is not known here. Write one '
                f"of: {', '.join(RELEASES)}."
            ),
        ],
    ),
    "operator version a number": (
        """
        name: c
        operatorVersion: 1.1
        """,
        [
            "operatorVersion = 1.1: this is not text. Write text; put it in quotes when it looks like a number.",
        ],
    ),
    "wrong Slurm is not reported twice": (
        """
        name: c
        slurmVersion: '26.05'
        operatorVersion: 0.9.0
        """,
        [
            (
                'operatorVersion = "0.9.0": this release of slurm-operator is not known here. Write one '
                f"of: {', '.join(RELEASES)}."
            ),
        ],
    ),
    "operator 1.0 knows no DaemonSet": (
        """
        name: c
        operatorVersion: 1.0.3
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, scalingMode: DaemonSet, ordinalPadding: 0}]
        """,
        [
            (
                'nodeSets[0].scalingMode = "DaemonSet": slurm-operator 1.0.3 doesn\'t know it. Write '
                'operatorVersion "1.1.0" or later, or leave this out.'
            ),
        ],
    ),
    "operator 1.0 knows no ssh nor padding": (
        """
        name: c
        operatorVersion: 1.0.5
        identity: {directory: {}}
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          ssh: {}
          ordinalPadding: 3
          workloadDisruptionProtection: false
        """,
        [
            (
                "nodeSets[0].ssh = {}: slurm-operator 1.0.5 doesn't know it. Write operatorVersion "
                '"1.1.0" or later, or leave this out.'
            ),
            (
                "nodeSets[0].ordinalPadding = 3: slurm-operator 1.0.5 doesn't know it. Write "
                'operatorVersion "1.1.0" or later, or leave this out.'
            ),
            (
                "nodeSets[0].workloadDisruptionProtection = false: slurm-operator 1.0.5 doesn't know it. "
                'Write operatorVersion "1.1.0" or later, or leave this out.'
            ),
        ],
    ),
    "operator 1.1 knows neither scheduled updates nor pinned pods": (
        """
        name: c
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          pinToNode: true
          updateStrategy: {type: ScheduledUpdate, startTime: '2027-01-09T22:00:00Z'}
        """,
        [
            (
                "nodeSets[0].pinToNode = true: slurm-operator 1.1.3 doesn't know it. Write operatorVersion "
                '"1.2.0" or later, or leave this out.'
            ),
            (
                'nodeSets[0].updateStrategy.type = "ScheduledUpdate": slurm-operator 1.1.3 doesn\'t know it. Write '
                'operatorVersion "1.2.0" or later, or leave this out.'
            ),
        ],
    ),
    "a schedule that does not fit its type": (
        """
        name: c
        operatorVersion: 1.2.1
        nodeSets:
        - {name: a, machine: {cpus: 4, memory: 8Gi}, updateStrategy: {type: ScheduledUpdate}}
        - {name: b, machine: {cpus: 4, memory: 8Gi}, updateStrategy: {duration: 2h, startTime: '2027-01-09T22:00:00Z'}}
        """,
        [
            (
                "nodeSets[0].updateStrategy.startTime: slurm-operator needs to know when the update may start. Add the "
                "time at which it starts."
            ),
            (
                'nodeSets[1].updateStrategy.startTime = "2027-01-09T22:00:00Z": only ScheduledUpdate has it, and type '
                "is RollingUpdate. Leave it out, or change type."
            ),
            (
                'nodeSets[1].updateStrategy.duration = "2h": only ScheduledUpdate has it, and type is RollingUpdate. '
                "Leave it out, or change type."
            ),
        ],
    ),
    "operator 1.2 knows no backups of slurmctld": (
        """
        name: c
        operatorVersion: 1.2.1
        controller: {ha: {}, state: {existingClaim: statesave}}
        """,
        [
            (
                "controller.ha = {}: slurm-operator 1.2.1 doesn't know it. Leave this out. Releases have it from "
                '1.3.0 on, whose known errors "Operator versions" lists.'
            ),
        ],
    ),
    "operator 1.0 knows no jwks": (
        """
        name: c
        operatorVersion: 1.0.0
        keys: {jwks: {name: k, key: jwks.json}}
        """,
        [
            (
                'keys.jwks = {"name": "k", "key": "jwks.json"}: slurm-operator 1.0.0 doesn\'t know '
                'it. Write operatorVersion "1.1.0" or later, or leave this out.'
            ),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected


def test_a_series_that_came_after_the_operator_is_accepted_with_a_warning() -> None:
    spec = SlurmSpec.model_validate({"name": "c", "operatorVersion": "1.1.2", "slurmVersion": "26.05"})
    (error,) = check_cluster(spec)
    assert error.severity is Severity.WARNING
    assert str(error) == (
        'slurmVersion = "26.05": slurm-operator 1.1.2 is older than this series, and its makers have not run the two. '
        "Write one of: 25.11, or choose a later operatorVersion."
    )
