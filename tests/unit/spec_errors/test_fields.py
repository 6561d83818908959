"""Fields that don't exist or hold values of another type, and errors of several fields at once."""

from typing import Any

import pytest

from pulumi_slurm.errors import SpecError
from pulumi_slurm.loading import load
from tests.unit.spec_errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "unknown field": (
        """
        name: c
        nodesets: []
        """,
        [
            'nodesets = []: there is no such field. Did you mean "nodeSets"?',
        ],
    ),
    "field in two spellings": (
        """
        name: c
        nodeSets: []
        node_sets: []
        """,
        [
            "node_sets = []: this field stands here twice, in two spellings. Keep one of them.",
        ],
    ),
    "negative replicas": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, replicas: -1}]
        """,
        [
            "nodeSets[0].replicas = -1: this is too small. Write 0 or more.",
        ],
    ),
    "true for a number": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, replicas: true}]
        """,
        [
            "nodeSets[0].replicas = true: this is not a whole number. Write a whole number, without quotes.",
        ],
    ),
    "text for a list": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, features: fast}]
        """,
        [
            'nodeSets[0].features = "fast": this is not a list. Write a list.',
        ],
    ),
    "null for a mapping": (
        """
        name: c
        controller: null
        """,
        [
            "controller = null: this is not a mapping. Write a mapping of field names to values.",
        ],
    ),
    "nonsense at the top": (
        """
        [1, 2]
        """,
        [
            "(the specification): this is not a mapping. Write a mapping of field names to values.",
        ],
    ),
    "everything at once": (
        """
        name: C
        nodeSets:
        - {name: 1}
        - {name: a, machine: {cpus: 4, memory: 8Gi}, replicas: many, features: [1, 'x y', 'u v']}
        - {name: b}
        partitions:
        - {name: p}
        - {name: q, nodeSets: [a, 7, zz]}
        identity: {ldap: {uri: 'http://x', baseDn: x}}
        loginSets: [{name: l}]
        accounting: yes
        tokens: [{name: t, username: u, lifetime: never}]
        """,
        [
            (
                'name = "C": Kubernetes would refuse this name. Use lower-case letters, digits and "-", '
                'starting with a letter, for example "c".'
            ),
            "nodeSets[0].name = 1: this is not text. Write text; put it in quotes when it looks like a number.",
            'nodeSets[1].replicas = "many": this is not a whole number. Write a whole number, without quotes.',
            (
                "nodeSets[1].features[0] = 1: this is not text. Write text; put it in quotes when it looks "
                "like a number."
            ),
            (
                "partitions[0].nodeSets: this field is required. Add nodeSets: names of node sets and external nodes, "
                'or ["ALL"].'
            ),
            (
                "partitions[1].nodeSets[1] = 7: this is not text. Write text; put it in quotes when it "
                "looks like a number."
            ),
            "accounting = true: this is not a mapping. Write a mapping of field names to values.",
            (
                'identity.ldap.uri = "http://x": this is not the address of an LDAP server. Write '
                '"ldaps://host" or "ldap://host".'
            ),
            (
                'tokens[0].lifetime = "never": this is not a duration. Write for example "15m", "24h" '
                'or "1h30m"; days are not a unit here.'
            ),
            (
                'nodeSets[1].features[1] = "x y": Slurm would not read this name as one word. Use '
                'letters, digits, "_", "-" and ".", for example "x-y".'
            ),
            (
                'nodeSets[1].features[2] = "u v": Slurm would not read this name as one word. Use '
                'letters, digits, "_", "-" and ".", for example "u-v".'
            ),
            (
                'nodeSets[2] = "b": neither pool nor machine is given, so CPUs, memory and GRES can\'t be '
                "derived. Add pool: <name of a node pool>, or machine: {cpus: ..., memory: ...}."
            ),
            (
                'partitions[1].nodeSets[2] = "zz": there is no such node set, and slurmctld would not '
                "start. Write one of: a, b."
            ),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected


def test_positions_in_lists_are_those_of_the_user_even_past_the_tenth() -> None:
    machine = {"cpus": 4, "memory": "8Gi"}
    node_sets: list[Any] = [{"name": f"n{chr(97 + i)}", "machine": machine} for i in range(14)]
    for index in (1, 2, 9, 10, 11):
        node_sets[index] = {"name": index}
    node_sets[13] = {"name": "last", "machine": machine, "gpus": 1, "features": ["ok", 5, "a b"]}
    with pytest.raises(SpecError) as caught:
        load({"name": "c", "nodeSets": node_sets})
    assert sorted(str(error).split(" =")[0] for error in caught.value.errors) == [
        "nodeSets[10].name",
        "nodeSets[11].name",
        "nodeSets[13].features[1]",
        "nodeSets[13].features[2]",
        "nodeSets[13].gpus",
        "nodeSets[1].name",
        "nodeSets[2].name",
        "nodeSets[9].name",
    ]


def test_paths_begin_where_the_specification_stands_in_the_users_file() -> None:
    with pytest.raises(SpecError) as caught:
        load({"name": "C"}, [{"name": "p"}], at=("slurm:cluster",), pools_at=("slurm:pools",))
    assert [error.path for error in caught.value.errors] == [
        ("slurm:cluster", "name"),
        ("slurm:pools", 0, "machine"),
        ("slurm:pools", 0, "nodeLabels"),
    ]


def test_the_text_counts_the_errors() -> None:
    with pytest.raises(SpecError, match=r"^The Slurm specification has an error:\n  - name = 5"):
        load({"name": 5})
