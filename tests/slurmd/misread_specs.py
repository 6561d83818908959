"""Specifications that we refuse though slurmctld starts with them, and how it shows that it does something else."""

from typing import NamedTuple

from tests.slurmd.observations import Observation, either, has, logged, no_partition, partition_has


class MisreadSpec(NamedTuple):
    """A specification, the field that we refuse, the lines it would come to, and how slurmctld then takes them."""

    spec: str
    path: str
    lines: str
    observation: Observation


def of_partition(fields: str, refused: str, options: str, observation: Observation) -> MisreadSpec:
    """Return what is wrong with one partition."""
    spec = f"{{accounting: {{}}, partitions: [{{name: p, nodeSets: [cpu], {fields}}}]}}"
    return MisreadSpec(spec, f"partitions[0].{refused}", f"PartitionName=p Nodes=cpu {options}", observation)


def of_conf(fields: str, refused: str, lines: str, observation: Observation) -> MisreadSpec:
    """Return what is wrong with slurmConf."""
    return MisreadSpec(f"slurmConf: {{{fields}}}", f"slurmConf.{refused}", lines, observation)


MISREAD_SPECS = {
    # Partitions.
    "two defaults: the last one is": MisreadSpec(
        "partitions: [{name: p, nodeSets: [cpu], default: true}, {name: q, nodeSets: [cpu], default: true}]",
        "partitions[1].default",
        "PartitionName=p Nodes=cpu Default=YES\nPartitionName=q Nodes=cpu Default=YES",
        partition_has("Default", "NO"),
    ),
    "a partition named DEFAULT: there is none": MisreadSpec(
        "partitions: [{name: Default, nodeSets: [cpu]}]",
        "partitions[0].name",
        "PartitionName=Default Nodes=cpu",
        no_partition,
    ),
    "a default time above the longest: dropped": of_partition(
        "maxTime: 1-0, defaultTime: 2-0",
        "defaultTime",
        "MaxTime=1-0 DefaultTime=2-0",
        partition_has("DefaultTime", "NONE"),
    ),
    "a time beyond 68 years: another time": of_partition(
        "maxTime: 99999-0", "maxTime", "MaxTime=99999-0", partition_has("MaxTime", "578-11:04:00")
    ),
    "allowed and denied accounts": of_partition(
        "allowAccounts: [a], denyAccounts: [b]",
        "denyAccounts",
        "AllowAccounts=a DenyAccounts=b",
        logged("DenyAccounts will be ignored"),
    ),
    "memory by node and by CPU": of_partition(
        "defMemPerNode: 200, defMemPerCpu: 100",
        "defMemPerCpu",
        "DefMemPerNode=200 DefMemPerCPU=100",
        logged("DefMemPerCPU ignored"),
    ),
    "the most memory by node and by CPU": of_partition(
        "maxMemPerNode: 200, maxMemPerCpu: 100",
        "maxMemPerCpu",
        "MaxMemPerNode=200 MaxMemPerCPU=100",
        logged("MaxMemPerCPU ignored"),
    ),
    "the number that means no limit": of_partition(
        "maxNodes: 4294967295", "maxNodes", "MaxNodes=4294967295", partition_has("MaxNodes", "UNLIMITED")
    ),
    "the number that means not set": of_partition(
        "overTimeLimit: 65534", "overTimeLimit", "OverTimeLimit=65534", partition_has("OverTimeLimit", "NONE")
    ),
    "one job that shares": of_partition(
        "overSubscribe: 'YES', overSubscribeJobs: 1",
        "overSubscribeJobs",
        "OverSubscribe=YES:1",
        partition_has("OverSubscribe", "NO"),
    ),
    "more jobs that share than Slurm counts": of_partition(
        "overSubscribe: 'YES', overSubscribeJobs: 32768",
        "overSubscribeJobs",
        "OverSubscribe=YES:32768",
        either(partition_has("OverSubscribe", "EXCLUSIVE"), partition_has("Exclusive", "NODE")),
    ),
    "preempting by time slices": of_partition(
        "preemptMode: GANG", "preemptMode", "PreemptMode=GANG", logged("option ignored")
    ),
    "a preemption that is none": of_partition(
        "preemptMode: LUCK", "preemptMode", "PreemptMode=LUCK", logged("option ignored")
    ),
    "a quote in a value": of_partition(
        "extra: {Alternate: 'q\"r'}", "extra.Alternate", 'Alternate="q"r"', partition_has("Alternate", 'q"r"', '"q"r"')
    ),
    # slurm.conf.
    "a unit of time": of_conf(
        "extra: {SuspendTime: 10m}",
        "extra.SuspendTime",
        "SuspendTime=10m\nSuspendProgram=/bin/true\nResumeProgram=/bin/true",
        has("SuspendTime", "10 sec"),
    ),
    "more jobs than there are numbers": of_conf(
        "maxJobCount: 67043329", "maxJobCount", "MaxJobCount=67043329", has("MaxJobCount", "67043328")
    ),
    "an array beyond Slurm's": of_conf(
        "maxArraySize: 4000002",
        "maxArraySize",
        "MaxArraySize=4000002",
        logged("MaxArraySize value (4000002) is greater than 4000001"),
    ),
    "a key of long ago": of_conf(
        "extra: {FastSchedule: 1}", "extra.FastSchedule", "FastSchedule=1", logged("Ignoring obsolete FastSchedule")
    ),
    "a key that is given twice": of_conf(
        "maxJobCount: 10, extra: {MaxJobCount: 20}",
        "extra.MaxJobCount",
        "MaxJobCount=10\nMaxJobCount=20",
        logged("MaxJobCount 1 specified more than once"),
    ),
    "nodes that are down": of_conf(
        "extra: {DownNodes: cpu-0}",
        "extra.DownNodes",
        "DownNodes=cpu-0 State=DOWN",
        logged('DownNode "cpu-0" does not exist'),
    ),
    "limits without a database": of_conf(
        "accountingStorageEnforce: [limits]",
        "accountingStorageEnforce",
        "AccountingStorageEnforce=limits",
        logged("You can not have AccountingStorageEnforce set"),
    ),
    "age without a database": of_conf(
        "priorityWeights: {Age: 10}",
        "priorityWeights.Age",
        "PriorityType=priority/multifactor\nPriorityWeightAge=10",
        logged("PriorityWeightAge can only be used with SlurmDBD, ignoring"),
    ),
    "shares without a database": of_conf(
        "priorityWeights: {Fairshare: 10}",
        "priorityWeights.Fairshare",
        "PriorityType=priority/multifactor\nPriorityWeightFairshare=10",
        logged("PriorityWeightFairshare can only be used with SlurmDBD, ignoring"),
    ),
}
