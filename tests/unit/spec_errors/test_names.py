"""Names: present, accepted by Kubernetes and by Slurm, unique, and short enough for the names derived from them."""

import pytest

from tests.unit.spec_errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "ClusterName that no database has": (
        """
        name: c
        clusterName: my cluster
        """,
        [
            (
                'clusterName = "my cluster": this can\'t be the name of a cluster in slurm.conf and in the names of '
                'database tables. Use letters, digits, "_", "-" and ".", for example "my-cluster".'
            ),
        ],
    ),
    "ClusterName longer than slurmdbd's": (
        f"""
        name: c
        clusterName: {"x" * 41}
        """,
        [f'clusterName = "{"x" * 41}": this name has 41 characters. Use 40 at most.'],
    ),
    "name missing": (
        """
        nodeSets: []
        """,
        [
            (
                "name: this field is required. Add name: ClusterName, unless `clusterName` differs, and the prefix of "
                "the names of all objects."
            ),
        ],
    ),
    "name with capitals": (
        """
        name: My_Cluster
        """,
        [
            (
                'name = "My_Cluster": Kubernetes would refuse this name. Use lower-case letters, digits '
                'and "-", starting with a letter, for example "my-cluster".'
            ),
        ],
    ),
    "name too long": (
        """
        name: ccccccccccccccccccccccccccccccccccccccccc
        """,
        [
            'name = "ccccccccccccccccccccccccccccccccccccccccc": this name has 41 characters. Use 40 at most.',
        ],
    ),
    "name a number": (
        """
        name: 5
        """,
        [
            "name = 5: this is not text. Write text; put it in quotes when it looks like a number.",
        ],
    ),
    "namespace of Kubernetes": (
        """
        name: c
        namespace: kube-system
        """,
        [
            (
                'namespace = "kube-system": this namespace belongs to Kubernetes, and destroying the '
                'cluster deletes its namespace. Write for example "slurm".'
            ),
        ],
    ),
    "namespace not a label": (
        """
        name: c
        namespace: Slurm
        """,
        [
            (
                'namespace = "Slurm": Kubernetes would refuse this name. Use lower-case letters, digits '
                'and "-", starting with a letter, for example "slurm".'
            ),
        ],
    ),
    "node set twice": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}}, {name: a, machine: {cpus: 4, memory: 8Gi}}]
        """,
        [
            'nodeSets[1].name = "a": this name is used before. Choose another name.',
        ],
    ),
    "node set called all": (
        """
        name: c
        nodeSets: [{name: all, machine: {cpus: 4, memory: 8Gi}}]
        """,
        [
            (
                'nodeSets[0].name = "all": in slurm.conf this is a word of its own, for every node or for '
                "defaults. Choose another name."
            ),
        ],
    ),
    "own partition called default by prefix": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, hostNamePrefix: default-, partition: {}}]
        """,
        [
            (
                'nodeSets[0].hostNamePrefix = "default-": in slurm.conf this is a word of its own, for '
                "every node or for defaults. Choose another name."
            ),
        ],
    ),
    "node set's name too long with the cluster's": (
        """
        name: cccccccccccccccccccccccccccccc
        nodeSets: [{name: nnnnnnnnnnnnnnnnnnnnnnnnnnnnnn, machine: {cpus: 4, memory: 8Gi}}]
        """,
        [
            (
                'nodeSets[0].name = "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnn": with the cluster\'s name it makes '
                "names such as "
                '"cccccccccccccccccccccccccccccc-worker-nnnnnnnnnnnnnnnnnnnnnnnnnnnnnn-00000", 74 '
                "characters of 63. Shorten it, or the cluster's name, by 11."
            ),
        ],
    ),
    "login set's name too long with the cluster's": (
        """
        name: cccccccccccccccccccccccccccccc
        identity: {directory: {}}
        loginSets: [{name: nnnnnnnnnnnnnnnnnnnnnnnnnnnnnn}]
        """,
        [
            (
                'loginSets[0].name = "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnn": with the cluster\'s name it makes '
                "names such as "
                '"cccccccccccccccccccccccccccccc-login-nnnnnnnnnnnnnnnnnnnnnnnnnnnnnn-xxxxxxxxxx-xxxxx", '
                "84 characters of 63. Shorten it, or the cluster's name, by 21."
            ),
        ],
    ),
    "two node sets with one prefix": (
        """
        name: c
        nodeSets:
        - name: a
          hostNamePrefix: gpu-
          machine: {cpus: 4, memory: 8Gi}
        - name: b
          hostNamePrefix: gpu
          machine: {cpus: 4, memory: 8Gi}
        """,
        [
            (
                'nodeSets[1].hostNamePrefix = "gpu": the node set "a" has the same names, and Slurm '
                "would mix the two. Choose another prefix."
            ),
        ],
    ),
    "node set named like a node": (
        """
        name: c
        nodeSets:
        - name: gpu
          replicas: 10
          machine: {cpus: 4, memory: 8Gi}
        - name: gpu-8
          machine: {cpus: 4, memory: 8Gi}
        """,
        [
            (
                'nodeSets[1].name = "gpu-8": "gpu-8" is this node set\'s name and a node of "gpu" too, '
                "and Slurm would mix the two. Choose a name that does not end in a number."
            ),
        ],
    ),
    "prefix not a host name": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, hostNamePrefix: GPU_}]
        """,
        [
            (
                'nodeSets[0].hostNamePrefix = "GPU_": a host name can\'t begin like this. Use up to 50 '
                'lower-case letters, digits and "-", starting with a letter, for example "gpu-".'
            ),
        ],
    ),
    "features by the name of other nodes": (
        """
        name: c
        controller: {address: h}
        nodeSets:
          - {name: cpu, machine: {cpus: 4, memory: 8Gi}, features: [cpu, fast, gpu-a]}
          - {name: gpu, machine: {cpus: 4, memory: 8Gi}, hostNamePrefix: gpu-a-, features: [gpu, onprem]}
        externalNodes: [{name: onprem, maxNodes: 4, features: [onprem, fast, cpu]}]
        """,
        [
            (
                'nodeSets[0].features[2] = "gpu-a": the node set "gpu" is all nodes with this feature, so these would '
                "come into its partitions. Choose another word; a partition of both names both in nodeSets."
            ),
            (
                'nodeSets[1].features[1] = "onprem": the group of external nodes "onprem" is all nodes with this '
                "feature, so these would come into its partitions. Choose another word; a partition of both names "
                "both in nodeSets."
            ),
            (
                'externalNodes[0].features[2] = "cpu": the node set "cpu" is all nodes with this feature, so these '
                "would come into its partitions. Choose another word; a partition of both names both in nodeSets."
            ),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected
