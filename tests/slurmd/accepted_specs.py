"""Specifications that we accept though they look like some that we refuse: slurmctld does what they say."""

from typing import NamedTuple

from tests.slurmd.observations import Observation, has, partition_has


class AcceptedSpec(NamedTuple):
    """A specification, its lines, and how slurmctld then takes them."""

    spec: str
    lines: str
    observation: Observation


ACCEPTED_SPECS = {
    "names that differ in case": AcceptedSpec(
        "partitions: [{name: p, nodeSets: [cpu]}, {name: P, nodeSets: [gpu]}]",
        "PartitionName=p Nodes=cpu\nPartitionName=P Nodes=gpu",
        partition_has("NodeSets", "gpu", name="P"),
    ),
    "memory by GPU and by node": AcceptedSpec(
        "partitions: [{name: p, nodeSets: [gpu], defMemPerGpu: 50, defMemPerNode: 70}]",
        "PartitionName=p Nodes=gpu DefMemPerGPU=50 DefMemPerNode=70",
        partition_has("DefMemPerNode", "70"),
    ),
    "a value with a space": AcceptedSpec(
        "partitions: [{name: p, nodeSets: [cpu], extra: {Alternate: q r}}]",
        'PartitionName=p Nodes=cpu Alternate="q r"',
        partition_has("Alternate", "q"),  # Our reading of what scontrol shows ends at the space.
    ),
    "the highest tier": AcceptedSpec(
        "partitions: [{name: p, nodeSets: [cpu], priorityTier: 65535}]",
        "PartitionName=p Nodes=cpu PriorityTier=65535",
        partition_has("PriorityTier", "65535"),
    ),
    "time slices without preemption": AcceptedSpec(
        "slurmConf: {preemptMode: GANG}",
        "PartitionName=p Nodes=cpu\nPreemptMode=GANG",
        has("PreemptMode", "GANG"),
    ),
    "words of any case and order": AcceptedSpec(
        "slurmConf: {preemptType: preempt/partition_prio, preemptMode: 'gang, suspend', slurmdDebug: Debug2}",
        "PartitionName=p Nodes=cpu\nPreemptType=preempt/partition_prio\nPreemptMode=GANG,SUSPEND\nSlurmdDebug=DEBUG2",
        has("PreemptMode", "GANG,SUSPEND"),
    ),
    "weights of resources": AcceptedSpec(
        "slurmConf: {extra: {PriorityWeightTRES: 'CPU=1000,Mem=2000'}}",
        "PriorityWeightTRES=CPU=1000,Mem=2000",
        has("PriorityWeightTRES", "CPU=1000,Mem=2000"),
    ),
    "counting what is counted anyway": AcceptedSpec(
        "slurmConf: {extra: {AccountingStorageTRES: fs/disk}}",
        "AccountingStorageTRES=fs/disk",
        has("AccountingStorageTRES", "cpu,mem,energy,node,billing,fs/disk,vmem,pages"),
    ),
    "no plugin by the name of none, and as many nodes as there can be": AcceptedSpec(
        "slurmConf: {extra: {AcctGatherInterconnectType: acct_gather_interconnect/none, MaxNodeCount: 65536}}",
        "AcctGatherInterconnectType=acct_gather_interconnect/none\nMaxNodeCount=65536",
        has("MaxNodeCount", "65536"),
    ),
}
