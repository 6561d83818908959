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
                'slurmConf.extra.SlurmctldAddr = "slurmctld.example.org": this line is the operator\'s, and another '
                "would break the cluster. Instead set controller.address."
            )
        ],
    ),
    "machines outside that find no slurmctld": (
        """
        name: c
        externalNodes: [{name: b, maxNodes: 4}]
        """,
        [
            (
                "controller.address: machines outside the cluster don't know the operator's Service, by which "
                "slurmctld is found otherwise. Write a name or address that both they and pods reach, for example "
                "that of controller.service as a load balancer."
            )
        ],
    ),
    "an address that is the pod itself": (
        """
        name: c
        controller: {address: localhost}
        """,
        [
            (
                'controller.address = "localhost": in a pod this is the pod itself. Write a name or address that pods '
                "can reach."
            )
        ],
    ),
    "machines outside of which nothing is known": (
        """
        name: c
        controller: {address: h}
        externalNodes: [{name: b}]
        """,
        [
            (
                "externalNodes[0].nodes: slurmctld has to know how many machines can register. Add the machines' "
                'names, for example "onprem[1-4]", or maxNodes.'
            )
        ],
    ),
    "machines outside with wrong fields": (
        """
        name: c
        controller: {address: h}
        externalNodes:
          - {name: a, nodes: "a[1-"}
          - {name: b, nodes: "b1.example.org"}
          - {name: d, nodes: "d[1-2],d2"}
          - {name: e, nodes: ""}
          - {name: f, nodes: "f[1-4]", maxNodes: 3}
          - {name: g, nodes: g1, cpus: 0, memory: 64, gres: ["gpu:"], features: ["x,y"], weight: -1}
          - {name: h, nodes: "h[0-65535],h65536"}
        """,
        [
            (
                "externalNodes[0].nodes = \"a[1-\": Slurm does not read this hostlist: 'a[1-' has a bracket without "
                'its partner or in brackets. Write for example "onprem[1-4]" or "rack1,rack2".'
            ),
            (
                'externalNodes[1].nodes = "b1.example.org": slurmd registers by the host name up to the first dot. '
                'Write "b1".'
            ),
            'externalNodes[2].nodes = "d[1-2],d2": a machine stands here twice. Write each once.',
            ('externalNodes[3].nodes = "": this names no machine. Write for example "onprem[1-4]" or "rack1,rack2".'),
            "externalNodes[4].maxNodes = 3: these are fewer than the 4 machines in nodes. Leave it out.",
            "externalNodes[5].cpus = 0: this is too small. Write 1 or more.",
            (
                "externalNodes[5].memory = 64: this is less than 1 MiB, since a size without a unit is in bytes. "
                'Write "64Gi".'
            ),
            (
                'externalNodes[5].gres[0] = "gpu:": this is not a GRES. Write name:count or name:type:count, for '
                'example "tmpdisk:100G".'
            ),
            (
                'externalNodes[5].features[0] = "x,y": Slurm would not read this name as one word. Use letters, '
                'digits, "_", "-" and ".", for example "x-y".'
            ),
            "externalNodes[5].weight = -1: this is too small. Write 0 or more.",
            'externalNodes[6].nodes = "h[0-65535],h65536": Slurm has room for 65536 nodes. Write fewer.',
        ],
    ),
    "machines outside by names that are taken": (
        """
        name: c
        controller: {address: h}
        nodeSets: [{name: cpu, machine: {cpus: 4, memory: 8Gi}}]
        externalNodes:
          - {name: a, nodes: "rack[1-4]"}
          - {name: b, nodes: "rack[4-8]"}
          - {name: d, nodes: "cpu-7"}
          - {name: e, nodes: "x,a"}
        """,
        [
            (
                'externalNodes[1].nodes = "rack[4-8]": "rack4" is a machine of "a" too, and Slurm would mix the two. '
                "Choose other names."
            ),
            (
                'externalNodes[2].nodes = "cpu-7": "cpu-7" can be a worker of the node set "cpu" too, and Slurm would '
                "mix the two. Choose other names."
            ),
            (
                'externalNodes[3].nodes = "x,a": "a" is the name of a group of nodes too, and slurmctld takes no node '
                "by such a name. Choose other names."
            ),
        ],
    ),
    "external nodes by names that are taken": (
        """
        name: c
        controller: {address: h}
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
    "an outside slurmctld with a Service, an address and external nodes": (
        """
        name: c
        controller: {external: {host: h, port: 6817}, service: {type: LoadBalancer}, address: h}
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
            (
                'controller.address = "h": slurmctld runs outside the cluster, and its address is external.host. '
                "Leave it out."
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
    "outside slurmctld with own keys": (
        """
        name: c
        controller: {external: {host: h, port: 6817}}
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
        ],
    ),
    "outside slurmctld that finds no slurmdbd": (
        """
        name: c
        controller: {external: {host: h, port: 6817}}
        keys: {slurm: {existing: {name: s, key: k}}, jwt: {existing: {name: s, key: j}}}
        accounting: {service: {type: LoadBalancer}}
        """,
        [
            (
                "slurmConf.extra.AccountingStorageHost: slurmctld runs outside the cluster, and without this line it "
                "would look for slurmdbd on its own host. Write an address of accounting.service, or name a slurmdbd "
                "outside in accounting.external."
            ),
        ],
    ),
    "slurmctld that finds slurmdbd elsewhere": (
        """
        name: c
        accounting: {}
        slurmConf: {extra: {accountingStoragePort: 7000, AccountingStorageHost: h}}
        """,
        [
            (
                'slurmConf.extra.AccountingStorageHost = "h": this line is the operator\'s, and another would break '
                "the cluster. Instead set accounting."
            ),
            (
                'slurmConf.extra.accountingStoragePort = "7000": this line is the operator\'s, and another would '
                "break the cluster. Instead set accounting."
            ),
        ],
    ),
    "two addresses of an outside slurmdbd": (
        """
        name: c
        controller: {external: {host: h, port: 6817}}
        keys: {slurm: {existing: {name: s, key: k}}, jwt: {existing: {name: s, key: j}}}
        accounting: {external: {host: h, port: 6819}}
        slurmConf: {extra: {AccountingStorageHost: other}}
        """,
        [
            (
                'slurmConf.extra.AccountingStorageHost = "other": this line is the operator\'s, and another would '
                "break the cluster. Instead set accounting."
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
