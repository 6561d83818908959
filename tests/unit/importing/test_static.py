"""A CPU cluster whose nodes are listed one by one."""

from pulumi_slurm_cli.importing import Accounting, import_cluster
from tests.unit.importing.round_trip import CLUSTERS, round_trip

OPERATORS = "the operator's: it differs on every Slinky cluster"
MACHINES = "about the old machines"

DIFFERENCES = {
    "slurm.conf: AccountingStoragePort: not set -> 6819 (reconfigure)": "Slurm's default, written out",
    "slurm.conf: AccountingStorageType: accounting_storage/slurmdbd -> not set (reconfigure)": OPERATORS,
    "slurm.conf: AuthType: auth/munge -> not set (unsafe with running jobs)": OPERATORS,
    "slurm.conf: MailProg: /usr/bin/s-nail -> not set (reconfigure)": MACHINES,
    "slurm.conf: RebootProgram: /usr/sbin/reboot -> not set (reconfigure)": MACHINES,
    "slurm.conf: SlurmUser: slurm -> not set (restart slurmctld and every slurmd)": OPERATORS,
    "slurm.conf: SlurmctldHost: aspen-ctl1(10.20.0.11),aspen-ctl2(10.20.0.12) -> not set (reconfigure)": OPERATORS,
    "slurm.conf: SlurmctldLogFile: /var/log/slurm/slurmctld.log -> not set (reconfigure)": OPERATORS,
    "slurm.conf: SlurmctldPidFile: /run/slurmctld.pid -> not set (restart slurmctld)": OPERATORS,
    "slurm.conf: SlurmctldPort: 6817 -> not set (restart slurmctld and every slurmd)": OPERATORS,
    "slurm.conf: SlurmdPidFile: /run/slurmd.pid -> not set (restart slurmd)": OPERATORS,
    "slurm.conf: SlurmdPort: 6818 -> not set (restart slurmctld and every slurmd)": OPERATORS,
    "slurm.conf: SlurmdSpoolDir: /var/spool/slurm/d -> not set (unsafe with running jobs)": OPERATORS,
    "slurm.conf: StateSaveLocation: /var/spool/slurm/ctld -> not set (unsafe with running jobs)": OPERATORS,
    "cgroup.conf: IgnoreSystemd: not set -> YES (reconfigure)": "there is no systemd in a pod",
}
LEFT_OUT = [
    "slurm.conf:3 SlurmctldHost=aspen-ctl1(10.20.0.11)",
    "slurm.conf:4 SlurmctldHost=aspen-ctl2(10.20.0.12)",
    "slurm.conf:5 SlurmUser=slurm",
    "slurm.conf:6 SlurmctldPort=6817",
    "slurm.conf:7 SlurmdPort=6818",
    "slurm.conf:8 AuthType=auth/munge",
    "slurm.conf:9 StateSaveLocation=/var/spool/slurm/ctld",
    "slurm.conf:10 SlurmdSpoolDir=/var/spool/slurm/d",
    "slurm.conf:11 SlurmctldPidFile=/run/slurmctld.pid",
    "slurm.conf:12 SlurmdPidFile=/run/slurmd.pid",
    "slurm.conf:13 SlurmctldLogFile=/var/log/slurm/slurmctld.log",
    "slurm.conf:15 MailProg=/usr/bin/s-nail",
    "slurm.conf:26 RebootProgram=/usr/sbin/reboot",
]


def test_only_these_lines_differ() -> None:
    assert round_trip("static").differences == list(DIFFERENCES)


def test_only_this_was_left_out() -> None:
    assert round_trip("static").left_out == LEFT_OUT


def test_what_the_operator_owns_is_left_out_for_the_reason_that_the_specification_gives() -> None:
    reason = round_trip("static").reason("SlurmctldPort")
    assert reason == "The operator or its images set this: the operator and all pods use 6817."


def test_nodes_that_a_partition_has_in_part_become_a_set_of_their_own() -> None:
    imported = round_trip("static").imported
    sets = {item["name"]: item for item in imported.data["nodeSets"]}
    assert {name: item["replicas"] for name, item in sets.items()} == {"n": 96, "n-b": 24, "viz": 1}
    assert sets["n-b"]["machine"] == {"cpus": 64, "memory": "1000Gi"}
    assert {item["name"]: item["nodeSets"] for item in imported.data["partitions"]} == {
        "short": ["n", "n-b"],
        "main": ["n", "n-b"],
        "bigmem": ["n-b"],
        "viz": ["viz"],
    }


def test_pods_are_numbered_from_0() -> None:
    assert round_trip("static").imported.renamed == {
        "n[001-096]": "n[000-095]",
        "n[097-120]": "n-b-[000-023]",
        "viz1": "viz0",
    }


def test_the_old_slurmdbd_goes_on() -> None:
    imported = round_trip("static").imported
    assert imported.data["accounting"] == {"external": {"host": "aspen-db.example.org", "port": 6819}}
    assert any('Make the Secret "slurm-keys"' in sentence for sentence in imported.to_do)


def test_a_new_database_gets_what_partitions_name() -> None:
    imported = import_cluster(CLUSTERS / "static" / "slurm.conf", accounting=Accounting.NEW)
    assert imported.spec
    assert imported.data["accounting"] == {"accounts": [{"name": "genomics"}, {"name": "physics"}]}
    imported = import_cluster(CLUSTERS / "hybrid" / "slurm.conf", accounting=Accounting.NEW)
    assert imported.spec
    assert [qos["name"] for qos in imported.data["accounting"]["qos"]] == ["cloud", "high", "scavenge"]
