"""A cluster in a cloud, whose nodes slurmctld starts and stops by programs."""

from tests.unit.importing.round_trip import round_trip

OPERATORS = "the operator's: it differs on every Slinky cluster"
AUTOSCALER = "the autoscaler starts and stops pods"

DIFFERENCES = {
    "slurm.conf: AccountingStorageType: accounting_storage/none -> not set (reconfigure)": "Slurm's default",
    "slurm.conf: PrivateData: cloud -> not set (reconfigure)": AUTOSCALER,
    "slurm.conf: ResumeFailProgram: /opt/power/failed.py -> not set (reconfigure)": AUTOSCALER,
    "slurm.conf: ResumeProgram: /opt/power/resume.py -> not set (reconfigure)": AUTOSCALER,
    "slurm.conf: ResumeRate: 100 -> not set (reconfigure)": AUTOSCALER,
    "slurm.conf: ResumeTimeout: 900 -> not set (reconfigure)": AUTOSCALER,
    "slurm.conf: SlurmUser: slurm -> not set (restart slurmctld and every slurmd)": OPERATORS,
    "slurm.conf: SlurmctldHost: burst-head -> not set (reconfigure)": OPERATORS,
    "slurm.conf: SlurmctldParameters: cloud_dns,idle_on_node_suspend,max_dbd_msg_action=discard -> "
    "enable_configless,max_dbd_msg_action=discard (reconfigure)": "workers in pods are configless, and no cloud nodes",
    "slurm.conf: SlurmdSpoolDir: /var/spool/slurmd -> not set (unsafe with running jobs)": OPERATORS,
    "slurm.conf: StateSaveLocation: /var/spool/slurmctld -> not set (unsafe with running jobs)": OPERATORS,
    "slurm.conf: SuspendExcNodes: static-[0-1] -> not set (reconfigure)": AUTOSCALER,
    "slurm.conf: SuspendProgram: /opt/power/suspend.py -> not set (reconfigure)": AUTOSCALER,
    "slurm.conf: SuspendRate: 100 -> not set (reconfigure)": AUTOSCALER,
    "slurm.conf: SuspendTime: 600 -> not set (reconfigure)": AUTOSCALER,
    "slurm.conf: SuspendTimeout: 180 -> not set (reconfigure)": AUTOSCALER,
    "slurm.conf: TaskProlog: /opt/site/task_prolog.sh -> not set (reconfigure)": "the file is not at hand",
}
LEFT_OUT = [
    "slurm.conf:3 SlurmctldHost=burst-head",
    "slurm.conf:4 SlurmUser=slurm",
    "slurm.conf:5 StateSaveLocation=/var/spool/slurmctld",
    "slurm.conf:6 SlurmdSpoolDir=/var/spool/slurmd",
    "slurm.conf:7 SlurmctldParameters=cloud_dns",
    "slurm.conf:7 SlurmctldParameters=idle_on_node_suspend",
    "slurm.conf:9 PrivateData=cloud",
    "slurm.conf:19 TaskProlog=/opt/site/task_prolog.sh",
    "slurm.conf:21 SuspendProgram=/opt/power/suspend.py",
    "slurm.conf:22 ResumeProgram=/opt/power/resume.py",
    "slurm.conf:23 ResumeFailProgram=/opt/power/failed.py",
    "slurm.conf:24 SuspendTime=600",
    "slurm.conf:25 SuspendTimeout=180",
    "slurm.conf:26 ResumeTimeout=900",
    "slurm.conf:27 ResumeRate=100",
    "slurm.conf:28 SuspendRate=100",
    "slurm.conf:29 SuspendExcNodes=static-[0-1]",
]


def test_only_these_lines_differ() -> None:
    assert round_trip("cloud").differences == list(DIFFERENCES)


def test_only_this_was_left_out() -> None:
    assert round_trip("cloud").left_out == LEFT_OUT


def test_cloud_nodes_become_autoscaled_node_sets() -> None:
    imported = round_trip("cloud").imported
    scaling = {item["name"]: item.get("autoscaling") for item in imported.data["nodeSets"]}
    assert scaling["static"] is None
    assert scaling["c7i"] == {
        "minReplicas": 0,
        "maxReplicas": 64,
        "prometheusAddress": "http://prometheus.monitoring:9090",
        "cooldownSeconds": 600,
    }
    assert any("c7i, r7i" in sentence and "Prometheus" in sentence for sentence in imported.to_do)


def test_names_that_count_from_0_stay() -> None:
    assert round_trip("cloud").imported.renamed == {}


def test_a_name_that_kubernetes_does_not_take_stays_in_slurm_conf() -> None:
    spec = round_trip("cloud").imported.spec
    assert spec
    assert (spec.name, spec.cluster_name) == ("burst-eu", "Burst_EU")


def test_a_script_of_slurmctld_beside_the_file_comes_along() -> None:
    imported = round_trip("cloud").imported
    assert "slurm_job_submit" in imported.data["configFiles"]["job_submit.lua"]
    assert imported.data["slurmConf"]["extra"]["JobSubmitPlugins"] == "lua"
