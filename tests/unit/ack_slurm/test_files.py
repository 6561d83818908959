"""Configuration files of a cluster by ack-slurm-operator."""

from typing import Any

import pytest
from hypothesis import given

from pulumi_slurm.ack_slurm.manifests.cluster_object import slurm_cluster
from pulumi_slurm.ack_slurm.manifests.files import public_files
from pulumi_slurm.ack_slurm.manifests.gres_conf import gres_conf
from pulumi_slurm.ack_slurm.manifests.groups import groups_of
from pulumi_slurm.ack_slurm.manifests.slurm_conf import slurm_conf, with_password
from pulumi_slurm.ack_slurm.manifests.slurmdbd_conf import slurmdbd_conf
from pulumi_slurm.ack_slurm.rules import check_ack_slurm
from pulumi_slurm.configuration.node_sets import slurmd_conf
from pulumi_slurm.configuration.slinky import slinky_files
from pulumi_slurm.derived.machines import machine_of
from pulumi_slurm.slurmconf import hostlist
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, parse, render
from pulumi_slurm.slurmconf.version import SERIES, Series
from tests.unit.ack_slurm.crd import complaints
from tests.unit.ack_slurm.examples import EVERYTHING, IMAGE, ack, cluster
from tests.unit.ack_slurm.strategies import AckCluster, ack_clusters


def conf(options: dict[str, Any] | None = None, **changes: Any) -> list[str]:
    spec, pools = cluster(**changes)
    return render(slurm_conf(spec, pools, ack(**(options or {})))).splitlines()


def test_lines_that_are_always_needed() -> None:
    assert {
        "ClusterName=hpc",
        "SlurmctldHost=hpc",
        "SlurmUser=slurm",
        "SlurmctldPort=6817",
        "SlurmdPort=6818",
        "AuthType=auth/munge",
        "CredType=cred/munge",
        "SelectType=select/cons_tres",
        "MaxNodeCount=1024",
        "TreeWidth=65533",
        "ProctrackType=proctrack/linuxproc",
        "TaskPlugin=task/affinity",
        "JobAcctGatherType=jobacct_gather/linux",
        "JobAcctGatherParams=OverMemoryKill,UsePss",
        "StateSaveLocation=/var/spool/slurmctld/hpc",
    } <= set(conf())


def test_tokens() -> None:
    pair = {"AuthAltTypes=auth/jwt", "AuthAltParameters=jwt_key=/var/jwt/jwt_hs256.key"}
    assert pair <= set(conf())
    spec, _ = cluster()
    assert pair <= set(render(slurmdbd_conf(spec, ack(), "pw")).splitlines())
    assert not pair & set(conf({"slurmrestd": False}))


def test_colocation() -> None:
    lines = conf({"copilot": {}})
    # Nodes without features, so partitions name them; those of all groups are listed, and fixed ones are kept.
    assert {
        "NodeName=hpc-worker-cpu-[0-1] CPUs=16 RealMemory=65536 State=CLOUD Weight=5",
        "NodeName=hpc-worker-gpu-[0-9] CPUs=64 Gres=gpu:a100:8 RealMemory=524288 State=CLOUD Weight=100",
        "NodeSet=cpu Nodes=hpc-worker-cpu-[0-1]",
        "NodeSet=gpu Nodes=hpc-worker-gpu-[0-9]",
        "SuspendExcNodes=hpc-worker-cpu-[0-1],hpc-worker-gpu-0",
        "ResumeProgram=/slurm-resume.sh",
    } <= set(lines)
    assert not any("Feature=" in line or "Features=" in line for line in lines)
    assert "NodeFeaturesPlugins=node_features/k8s_resources" in lines
    assert "GresTypes=gpu,k8scpu,k8smemory" in lines
    assert "JobSubmitPlugins=k8s_resource_completion" in lines
    spec, pools = cluster()
    lines = render(gres_conf(spec, pools, ack(copilot={}))).splitlines()
    assert lines[1:] == ["Name=k8scpu Flags=CountOnly", "Name=k8smemory Flags=CountOnly"]
    # The copilot changes the counts, so the test assumes no numbers for a node.
    assert not any("Gres=k8s" in line for line in lines)
    assert "JobSubmitPlugins=k8s_resource_completion" not in conf({"copilot": {"submitPlugin": False}})
    assert not any("k8s" in line for line in conf())


def test_colocation_without_scaling_starts_no_nodes() -> None:
    """Nodes that slurm.conf lists are down until they register, for which Slurm needs a ResumeProgram."""
    lines = conf({"copilot": {}}, nodeSets=[{"name": "cpu", "pool": "cpu", "replicas": 2}], partitions=[])
    assert {"SuspendTime=600", "SuspendProgram=/bin/true", "ResumeProgram=/bin/true"} <= set(lines)
    assert "SuspendExcNodes=hpc-worker-cpu-[0-1]" in lines


def test_addresses_come_from_registrations_before_that_is_the_default() -> None:
    assert "SlurmctldParameters=cloud_reg_addrs" in conf()
    extra = {"extra": {"SlurmctldParameters": "enable_configless,idle_on_node_suspend"}}
    assert "SlurmctldParameters=cloud_reg_addrs,enable_configless,idle_on_node_suspend" in conf(slurmConf=extra)
    assert not any("cloud_reg_addrs" in line for line in conf({"slurmVersion": "23.11"}))


def test_accounting() -> None:
    assert {
        "AccountingStorageType=accounting_storage/slurmdbd",
        "AccountingStorageHost=hpc-slurmdbd",
        "AccountingStoragePort=6819",
        "AccountingStorageTRES=gres/gpu",
    } <= set(conf())
    spec, _ = cluster(accounting={"qos": [{"name": "low"}], "extraConf": {"PurgeJobAfter": "12months"}})
    assert render(slurmdbd_conf(spec, ack(), "of-the-database")).splitlines() == [
        "AuthAltParameters=jwt_key=/var/jwt/jwt_hs256.key",
        "AuthAltTypes=auth/jwt",
        "AuthType=auth/munge",
        "DbdHost=localhost",
        "DbdPort=6819",
        "LogFile=/var/log/slurmdbd.log",
        "PurgeJobAfter=12months",
        "SlurmUser=slurm",
        "StorageHost=hpc-mariadb",
        "StorageLoc=slurm_acct_db",
        "StoragePass=of-the-database",
        "StoragePort=3306",
        "StorageType=accounting_storage/mysql",
        "StorageUser=slurm",
    ]


def test_job_completion() -> None:
    lines = conf({"jobCompletion": {}})
    assert {
        "JobCompType=jobcomp/mysql",
        "JobCompHost=hpc-mariadb",
        "JobCompPort=3306",
        "JobCompUser=slurm_jobcomp",
        "JobCompLoc=slurm_jobcomp_db",
        "DebugFlags=NO_CONF_HASH",
    } <= set(lines)
    assert not any(line.startswith("JobCompPass") for line in lines)
    spec, pools = cluster()
    with_it = render(with_password(slurm_conf(spec, pools, ack(jobCompletion={})), "pw")).splitlines()
    assert set(with_it) - set(lines) == {"JobCompPass=pw"}


def test_power_saving() -> None:
    lines = conf({"powerSaving": {"suspendTime": 300}})
    assert {
        "SuspendTime=300",
        "SuspendTimeout=600",
        "ResumeTimeout=1800",
        "SuspendRate=1",
        "ResumeRate=0",
        "SuspendProgram=/slurm-suspend.sh",
        "ResumeProgram=/slurm-resume.sh",
        "CommunicationParameters=NoAddrCache",
        "ReconfigFlags=KeepPowerSaveSettings",
        "SuspendExcNodes=hpc-worker-gpu-0",
        "SuspendExcStates=DYNAMIC_NORM",
    } <= set(lines)
    nodes = [line for line in lines if line.startswith("NodeName=")]
    assert nodes == [
        "NodeName=hpc-worker-gpu-[0-9] CPUs=64 Features=cloud,gpu Gres=gpu:a100:8 RealMemory=524288 State=CLOUD "
        "Weight=100"
    ]
    without = conf(nodeSets=[{"name": "cpu", "pool": "cpu"}], partitions=[], accounting=None)
    assert not any(line.startswith(("Suspend", "Resume", "NodeName")) for line in without)


def test_a_group_of_power_saving_is_scaled() -> None:
    lines = conf({"powerSaving": {"groups": {"cpu": 5}}}, nodeSets=[{"name": "cpu", "pool": "cpu"}], partitions=[])
    assert "NodeName=hpc-worker-cpu-[0-4] CPUs=16 Features=cloud,cpu RealMemory=65536 State=CLOUD" in lines
    assert "ResumeTimeout=600" in lines
    # Every group is scaled, so none has to be kept from it.
    assert not any(line.startswith("SuspendExc") for line in lines)


def test_default_items_are_combined_with_the_user_s() -> None:
    extra = {"JobSubmitPlugins": "all_partitions", "SuspendExcNodes": "hpc-worker-gpu-[3-4]", "resumetimeout": 900}
    lines = conf({"copilot": {}}, slurmConf={"extra": extra})
    assert "JobSubmitPlugins=k8s_resource_completion,all_partitions" in lines
    assert "SuspendExcNodes=hpc-worker-cpu-[0-1],hpc-worker-gpu-0,hpc-worker-gpu-[3-4]" in lines
    assert "ResumeTimeout=900" in lines


def test_hooks_are_in_folders_that_slurm_reads() -> None:
    hooks = {"prolog": {"10-a.sh": "#!/bin/sh\n", "20-b.sh": "#!/bin/sh\n"}, "epilogSlurmctld": {"end": "#!/bin/sh\n"}}
    lines = conf(hooks=hooks)
    assert "Prolog=/etc/slurm/prolog.d/*" in lines
    assert "EpilogSlurmctld=/etc/slurm/end" in lines
    spec, pools = cluster(hooks=hooks)
    assert {"10-a.sh", "20-b.sh", "end"} <= public_files(spec, pools, ack()).keys()
    head = slurm_cluster(spec, pools, ack(), IMAGE)["spec"]["slurmctld"]["template"]["spec"]
    items = head["volumes"][0]["projected"]["sources"][0]["configMap"]["items"]
    assert {"key": "10-a.sh", "path": "prolog.d/10-a.sh", "mode": 0o755} in items
    assert {"key": "end", "path": "end", "mode": 0o755} in items


def test_programs_around_tasks_can_be_run() -> None:
    files = {"before.sh": "#!/bin/sh\n", "beside.txt": "words\n"}
    extra = {"taskProlog": "/etc/slurm/before.sh", "MailProg": "/etc/slurm/beside.txt"}
    spec, pools = cluster(configFiles=files, slurmConf={"extra": extra})
    (worker, *_) = slurm_cluster(spec, pools, ack(), IMAGE)["spec"]["workerGroupSpecs"]
    items = worker["template"]["spec"]["volumes"][0]["projected"]["sources"][0]["configMap"]["items"]
    assert {"key": "before.sh", "path": "before.sh", "mode": 0o755} in items
    assert {"key": "beside.txt", "path": "beside.txt"} in items


def partitions(conf: Conf) -> dict[str, Any]:
    return {entry.name: dict(entry.options) for entry in conf.of("PartitionName")}


def test_partitions_and_nodes_are_those_of_slurm_operator_s_route() -> None:
    spec, pools = cluster()
    slinky_conf = slinky_files(spec)[File.SLURM]
    conf = slurm_conf(spec, pools, ack())
    assert partitions(conf) == partitions(slinky_conf)
    assert {entry.name: entry.options for entry in conf.of("NodeSet")} == {
        entry.name: entry.options for entry in slinky_conf.of("NodeSet")
    }
    for group in groups_of(spec, pools, ack()):
        # That operator adds CPUs, memory and the node set's name by itself.
        slurmd_options = dict(item.split("=", 1) for item in slurmd_conf(group.node_set, group.machine).split())
        slurmd_options["Features"] = ",".join(
            filter(None, (group.name, slurmd_options.get("Features"), "cloud" if group.elastic else None))
        )
        sizes = {"CPUs": str(group.machine.cpus), "RealMemory": str(group.machine.memory_mib)} if group.machine else {}
        assert {key: str(value) for key, value in group.options.items()} == {**sizes, **slurmd_options}


@given(ack_clusters())
def test_whatever_is_accepted_is_read_by_its_slurm_and_fits_the_crd(drawn: AckCluster) -> None:
    spec, pools, route = drawn
    series = route.series
    conf = slurm_conf(spec, pools, route)
    assert parse(render(conf), File.SLURM, series) == conf
    gres = gres_conf(spec, pools, route)
    assert parse(render(gres), File.GRES, series) == gres
    assert complaints(slurm_cluster(spec, pools, route, IMAGE)) == []
    max_nodes = sum(group.max_nodes for group in groups_of(spec, pools, route))
    assert max_nodes <= int(str(conf.options["MaxNodeCount"]))
    for entry in conf.of("NodeName"):
        for name in hostlist.expand(entry.name):
            assert name.startswith(f"{spec.name}-worker-")
            assert len(name) <= 63
    for group in groups_of(spec, pools, route):
        if group.machine is None:
            assert machine_of(group.node_set, pools) is None


@pytest.mark.parametrize("series", SERIES, ids=str)
def test_every_series_supports_all_default_lines(series: Series) -> None:
    spec, pools = cluster()
    route = ack(slurmVersion=str(series), **EVERYTHING)
    assert list(check_ack_slurm(spec, pools, route)) == []
    conf = slurm_conf(spec, pools, route)
    assert parse(render(conf), File.SLURM, series) == conf
    database = slurmdbd_conf(spec, route, "pw")
    assert parse(render(database), File.SLURMDBD, series) == database
