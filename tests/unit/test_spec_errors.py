"""Invalid specifications and their error messages: path, value, problem, fix."""

from textwrap import dedent
from typing import Any

import pytest
import yaml

from pulumi_slurm.errors import SpecError
from pulumi_slurm.loading import load

Case = tuple[str, list[str]]

# Each case: what is wrong, the stack configuration, and every error that `load` has to report, in this order.
# The key "pools", where there is one, holds the node pools.
CASES: dict[str, Case] = {
    "name missing": (
        """
        nodeSets: []
        """,
        [
            "name: this field is required. Add name: ClusterName, and the prefix of the names of all objects.",
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
            "nodeSets = []: this field stands here twice, in two spellings. Keep one of them.",
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
        operatorVersion: 1.3.0
        """,
        [
            (
                'operatorVersion = "1.3.0": this release of slurm-operator is not known here. Write one '
                "of: 1.0.0, 1.0.1, 1.0.2, 1.0.3, 1.0.4, 1.0.5, 1.1.0, 1.1.1, 1.1.2, 1.2.0, 1.2.1."
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
        operatorVersion: 1.0.9
        """,
        [
            (
                'operatorVersion = "1.0.9": this release of slurm-operator is not known here. Write one '
                "of: 1.0.0, 1.0.1, 1.0.2, 1.0.3, 1.0.4, 1.0.5, 1.1.0, 1.1.1, 1.1.2, 1.2.0, 1.2.1."
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
    "node set without machine": (
        """
        name: c
        nodeSets: [{name: a}]
        """,
        [
            (
                'nodeSets[0] = "a": neither pool nor machine is given, so CPUs, memory and GRES can\'t be '
                "derived. Add pool: <name of a node pool>, or machine: {cpus: ..., memory: ...}."
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
    "time that Slurm doesn't read": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {maxTime: 2 days}}]
        """,
        [
            (
                'nodeSets[0].partition.maxTime = "2 days": this is not a time that Slurm reads. Write '
                'minutes ("90"), "MM:SS", "HH:MM:SS", "D-HH", "D-HH:MM", "D-HH:MM:SS" or '
                '"UNLIMITED".'
            ),
        ],
    ),
    "time out of range": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {maxTime: '99999-00:00:00'}}]
        """,
        [
            (
                'nodeSets[0].partition.maxTime = "99999-00:00:00": this is longer than Slurm can count. Write at most '
                '"24855-00:00:00", or "UNLIMITED".'
            ),
        ],
    ),
    "negative time": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {maxTime: -5}}]
        """,
        [
            (
                "nodeSets[0].partition.maxTime = -5: this is not a time that Slurm reads. "
                'Write minutes ("90"), "MM:SS", "HH:MM:SS", "D-HH", "D-HH:MM", "D-HH:MM:SS" or "UNLIMITED".'
            ),
        ],
    ),
    "default time above the longest": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {maxTime: 60, defaultTime: 1-0}}]
        """,
        [
            'nodeSets[0].partition.defaultTime = "1-0": it is longer than maxTime, 60. Write "60" or less.',
        ],
    ),
    "memory in words": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {defMemPerCpu: 4 gigs}}]
        """,
        [
            (
                'nodeSets[0].partition.defMemPerCpu = "4 gigs": this is not an amount of memory that '
                'Slurm reads. Write MiB ("4000"), a Slurm size ("4G") or a Kubernetes quantity '
                '("4Gi").'
            ),
        ],
    ),
    "two kinds of default memory": (
        """
        name: c
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          partition: {defMemPerCpu: 4G, defMemPerNode: 8G}
        """,
        [
            'nodeSets[0].partition.defMemPerCpu = "4096": Slurm ignores it when defMemPerNode is set. Keep one.',
        ],
    ),
    "min nodes above max nodes": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {minNodes: 4, maxNodes: 2}}]
        """,
        [
            "nodeSets[0].partition.minNodes = 4: it is above maxNodes, 2, so no job could run. Write 2 or less.",
        ],
    ),
    "state unknown": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {state: 'ON'}}]
        """,
        [
            (
                "nodeSets[0].partition.state = \"ON\": this is not one of the choices. Write one of: 'UP', "
                "'DOWN', 'DRAIN' or 'INACTIVE'."
            ),
        ],
    ),
    "allowed and denied accounts": (
        """
        name: c
        accounting: {}
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          partition:
            allowAccounts: [x]
            denyAccounts: [y]
        """,
        [
            'nodeSets[0].partition.denyAccounts = ["y"]: Slurm ignores it when allowAccounts is set. Keep one.',
        ],
    ),
    "QoS without accounting": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {qos: high}}]
        """,
        [
            (
                'nodeSets[0].partition.qos = "high": accounts and QoS live in the accounting database, '
                "and there is none. Add accounting, or leave this out."
            ),
        ],
    ),
    "preemption that is not set up": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {preemptMode: REQUEUE}}]
        """,
        [
            (
                'nodeSets[0].partition.preemptMode = "REQUEUE": nothing is preempted as long as '
                "slurmConf.preemptType is not set. Set slurmConf.preemptType, for example "
                '"preempt/partition_prio".'
            ),
        ],
    ),
    "suspend without gang": (
        """
        name: c
        slurmConf: {preemptType: preempt/partition_prio, preemptMode: REQUEUE}
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {preemptMode: SUSPEND}}]
        """,
        [
            (
                'nodeSets[0].partition.preemptMode = "SUSPEND": suspended jobs are resumed by the gang '
                'scheduler, and it is off. Set slurmConf.preemptMode to "SUSPEND,GANG".'
            ),
        ],
    ),
    "preempt type without mode": (
        """
        name: c
        slurmConf: {preemptType: preempt/partition_prio}
        """,
        [
            (
                "slurmConf.preemptMode: slurmctld does not start with preemptType preempt/partition_prio "
                'and no way to preempt. Write for example "REQUEUE", "CANCEL" or "SUSPEND,GANG".'
            ),
        ],
    ),
    "ways to preempt without a type": (
        """
        name: c
        slurmConf: {preemptMode: 'gang, suspend'}
        """,
        [
            (
                'slurmConf.preemptMode = "GANG,SUSPEND": slurmctld does not start with a way to preempt and no '
                'preemptType. Set preemptType, for example "preempt/partition_prio", or leave this out.'
            ),
        ],
    ),
    "gang scheduling for preemption": (
        """
        name: c
        slurmConf: {preemptType: preempt/partition_prio, preemptMode: GANG}
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {preemptMode: GANG}}]
        """,
        [
            (
                "nodeSets[0].partition.preemptMode = \"GANG\": this is not one of the choices. Write one of: 'OFF', "
                "'CANCEL', 'REQUEUE' or 'SUSPEND'."
            ),
            (
                'slurmConf.preemptMode = "GANG": slurmctld does not start with preemptType preempt/partition_prio '
                'and no way to preempt. Write for example "REQUEUE", "CANCEL" or "SUSPEND,GANG".'
            ),
        ],
    ),
    "two ways to preempt": (
        """
        name: c
        slurmConf: {preemptType: preempt/partition_prio, preemptMode: 'REQUEUE,CANCEL'}
        """,
        [
            (
                'slurmConf.preemptMode = "REQUEUE,CANCEL": Slurm knows no such PreemptMode. '
                'Write for example "REQUEUE", "CANCEL" or "SUSPEND,GANG".'
            ),
        ],
    ),
    "suspending without the gang scheduler": (
        """
        name: c
        slurmConf: {preemptType: preempt/partition_prio, preemptMode: suspend}
        """,
        [
            (
                'slurmConf.preemptMode = "suspend": suspended jobs are resumed by the gang scheduler, and it is off. '
                'Write "SUSPEND,GANG".'
            ),
        ],
    ),
    "plugins without their files": (
        """
        name: c
        slurmConf: {extra: {TopologyPlugin: topology/tree, JobSubmitPlugins: 'require_timelimit,lua'}}
        """,
        [
            (
                'slurmConf.extra.TopologyPlugin = "topology/tree": topology/tree reads topology.conf or topology.yaml, '
                'and slurmctld would not start without it. Add configFiles["topology.conf"], or leave this out.'
            ),
            (
                'slurmConf.extra.JobSubmitPlugins = "require_timelimit,lua": lua reads job_submit.lua, '
                'and slurmctld would not start without it. Add configFiles["job_submit.lua"], or leave this out.'
            ),
        ],
    ),
    "resources that nobody counts": (
        """
        name: c
        slurmConf:
          priorityWeights: {Age: 1000, QOS: 5}
          extra: {AccountingStorageTRES: 'fs/disk,gres/gpu', PriorityWeightTRES: 'CPU=1,GRES/gpu=5'}
        """,
        [
            (
                "slurmConf.priorityWeights.Age = 1000: Slurm ignores it without the accounting database. "
                "Add accounting, or leave this out."
            ),
            (
                'slurmConf.extra.AccountingStorageTRES = "fs/disk,gres/gpu": without accounting gres/gpu is not '
                "counted, and slurmctld would not start. Add accounting, or leave this out."
            ),
            (
                'slurmConf.extra.PriorityWeightTRES = "CPU=1,GRES/gpu=5": without accounting GRES/gpu is not '
                "counted, and slurmctld would not start. Add accounting, or leave this out."
            ),
        ],
    ),
    "resources that the stated list is without": (
        """
        name: c
        slurmConf: {extra: {AccountingStorageTRES: license/matlab}}
        accounting: {qos: [{name: high, grpTres: {license/matlab: 3, license/ansys: 2}}]}
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {tresBillingWeights: {GRES/gpu: 12}}}]
        """,
        [
            (
                'nodeSets[0].partition.tresBillingWeights["GRES/gpu"] = 12.0: slurmConf.extra.AccountingStorageTRES '
                "is without GRES/gpu, so it is not counted. Add it there, or leave AccountingStorageTRES out: it is "
                "derived."
            ),
            (
                'accounting.qos[0].grpTres["license/ansys"] = 2: slurmConf.extra.AccountingStorageTRES is without '
                "license/ansys, so it is not counted. Add it there, or leave AccountingStorageTRES out: it is "
                "derived."
            ),
        ],
    ),
    "resources that Slurm does not know": (
        """
        name: c
        slurmConf: {extra: {PriorityWeightTRES: 'gpu=5'}}
        accounting: {qos: [{name: high, grpTres: {gpus: 3}}]}
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {tresBillingWeights: {gpu: 12, gres/: 3}}}]
        """,
        [
            (
                "nodeSets[0].partition.tresBillingWeights.gpu = 12.0: this is not a trackable resource. Write for "
                'example "CPU", "Mem" or "GRES/gpu".'
            ),
            (
                'nodeSets[0].partition.tresBillingWeights["gres/"] = 3.0: this is not a trackable resource. Write for'
                ' example "CPU", "Mem" or "GRES/gpu".'
            ),
            (
                'accounting.qos[0].grpTres.gpus = 3: this is not a trackable resource. Write for example "CPU", "Mem"'
                ' or "GRES/gpu".'
            ),
            (
                'slurmConf.extra.PriorityWeightTRES = "gpu=5": this is not a trackable resource. Write for example '
                '"CPU", "Mem" or "GRES/gpu".'
            ),
        ],
    ),
    "QoS that do not exist": (
        """
        name: c
        accounting:
          qos: [{name: high, preempt: [lo]}, {name: low}]
          accounts: [{name: a, qos: [HIGH, hi], defaultQos: high}, {name: b, defaultQos: nope}]
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          partition: {qos: Low, allowQos: [normal, hig]}
        partitions: [{name: p, nodeSets: [a], denyQos: [x]}]
        """,
        [
            (
                'partitions[0].denyQos[0] = "x": there is no such QoS, and slurmctld would not start. Write one of: '
                "high, low, normal. Or add it: accounting.qos: [{name: x}]."
            ),
            (
                'nodeSets[0].partition.allowQos[1] = "hig": there is no such QoS, and slurmctld would not start. Did '
                'you mean "high"? Or add it: accounting.qos: [{name: hig}].'
            ),
            (
                'accounting.qos[0].preempt[0] = "lo": there is no such QoS. Did you mean "low"? Or add it: '
                "accounting.qos: [{name: lo}]."
            ),
            (
                'accounting.accounts[0].qos[1] = "hi": there is no such QoS. Did you mean "high"? Or add it: '
                "accounting.qos: [{name: hi}]."
            ),
            (
                'accounting.accounts[1].defaultQos = "nope": there is no such QoS. Write one of: high, low, normal. '
                "Or add it: accounting.qos: [{name: nope}]."
            ),
            (
                'accounting.accounts[1].defaultQos = "nope": the QoS of jobs that ask for none is not among those '
                "that the account, or its parent, may take. Let qos of the account have its defaultQos."
            ),
        ],
    ),
    "names of QoS and accounts": (
        """
        name: c
        accounting:
          qos: [{name: High}, {name: a b}, {name: low}]
          accounts: [{name: Physics}, {name: z, description: the "best"}]
        """,
        [
            'accounting.qos[0].name = "High": Slurm keeps this name in lower case. Write "high".',
            (
                'accounting.qos[1].name = "a b": Slurm would not read this name as one word. Use letters, digits, '
                '"_", "-" and ".", for example "a-b".'
            ),
            'accounting.accounts[0].name = "Physics": Slurm keeps this name in lower case. Write "physics".',
            (
                'accounting.accounts[1].description = "the \\"best\\"": sacctmgr would not keep this text as it is. '
                "Write one line of text, without quotes."
            ),
        ],
    ),
    "a tree of accounts": (
        """
        name: c
        accounting:
          qos: [{name: low}, {name: low}]
          accounts:
          - {name: root}
          - {name: chem, parent: chemi}
          - {name: chem}
          - {name: x, parent: y}
          - {name: y, parent: x}
          - {name: z, parent: y, defaultQos: normal}
        """,
        [
            'accounting.qos[1].name = "low": it stands here twice. Keep one of them.',
            'accounting.accounts[2].name = "chem": it stands here twice. Keep one of them.',
            'accounting.accounts[0].name = "root": slurmdbd makes it by itself. Choose another name.',
            'accounting.accounts[1].parent = "chemi": there is no such account. Did you mean "chem"?',
            'accounting.accounts[3].parent = "y": following the parents leads back to this account. Write "root".',
            'accounting.accounts[4].parent = "x": following the parents leads back to this account. Write "root".',
        ],
    ),
    "QoS that preempt each other": (
        """
        name: c
        accounting: {qos: [{name: a, preempt: [b]}, {name: b, preempt: [A]}, {name: c, preempt: [a]}]}
        """,
        [
            (
                'accounting.qos[0].preempt = ["b"]: following what it preempts leads back to this QoS, and sacctmgr '
                "refuses that. Leave one of them out."
            ),
            (
                'accounting.qos[1].preempt = ["A"]: following what it preempts leads back to this QoS, and sacctmgr '
                "refuses that. Leave one of them out."
            ),
        ],
    ),
    "a default QoS that is not allowed": (
        """
        name: c
        accounting:
          qos: [{name: high}]
          accounts:
          - {name: a, qos: [high], defaultQos: normal}
          - {name: b, qos: [normal, high], defaultQos: high}
          - {name: c, parent: b, qos: [normal]}
          - {name: d, defaultQos: high}
        """,
        [
            (
                'accounting.accounts[0].defaultQos = "normal": the QoS of jobs that ask for none is not among those '
                "that the account, or its parent, may take. Let qos of the account have its defaultQos."
            ),
            (
                'accounting.accounts[2].qos = ["normal"]: the QoS of jobs that ask for none is not among those that '
                "the account, or its parent, may take. Let qos of the account have its defaultQos."
            ),
            (
                'accounting.accounts[3].defaultQos = "high": the QoS of jobs that ask for none is not among those '
                "that the account, or its parent, may take. Let qos of the account have its defaultQos."
            ),
        ],
    ),
    "limits beyond the database's": (
        """
        name: c
        accounting:
          qos: [{name: a, priority: 2147483648, maxJobsPerUser: 2147483648, grpTres: {cpu: 18446744073709551614}}]
          accounts: [{name: b, fairshare: 2147483647, grpJobs: 2147483648, options: {GrpSubmitJobs: 1 2}}]
        """,
        [
            (
                "accounting.qos[0].grpTres.cpu = 18446744073709551614: this is too large. Write 18446744073709551613 "
                "or less."
            ),
            "accounting.qos[0].priority = 2147483648: this is too large. Write 2147483647 or less.",
            "accounting.qos[0].maxJobsPerUser = 2147483648: this is too large. Write 2147483647 or less.",
            "accounting.accounts[0].grpJobs = 2147483648: this is too large. Write 2147483647 or less.",
            (
                'accounting.accounts[0].options.GrpSubmitJobs = "1 2": sacctmgr would not take GrpSubmitJobs=1 2 as '
                "one option. Write a key of letters and one word."
            ),
            "accounting.accounts[0].fairshare = 2147483647: this is too large. Write 2147483646 or less.",
        ],
    ),
    "numbers that Slurm would change": (
        """
        name: c
        slurmConf: {maxJobCount: 67043329, slurmdTimeout: 65536, slurmctldDebug: Debug6, slurmdDebug: INFO}
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {priorityTier: 65536, defCpuPerGpu: -1}}]
        """,
        [
            "nodeSets[0].partition.defCpuPerGpu = -1: this is too small. Write 0 or more.",
            "nodeSets[0].partition.priorityTier = 65536: this is too large. Write 65535 or less.",
            "slurmConf.maxJobCount = 67043329: this is too large. Write 67043328 or less.",
            "slurmConf.slurmdTimeout = 65536: this is too large. Write 65535 or less.",
            (
                'slurmConf.slurmctldDebug = "Debug6": Slurm refuses "Debug6" here. Write one of: quiet, fatal, error,'
                " info, verbose, debug, debug2, debug3, debug4, debug5, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9."
            ),
        ],
    ),
    "groups that are several": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {allowGroups: [domain users, 'a,b', '']}}]
        """,
        [
            (
                'nodeSets[0].partition.allowGroups[1] = "a,b": this is not the name of one group. Write each name as '
                "text of its own, without commas."
            ),
            (
                'nodeSets[0].partition.allowGroups[2] = "": this is not the name of one group. Write each name as '
                "text of its own, without commas."
            ),
        ],
    ),
    "limits without accounting": (
        """
        name: c
        slurmConf: {accountingStorageEnforce: [limits]}
        """,
        [
            (
                'slurmConf.accountingStorageEnforce = ["limits"]: it needs the accounting database, and '
                "there is none. Add accounting, or leave this out."
            ),
        ],
    ),
    "numbers beyond Slurm's": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, weight: 4294967294}]
        partitions: [{name: p, nodeSets: [a], maxNodes: 4294967295, overSubscribe: 'YES', overSubscribeJobs: 32768}]
        """,
        [
            "nodeSets[0].weight = 4294967294: this is too large. Write 4294967293 or less.",
            "partitions[0].maxNodes = 4294967295: this is too large. Write 4294967293 or less.",
            "partitions[0].overSubscribeJobs = 32768: this is too large. Write 32767 or less.",
        ],
    ),
    "one job that shares": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}}]
        partitions:
        - {name: p, nodeSets: [a], overSubscribe: 'YES', overSubscribeJobs: 1}
        - {name: q, nodeSets: [a], overSubscribe: FORCE, overSubscribeJobs: 1}
        """,
        [
            (
                "partitions[0].overSubscribeJobs = 1: one job shares nothing, and Slurm takes it for overSubscribe NO. "
                "Write 2 or more, or overSubscribe NO."
            ),
        ],
    ),
    "jobs without oversubscribe": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {overSubscribeJobs: 4}}]
        """,
        [
            (
                "nodeSets[0].partition.overSubscribeJobs = 4: only overSubscribe FORCE and YES take a "
                "number of jobs. Set overSubscribe, or leave this out."
            ),
        ],
    ),
    "typed option in extra": (
        """
        name: c
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          partition:
            extra: {MaxTime: 60, Nodes: ALL, Alternate: 'a "b"'}
        """,
        [
            'nodeSets[0].partition.extra.MaxTime = "60": this has a field of its own. Set maxTime instead.',
            (
                'nodeSets[0].partition.extra.Nodes = "ALL": this is derived and would be given twice. '
                "Leave it out; set name and nodeSets."
            ),
            (
                'nodeSets[0].partition.extra.Alternate = "a \\"b\\"": Slurm has no way to write a quote inside of a '
                "value. Leave the quotes out."
            ),
        ],
    ),
    "replicas beside an autoscaler": (
        """
        name: c
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          replicas: 2
          partition: {}
          autoscaling: {maxReplicas: 4, prometheusAddress: 'http://p'}
        """,
        [
            (
                "nodeSets[0].replicas = 2: the autoscaler sets the number of replicas, and every `pulumi "
                "up` would undo its work. Leave replicas out; autoscaling.minReplicas is where it starts."
            ),
        ],
    ),
    "autoscaler without Prometheus": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, partition: {}, autoscaling: {maxReplicas: 4}}]
        """,
        [
            (
                "nodeSets[0].autoscaling.prometheusAddress: KEDA counts pending jobs in Prometheus and "
                "needs its address. Add prometheusAddress, for example "
                '"http://prometheus.monitoring:9090", or use kind "hpa".'
            ),
        ],
    ),
    "autoscaler without partition": (
        """
        name: c
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          autoscaling: {maxReplicas: 4, prometheusAddress: 'http://p'}
        """,
        [
            (
                "nodeSets[0].autoscaling.partition: the node set is in no partition, so no pending job "
                "would ever start it. Add it to one."
            ),
        ],
    ),
    "autoscaler of another partition": (
        """
        name: c
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          partition: {}
          autoscaling: {maxReplicas: 4, partition: b, prometheusAddress: 'http://p'}
        """,
        [
            'nodeSets[0].autoscaling.partition = "b": the node set "a" is not in it. Write one of: a.',
        ],
    ),
    "autoscaler upside down": (
        """
        name: c
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          autoscaling: {kind: hpa, minReplicas: 5, maxReplicas: 4}
        """,
        [
            "nodeSets[0].autoscaling.minReplicas = 5: the minimum is above maxReplicas, 4. Write 4 or less.",
        ],
    ),
    "HPA to zero": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, autoscaling: {kind: hpa, maxReplicas: 4}}]
        """,
        [
            (
                "nodeSets[0].autoscaling.minReplicas = 0: a HorizontalPodAutoscaler can't go to zero. Write "
                '1 or more, or use kind "keda".'
            ),
        ],
    ),
    "KEDA without metrics": (
        """
        name: c
        monitoring: {metrics: false}
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          partition: {}
          autoscaling: {maxReplicas: 4, prometheusAddress: 'http://p'}
        """,
        [
            'monitoring.metrics = false: the autoscaler of node set "a" reads slurmctld\'s metrics. Write true.',
        ],
    ),
    "KEDA for login nodes": (
        """
        name: c
        identity: {directory: {}}
        loginSets: [{name: l, autoscaling: {maxReplicas: 4, prometheusAddress: 'http://p'}}]
        """,
        [
            (
                'loginSets[0].autoscaling.kind = "keda": pending jobs say nothing about how many login '
                'nodes are needed. Write kind "hpa".'
            ),
        ],
    ),
    "DaemonSet with replicas, names and padding": (
        """
        name: c
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          scalingMode: DaemonSet
          replicas: 2
          hostNamePrefix: x-
          ordinalPadding: 2
        """,
        [
            (
                "nodeSets[0].replicas = 2: with scalingMode DaemonSet the number of matching nodes decides. "
                'Leave replicas out, or write scalingMode "StatefulSet".'
            ),
            (
                "nodeSets[0].ordinalPadding = 2: with scalingMode DaemonSet Slurm's names are those of the "
                'Kubernetes nodes. Leave ordinalPadding out, or write scalingMode "StatefulSet".'
            ),
            (
                'nodeSets[0].hostNamePrefix = "x-": with scalingMode DaemonSet Slurm\'s names are those of '
                'the Kubernetes nodes. Leave hostNamePrefix out, or write scalingMode "StatefulSet".'
            ),
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
    "feature with a comma": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, features: ['a,b', ok, ok]}]
        """,
        [
            (
                'nodeSets[0].features[0] = "a,b": Slurm would not read this name as one word. Use '
                'letters, digits, "_", "-" and ".", for example "a-b".'
            ),
        ],
    ),
    "slurmd option with a space": (
        """
        name: c
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          slurmdOptions: {Topology: a b, Gres: 'gpu:1', CoreSpecCount: 2, corespeccount: 3}
        """,
        [
            (
                'nodeSets[0].slurmdOptions.corespeccount = "3": Slurm ignores case, and CoreSpecCount is '
                "set. Keep one of them."
            ),
            (
                'nodeSets[0].slurmdOptions.Topology = "a b": slurm-operator splits Topology=a b at white '
                "space, and stops on what is left. Write a key of letters and a value without white space "
                "and quotes."
            ),
            (
                'nodeSets[0].slurmdOptions.Gres = "gpu:1": this is derived and would be given twice. '
                "Leave it out; set gpus or extraGres."
            ),
        ],
    ),
    "GRES malformed": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, extraGres: [tmpdisk, 'tmpdisk:100X', 'gpu:2']}]
        """,
        [
            (
                'nodeSets[0].extraGres[1] = "tmpdisk:100X": this is not a GRES. Write name:count or '
                'name:type:count, for example "tmpdisk:100G".'
            ),
            (
                'nodeSets[0].extraGres[2] = "gpu:2": GPUs come from the machine and would be counted '
                "twice. Leave it out; machine.gpus and gpus say how many there are."
            ),
        ],
    ),
    "more GPUs than the machine has": (
        """
        name: c
        nodeSets: [{name: a, gpus: 3, machine: {cpus: 4, memory: 8Gi, gpus: {count: 2, type: h100}}}]
        """,
        [
            (
                "nodeSets[0].gpus = 3: the machine has 2 GPUs, so slurmd would be invalid. Write 2 or less, "
                "or add machine.gpus."
            ),
        ],
    ),
    "no update ever": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, updateStrategy: {maxUnavailable: 0}}]
        """,
        [
            (
                "nodeSets[0].updateStrategy.maxUnavailable = 0: with this no pod would ever be replaced. "
                'Write a number from 1, or a percentage such as "25%".'
            ),
        ],
    ),
    "memory without a unit": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8}}]
        """,
        [
            (
                "nodeSets[0].machine.memory = 8: no slurmd starts in less than 64 MiB. Write a unit, for "
                'example "120Gi".'
            ),
        ],
    ),
    "claim that nobody may write": (
        """
        name: c
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          volumeClaims:
          - {name: x, mountPath: /x, accessMode: ReadOnlyMany}
        """,
        [
            (
                'nodeSets[0].volumeClaims[0].accessMode = "ReadOnlyMany": the daemon writes to this '
                "volume. Write ReadWriteOnce."
            ),
        ],
    ),
    "claims of one name and place": (
        """
        name: c
        sharedVolumes: [{name: h, mountPath: /h, storageClass: s}]
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          volumeClaims:
          - {name: shared-h, mountPath: /x}
          - {name: run, mountPath: /h/}
          - {name: z, mountPath: /x}
        """,
        [
            ('nodeSets[0].volumeClaims[0].name = "shared-h": the pod has a volume of this name. Choose another name.'),
            'nodeSets[0].volumeClaims[1].name = "run": the pod has a volume of this name. Choose another name.',
            'nodeSets[0].volumeClaims[1].mountPath = "/h/": "h" is mounted there. Choose another path.',
            'nodeSets[0].volumeClaims[2].mountPath = "/x": "shared-h" is mounted there. Choose another path.',
        ],
    ),
    "folders of the node": (
        """
        name: c
        sharedVolumes: [{name: h, mountPath: /h, storageClass: s}]
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          sharedMemory: 2 GB
          volumeClaims: [{name: x, mountPath: /x}]
          hostPaths:
          - {name: Disk, path: mnt/disk, mountPath: /etc/slurm}
          - {name: y, path: /mnt/../etc, mountPath: /y, type: Folder}
        """,
        [
            'nodeSets[0].hostPaths[0].name = "Disk": Kubernetes would refuse this name. Use lower-case letters, digits '
            'and "-", starting with a letter, for example "disk".',
            'nodeSets[0].hostPaths[0].path = "mnt/disk": Kubernetes takes absolute paths alone. Write for example '
            '"/mnt/disks/ssd0".',
            'nodeSets[0].hostPaths[0].mountPath = "/etc/slurm": the daemons\' own files live there. Mount it '
            'elsewhere, for example "/home" or "/shared".',
            'nodeSets[0].hostPaths[1].path = "/mnt/../etc": Kubernetes takes absolute paths alone. Write for example '
            '"/mnt/disks/ssd0".',
            'nodeSets[0].hostPaths[1].type = "Folder": this is not one of the choices. Write one of: '
            "'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket', 'CharDevice' or 'BlockDevice'.",
            'nodeSets[0].sharedMemory = "2 GB": this is not a Kubernetes quantity. Write for example "64Gi", "500M" or '
            '"1.5".',
        ],
    ),
    "shared memory beyond the machine's": (
        """
        name: c
        nodeSets:
        - {name: a, machine: {cpus: 4, memory: 8Gi}, sharedMemory: 8Gi}
        - {name: b, pool: p, sharedMemory: 15Gi}
        - {name: d, pool: p, machine: {cpus: 4, memory: 8Gi}, sharedMemory: 7Gi}
        pools:
        - {name: p, machine: {cpus: 8, memory: 16Gi}, nodeLabels: {p: p}}
        """,
        [
            'nodeSets[0].sharedMemory = "8Gi": slurmd and its jobs have 8192Mi, and what lies in /dev/shm is part of '
            "that. Write less than that, for example half of it.",
            'nodeSets[1].sharedMemory = "15Gi": slurmd and its jobs have 14336Mi, and what lies in /dev/shm is part of '
            "that. Write less than that, for example half of it.",
        ],
    ),
    "folders of one name and place": (
        """
        name: c
        sharedVolumes: [{name: h, mountPath: /h, storageClass: s}]
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          sharedMemory: 2Gi
          volumeClaims: [{name: x, mountPath: /x}]
          hostPaths:
          - {name: x, path: /mnt/x, mountPath: /h}
          - {name: shared-memory, path: /dev/shm, mountPath: /dev/shm/}
        """,
        [
            'nodeSets[0].hostPaths[0].name = "x": the pod has a volume of this name. Choose another name.',
            'nodeSets[0].hostPaths[0].mountPath = "/h": "h" is mounted there. Choose another path.',
            'nodeSets[0].hostPaths[1].name = "shared-memory": the pod has a volume of this name. Choose another name.',
            'nodeSets[0].hostPaths[1].mountPath = "/dev/shm/": "sharedMemory" is mounted there. Choose another path.',
        ],
    ),
    "sidecars": (
        """
        name: c
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          sidecars:
          - {name: slurmd, image: "http://x/y", capabilities: [NET_ADMIN, cap-sys-nice]}
          - {name: a-name-longer-than-22-chars, image: x, readySeconds: 1}
        """,
        [
            'nodeSets[0].sidecars[0].name = "slurmd": the operator\'s pods have a container of this name. Choose '
            "another name.",
            'nodeSets[0].sidecars[0].image = "http://x/y": no image has a name like this. Write registry/path:tag, for '
            'example "ghcr.io/slinkyproject/slurmd:25.11".',
            'nodeSets[0].sidecars[0].capabilities[1] = "cap-sys-nice": Kubernetes knows no capability of this name. '
            'Write for example "SYS_NICE".',
            'nodeSets[0].sidecars[1].name = "a-name-longer-than-22-chars": this name has 27 characters. '
            "Use 22 at most.",
            "nodeSets[0].sidecars[1].readySeconds = 1: this is too small. Write 5 or more.",
        ],
    ),
    "sidecars of one name and place": (
        """
        name: c
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          hostPaths: [{name: s-sys, path: /sys, mountPath: /hostsys}]
          sidecars:
          - name: s
            image: x
            hostPaths:
            - {name: sys, path: /sys, mountPath: /hostsys}
            - {name: proc, path: /proc, mountPath: /hostsys/}
          - {name: s, image: x}
        """,
        [
            'nodeSets[0].sidecars[0].hostPaths[0].name = "sys": the pod has a volume "s-sys" already. Choose another '
            "name.",
            'nodeSets[0].sidecars[0].hostPaths[1].mountPath = "/hostsys/": "sys" is mounted there. Choose '
            "another path.",
            'nodeSets[0].sidecars[1].name = "s": the pod has a sidecar of this name. Choose another name.',
        ],
    ),
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
            'nodeSets[0].pool = "pp": there is no such node pool. Did you mean "p"?',
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
    "login set without identity": (
        """
        name: c
        loginSets: [{name: l}]
        """,
        [
            (
                'identity: login set "l" needs SSSD, and SSSD needs a source of users. Add identity, for '
                "example identity: {directory: {}} for a trial, or identity: {ldap: {...}}."
            ),
        ],
    ),
    "ssh without identity": (
        """
        name: c
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, ssh: {}}]
        """,
        [
            (
                'identity: SSH into node set "a" needs SSSD, and SSSD needs a source of users. Add '
                "identity, for example identity: {directory: {}} for a trial, or identity: {ldap: {...}}."
            ),
        ],
    ),
    "identity of two sources": (
        """
        name: c
        identity: {directory: {}, sssdConfSecret: {name: s, key: sssd.conf}}
        """,
        [
            "identity: 2 sources of users are given. Give exactly one of ldap, directory and sssdConfSecret.",
        ],
    ),
    "LDAP in clear": (
        """
        name: c
        identity: {ldap: {uri: 'ldap://x', baseDn: dc=x}}
        """,
        [
            (
                'identity.ldap.uri = "ldap://x": SSSD would refuse every login, because passwords would '
                "cross the network in clear. Write ldaps://, or add startTls: true."
            ),
        ],
    ),
    "private key": (
        """
        name: c
        identity: {directory: {}}
        loginSets: [{name: l, rootAuthorizedKeys: [ssh-rsa AAAA, '-----BEGIN PRIVATE KEY-----']}]
        """,
        [
            (
                'loginSets[0].rootAuthorizedKeys[1] = "-----BEGIN PRIVATE KEY-----": this is a private '
                "key. Write the public key, the content of the file that ends in .pub."
            ),
        ],
    ),
    "Service without the type for its port": (
        """
        name: c
        restApi: {service: {nodePort: 30000, sourceRanges: [10.0.0.1/8]}}
        """,
        [
            (
                'restApi.service.sourceRanges[0] = "10.0.0.1/8": this is not a network in CIDR form. '
                'Write for example "192.0.2.0/24".'
            ),
            (
                "restApi.service.nodePort = 30000: a Service of type ClusterIP has no port on nodes. Write "
                'type "NodePort" or "LoadBalancer", or leave nodePort out.'
            ),
        ],
    ),
    "port on nodes taken twice": (
        """
        name: c
        identity: {directory: {}}
        restApi: {service: {type: NodePort, nodePort: 30000}}
        loginSets: [{name: l, service: {type: NodePort, nodePort: 30000}}]
        """,
        [
            "loginSets[0].service.nodePort = 30000: another Service has this port. Choose another.",
        ],
    ),
    "port of the Service changed": (
        """
        name: c
        restApi: {overrides: {service: {port: 80}}}
        controller: {overrides: {service: {port: 7000}}}
        """,
        [
            (
                "controller.overrides.service.port = 7000: it changes the Service alone: daemons, clients "
                "and the operator keep 6817. Leave it out."
            ),
            (
                "restApi.overrides.service.port = 80: it changes the Service alone: daemons, clients and "
                "the operator keep 6820. Leave it out."
            ),
        ],
    ),
    "REST API left out": (
        """
        name: c
        restApi: {replicas: 0}
        """,
        [
            "restApi.replicas = 0: this is too small. Write 1 or more.",
        ],
    ),
    "token for ever": (
        """
        name: c
        tokens: [{name: t, username: root, lifetime: 20000h}]
        """,
        [
            (
                'tokens[0].lifetime = "20000h": a token of root that lasts more than a year is a key to '
                'the whole cluster. Write "8760h" or less.'
            ),
        ],
    ),
    "token in days": (
        """
        name: c
        tokens: [{name: t, username: me, lifetime: 30d}, {name: t, username: me}]
        """,
        [
            (
                'tokens[0].lifetime = "30d": this is not a duration. Write for example "15m", "24h" '
                'or "1h30m"; days are not a unit here.'
            ),
            'tokens[1].name = "t": this name is used before. Choose another name.',
        ],
    ),
    "shared volume for one pod": (
        """
        name: c
        sharedVolumes: [{name: h, mountPath: /home, storageClass: s, accessMode: ReadWriteOnce}]
        """,
        [
            (
                'sharedVolumes[0].accessMode = "ReadWriteOnce": one pod would mount it and all others '
                "would stay Pending. Write ReadWriteMany or ReadOnlyMany."
            ),
        ],
    ),
    "shared volume without a source": (
        """
        name: c
        sharedVolumes: [{name: h, mountPath: /home}]
        """,
        [
            "sharedVolumes[0]: it has no source. Give exactly one of existingClaim, storageClass, nfs and csi.",
        ],
    ),
    "shared volume over Slurm's files": (
        """
        name: c
        sharedVolumes: [{name: h, mountPath: /etc/slurm/x, storageClass: s}]
        """,
        [
            (
                'sharedVolumes[0].mountPath = "/etc/slurm/x": the daemons\' own files live there. Mount it '
                'elsewhere, for example "/home" or "/shared".'
            ),
        ],
    ),
    "two volumes at one path": (
        """
        name: c
        sharedVolumes:
        - {name: h, mountPath: /home, storageClass: s}
        - {name: i, mountPath: /home/, storageClass: s}
        """,
        [
            'sharedVolumes[1].mountPath = "/home/": "h" is mounted there. Choose another path.',
        ],
    ),
    "volume of no size": (
        """
        name: c
        controller: {state: {size: 0}}
        """,
        [
            'controller.state.size = 0: nothing fits into zero. Write for example "64Gi".',
        ],
    ),
    "script without #!": (
        """
        name: c
        hooks: {prolog: {10-x.sh: echo, gres.conf: '#!/bin/sh'}}
        """,
        [
            (
                'hooks.prolog["10-x.sh"] = "echo": the script does not begin with #!, so it would not '
                'start and every node would be drained. Begin it with "#!/bin/bash".'
            ),
            (
                'hooks.prolog["gres.conf"] = "#!/bin/sh": this is the name of a configuration file. '
                'Name the script otherwise, for example "10-gpu.sh".'
            ),
        ],
    ),
    "one file twice": (
        """
        name: c
        hooks: {prolog: {x.sh: '#!/bin/sh'}, epilog: {x.sh: '#!/bin/sh'}}
        """,
        [
            (
                'hooks.epilog["x.sh"] = "...": hooks.prolog has a file of this name, and all of them '
                "lie in /etc/slurm. Name one of them otherwise."
            ),
        ],
    ),
    "file of the operator": (
        """
        name: c
        configFiles: {slurm.conf: '', a/b: ''}
        """,
        [
            (
                'configFiles["slurm.conf"] = "": the operator writes this file. Put lines into '
                "slurmConf or accounting.extraConf instead."
            ),
            (
                'configFiles["a/b"] = "": this can\'t be the name of a file in /etc/slurm. Use letters, '
                'digits, "_", "-" and ".".'
            ),
        ],
    ),
    "lines of the operator": (
        """
        name: c
        slurmConf:
          extra: {ClusterName: x, SlurmctldPort: 7000, PartitionName: y, SlurmctldParameters: idle_on_node_suspend,
            KillWait: 30, killwait: 40, MpiDefault: none}
        """,
        [
            'slurmConf.extra.killwait = "40": Slurm ignores case, and KillWait is set. Keep one of them.',
            (
                'slurmConf.extra.ClusterName = "x": this line is the operator\'s, and another would break '
                "the cluster. Instead set name."
            ),
            (
                'slurmConf.extra.SlurmctldPort = "7000": this line is the operator\'s, and another would '
                "break the cluster. Instead leave it: the operator and all pods use 6817."
            ),
            (
                'slurmConf.extra.PartitionName = "y": this line is the operator\'s, and another would '
                "break the cluster. Instead set partitions."
            ),
            (
                'slurmConf.extra.SlurmctldParameters = "idle_on_node_suspend": workers fetch their '
                "configuration from slurmctld, and this value switches that off. Write "
                '"enable_configless,idle_on_node_suspend".'
            ),
            ('slurmConf.extra.MpiDefault = "none": this has a field of its own. Set slurmConf.mpiDefault instead.'),
        ],
    ),
    "keys that Slurm does not know": (
        """
        name: c
        slurmConf: {extra: {KilWait: 30, RealMemory: 1, FastSchedule: 1, HealthCheckTimeout: 9, PowerAction: x}}
        nodeSets:
        - {name: a, machine: {cpus: 4, memory: 8Gi}, partition: {extra: {PowerDownIdle: 'YES', Exclusive: USER}},
            slurmdOptions: {CoreSpecCont: 2}}
        partitions: [{name: p, nodeSets: [a], extra: {Sharing: 'NO'}}]
        accounting: {extraConf: {PurgeJobsAfter: 1month}}
        """,
        [
            (
                'accounting.extraConf.PurgeJobsAfter = "1month": there is no such key in slurmdbd.conf. '
                "Write PurgeJobAfter, if you mean that."
            ),
            ('slurmConf.extra.KilWait = "30": there is no such key in slurm.conf. Write KillWait, if you mean that.'),
            (
                'slurmConf.extra.RealMemory = "1": there is no such key in slurm.conf. '
                "Write it on NodeName lines of slurm.conf."
            ),
            (
                'slurmConf.extra.FastSchedule = "1": Slurm 19.05 was the last to heed it, and this is 25.11. '
                "Leave it out; for FastSchedule=2 write SlurmdParameters=config_overrides."
            ),
            (
                'slurmConf.extra.HealthCheckTimeout = "9": it is new in Slurm 26.05, and this is 25.11. '
                "Leave it out, or use Slurm 26.05."
            ),
            (
                'slurmConf.extra.PowerAction = "x": it is new in Slurm 26.05, and this is 25.11. '
                "Leave it out, or use Slurm 26.05."
            ),
            (
                'partitions[0].extra.Sharing = "NO": there is no such key on PartitionName lines of slurm.conf. '
                "Write Shared, if you mean that."
            ),
            (
                'nodeSets[0].partition.extra.PowerDownIdle = "YES": there is no such key on PartitionName lines of '
                "slurm.conf. Write PowerDownOnIdle, if you mean that."
            ),
            (
                'nodeSets[0].partition.extra.Exclusive = "USER": it is new in Slurm 26.05, and this is 25.11. '
                "Leave it out, or use Slurm 26.05."
            ),
            (
                'nodeSets[0].slurmdOptions.CoreSpecCont = "2": there is no such key on NodeName lines of slurm.conf. '
                "Write CoreSpecCount, if you mean that."
            ),
        ],
    ),
    "values that Slurm does not read": (
        """
        name: c
        slurmVersion: "26.05"
        operatorVersion: 1.2.1
        slurmConf:
          selectTypeParameters: CR_Core,CR_Memry
          accountingStorageEnforce: [limits, quality]
          extra: {EnforcePartLimits: some, KillWait: 70000, UsePAM: maybe, DefMemPerNode: 4G, PriorityMaxAge: 7d,
            PowerAction: x}
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, slurmdOptions: {TmpDisk: 10G}}]
        partitions: [{name: p, nodeSets: [a], extra: {AllocNodes: 'n[1-', MaxCPUsPerSocket: few}}]
        accounting: {extraConf: {TrackWCKey: 2, ArchiveScript: '"/x"'}}
        """,
        [
            (
                'accounting.extraConf.ArchiveScript = "\\"/x\\"": Slurm has no way to write a quote inside of a '
                "value. Leave the quotes out."
            ),
            (
                'slurmConf.extra.EnforcePartLimits = "some": Slurm refuses "some" here. '
                "Write one of: ALL, ANY, NO, YES, UP, DOWN, TRUE, FALSE, 1, 0."
            ),
            ('slurmConf.extra.KillWait = "70000": this is more than Slurm can count here. Write at most "65535".'),
            'slurmConf.extra.UsePAM = "maybe": this is neither yes nor no. Write "YES" or "NO".',
            'slurmConf.extra.DefMemPerNode = "4G": Slurm takes no unit here. Write MiB: "4096".',
            (
                'slurmConf.extra.PriorityMaxAge = "7d": this is not a time that Slurm reads. '
                'Write minutes ("90"), "MM:SS", "HH:MM:SS", "D-HH", "D-HH:MM", "D-HH:MM:SS" or "UNLIMITED".'
            ),
            (
                'slurmConf.extra.PowerAction = "x": a line of this kind has several options, and here is room for '
                "one. Leave it out."
            ),
            (
                "partitions[0].extra.AllocNodes = \"n[1-\": Slurm does not read this hostlist: 'n[1-' has a bracket "
                'without its partner or in brackets. Write for example "gpu[001-128],cpu-0".'
            ),
            ('partitions[0].extra.MaxCPUsPerSocket = "few": this is not a whole number. Write digits, or "UNLIMITED".'),
            'nodeSets[0].slurmdOptions.TmpDisk = "10G": Slurm takes no unit here. Write MiB: "10240".',
            'accounting.extraConf.TrackWCKey = "2": this is neither yes nor no. Write "YES" or "NO".',
            (
                'slurmConf.selectTypeParameters = "CR_Core,CR_Memry": Slurm refuses "CR_Memry" here. Write one of: '
                "CR_Core, CR_Core_Memory, CR_CPU, CR_CPU_Memory, CR_Memory, CR_Socket, CR_Socket_Memory, "
                "CR_ONE_TASK_PER_CORE, CR_CORE_DEFAULT_DIST_BLOCK, CR_LLN, CR_PACK_NODES, CR_NO_DIST_TOPO_BLOCK, "
                "ENFORCE_BINDING_GRES, LL_SHARED_GRES, MULTIPLE_SHARING_GRES_PJ, ONE_TASK_PER_SHARING_GRES, "
                "other_cons_res, other_cons_tres."
            ),
            (
                'slurmConf.accountingStorageEnforce = ["limits", "quality"]: Slurm refuses "quality" here. '
                "Write one of: all, associations, limits, nojobs, nosteps, qos, safe, wckeys, 1, 2."
            ),
        ],
    ),
    "files that Slurm does not read": (
        r"""
        name: c
        configFiles:
          gres.conf: "# GPUs\nName=gpu Fiel=/dev/nvidia0\nInclude more.conf\nInclude /etc/slurm/absent.conf\n"
          more.conf: "Nme=gpu\n"
          cgroup.conf: "ConstrainCores=maybe\nCgroupAutomount=yes\n"
          topology.yaml: "- topology: default\n"
        """,
        [
            (
                'configFiles["gres.conf"] = "Fiel": gres.conf:2: there is no such key on Name lines of gres.conf. '
                "Write File, if you mean that."
            ),
            (
                'configFiles["gres.conf"] = "Nme": more.conf:1: there is no such key in gres.conf. '
                "Write Name, if you mean that."
            ),
            (
                'configFiles["gres.conf"] = "Include /etc/slurm/absent.conf": gres.conf:4: the file cannot be read: '
                "it is not in configFiles. Correct the name, or put the file there."
            ),
            (
                'configFiles["cgroup.conf"] = "ConstrainCores=maybe": cgroup.conf:1: this is neither yes nor no. '
                'Write "YES" or "NO".'
            ),
            (
                'configFiles["cgroup.conf"] = "CgroupAutomount": cgroup.conf:2: Slurm 23.02 was the last to heed it, '
                "and this is 25.11. Leave it out; systemd or the kernel mounts the hierarchy."
            ),
            (
                'configFiles["topology.yaml"] = "[0]": topology.yaml:1: has no kind. '
                "Give exactly one of tree, block, flat, ring, torus3d."
            ),
        ],
    ),
    "lines of slurmdbd": (
        r"""
        name: c
        accounting: {extraConf: {StorageHost: x, PurgeJobAfter: "a\nb"}}
        """,
        [
            (
                'accounting.extraConf.StorageHost = "x": this line is the operator\'s, and another would '
                "break the cluster. Instead set accounting.database.host."
            ),
            (
                'accounting.extraConf.PurgeJobAfter = "a\\nb": this does not make one line of a '
                "configuration file. Write one line of text."
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
    "outside database without address": (
        """
        name: c
        accounting: {database: {kind: external}}
        """,
        [
            "accounting.database.host: an external database needs a host. Add its host name or address.",
            (
                "accounting.database.passwordSecret: the password of an external database can't be derived. "
                "Add passwordSecret: {name: ..., key: ...}, a Secret in the cluster's namespace."
            ),
        ],
    ),
    "PostgreSQL": (
        """
        name: c
        accounting: {database: {kind: postgresql, host: h}}
        """,
        [
            (
                'accounting.database.kind = "postgresql": this is not one of the choices. Write one of: '
                "'in-cluster', 'mariadb-operator' or 'external'."
            ),
        ],
    ),
    "two Galera servers": (
        """
        name: c
        accounting: {database: {kind: mariadb-operator, replicas: 2}}
        """,
        [
            "accounting.database.replicas = 2: two Galera servers can't form a quorum. Write 1, or 3 or more.",
        ],
    ),
    "node's network for daemons": (
        """
        name: c
        controller: {pod: {hostNetwork: true}}
        accounting: {pod: {hostNetwork: true}}
        """,
        [
            (
                "controller.pod.hostNetwork = true: the operator's names for this daemon lead to its pod, "
                "not to a node. Write false; to reach it from outside, put a Service of type LoadBalancer "
                "in front of it."
            ),
            (
                "accounting.pod.hostNetwork = true: the operator's names for this daemon lead to its pod, "
                "not to a node. Write false; to reach it from outside, put a Service of type LoadBalancer "
                "in front of it."
            ),
        ],
    ),
    "toleration of nothing": (
        """
        name: c
        controller: {pod: {tolerations: [{value: x}, {key: a, operator: Exists, value: x}]}}
        """,
        [
            (
                "controller.pod.tolerations[0].key: without a key only operator Exists is possible. Add "
                'key, or write operator "Exists".'
            ),
            'controller.pod.tolerations[1].value = "x": operator Exists compares no value. Leave value out.',
        ],
    ),
    "labels, names and variables": (
        """
        name: c
        controller: {pod: {labels: {'a b': c, d: 'e f'}, env: {A-B: x}, priorityClassName: High}}
        """,
        [
            (
                'controller.pod.labels["a b"] = "c": Kubernetes would refuse this key. Write a word, or '
                'a domain and a word, such as "example.org/kind".'
            ),
            (
                'controller.pod.labels.d = "e f": Kubernetes would refuse this value. Use up to 63 '
                'letters, digits, "_", "-" and ".".'
            ),
            (
                'controller.pod.priorityClassName = "High": no object in Kubernetes has a name like this. '
                'Use lower-case letters, digits, "-" and ".".'
            ),
            (
                'controller.pod.env["A-B"] = "x": this is not the name of an environment variable. Use '
                'letters, digits and "_".'
            ),
        ],
    ),
    "registry with a scheme": (
        """
        name: c
        images: {registry: 'https://ghcr.io/x', tag: ''}
        """,
        [
            'images.registry = "https://ghcr.io/x": an image\'s name has no scheme. Write "ghcr.io/x".',
            (
                'images.tag = "": this is not a tag. Use letters, digits, "_", "-" and ".", for '
                'example "25.11-ubuntu24.04".'
            ),
        ],
    ),
    "image empty": (
        """
        name: c
        controller: {image: ''}
        restApi: {image: 'https://x/y'}
        """,
        [
            (
                'controller.image = "": no image has a name like this. Write registry/path:tag, for '
                'example "ghcr.io/slinkyproject/slurmd:25.11".'
            ),
            (
                'restApi.image = "https://x/y": no image has a name like this. Write registry/path:tag, '
                'for example "ghcr.io/slinkyproject/slurmd:25.11".'
            ),
        ],
    ),
    "overrides of what is derived": (
        """
        name: c
        controller:
          overrides:
            clusterName: x
            slurmKeyRef: {name: x}
            persistence: {enabled: false}
            template:
              spec: {hostNetwork: true}
        """,
        [
            (
                'controller.overrides.slurmKeyRef = {"name": "x"}: this is derived and would fall '
                "apart. Instead set keys.slurm."
            ),
            'controller.overrides.clusterName = "x": this is derived and would fall apart. Instead set name.',
            (
                "controller.overrides.persistence.enabled = false: this is derived and would fall apart. "
                "Instead set controller.state.enabled."
            ),
            (
                "controller.overrides.template.spec.hostNetwork = true: this is derived and would fall "
                "apart. Instead leave it: slurmctld is found by the name of its pod."
            ),
        ],
    ),
    "overrides of node sets": (
        """
        name: c
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          overrides:
            controllerRef: {name: x}
            replicas: 3
            extraConf: A B
            slurmdd: {}
            pinToNode: true
        """,
        [
            (
                "nodeSets[0].overrides.slurmdd = {}: slurm-operator 1.1.2 knows no such field of a NodeSet. "
                'Did you mean "slurmd"?'
            ),
            (
                "nodeSets[0].overrides.pinToNode = true: slurm-operator 1.1.2 knows no such field of a "
                "NodeSet. Write one of: logfile, minReadySeconds, persistentVolumeClaimRetentionPolicy, "
                "revisionHistoryLimit, slurmd, taintKubeNodes, template, updateStrategy, "
                "workloadDisruptionProtection."
            ),
            (
                'nodeSets[0].overrides.controllerRef = {"name": "x"}: this is derived and would fall '
                "apart. Instead leave it: everything belongs to this cluster's controller."
            ),
            (
                "nodeSets[0].overrides.replicas = 3: this is derived and would fall apart. Instead set "
                "replicas or autoscaling of the node set."
            ),
            (
                'nodeSets[0].overrides.extraConf = "A B": this is derived and would fall apart. Instead '
                "set features, weight, extraGres or slurmdOptions of the node set."
            ),
        ],
    ),
    "probes that bring the operator down": (
        """
        name: c
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          overrides:
            logfile:
              livenessProbe: {}
            slurmd:
              securityContext: {privileged: false}
        """,
        [
            (
                "nodeSets[0].overrides.logfile.livenessProbe = {}: the operator's container logfile has no "
                "such probe, and merging one brings the operator down. Leave it out."
            ),
            (
                "nodeSets[0].overrides.slurmd.securityContext.privileged = false: the operator drops false, "
                '0 and "" from what it merges, so this has no effect. Leave it out.'
            ),
        ],
    ),
    "overrides that lose volumes": (
        """
        name: c
        sharedVolumes: [{name: h, mountPath: /home, storageClass: s}]
        nodeSets: [{name: a, machine: {cpus: 4, memory: 8Gi}, overrides: {template: {spec: {volumes: []}}}}]
        """,
        [
            (
                "nodeSets[0].overrides.template.spec.volumes = []: a list in overrides replaces the whole "
                "list, and the volumes of this specification would be gone. Use sharedVolumes, or "
                "volumeClaims and hostPaths of a node set."
            ),
        ],
    ),
    "overrides that lose sidecars": (
        """
        name: c
        nodeSets:
        - name: a
          machine: {cpus: 4, memory: 8Gi}
          sidecars: [{name: s, image: x}]
          overrides: {template: {spec: {initContainers: []}}}
        """,
        [
            (
                "nodeSets[0].overrides.template.spec.initContainers = []: a list in overrides replaces the whole "
                "list, and the sidecars of this specification would be gone. Use sidecars of the node set."
            ),
        ],
    ),
    "scrape longer than interval": (
        """
        name: c
        monitoring: {serviceMonitor: {interval: 10s}}
        """,
        [
            (
                'monitoring.serviceMonitor.scrapeTimeout = "25s": a scrape may not take longer than the '
                "interval, 10s. Write 10s or less."
            ),
        ],
    ),
    "cgroups wanted and disabled": (
        """
        name: c
        configFiles: {cgroup.conf: 'CgroupPlugin = disabled'}
        slurmConf: {extra: {ProctrackType: proctrack/cgroup}}
        """,
        [
            (
                'slurmConf.extra.ProctrackType = "proctrack/cgroup": cgroup.conf disables cgroups. Leave '
                "ProctrackType out."
            ),
        ],
    ),
    "nonsense at the top": (
        """
        [1, 2]
        """,
        [
            "(the specification) = [1, 2]: this is not a mapping. Write a mapping of field names to values.",
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
            'partitions[0].nodeSets: this field is required. Add nodeSets: names of node sets, or ["ALL"].',
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


def errors_of(text: str) -> list[str]:
    """Return the errors in a stack configuration."""
    data: Any = yaml.safe_load(dedent(text))
    pools = data.pop("pools", ()) if isinstance(data, dict) else ()
    with pytest.raises(SpecError) as caught:
        load(data, pools)
    return [str(error) for error in caught.value.errors]


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_errors_have_path_value_problem_and_fix(case: Case) -> None:
    text, expected = case
    assert errors_of(text) == expected


def test_a_file_that_kubernetes_would_refuse() -> None:
    with pytest.raises(SpecError) as caught:
        load({"name": "c", "configFiles": {"site.conf": "#" * 2**20}})
    assert [str(error) for error in caught.value.errors] == [
        'configFiles = {"site.conf": "' + "#" * 62 + "...: these files are 1048585 bytes, and Kubernetes refuses more "
        "than 1 MiB. Put large files on a shared volume."
    ]


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
