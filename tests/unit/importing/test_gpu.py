"""Two generations of GPUs, with gres.conf, topology.conf and cgroup.conf beside slurm.conf."""

from tests.unit.importing.round_trip import round_trip

OPERATORS = "the operator's: it differs on every Slinky cluster"
OF_NODES = "states of single nodes are not configuration here"

DIFFERENCES = {
    "slurm.conf: AccountingStorageType: accounting_storage/slurmdbd -> not set (reconfigure)": OPERATORS,
    "slurm.conf: AuthType: auth/munge -> not set (unsafe with running jobs)": OPERATORS,
    "slurm.conf: Epilog: /opt/site/epilog.d/* -> not set (reconfigure)": "the scripts are not at hand",
    "slurm.conf: HealthCheckInterval: 300 -> not set (reconfigure)": "the program is not at hand",
    "slurm.conf: HealthCheckProgram: /usr/sbin/nhc -> not set (reconfigure)": "the program is not at hand",
    "slurm.conf: Prolog: /etc/slurm/prolog.sh -> not set (reconfigure)": "it became a hook",
    "slurm.conf: SchedulerParameters: not set -> nohold_on_prolog_fail (reconfigure)": "no prolog holds a job",
    "slurm.conf: SlurmUser: slurm -> not set (restart slurmctld and every slurmd)": OPERATORS,
    "slurm.conf: SlurmctldHost: titan-mgmt1 -> not set (reconfigure)": OPERATORS,
    "slurm.conf: StateSaveLocation: /srv/slurm/state -> not set (unsafe with running jobs)": OPERATORS,
    "slurm.conf: NodeName=a[000-017] Gres: gpu:a100:4(S:0-1) -> gpu:a100:4 (reconfigure)": "slurmd finds the sockets",
    "slurm.conf: NodeName=a[016-017] Reason: waiting for spare parts -> not set (reconfigure)": OF_NODES,
    "slurm.conf: NodeName=a[016-017] State: DOWN -> not set (reconfigure)": OF_NODES,
    "slurm.conf: PartitionName=hopper TRESBillingWeights: CPU=1.0,GRES/gpu=16,Mem=0.25G -> "
    "CPU=1,GRES/gpu=16,Mem=0.000244140625 (reconfigure)": "a weight by the GiB is written by the MiB",
    "cgroup.conf: IgnoreSystemd: not set -> YES (reconfigure)": "there is no systemd in a pod",
}
LEFT_OUT = [
    "slurm.conf:3 SlurmctldHost=titan-mgmt1",
    "slurm.conf:4 AuthType=auth/munge",
    "slurm.conf:5 SlurmUser=slurm",
    "slurm.conf:6 StateSaveLocation=/srv/slurm/state",
    "slurm.conf:16 Epilog=/opt/site/epilog.d/*",
    "slurm.conf:17 HealthCheckProgram=/usr/sbin/nhc",
    "slurm.conf:18 HealthCheckInterval=300",
    "slurm.conf:28 NodeName=a[001-018] Gres=gpu:a100:4(S:0-1)",
    "slurm.conf:29 NodeName=a[017-018] State=DOWN Reason=waiting for spare parts",
    "cgroup.conf:2 CgroupAutomount=yes",
]


def test_only_these_lines_differ() -> None:
    assert round_trip("gpu").differences == list(DIFFERENCES)


def test_only_this_was_left_out() -> None:
    assert round_trip("gpu").left_out == LEFT_OUT


def test_gpus_become_part_of_the_machine_and_other_gres_stay() -> None:
    sets = {item["name"]: item for item in round_trip("gpu").imported.data["nodeSets"]}
    assert sets["h"]["machine"] == {"cpus": 224, "memory": "2000000Mi", "gpus": {"type": "h100", "count": 8}}
    assert sets["h"]["extraGres"] == ["nvme:3500"]
    assert sets["a"]["machine"]["gpus"] == {"type": "a100", "count": 4}


def test_files_beside_name_nodes_by_their_new_names() -> None:
    files = round_trip("gpu").imported.data["configFiles"]
    assert "SwitchName=leaf2 Nodes=h[016-029],h-b-[000-001]\n" in files["topology.conf"]
    assert "NodeName=a[000-017] Name=gpu " in files["gres.conf"]


def test_lines_that_were_retired_do_not_come_along() -> None:
    assert "ConstrainDevices" in round_trip("gpu").imported.data["configFiles"]["cgroup.conf"]
    assert "CgroupAutomount" not in round_trip("gpu").imported.data["configFiles"]["cgroup.conf"]
    assert round_trip("gpu").reason("CgroupAutomount")


def test_what_pods_need_is_added_and_said() -> None:
    imported = round_trip("gpu").imported
    assert "IgnoreSystemd=YES" in imported.data["configFiles"]["cgroup.conf"]
    assert "IgnoreSystemd=yes was added to cgroup.conf, since slurmd finds no systemd in a pod." in imported.to_do


def test_a_prolog_beside_the_file_becomes_a_hook() -> None:
    prolog = round_trip("gpu").imported.data["hooks"]["prolog"]["prolog.sh"]
    assert prolog.startswith("#!/bin/bash\nnvidia-smi")
