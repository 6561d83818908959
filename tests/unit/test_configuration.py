"""The configuration files for a specification."""

from typing import Any

import pytest

from pulumi_slurm.ack_slurm.manifests.slurm_conf import slurm_conf as ack_slurm_conf
from pulumi_slurm.ack_slurm.model.options import AckSlurmSpec
from pulumi_slurm.configuration.accounts import accounts_script
from pulumi_slurm.configuration.additions import additions
from pulumi_slurm.configuration.files import config_files
from pulumi_slurm.configuration.node_sets import slurmd_conf
from pulumi_slurm.configuration.slinky import slinky_files
from pulumi_slurm.configuration.static import static_conf
from pulumi_slurm.manifests.cluster import render as render_objects
from pulumi_slurm.model import MachineSpec, NodePoolSpec, NodeSetSpec, SlurmSpec
from pulumi_slurm.model.releases.operator_version import RELEASES
from pulumi_slurm.rules import checked
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import render
from pulumi_slurm.slurmconf.values import Value

MACHINE: dict[str, Any] = {"cpus": 8, "memory": "32Gi"}


def spec(**fields: Any) -> SlurmSpec:
    node_sets = fields.pop("nodeSets", [{"name": "cpu", "machine": MACHINE}])
    return checked(SlurmSpec.model_validate({"name": "hpc", "nodeSets": node_sets, **fields}))


def extra_conf(spec: SlurmSpec) -> str:
    return render(additions(spec))


def words(value: Value) -> set[object]:
    assert isinstance(value, tuple)
    return {*value}


def partition_line(**fields: Any) -> str:
    sets = [{"name": "cpu", "machine": MACHINE, "hostNamePrefix": "c-x-"}]
    partition = {"name": "p", "nodeSets": ["cpu"], **fields}
    accounting: dict[str, Any] | None = {} if {"qos", "allowAccounts", "tresBillingWeights"} & set(fields) else None
    text = extra_conf(spec(nodeSets=sets, partitions=[partition], accounting=accounting))
    return next(partition_line for partition_line in text.splitlines() if partition_line.startswith("PartitionName="))


def test_a_plain_partition() -> None:
    assert partition_line() == "PartitionName=p Nodes=c-x Default=NO MaxTime=UNLIMITED State=UP"


def test_all_node_sets() -> None:
    assert " Nodes=ALL " in partition_line(nodeSets=["ALL"])


BRIDGED = {"name": "hybrid", "machine": MACHINE, "scalingMode": "DaemonSet", "bridged": True}
BRIDGE = {
    "partition": "pods",
    "namespaces": [{"name": "jobs"}],
    "externalNodes": [{"name": "x", "pool": "x"}, {"name": "y", "nodeSelector": {"y": ""}, "maxNodes": 300}],
}


def bridge_cluster() -> SlurmSpec:
    return spec(
        nodeSets=[{"name": "cpu", "machine": MACHINE, "hostNamePrefix": "c-x-"}, BRIDGED],
        controller={"address": "slurmctld.example.org"},
        externalNodes=[{"name": "out", "maxNodes": 4}],
        bridge=BRIDGE,
        partitions=[
            {"name": "all", "nodeSets": ["ALL"], "default": True},
            {"name": "pods", "nodeSets": ["x", "hybrid", "y"]},
            {"name": "y-only", "nodeSets": ["y"]},
        ],
    )


def test_external_nodes_of_the_bridge_are_node_sets_by_partition_and_no_part_of_all() -> None:
    pools = [NodePoolSpec(name="x", machine=MachineSpec(**MACHINE), node_labels={"x": ""}, max_nodes=300)]
    lines = render(additions(bridge_cluster(), pools)).splitlines()
    assert [line for line in lines if line.startswith("NodeSet=")] == [
        "NodeSet=out Feature=out",
        "NodeSet=c-x Feature=c-x",
        "NodeSet=hybrid Feature=hybrid",
        "NodeSet=pods Feature=pods",
        "NodeSet=y-only Feature=y-only",
    ]
    assert [line.partition(" Default")[0] for line in lines if line.startswith("PartitionName=")] == [
        "PartitionName=all Nodes=c-x,hybrid,out",
        "PartitionName=pods Nodes=hybrid,pods",
        "PartitionName=y-only Nodes=y-only",
    ]
    assert "MaxNodeCount=1205" in lines, "each external node of the bridge twice, the worker, four outside"


def test_all_is_the_word_where_the_bridge_has_no_external_nodes() -> None:
    bridge = {"partition": "pods", "namespaces": [{"name": "jobs"}]}
    partitions = [{"name": "pods", "nodeSets": ["ALL"]}]
    assert " Nodes=ALL " in extra_conf(spec(nodeSets=[BRIDGED], bridge=bridge, partitions=partitions))


@pytest.mark.parametrize("release", ["1.1.2", "1.2.1"])
def test_pods_and_jobs_share_no_node_of_bridged_node_sets(release: str) -> None:
    bridge = {"partition": "hybrid", "namespaces": [{"name": "jobs"}]}
    cluster = spec(operatorVersion=release, nodeSets=[{**BRIDGED, "partition": {}}], bridge=bridge)
    lines = extra_conf(cluster).splitlines()
    assert {"MCSPlugin=mcs/label", "MCSParameters=ondemand,select"} <= {*lines}
    slurm_conf = slinky_files(cluster)[File.SLURM]
    assert slurm_conf.options["GresTypes"] == ("gpu",), "the bridge states Gres of its nodes, if only as nothing"
    stated = spec(
        nodeSets=[{**BRIDGED, "partition": {}}],
        bridge=bridge,
        slurmConf={"extra": {"MCSParameters": "enforced,select"}},
    )
    assert "MCSParameters=enforced,select" in extra_conf(stated)
    assert "MCS" not in extra_conf(spec(nodeSets=[{**BRIDGED, "bridged": False}]))


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"default": True}, "Default=YES"),
        ({"maxTime": 90}, "MaxTime=01:30:00"),
        ({"maxTime": "2-00:00:00", "defaultTime": "1:00:00"}, "DefaultTime=01:00:00 MaxTime=2-00:00:00"),
        ({"defMemPerCpu": "4G"}, "DefMemPerCPU=4096"),
        ({"maxCpusPerSocket": 8}, "MaxCPUsPerSocket=8"),
        ({"overSubscribe": "FORCE", "overSubscribeJobs": 4}, "OverSubscribe=FORCE:4"),
        ({"qos": "normal", "allowAccounts": ["a", "b"]}, "AllowAccounts=a,b"),
        ({"tresBillingWeights": {"GRES/gpu": 12, "CPU": 1}}, "TRESBillingWeights=CPU=1,GRES/gpu=12"),
        ({"disableRootJobs": False}, "DisableRootJobs=NO"),
        ({"extra": {"PowerDownOnIdle": True}}, "PowerDownOnIdle=YES"),
        ({"priorityTier": 0}, "PriorityTier=0"),
    ],
)
def test_options(fields: dict[str, Any], expected: str) -> None:
    assert expected in partition_line(**fields)


def test_gres_comes_from_the_machine() -> None:
    machine = MachineSpec.model_validate({**MACHINE, "gpus": {"type": "h100", "count": 8}})
    node_set = NodeSetSpec.model_validate(
        {"name": "gpu", "machine": MACHINE, "features": ["nvlink"], "weight": 0, "extraGres": ["tmpdisk:100G"]}
    )
    assert slurmd_conf(node_set, machine) == "Features=nvlink Gres=gpu:h100:8,tmpdisk:100G Weight=0"


def test_nodes_without_gpus_are_taken_first() -> None:
    gpus = MachineSpec.model_validate({**MACHINE, "gpus": {"count": 8}})
    node_set = NodeSetSpec.model_validate({"name": "gpu", "pool": "gpu"})
    assert slurmd_conf(node_set, gpus) == "Gres=gpu:8 Weight=100"
    assert slurmd_conf(node_set, MachineSpec.model_validate(MACHINE)) == "", "Slurm's own default is 1"
    chosen = NodeSetSpec.model_validate({"name": "gpu", "pool": "gpu", "weight": 7})
    assert slurmd_conf(chosen, gpus) == "Gres=gpu:8 Weight=7"


def test_items_are_separated_by_single_spaces_since_the_operator_panics_otherwise() -> None:
    node_set = NodeSetSpec.model_validate({"name": "cpu", "machine": MACHINE, "slurmdOptions": {"CoreSpecCount": 2}})
    assert slurmd_conf(node_set, None) == "CoreSpecCount=2"


def test_more_nodes_than_the_operator_allows_raise_max_node_count() -> None:
    many = [{"name": "cpu", "machine": MACHINE, "replicas": 2000}]
    assert "MaxNodeCount=2000" in extra_conf(spec(nodeSets=many))
    assert "MaxNodeCount" not in extra_conf(spec())
    of_1_2 = spec(nodeSets=many, operatorVersion="1.2.1")
    assert "MaxNodeCount=4000" in extra_conf(of_1_2), "nodes of workers that are gone stay"


def test_nodes_of_a_daemon_set_count_by_the_size_of_their_pool_with_room_for_records_of_earlier_ones() -> None:
    pool = NodePoolSpec.model_validate(
        {"name": "cpu", "machine": MACHINE, "nodeLabels": {"pool": "cpu"}, "maxNodes": 3000}
    )
    many = spec(nodeSets=[{"name": "cpu", "pool": "cpu", "scalingMode": "DaemonSet"}])
    assert additions(many, [pool]).options["MaxNodeCount"] == 6000
    assert "MaxNodeCount" not in additions(many, [pool.model_copy(update={"max_nodes": 300})]).options
    assert additions(many, [pool.model_copy(update={"max_nodes": 40000})]).options["MaxNodeCount"] == 65536


@pytest.mark.parametrize("operator", ["1.0.5", "1.1.2", "1.2.1"])
def test_the_cluster_is_the_same_with_every_release_of_the_operator(operator: str) -> None:
    options = slinky_files(spec(operatorVersion=operator, accounting={}))[File.SLURM].options
    without = {key: value for key, value in options.items() if key != "SlurmctldParameters"}
    assert words(options["SlurmctldParameters"]) - {"reconfig_on_restart"} == {"enable_configless", "enable_stepmgr"}
    first = slinky_files(spec(operatorVersion="1.1.0", accounting={}))[File.SLURM].options
    assert without == {key: value for key, value in first.items() if key != "SlurmctldParameters"}


@pytest.mark.parametrize("operator", ["1.0.5", "1.1.2", "1.2.1"])
def test_words_are_added_to_those_that_the_operator_needs(operator: str) -> None:
    extra = {
        "SlurmctldParameters": "max_dbd_msg_action=discard,Enable_Configless",
        "authinfo": "cred_expire=300",
        "PrologFlags": "Alloc",
        "CommunicationParameters": "keepalivetime=60",
    }
    options = slinky_files(spec(operatorVersion=operator, slurmConf={"extra": extra}))[File.SLURM].options
    assert words(options["SlurmctldParameters"]) - {"reconfig_on_restart"} == {
        "enable_configless",
        "enable_stepmgr",
        "max_dbd_msg_action=discard",
    }
    assert words(options["AuthInfo"]) == {"use_client_ids", "cred_expire=300"}
    assert words(options["PrologFlags"]) == {"Contain", "Alloc"}
    assert words(options["CommunicationParameters"]) == {"block_null_hash", "keepalivetime=60"}


def test_of_words_with_one_name_the_first_stays_the_first() -> None:
    extra = {"SlurmctldParameters": "rl_log_freq=9,rl_log_freq=3,rl_log_freq=9"}
    options = slinky_files(spec(slurmConf={"extra": extra}))[File.SLURM].options
    found = options["SlurmctldParameters"]
    assert isinstance(found, tuple)
    assert [word for word in found if word.startswith("rl_")] == ["rl_log_freq=9", "rl_log_freq=3", "rl_log_freq=9"]


def test_the_name_in_slurm_conf_can_differ_from_that_of_the_objects() -> None:
    renamed = spec(clusterName="Site_1", accounting={"accounts": [{"name": "ml"}]})
    options = slinky_files(renamed)[File.SLURM].options
    assert options["ClusterName"] == "Site_1"
    assert options["StateSaveLocation"] == "/var/spool/slurmctld/Site_1"
    assert options["AccountingStorageHost"] == "hpc-accounting"
    script = accounts_script(renamed)
    assert script
    # As slurmdbd has it, whatever is written in slurm.conf.
    assert "cluster=site_1 " in script
    objects = {item["kind"]: item for item in render_objects(renamed)}
    assert objects["Controller"]["metadata"]["name"] == "hpc"
    assert objects["Controller"]["spec"]["clusterName"] == "Site_1"


def test_gres_types_name_what_node_sets_have_beside_gpus() -> None:
    node_sets = [{"name": "cpu", "machine": MACHINE, "extraGres": ["tmpDisk:100G", "h100mem2"]}]
    assert "GresTypes=gpu,h100mem2,tmpDisk" in extra_conf(spec(nodeSets=node_sets))


def test_an_external_slurmdbd_is_named_by_its_own_host() -> None:
    keys = {name: {"existing": {"name": name, "key": "k"}} for name in ("slurm", "jwt")}
    text = extra_conf(spec(accounting={"external": {"host": "db.example.org", "port": 6819}}, keys=keys))
    assert "AccountingStorageHost=db.example.org\nAccountingStoragePort=6819" in text


def test_a_line_of_the_users_wins_over_a_derived_one() -> None:
    sets = [{"name": "cpu", "machine": MACHINE, "replicas": 2000}]
    text = extra_conf(spec(nodeSets=sets, slurmConf={"extra": {"MaxNodeCount": 4000}}))
    assert text.splitlines() == ["MaxNodeCount=4000"]


GPUS: dict[str, Any] = {**MACHINE, "gpus": {"count": 8, "type": "h100"}}


@pytest.mark.parametrize("operator", ["1.1.2", "1.2.1"])
def test_every_operator_release_comes_to_the_same_plugins(operator: str) -> None:
    """Operators from 1.2 no longer write these lines, and without GresTypes a node with GPUs is refused."""
    files = slinky_files(spec(operatorVersion=operator, nodeSets=[{"name": "gpu", "machine": GPUS}], accounting={}))
    options = files[File.SLURM].options
    assert options["GresTypes"] == ("gpu",)
    assert options["AccountingStorageTRES"] == ("gres/gpu",)
    assert options["ProctrackType"] == "proctrack/cgroup"
    assert options["ReturnToService"] == 2
    assert files[File.GRES].entries or files[File.GRES].options


@pytest.mark.parametrize("operator", RELEASES)
def test_slurmd_detects_gpus_with_every_operator_release(operator: str) -> None:
    """Only releases 1.1 write a gres.conf by themselves; without one Slurm discards the GPUs and refuses the node."""
    without_gpus = spec(operatorVersion=operator)
    passed = config_files(without_gpus).get("gres.conf")
    assert passed == (None if without_gpus.operator.minor == (1, 1) else "AutoDetect=nvidia\n")
    assert slinky_files(without_gpus)[File.GRES].options == {"AutoDetect": "NVIDIA"}
    mine = {"gres.conf": "AutoDetect=rsmi\n"}
    assert config_files(spec(operatorVersion=operator, configFiles=mine))["gres.conf"] == mine["gres.conf"]


def of_vendor(name: str, resource: str) -> dict[str, Any]:
    machine = {**MACHINE, "gpus": {"count": 8, "resource": resource}}
    return {"name": name, "machine": machine, "replicas": 2, "image": "registry.example.org/slurmd:25.11"}


@pytest.mark.parametrize("operator", RELEASES)
def test_gpus_are_detected_by_the_plugin_of_their_vendor(operator: str) -> None:
    amd, intel = of_vendor("amd", "amd.com/gpu"), of_vendor("intel", "gpu.intel.com/xe")
    nvidia = of_vendor("nvidia", "nvidia.com/gpu")
    assert gres_conf(operator, amd) == "AutoDetect=rsmi\n"
    assert gres_conf(operator, intel) == "AutoDetect=oneapi\n"
    assert gres_conf(operator, nvidia, amd) == "NodeName=amd-[0-1] AutoDetect=rsmi\nAutoDetect=nvidia\n"
    assert gres_conf(operator, intel, amd) == (
        "NodeName=intel-[0-1] AutoDetect=oneapi\nNodeName=amd-[0-1] AutoDetect=rsmi\n"
    )


def gres_conf(operator: str, *node_sets: dict[str, Any]) -> str:
    return config_files(spec(operatorVersion=operator, nodeSets=[*node_sets]))["gres.conf"]


def test_jobs_are_confined_unless_one_says_otherwise() -> None:
    assert config_files(spec())["cgroup.conf"] == (
        "CgroupPlugin=cgroup/v2\nIgnoreSystemd=yes\nConstrainCores=yes\nConstrainRAMSpace=yes\nConstrainDevices=yes\n"
    )
    devices_only = {"cores": False, "memory": False}
    text = config_files(spec(confine=devices_only))["cgroup.conf"]
    assert [line for line in text.splitlines() if line.startswith("Constrain")] == ["ConstrainDevices=yes"]
    assert "cgroup.conf" not in config_files(spec(confine={**devices_only, "devices": False})), "it is the operator's"
    mine = "IgnoreSystemd=yes\nConstrainCores=yes\n"
    assert config_files(spec(configFiles={"cgroup.conf": mine}))["cgroup.conf"] == mine


def test_without_cgroups_nothing_asks_for_them() -> None:
    files = slinky_files(spec(configFiles={"cgroup.conf": "CgroupPlugin=disabled\n"}))
    assert files[File.SLURM].options["ProctrackType"] == "proctrack/linuxproc"
    assert "PrologFlags" not in files[File.SLURM].options
    assert "enable_stepmgr" not in render(files[File.SLURM])


def test_on_machines_listed_one_by_one_node_sets_are_lines_of_their_own() -> None:
    sets = [
        {"name": "gpu", "machine": GPUS, "replicas": 12, "ordinalPadding": 2, "features": ["nvlink"]},
        {"name": "burst", "machine": MACHINE, "autoscaling": {"kind": "hpa", "minReplicas": 1, "maxReplicas": 4}},
        {"name": "none", "machine": MACHINE, "replicas": 0},
    ]
    partitions = [{"name": "all", "nodeSets": ["ALL"], "default": True}]
    conf = static_conf(spec(nodeSets=sets, partitions=partitions))[File.SLURM]
    assert [(entry.name, entry.options.get("State")) for entry in conf.of("NodeName")] == [
        ("gpu-[00-11]", None),
        ("burst-[0-3]", "CLOUD"),
    ]
    assert conf.of("NodeName")[0].options["RealMemory"] == 32768
    assert conf.of("PartitionName")[0].options["Nodes"] == "burst-[0-3],gpu-[00-11]"


def test_what_weights_and_limits_speak_of_is_counted() -> None:
    sets = [{"name": "gpu", "machine": GPUS, "extraGres": ["tmpdisk:100G"]}]
    partitions = [{"name": "p", "nodeSets": ["gpu"], "tresBillingWeights": {"CPU": 1, "GRES/tmpdisk": 0.1}}]
    accounting = {"qos": [{"name": "gold", "maxTresPerUser": {"gres/gpu": 8, "license/matlab": 1}}]}
    conf = additions(spec(nodeSets=sets, partitions=partitions, accounting=accounting))
    assert conf.options["AccountingStorageTRES"] == ("gres/gpu", "gres/tmpdisk", "license/matlab")
    assert "AccountingStorageTRES" not in additions(spec(accounting={})).options


def test_each_slurmctld_of_release_1_3_has_an_address_of_its_own_behind_a_common_one() -> None:
    state = {"existingClaim": "statesave", "accessMode": "ReadWriteMany"}
    controller = {"ha": {"backups": 2}, "state": state}
    options = slinky_files(spec(operatorVersion="1.3.0", slurmVersion="26.05", controller=controller))[
        File.SLURM
    ].options
    assert options["SlurmctldHost"] == (
        "hpc-controller-0(hpc-controller-0.hpc-controller-internal.slurm)",
        "hpc-controller-1(hpc-controller-1.hpc-controller-internal.slurm)",
        "hpc-controller-2(hpc-controller-2.hpc-controller-internal.slurm)",
    )
    assert options["SlurmctldAddr"] == "hpc-controller.slurm"
    before = slinky_files(spec(operatorVersion="1.2.1"))[File.SLURM].options
    assert before["SlurmctldHost"] == ("hpc-controller-0(hpc-controller.slurm)",)
    assert "SlurmctldAddr" not in before


def test_external_nodes_are_a_node_set_by_their_feature() -> None:
    outside = spec(
        controller={"address": "slurmctld.example.org"},
        externalNodes=[{"name": "onprem", "maxNodes": 2000, "gres": ["gpu:2", "tmpdisk:1G"]}],
        partitions=[{"name": "p", "nodeSets": ["cpu", "onprem"]}],
    )
    lines = extra_conf(outside).splitlines()
    assert lines == [
        "GresTypes=gpu,tmpdisk",
        "MaxNodeCount=2001",
        "SlurmctldAddr=slurmctld.example.org",
        "NodeSet=onprem Feature=onprem",
        "NodeSet=cpu Feature=cpu",
        "PartitionName=p Nodes=cpu,onprem Default=NO MaxTime=UNLIMITED State=UP",
    ]


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ([], {"nohold_on_prolog_fail"}),
        (["bf_continue", "defer"], {"bf_continue", "defer", "nohold_on_prolog_fail"}),
        (["NoHold_On_Prolog_Fail"], {"NoHold_On_Prolog_Fail"}),
    ],
)
def test_a_job_whose_prolog_fails_is_not_held(stated: list[str], expected: set[object]) -> None:
    hooks = {"prolog": {"a.sh": "#!/bin/sh\n"}}
    cluster = spec(hooks=hooks, slurmConf={"schedulerParameters": stated})
    for conf in (slinky_files(cluster)[File.SLURM], ack_slurm_conf(cluster, [], AckSlurmSpec())):
        assert words(conf.options["SchedulerParameters"]) == expected
    without = spec(hooks={"epilog": hooks["prolog"]}, slurmConf={"schedulerParameters": stated})
    assert words(slinky_files(without)[File.SLURM].options.get("SchedulerParameters", ())) == {*stated}
