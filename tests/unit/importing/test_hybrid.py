"""Machines of one's own and cloud nodes that register by themselves, in several files, with QoS and preemption."""

from tests.unit.importing.round_trip import round_trip

OPERATORS = "the operator's: it differs on every Slinky cluster"
REGISTERS = "nodes that register by themselves have no line, so nothing is known of their machine"
LISTED = "the static form lists the nodes"

DIFFERENCES = {
    "slurm.conf: AccountingStoragePort: not set -> 6819 (reconfigure)": "Slurm's default, written out",
    "slurm.conf: AccountingStorageType: accounting_storage/slurmdbd -> not set (reconfigure)": OPERATORS,
    "slurm.conf: AuthType: auth/slurm -> not set (unsafe with running jobs)": OPERATORS,
    "slurm.conf: CredType: cred/slurm -> not set (unsafe with running jobs)": OPERATORS,
    "slurm.conf: SlurmUser: slurm -> not set (restart slurmctld and every slurmd)": OPERATORS,
    "slurm.conf: SlurmctldHost: delta-ctl -> not set (reconfigure)": OPERATORS,
    "slurm.conf: SlurmctldParameters: cloud_reg_addrs,enable_configless -> enable_configless (reconfigure)": OPERATORS,
    "slurm.conf: StateSaveLocation: /var/lib/slurm -> not set (unsafe with running jobs)": OPERATORS,
    "slurm.conf: DownNodes=rack1-node06: Reason=memory errors State=DRAIN -> not there (reconfigure)": "a state",
    "slurm.conf: NodeName=spare[1-8]: CPUs=64 RealMemory=257000 State=FUTURE -> not there "
    "(unsafe with running jobs)": "a node set grows by its replicas",
    "slurm.conf: NodeSet=onprem: Feature=onprem -> not there (reconfigure)": LISTED,
    "slurm.conf: NodeSet=gpus: Nodes=rack2-gpu[0-3] -> not there (reconfigure)": LISTED,
    "slurm.conf: NodeSet=fleet: Feature=dynamic -> not there (reconfigure)": REGISTERS,
    "slurm.conf: PartitionName=batch Nodes: onprem -> "
    "rack1-node[00-19],rack2-gpu[0-3],rack2-node[00-19] (reconfigure)": LISTED,
    "slurm.conf: PartitionName=burst Nodes: cloud-c[000-099],fleet -> cloud-c[000-099] (reconfigure)": REGISTERS,
    "slurm.conf: PartitionName=fleet: MaxTime=12:00:00 Nodes=fleet -> not there (unsafe with running jobs)": REGISTERS,
    "slurm.conf: PartitionName=everything Nodes: ALL -> "
    "cloud-c[000-099],rack1-node[00-19],rack2-gpu[0-3],rack2-node[00-19] (reconfigure)": LISTED,
}
LEFT_OUT = [
    "slurm.conf:3 SlurmctldHost=delta-ctl",
    "common.conf:1 SlurmUser=slurm",
    "common.conf:2 AuthType=auth/slurm",
    "common.conf:3 CredType=cred/slurm",
    "common.conf:4 StateSaveLocation=/var/lib/slurm",
    "common.conf:6 SlurmctldParameters=cloud_reg_addrs",
    "common.conf:12 RequeExit=99",
    "common.conf:15 AccountingStorageUser=slurm",
    "nodes.conf:5 NodeName=spare[1-8] State=FUTURE",
    "nodes.conf:7 DownNodes=rack1-node07 State=DRAIN Reason=memory errors",
    "nodes.conf:9 NodeSet=onprem Feature=onprem",
    "nodes.conf:10 NodeSet=gpus Nodes=rack2-gpu[1-4]",
    "nodes.conf:11 NodeSet=fleet Feature=dynamic",
    "partitions.conf:3 PartitionName=burst Nodes: Feature=dynamic",
    "partitions.conf:4 PartitionName=fleet Nodes: Feature=dynamic",
    "partitions.conf:4 PartitionName=fleet Nodes=fleet",
]


def test_only_these_lines_differ() -> None:
    assert round_trip("hybrid").differences == list(DIFFERENCES)


def test_only_this_was_left_out() -> None:
    assert round_trip("hybrid").left_out == LEFT_OUT


def test_a_misspelt_key_is_left_out_with_the_nearest_one() -> None:
    assert "RequeueExit" in round_trip("hybrid").reason("RequeExit")


def test_node_sets_of_slurm_become_the_node_sets_that_their_nodes_became() -> None:
    imported = round_trip("hybrid").imported
    assert {item["name"]: item["nodeSets"] for item in imported.data["partitions"]} == {
        "batch": ["rack1-node", "rack2-node", "rack2-gpu"],
        "gpu": ["rack2-gpu"],
        "burst": ["cloud-c"],
        "everything": ["ALL"],
    }


def test_preemption_and_qos_come_along() -> None:
    imported = round_trip("hybrid").imported
    conf, burst = imported.data["slurmConf"], imported.data["partitions"][2]
    assert (conf["preemptType"], conf["preemptMode"], burst["qos"]) == ("preempt/qos", "REQUEUE", "cloud")


def test_a_key_that_says_what_slurm_does_today_anyway_is_no_loss() -> None:
    assert not [line for line in round_trip("hybrid").left_out if "FastSchedule" in line]
