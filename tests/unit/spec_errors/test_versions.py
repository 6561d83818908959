"""Versions of Slurm and slurm-operator: unknown ones, and fields that a release doesn't support."""

import pytest

from pulumi_slurm.model.operator_version import RELEASES
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
    "operator too old for Slurm": (
        """
        name: c
        slurmVersion: '26.05'
        operatorVersion: 1.1.2
        """,
        [
            (
                'slurmVersion = "26.05": slurm-operator 1.1.2 doesn\'t speak to it. Write one of: 25.11, '
                "or choose another operatorVersion."
            ),
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
    "operator 1.2 knows no backups of slurmctld": (
        """
        name: c
        operatorVersion: 1.2.1
        controller: {ha: {}, state: {existingClaim: statesave}}
        """,
        [
            (
                'controller.ha = {}: slurm-operator 1.2.1 doesn\'t know it. Write operatorVersion "1.3.0" or later, '
                "or leave this out."
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
