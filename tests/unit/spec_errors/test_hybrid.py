"""Hybrid clusters, of which some daemons run outside Kubernetes, and existing keys."""

import pytest

from tests.unit.spec_errors.harness import Case, errors_of

CASES: dict[str, Case] = {
    "an address of slurmctld for nobody outside": (
        """
        name: c
        slurmConf: {extra: {SlurmctldAddr: slurmctld.example.org}}
        """,
        [
            (
                'slurmConf.extra.SlurmctldAddr = "slurmctld.example.org": all pods would look for slurmctld there in '
                "place of the operator's Service. Leave it out; it is for machines outside, with externalNodes."
            )
        ],
    ),
    "external nodes by names that are taken": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}}]
        externalNodes: [{name: a, maxNodes: 4}, {name: all, maxNodes: 4}, {name: b, maxNodes: 4}]
        partitions: [{name: p, nodeSets: [a, b, c]}]
        """,
        [
            (
                'partitions[0].nodeSets[2] = "c": there is no such node set, and slurmctld would not start. Write one '
                "of: a, all, b."
            ),
            'externalNodes[0].name = "a": a node set has this name, and Slurm would mix the two. Choose another.',
            (
                'externalNodes[1].name = "all": in slurm.conf this is a word of its own, for every node or for '
                "defaults. Choose another name."
            ),
        ],
    ),
    "an outside slurmctld with a Service and external nodes": (
        """
        name: c
        controller: {external: {host: h, port: 6817}, service: {type: LoadBalancer}}
        externalNodes: [{name: b, maxNodes: 4}]
        keys: {slurm: {existing: {name: s, key: k}}, jwt: {existing: {name: s, key: j}}}
        """,
        [
            (
                'externalNodes[0] = "b": the operator writes no node sets for a slurmctld outside the cluster. Write '
                "them into the outside slurm.conf, and leave them out here."
            ),
            (
                'controller.service = {"type": "LoadBalancer"}: slurmctld runs outside the cluster, so there is '
                "nothing for a Service to lead to. Leave it out, or leave external out."
            ),
        ],
    ),
    "backups of slurmctld without a common volume": (
        """
        name: c
        operatorVersion: 1.3.0
        controller: {ha: {backups: 2}}
        """,
        [
            (
                "controller.state.existingClaim: backups read the state of the slurmctld that they replace, so all of "
                "them mount one volume. Write the name of a PersistentVolumeClaim with access mode ReadWriteMany, and "
                "leave enabled out."
            ),
        ],
    ),
    "backups of an outside slurmctld": (
        """
        name: c
        operatorVersion: 1.3.0
        controller: {ha: {}, external: {host: h, port: 6817}}
        keys: {slurm: {existing: {name: s, key: k}}, jwt: {existing: {name: s, key: j}}}
        """,
        [
            (
                "controller.ha = {}: slurmctld runs outside the cluster, so the operator starts no backups of it. "
                "Leave it out; backups are in the slurm.conf of the outside cluster."
            ),
        ],
    ),
    "rotating somebody else's key": (
        """
        name: c
        keys: {slurm: {existing: {name: s, key: k}, generation: 2}}
        """,
        [
            (
                "keys.slurm.generation = 2: the key comes from a Secret of yours, so there is nothing to "
                "derive anew. Leave generation out; change the Secret."
            ),
        ],
    ),
    "one key for everything": (
        """
        name: c
        keys: {slurm: {existing: {name: s, key: k}}, jwt: {existing: {name: s, key: k}}}
        """,
        [
            (
                'keys.jwt.existing = {"name": "s", "key": "k"}: whoever may sign tokens could then '
                "speak as any daemon. Name another Secret, or another key of it."
            ),
        ],
    ),
    "outside slurmctld with partitions and own keys": (
        """
        name: c
        controller: {external: {host: h, port: 6817}}
        partitions: [{name: p, nodeSets: [ALL]}]
        """,
        [
            (
                "keys.slurm.existing: the daemon of controller.external has keys of its own, and a derived "
                "key would not match. Put the outside key into a Secret and name it here: {name: ..., key: "
                "...}."
            ),
            (
                "keys.jwt.existing: the daemon of controller.external has keys of its own, and a derived "
                "key would not match. Put the outside key into a Secret and name it here: {name: ..., key: "
                "...}."
            ),
            (
                'partitions[0] = "p": the operator writes no partitions for a slurmctld outside the '
                "cluster. Write the partition into the outside slurm.conf, and leave it out here."
            ),
        ],
    ),
    "outside slurmdbd with a database": (
        """
        name: c
        keys: {slurm: {existing: {name: s, key: k}}, jwt: {existing: {name: s, key: j}}}
        accounting: {external: {host: h, port: 6819}, database: {name: x}}
        """,
        [
            (
                'accounting.database = {"name": "x"}: the slurmdbd runs outside the cluster, so this '
                "has no effect. Leave it out, or leave external out."
            ),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected
