"""Node pools, and how node sets use them."""

import pytest

from tests.unit.spec_errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "unknown pool": (
        """
        pools:
        - name: p
          machine:
            cpus: 8
            memory: 32Gi
            gpus: {count: 4, type: h100}
          nodeLabels: {pool: p}
          maxNodes: 3
        name: c
        nodeSets: [{name: a, pool: pp}]
        """,
        [
            'nodeSets[0].pool = "pp": there is no such node pool. Write one of: p.',
        ],
    ),
    "more replicas than the pool has nodes": (
        """
        pools:
        - name: p
          machine:
            cpus: 8
            memory: 32Gi
            gpus: {count: 4, type: h100}
          nodeLabels: {pool: p}
          maxNodes: 3
        name: c
        nodeSets: [{name: a, pool: p, replicas: 2}, {name: b, pool: p, replicas: 2}]
        """,
        [
            (
                'nodeSets[1].replicas = 2: the pool "p" has 3 nodes, of which the node sets before it '
                "take 2; pods beyond that would stay Pending. Write 1 or less, or raise the pool's "
                "maxNodes."
            ),
        ],
    ),
    "more of a node than it has": (
        """
        pools:
        - name: p
          machine:
            cpus: 8
            memory: 32Gi
            gpus: {count: 4, type: h100}
          nodeLabels: {pool: p}
          maxNodes: 3
        name: c
        nodeSets: [{name: a, pool: p, machine: {cpus: 8, memory: 31Gi, gpus: {count: 1, type: a100}}}]
        """,
        [
            (
                'nodeSets[0].machine.cpus = 8: a node of the pool "p" has 7 CPUs to give, so the pods '
                "would stay Pending. Write 7 or less."
            ),
            (
                'nodeSets[0].machine.memory = "31Gi": a node of the pool "p" has 30720Mi to give, so '
                'the pods would stay Pending. Write "30720Mi" or less.'
            ),
            (
                'nodeSets[0].machine.gpus.type = "a100": a node of the pool "p" offers "h100", so '
                'slurmd would find other GRES than it is told. Write "h100", or leave it out.'
            ),
        ],
    ),
    "more GPUs than the pool's machine has": (
        """
        pools:
        - name: p
          machine:
            cpus: 8
            memory: 32Gi
            gpus: {count: 4, type: h100}
          nodeLabels: {pool: p}
          maxNodes: 3
        name: c
        nodeSets: [{name: a, pool: p, gpus: 8}]
        """,
        [
            (
                'nodeSets[0].gpus = 8: a node of the pool "p" has 4 GPUs, so slurmd would be invalid. '
                "Write 4 or less, or choose another pool."
            ),
        ],
    ),
    "DaemonSet on a shared pool": (
        """
        pools:
        - name: p
          machine:
            cpus: 8
            memory: 32Gi
            gpus: {count: 4, type: h100}
          nodeLabels: {pool: p}
          maxNodes: 3
        name: c
        nodeSets: [{name: a, pool: p, replicas: 1}, {name: b, pool: p, scalingMode: DaemonSet}]
        """,
        [
            (
                'nodeSets[1].pool = "p": with scalingMode DaemonSet it takes every node, and a node holds '
                'one slurmd: pods of "a" would stay Pending. Give each a pool of its own, or tell their '
                "nodes apart by pod.nodeSelector."
            ),
        ],
    ),
    "pools that can't be told apart": (
        """
        pools:
        - name: p
          machine: {cpus: 8, memory: 32Gi}
          nodeLabels: {a: b, c: d}
        - name: p
          machine: {cpus: 1, memory: 1Gi}
          nodeLabels: {x: y}
        - name: q
          machine: {cpus: 8, memory: 32Gi}
          nodeLabels: {a: b}
        name: c
        """,
        [
            (
                "pools[1].reservedCpus = 1: this reserve leaves nothing of the machine for slurmd. Write "
                "less than the machine has, 1 CPUs and 1Gi."
            ),
            'pools[1].name = "p": this name is used before. Choose another name.',
            (
                'pools[2].nodeLabels = {"a": "b"}: nodes of "p" carry all labels of "q", so pods '
                "meant for the one could land on the other. Give each pool a label that no other has."
            ),
        ],
    ),
    "pool that keeps all memory back": (
        """
        pools: [{name: p, machine: {cpus: 4, memory: 1Gi}, nodeLabels: {a: b}}]
        name: c
        nodeSets: [{name: a, pool: p}]
        """,
        [
            (
                'pools[0].reservedMemory = "2Gi": this reserve leaves nothing of the machine for slurmd. Write '
                "less than the machine has, 4 CPUs and 1Gi."
            ),
        ],
    ),
    "pool without labels": (
        """
        pools: [{name: p, machine: {cpus: 8, memory: 32Gi}, nodeLabels: {}}]
        name: c
        """,
        [
            "pools[0].nodeLabels = {}: there are too few items. Give at least 1.",
        ],
    ),
    "pools not a list": (
        """
        pools: {name: p}
        name: c
        """,
        [
            'pools = {"name": "p"}: this is not a list of node pools. Write a list.',
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected
