"""A Slurm cluster on GKE: rules between its specification and that of GKE."""

import pytest

from pulumi_slurm.gke.load import load_gke
from pulumi_slurm.gke.plan.gke_plan import GkePlan
from pulumi_slurm.gke.rules import check_slurm
from tests.unit.gke.errors.harness import slurm_spec, with_base

# Each case: the GKE specification, the Slurm cluster on it, and the errors of that cluster, in this order.
CASES: dict[str, tuple[str, str, list[str]]] = {
    "more workers than kube-dns resolves": (
        """
        controlPlane: {dns: kube-dns}
        pools: [{name: p, machineType: n2-standard-8, maxNodes: 1200}]
        """,
        """
        nodeSets: [{name: cpu, pool: p, replicas: 1001}]
        """,
        [
            (
                "nodeSets: these are up to 1001 workers, and kube-dns resolves the names of 1000. Write "
                'controlPlane.dns "cloud-dns" in the GKE specification, or fewer replicas.'
            ),
        ],
    ),
    "disks that Hyperdisk machines can't attach": (
        """
        systemPool: {machineType: n4-standard-4}
        pools: [{name: p, machineType: c4-standard-8, maxNodes: 2}]
        """,
        """
        nodeSets:
          - {name: cpu, pool: p, volumeClaims: [{name: a, mountPath: /a}, {name: b, mountPath: /b, storageClass: fast}]}
        accounting: {}
        identity: {directory: {}}
        """,
        [
            *(
                f"{path}.storageClass: GKE's default class makes pd-balanced disks, which n4-standard-4 can't attach. "
                "Write a StorageClass of type hyperdisk-balanced that you have made, or another systemPool.machineType "
                'in the GKE specification, for example "e2-standard-4".'
                for path in ("controller.state", "accounting.database.volume", "identity.directory.volume")
            ),
            "nodeSets[0].volumeClaims[0].storageClass: GKE's default class makes pd-balanced disks, which "
            "c4-standard-8 can't attach. Write a StorageClass of type hyperdisk-balanced that you have made, or "
            "another machineType of its pool.",
        ],
    ),
    "a DaemonSet on a pool that starts empty": (
        """
        pools: [{name: p, machineType: n2-standard-8, maxNodes: 2}]
        """,
        """
        nodeSets: [{name: cpu, pool: p, scalingMode: DaemonSet}]
        """,
        [
            (
                'nodeSets[0].scalingMode = "DaemonSet": GKE starts no node for pods of a DaemonSet, and the '
                'pool "p" starts with none. Write "StatefulSet", or nodes or minNodes in the pool.'
            ),
        ],
    ),
    "queued without Kueue": (
        """
        pools: [{name: p, machineType: g2-standard-4, capacity: queued, maxNodes: 2}]
        """,
        """
        nodeSets: [{name: gpu, pool: p}]
        """,
        [
            (
                'nodeSets[0].pod.labels: the pool "p" starts nodes for a ProvisioningRequest only, and '
                "nothing creates one. Run Kueue and add its label kueue.x-k8s.io/queue-name, or write capacity "
                '"flex-start" in the pool.'
            ),
        ],
    ),
    "fast network without the pod network": (
        """
        pools: [{name: p, machineType: a3-megagpu-8g, capacity: spot, maxNodes: 2}]
        """,
        """
        nodeSets: [{name: gpu, pool: p, pod: {hostNetwork: true}}]
        """,
        [
            (
                'nodeSets[0].pod.hostNetwork = true: the TCPXO interfaces of "p" are only for pods in the pod '
                "network. Write false, or fabric: false in the pool."
            ),
        ],
    ),
    "jobs lost with spot nodes": (
        """
        pools: [{name: p, machineType: n2-standard-8, priorities: [{maxNodes: 1}, {capacity: spot, maxNodes: 2}]}]
        """,
        """
        nodeSets: [{name: cpu, pool: p, replicas: 3}]
        slurmConf: {slurmdTimeout: 0, extra: {JobRequeue: 0}}
        """,
        [
            (
                'slurmConf.extra.JobRequeue = "0": the nodes of "cpu" are of capacity spot, and jobs there '
                "would be lost whenever Google reclaims a node. Leave it out; a job that must not run twice is "
                "submitted with --no-requeue."
            ),
            (
                'slurmConf.slurmdTimeout = 0: the nodes of "cpu" are of capacity spot, and with this a node '
                "that Google reclaimed would stay up for Slurm, with its jobs. Leave it out, or write seconds."
            ),
        ],
    ),
    "jobs longer than flex-start": (
        """
        pools:
          - {name: p, machineType: g2-standard-4, capacity: flex-start, maxNodes: 2}
          - {name: q, machineType: g2-standard-4, capacity: flex-start, maxRunDuration: "12:00:00", maxNodes: 2}
        """,
        """
        nodeSets: [{name: a, pool: p, partition: {}}, {name: b, pool: q}]
        partitions:
          - {name: all, nodeSets: [ALL], maxTime: 1-0}
          - {name: short, nodeSets: [b], maxTime: "12:00:00"}
          - {name: long, nodeSets: [a], maxTime: 7-0}
        """,
        [
            (
                'partitions[0].maxTime = "1-0": nodes of "b" live for 0-12:00:00, and Google ends longer '
                'jobs with them. Write "0-12:00:00" or less.'
            ),
            (
                'nodeSets[0].partition.maxTime: nodes of "a" live for 7-00:00:00, and Google ends longer '
                'jobs with them. Write "7-00:00:00" or less.'
            ),
        ],
    ),
    "volumes in both specifications": (
        """
        storage: [{name: home, mountPath: /home, filestore: {}}]
        """,
        """
        sharedVolumes:
          - {name: home, mountPath: /h, storageClass: rwx}
          - {name: h, mountPath: /home/, storageClass: rwx}
        """,
        [
            (
                'sharedVolumes[0].name = "home": the storage of this name in the GKE specification becomes a '
                "shared volume by itself. Leave this volume out, or choose another name."
            ),
            (
                'sharedVolumes[1].mountPath = "/home/": the storage "home" of the GKE specification is '
                "mounted there. Leave this volume out, or choose another path."
            ),
        ],
    ),
    "buckets for pods in the node's network": (
        """
        pools: [{name: p, machineType: n2-standard-8, maxNodes: 2}]
        storage:
          - {name: home, mountPath: /home, filestore: {}}
          - {name: data, mountPath: /data, bucket: {}}
        """,
        """
        nodeSets: [{name: a, pool: p, replicas: 1}, {name: b, pool: p, replicas: 1, pod: {hostNetwork: true}}]
        loginSets: [{name: login, pod: {hostNetwork: true}}]
        identity: {directory: {}}
        """,
        [
            (
                'nodeSets[1].pod.hostNetwork = true: the storage "data" is a bucket, which pods in the node\'s '
                "network can't mount. Write false, or leave the bucket out in the GKE specification."
            ),
            (
                'loginSets[0].pod.hostNetwork = true: the storage "data" is a bucket, which pods in the node\'s '
                "network can't mount. Write false, or leave the bucket out in the GKE specification."
            ),
        ],
    ),
    "a database without slurmdbd": (
        """
        database: {}
        """,
        """
        nodeSets: []
        """,
        [
            (
                "accounting: the GKE specification has a database for slurmdbd, and there is no slurmdbd. "
                "Add accounting: {}, or leave database out there."
            ),
        ],
    ),
    "a database in both specifications": (
        """
        database: {}
        """,
        """
        accounting: {database: {kind: mariadb-operator}}
        """,
        [
            (
                'accounting.database = {"kind": "mariadb-operator"}: the GKE specification makes the '
                "database and says how slurmdbd reaches it. Leave it out, or leave database out in the GKE "
                "specification."
            ),
        ],
    ),
    "a database for an external slurmdbd": (
        """
        database: {}
        """,
        """
        accounting: {external: {host: db.example.org, port: 6819}}
        keys: {slurm: {existing: {name: a, key: b}}, jwt: {existing: {name: a, key: c}}}
        """,
        [
            (
                'accounting.external = {"host": "db.example.org", "port": 6819}: a slurmdbd outside the '
                "cluster has a database of its own, and the GKE specification makes another. Leave it out, "
                "or leave database out in the GKE specification."
            ),
        ],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_of_a_slurm_cluster_on_gke(case: tuple[str, str, list[str]]) -> None:
    gke, slurm, expected = case
    errors = check_slurm(GkePlan.of(load_gke(with_base(gke))), slurm_spec(slurm))
    assert [str(error) for error in errors] == expected
