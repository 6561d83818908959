"""Partitions: their names, their node sets, and which one is the default."""

import pytest

from tests.unit.spec_errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "unknown node set in a partition": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}}]
        partitions: [{name: p, nodeSets: [a, b]}]
        """,
        [
            (
                'partitions[0].nodeSets[1] = "b": there is no such node set, and slurmctld would not '
                "start. Write one of: a."
            ),
        ],
    ),
    "all in small letters": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}}]
        partitions: [{name: p, nodeSets: [all]}]
        """,
        [
            (
                'partitions[0].nodeSets[0] = "all": there is no such node set, and slurmctld would not '
                'start. Write "ALL".'
            ),
        ],
    ),
    "partition without node sets": (
        """
        name: c
        partitions: [{name: p, nodeSets: []}]
        """,
        [
            "partitions[0].nodeSets = []: there are too few items. Give at least 1.",
        ],
    ),
    "partition called DEFAULT": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}}]
        partitions: [{name: DEFAULT, nodeSets: [a]}]
        """,
        [
            (
                'partitions[0].name = "DEFAULT": in slurm.conf this name sets defaults for all '
                "partitions. Choose another name."
            ),
        ],
    ),
    "partition with two words": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}}]
        partitions: [{name: my part, nodeSets: [a]}]
        """,
        [
            (
                'partitions[0].name = "my part": Slurm would not read this name as one word. Use letters, '
                'digits, "_", "-" and ".", for example "my-part".'
            ),
        ],
    ),
    "partitions of one name": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}}]
        partitions: [{name: p, nodeSets: [a]}, {name: P, nodeSets: [a]}, {name: p, nodeSets: [a]}]
        """,
        [
            'partitions[2].name = "p": this name is used before. Choose another name.',
        ],
    ),
    "two default partitions": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {default: true}}]
        partitions: [{name: p, nodeSets: [a], default: true}]
        """,
        [
            (
                'nodeSets[0].partition.default = true: "p" is the default already, and Slurm knows one. '
                'Leave it to one of "p" and "a".'
            ),
        ],
    ),
    "partition named like a node set's own": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {}}]
        partitions: [{name: a, nodeSets: [a]}, {name: A, nodeSets: [a]}]
        """,
        [
            (
                'partitions[0].name = "a": the node set "a" makes a partition of this name. Choose '
                "another name, or take the partition out of the node set."
            ),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected
