"""Names of the cluster and of its worker groups."""

from typing import Any

import pytest

from tests.unit.ack.errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "1: cluster not lower case": (
        {"cluster": {"name": "HPC"}},
        [
            (
                'cluster.name = "HPC": Kubernetes would refuse this name. Use lower-case letters, digits '
                'and "-", starting with a letter, for example "hpc".'
            ),
        ],
    ),
    "1: cluster too long": (
        {"cluster": {"name": "c" * 41}},
        [
            (
                'cluster.name = "ccccccccccccccccccccccccccccccccccccccccc": this name has 41 characters. '
                "Use 40 at most."
            ),
        ],
    ),
    "2: names of workers too long": (
        {
            "cluster": {
                "name": "c" * 36,
                "nodeSets": [{"name": "a-very-long-name-of-a-group", "pool": "cpu"}],
                "partitions": None,
                "loginSets": None,
            }
        },
        [
            (
                'cluster.nodeSets[0].name = "a-very-long-name-of-a-group": with the cluster\'s name it '
                "makes names such as "
                '"cccccccccccccccccccccccccccccccccccc-worker-a-very-long-name-of-a-group-00000", 77 '
                "characters of 63. Shorten it, or the cluster's name, by 14."
            ),
        ],
    ),
    "3: groups of one name": (
        {"cluster": {"nodeSets": [{"name": "cpu", "pool": "cpu"}, {"name": "cpu", "pool": "cpu"}], "partitions": None}},
        [
            ('cluster.nodeSets[1].name = "cpu": this name is used before. Choose another name.'),
        ],
    ),
    "3: group ends with a dash": (
        {"cluster": {"nodeSets": [{"name": "cpu-", "pool": "cpu"}], "partitions": None}},
        [
            (
                'cluster.nodeSets[0].name = "cpu-": Kubernetes would refuse this name. Use lower-case '
                'letters, digits and "-", starting with a letter, for example "cpu".'
            ),
        ],
    ),
    "3: group under another name in Slurm": (
        {
            "cluster": {
                "nodeSets": [{"name": "cpu", "pool": "cpu", "hostNamePrefix": "node", "ordinalPadding": 3}],
                "partitions": None,
            }
        },
        [
            (
                'cluster.nodeSets[0].hostNamePrefix = "node": ack-slurm-operator names nodes '
                "<cluster>-worker-<node set>-<number>. Leave it out."
            ),
            (
                "cluster.nodeSets[0].ordinalPadding = 3: ack-slurm-operator names nodes "
                "<cluster>-worker-<node set>-<number>. Leave it out."
            ),
        ],
    ),
    "4: two clusters of one name": (
        {"clusters": 2},
        [
            (
                '[1].name = "hpc": a cluster of this name is in namespace "jobs", and in the operator\'s '
                "namespace the two would overwrite each other's token and Role. Choose another name."
            ),
        ],
    ),
}


@pytest.mark.parametrize(("part", "expected"), CASES.values(), ids=CASES)
def test_errors_have_path_value_problem_and_fix(part: dict[str, Any], expected: list[str]) -> None:
    assert errors_of(part) == expected
