"""Topologies that lack something, with which slurmctld would end, or in which there would be no node."""

import pytest

from tests.unit.spec_errors.harness import Case, errors_of

NODES = "nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, replicas: 6, partition: {topology: t}}]"
CASES: dict[str, Case] = {
    "what a kind needs": (
        f"""
        name: c
        topologies: [{{name: t, kind: tree}}, {{name: u, kind: block}}]
        {NODES}
        """,
        [
            (
                "topologies[0].nodeLabels = []: a tree needs it. Write labels from the outermost to the innermost, for "
                'example ["topology.kubernetes.io/zone"].'
            ),
            (
                "topologies[1].nodeLabels = []: a topology of blocks needs it. Write the label whose value is the "
                'block, for example ["example.org/rack"].'
            ),
            (
                "topologies[1].blocks = []: a topology of blocks needs it. Write the values of the label: slurmctld "
                "makes no blocks by itself."
            ),
            (
                "topologies[1].blockSizes = []: a topology of blocks needs it. Write the number of nodes that each "
                "block has at least."
            ),
        ],
    ),
    "what a kind has no use for": (
        f"""
        name: c
        topologies:
          - {{name: t, kind: tree, nodeLabels: [zone, rack, zone], blocks: [x]}}
          - {{name: u, kind: flat, nodeLabels: [zone], blockSizes: [2]}}
          - {{name: v, kind: block, nodeLabels: [zone, rack], blocks: [a, b, a], blockSizes: [2]}}
        {NODES}
        """,
        [
            'topologies[0].nodeLabels = ["zone", "rack", "zone"]: "zone" is there twice. Keep one of them.',
            'topologies[0].blocks = ["x"]: a tree has no use for it. Leave it out.',
            'topologies[1].nodeLabels = ["zone"]: a flat topology has no use for it. Leave it out.',
            "topologies[1].blockSizes = [2]: a flat topology has no use for it. Leave it out.",
            'topologies[2].blocks = ["a", "b", "a"]: "a" is there twice. Keep one of them.',
            (
                'topologies[2].nodeLabels = ["zone", "rack"]: a block is in no other, so one label says which it is. '
                "Keep one."
            ),
        ],
    ),
    "labels and values that no node has": (
        """
        name: c
        topologies:
          - {name: "a:b", kind: tree, nodeLabels: ["zone:a", ""]}
          - {name: t, kind: block, nodeLabels: [rack], blocks: ["", "a,b"], blockSizes: [0]}
          - {name: u, kind: ring}
        """,
        [
            (
                'topologies[0].name = "a:b": Slurm would not read this name as one word. Use letters, digits, "_", "-" '
                'and ".", for example "a-b".'
            ),
            (
                'topologies[0].nodeLabels[0] = "zone:a": Kubernetes would refuse this key. Write a word, or a domain '
                'and a word, such as "example.org/kind".'
            ),
            (
                'topologies[0].nodeLabels[1] = "": Kubernetes would refuse this key. Write a word, or a domain and a '
                'word, such as "example.org/kind".'
            ),
            'topologies[1].blocks[0] = "": a node without the label would have this value. Leave it out.',
            (
                'topologies[1].blocks[1] = "a,b": Kubernetes would refuse this value. Use up to 63 letters, digits, '
                '"_", "-" and ".".'
            ),
            "topologies[1].blockSizes[0] = 0: this is too small. Write 1 or more.",
            "topologies[2].kind = \"ring\": this is not one of the choices. Write one of: 'tree', 'block' or 'flat'.",
        ],
    ),
    "sizes of blocks": (
        f"""
        name: c
        topologies:
          - {{name: t, kind: block, nodeLabels: [rack], blocks: [a, b], blockSizes: [4, 6, 16, 2]}}
        {NODES}
        """,
        [
            (
                "topologies[0].blockSizes[1] = 6: 6 is no multiple of the base size 4 by a power of two. Write 4 times "
                "a power of two, up to 131072."
            ),
            "topologies[0].blockSizes[2] = 16: a smaller group has all 2 blocks. Leave it out.",
            (
                "topologies[0].blockSizes[3] = 2: 2 is no multiple of the base size 4 by a power of two. Write 4 times "
                "a power of two, up to 131072."
            ),
            (
                "topologies[0].blockSizes[0] = 4: blocks of it need 8 nodes, and partitions with this topology have 6. "
                "Write 3 or less."
            ),
        ],
    ),
    "more blocks than nodes": (
        f"""
        name: c
        topologies:
          - {{name: t, kind: block, nodeLabels: [rack], blocks: [a, b, c, d, e, f, g], blockSizes: [1], default: true}}
        {NODES}
        partitions: [{{name: all, nodeSets: [ALL]}}, {{name: x, nodeSets: [a], topology: t}}]
        """,
        [
            (
                "topologies[0].blockSizes[0] = 1: blocks of it need 7 nodes, and partitions with this topology have 6. "
                "Write fewer blocks, or more nodes."
            ),
        ],
    ),
    "external nodes without a place": (
        """
        name: c
        operatorVersion: 1.1.2
        bridge: {partition: pods, namespaces: [{name: jobs}], externalNodes: [{name: k, nodeSelector: {a: b}}]}
        topologies:
          - {name: t, kind: tree, nodeLabels: [zone]}
          - {name: f, kind: flat, default: true}
        partitions: [{name: pods, nodeSets: [k], topology: t}, {name: more, nodeSets: [k]}]
        """,
        [
            (
                'partitions[0].topology = "t": slurm-bridge 1.1.2 gives the nodes "k" no place in it, and nodes '
                "without one get no job of several nodes. Write a flat topology, or operatorVersion 1.2.0 or later."
            ),
        ],
    ),
    "names": (
        f"""
        name: c
        topologies:
          - {{name: t, kind: tree, nodeLabels: [zone]}}
          - {{name: t, kind: tree, nodeLabels: [rack]}}
          - {{name: default, kind: tree, nodeLabels: [row]}}
        {NODES}
        """,
        [
            'topologies[1].name = "t": another topology has this name. Choose another.',
            (
                'topologies[2].name = "default": the flat topology of partitions that name none has this name. Choose '
                "another name, or set default."
            ),
        ],
    ),
    "two defaults": (
        """
        name: c
        topologies: [{name: t, kind: flat, default: true}, {name: default, kind: flat, default: true}]
        """,
        ['topologies[1].default = true: the topology "t" is the default already. Keep one of them.'],
    ),
    "a topology that is none": (
        """
        name: c
        topologies: [{name: t, kind: tree, nodeLabels: [zone]}]
        nodeSets:
          - {name: a, machine: {cpus: 4, memory: 8Gi}, partition: {topology: u}, slurmdOptions: {Topology: "t:x,v:y"}}
        partitions: [{name: p, nodeSets: [a], topology: default}, {name: q, nodeSets: [a], extra: {topology: t}}]
        """,
        [
            'partitions[1].extra.topology = "t": this has a field of its own. Set topology instead.',
            (
                'nodeSets[0].partition.topology = "u": slurmctld ends unless topology.yaml has a topology u. Write one '
                "of: default, t."
            ),
            (
                'nodeSets[0].slurmdOptions.Topology = "t:x,v:y": slurmctld ends unless topology.yaml has a topology v. '
                "Write one of: default, t."
            ),
        ],
    ),
    "beside other ways to have one": (
        f"""
        name: c
        topologies: [{{name: t, kind: tree, nodeLabels: [zone]}}]
        {NODES}
        configFiles: {{topology.yaml: "- {{topology: x, cluster_default: true, flat: true}}"}}
        slurmConf: {{extra: {{TopologyPlugin: topology/flat, TopologyParam: RouteTree}}}}
        """,
        [
            (
                'configFiles["topology.yaml"] = "...": topologies makes a topology.yaml, and slurmctld reads one file. '
                "Keep one of the two."
            ),
            (
                'slurmConf.extra.TopologyPlugin = "topology/flat": slurmctld ignores it when there is a topology.yaml, '
                "which topologies makes. Leave it out."
            ),
        ],
    ),
    "an operator that is too old": (
        f"""
        name: c
        operatorVersion: 1.0.5
        topologies: [{{name: t, kind: tree, nodeLabels: [zone]}}]
        {NODES}
        """,
        [
            'topologies = ["t"]: slurm-operator 1.0.5 does not tell Slurm where nodes are. Write operatorVersion 1.1.0 '
            "or later."
        ],
    ),
    "slurmctld outside": (
        """
        name: c
        topologies: [{name: t, kind: tree, nodeLabels: [zone]}]
        controller: {external: {host: slurmctld.example.com, port: 6817}}
        keys: {slurm: {existing: {name: k, key: a}}, jwt: {existing: {name: k, key: b}}}
        """,
        [
            'topologies = ["t"]: slurmctld reads its topology.yaml outside the cluster. Write it there, and leave this '
            "out."
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected
