"""Partitions and preemption that we refuse; with the words of slurmctld."""

from tests.slurmd.refusal import Refusal


def of_partition(field: str, options: str, message: str) -> Refusal:
    """Return the refusal of one field of a partition."""
    return Refusal(
        f"partitions: [{{name: p, nodeSets: [cpu], {field}}}]",
        f"partitions[0].{field.partition(':')[0]}",
        f"PartitionName=p Nodes=cpu {options}",
        message,
    )


def of_preemption(preempt_type: str | None, mode: str | None, message: str) -> Refusal:
    """Return the refusal of a PreemptMode that does not go with the PreemptType, or with itself."""
    pairs = {"Type": f"preempt/{preempt_type}" if preempt_type else None, "Mode": mode}
    fields = ", ".join(f"preempt{key}: '{value}'" for key, value in pairs.items() if value)
    lines = "\n".join(f"Preempt{key}={value}" for key, value in pairs.items() if value)
    return Refusal(f"slurmConf: {{{fields}}}", "slurmConf.preemptMode", lines, message)


INCOMPATIBLE = "PreemptType and PreemptMode values incompatible"
PREEMPTION = {
    **{
        f"{preempt_type} and no mode": of_preemption(preempt_type, None, INCOMPATIBLE)
        for preempt_type in ("partition_prio", "qos")
    },
    "nothing but time slices to preempt": of_preemption("partition_prio", "GANG", INCOMPATIBLE),
    "a type without a way": of_preemption("partition_prio", "OFF", INCOMPATIBLE),
    "WITHIN without a way": of_preemption("partition_prio", "WITHIN", INCOMPATIBLE),
    **{
        f"{mode} and no type": of_preemption(None, mode, INCOMPATIBLE)
        for mode in ("REQUEUE", "CANCEL", "SUSPEND,GANG", "GANG,REQUEUE", "WITHIN")
    },
    "REQUEUE and the type none": of_preemption("none", "REQUEUE", INCOMPATIBLE),
    "suspending without GANG": of_preemption("partition_prio", "SUSPEND", "PreemptMode=SUSPEND requires GANG too"),
    **{
        f"preempting by {mode}": of_preemption("partition_prio", mode, f"PreemptMode={mode} invalid")
        for mode in ("REQUEUE,CANCEL", "OFF,CANCEL", "SUSPEND,WITHIN,GANG", "LUCK")
    },
}
PARTITIONS = {
    "an unknown state": of_partition("state: 'ON'", "State=ON", 'Bad value "ON" for State'),
    "a time that is none": of_partition("maxTime: soon", "MaxTime=soon", 'Bad value "soon" for MaxTime'),
    "a negative time": of_partition("maxTime: -5", "MaxTime=-5", 'Bad value "-5" for MaxTime'),
    "a default time that is none": of_partition(
        "defaultTime: soon", "DefaultTime=soon", 'Bad value "soon" for DefaultTime'
    ),
    "a tier beyond Slurm's": of_partition(
        "priorityTier: 65536", "PriorityTier=65536", "PriorityTier value .65536. is greater"
    ),
    "a number below nothing": of_partition("maxNodes: -1", "MaxNodes=-1", "MaxNodes value .-1. is less than zero"),
    "sharing in other words": of_partition(
        "overSubscribe: MAYBE", "OverSubscribe=MAYBE", "Bad value .* for OverSubscribe"
    ),
    **{
        f"a number of jobs for {over_subscribe}": Refusal(
            f"partitions: [{{name: p, nodeSets: [cpu], overSubscribe: '{over_subscribe}', overSubscribeJobs: 4}}]",
            "partitions[0].overSubscribeJobs",
            f"PartitionName=p Nodes=cpu OverSubscribe={over_subscribe}:4",
            "Bad value .* for OverSubscribe",
        )
        for over_subscribe in ("NO", "EXCLUSIVE")
    },
    "a weight of what is no resource": Refusal(
        "{accounting: {}, partitions: [{name: p, nodeSets: [cpu], tresBillingWeights: {gpu: 12}}]}",
        "partitions[0].tresBillingWeights.gpu",
        "PartitionName=p Nodes=cpu TRESBillingWeights=gpu=12",
        "TRES weight 'gpu' is not a configured TRES type",
    ),
    "a weight of what nobody counts": Refusal(
        "partitions: [{name: p, nodeSets: [cpu], tresBillingWeights: {GRES/gpu: 12}}]",
        'partitions[0].tresBillingWeights["GRES/gpu"]',
        "PartitionName=p Nodes=cpu TRESBillingWeights=GRES/gpu=12",
        "TRES weight 'GRES:gpu' is not a configured TRES type",
    ),
    "an unknown option": Refusal(
        "partitions: [{name: p, nodeSets: [cpu], extra: {Sharing: 'NO'}}]",
        "partitions[0].extra.Sharing",
        "PartitionName=p Nodes=cpu Sharing=NO",
        "Sharing=NO",
    ),
    "an unknown node set": Refusal(
        "partitions: [{name: p, nodeSets: [gpus]}]",
        "partitions[0].nodeSets[0]",
        "PartitionName=p Nodes=gpus",
        "Invalid node names in partition p",
    ),
    "a node set twice": Refusal(
        "partitions: [{name: p, nodeSets: [cpu, cpu]}]",
        "partitions[0].nodeSets[1]",
        "PartitionName=p Nodes=cpu,cpu",
        "Invalid node names in partition p",
    ),
    "all node sets and one more": Refusal(
        "partitions: [{name: p, nodeSets: [ALL, cpu]}]",
        "partitions[0].nodeSets[0]",
        "PartitionName=p Nodes=ALL,cpu",
        "Invalid node names in partition p",
    ),
    "two partitions of one name": Refusal(
        "partitions: [{name: p, nodeSets: [cpu]}, {name: p, nodeSets: [gpu]}]",
        "partitions[1].name",
        "PartitionName=p Nodes=cpu\nPartitionName=p Nodes=gpu",
        "duplicate entry for partition p",
    ),
}
