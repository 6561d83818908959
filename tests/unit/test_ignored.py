"""Warnings of what Slurm ignores without a word: files that nothing reads, and words that it does not know."""

from typing import Any

import pytest

from pulumi_slurm.errors import Severity
from pulumi_slurm.model import SlurmSpec
from pulumi_slurm.rules import check_cluster, check_pools
from pulumi_slurm.slurmconf.catalogue import File, keys

TREE = "SwitchName=a Nodes=cpu-0\n"
LUA = "function slurm_job_submit() end function slurm_job_modify() end"


def warned(**fields: Any) -> list[str]:
    errors = check_cluster(SlurmSpec(name="c", **fields))
    return [str(error) for error in errors if error.severity is Severity.WARNING]


def with_word(key: str, word: str) -> dict[str, Any]:
    return {"schedulerParameters": [word]} if key == "SchedulerParameters" else {"extra": {key: word}}


@pytest.mark.parametrize(
    ("name", "text", "lines", "key"),
    [
        ("topology.conf", TREE, {"TopologyPlugin": "topology/flat"}, "TopologyPlugin"),
        ("job_submit.lua", LUA, {"JobSubmitPlugins": "throttle"}, "JobSubmitPlugins"),
        ("cli_filter.lua", "", {}, "CliFilterPlugins"),
        ("helpers.conf", "", {}, "NodeFeaturesPlugins"),
        ("burst_buffer.conf", "", {}, "BurstBufferType"),
    ],
)
def test_a_file_that_nothing_reads(name: str, text: str, lines: dict[str, str], key: str) -> None:
    (warning,) = warned(configFiles={name: text}, slurmConf={"extra": lines})
    assert f"nothing reads it, since slurm.conf has no {key} that does" in warning


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        ("topology.conf", TREE, {"TopologyPlugin": "topology/tree"}),
        ("job_submit.lua", LUA, {"JobSubmitPlugins": "throttle, lua"}),
        ("job_submit.lua", LUA, {"jobsubmitplugins": "job_submit/lua"}),
    ],
)
def test_a_file_that_is_read(name: str, text: str, lines: dict[str, str]) -> None:
    assert warned(configFiles={name: text}, slurmConf={"extra": lines}) == []


def test_a_topology_conf_beside_topologies_is_another_matter_than_a_script() -> None:
    tree = "- {topology: t, cluster_default: true, tree: {switches: [{switch: a, nodes: x}]}}\n"
    (warning,) = warned(configFiles={"topology.yaml": tree, "topology.conf": TREE, "job_submit.lua": LUA})
    assert 'config_files["job_submit.lua"]' in warning


@pytest.mark.parametrize(("users", "unknown"), [("root,slurm", []), ("root,alice", ["alice"]), ("12345", ["12345"])])
def test_who_may_reboot_nodes_for_their_features(users: str, unknown: list[str]) -> None:
    files, lines = {"helpers.conf": f"AllowUserBoot={users}\n"}, {"NodeFeaturesPlugins": "node_features/helpers"}
    warnings = warned(configFiles=files, slurmConf={"extra": lines})
    assert [f"Slinky's image may not know {user}" in text for user in unknown for text in warnings] == [True] * len(
        unknown
    )
    assert warned(configFiles=files, slurmConf={"extra": lines}, controller={"image": "a.example/b:1"}) == []


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (
            {"PrivateData": "jbos"},
            "Slurm ignores jbos, since PrivateData has no such word. Write one of: account, all,",
        ),
        (
            {"privatedata": "jobs,uszge"},
            'Slurm ignores uszge, since PrivateData has no such word. Did you mean "usage"?',
        ),
        ({"SlurmctldParameters": "idle_on_node_suspnd"}, 'Did you mean "idle_on_node_suspend"?'),
        ({"LaunchParameters": "use_interactive_stp"}, 'Did you mean "use_interactive_step"?'),
        ({"CommunicationParameters": "NoAdrCache"}, "Slurm ignores NoAdrCache"),
        ({"MinJobAge": 1}, "Slurm takes 2 seconds in its place"),
        ({"TreeWidth": 0}, "Slurm takes 16 in its place"),
        ({"CpuFreqDef": "Fast"}, "Write one of: Conservative, OnDemand, Performance, PowerSave, SchedUtil."),
        ({"CpuFreqDef": "UserSpace"}, "since UserSpace is no governor here"),
        ({"CpuFreqGovernors": "Performance,Fast"}, "PowerSave, SchedUtil, UserSpace."),
    ],
)
def test_words_that_slurm_ignores(lines: dict[str, Any], text: str) -> None:
    (warning,) = warned(slurmConf={"extra": lines})
    assert text in warning


@pytest.mark.parametrize(
    ("item", "text"),
    [
        (
            "bf_windows=1",
            'Slurm ignores bf_windows=1, since SchedulerParameters has no such word. Did you mean "bf_window"?',
        ),
        ("bf_interval=abc", "Slurm reads no number from bf_interval=abc. Write bf_interval=number."),
        ("bf_window=2d", "Slurm reads 2 from bf_window=2d"),
        ("bf_interval", "Slurm ignores bf_interval"),
    ],
)
def test_parameters_that_slurm_ignores(item: str, text: str) -> None:
    (warning,) = warned(slurmConf={"schedulerParameters": ["defer", item]})
    assert "slurm_conf.scheduler_parameters[1]" in warning
    assert text in warning


@pytest.mark.parametrize(
    "lines",
    [
        {"PrivateData": "Jobs,USERS,all", "SlurmctldParameters": "idle_on_node_suspend,conmgr_threads=4,rl_enable"},
        {"CpuFreqDef": "perf", "CpuFreqGovernors": "OnDemand,userspace"},
        {"MinJobAge": 2, "TreeWidth": 1, "CpuFreqDef": "performance", "PriorityFlags": "ACCRUE_ALWAYS,NO_FAIR_TREE"},
        {"AccountingStoreFlags": "job_script,job_env", "SlurmdParameters": "config_overrides,l3cache_as_socket"},
    ],
)
def test_words_that_slurm_heeds(lines: dict[str, Any]) -> None:
    assert not [text for text in warned(slurmConf={"extra": lines}) if "slurm-heeds" in text]


@pytest.mark.parametrize(("key", "word"), [(key.name, word) for key in keys(File.SLURM) for word in key.default])
def test_words_for_what_slurm_does_anyway(key: str, word: str) -> None:
    assert not [text for text in warned(slurmConf=with_word(key, word.upper())) if "slurm-heeds" in text]


@pytest.mark.parametrize(
    ("key", "word", "others"),
    [
        ("SchedulerParameters", "kill_invalid_depend", "DependencyParameters"),
        ("SchedulerParameters", "max_depend_depth=3", "DependencyParameters"),
        ("SlurmctldParameters", "use_interactive_step", "LaunchParameters"),
        ("LaunchParameters", "youngest_first", "PreemptParameters"),
    ],
)
def test_words_that_another_key_has(key: str, word: str, others: str) -> None:
    (warning,) = warned(slurmConf=with_word(key, word))
    assert f"since {key} has no such word. Write it in {others}, which" in warning


@pytest.mark.parametrize(
    ("key", "word"),
    [
        ("PriorityFlags", "NORMAL_ALL"),
        ("LaunchParameters", "enable_send_gids"),
        ("CommunicationParameters", "http"),
        ("JobAcctGatherParams", "GPUAcct"),
        ("AccountingStoreFlags", "stdio"),
        ("SchedulerParameters", "disable_zero_lic"),
    ],
)
def test_no_word_is_offered_that_says_the_opposite(key: str, word: str) -> None:
    (warning,) = warned(slurmConf=with_word(key, word))
    assert "Did you mean" not in warning


def test_of_many_words_those_most_like_it_are_listed() -> None:
    (warning,) = warned(slurmConf={"schedulerParameters": ["bf_max_jobs_of_all_users_together"]})
    listed = warning.partition("Write one of: ")[2]
    assert "bf_max_job_user, " in listed
    assert ", and 74 more." in listed
    assert listed.count(",") == 10


def test_parameters_that_slurm_heeds() -> None:
    items = ["=bf_continue", "bf_hetjob_prio=min", "delay_boot=5:00", "bf_window=2880", "max_rpc_cnt=150", "defer"]
    assert warned(slurmConf={"schedulerParameters": items}) == []


def test_a_claim_that_exists_keeps_its_class() -> None:
    (warning,) = warned(controller={"state": {"existingClaim": "a", "storageClass": "fast"}})
    assert "controller.state.storage_class" in warning
    assert "the claim that exists has its own" in warning
    assert warned(controller={"state": {"existingClaim": "a"}}) == []


def test_a_slurmctld_outside_reads_none_of_these_files() -> None:
    circle = "SwitchName=a Switches=a\n"
    files = {"gres.conf": "# none\n", "resources.yaml": "a", "topology.conf": circle, "job_submit.lua": "function ("}
    machine = {"cpus": 4, "memory": "8Gi", "gpus": {"count": 2}}
    spec = SlurmSpec.model_validate(
        {
            "name": "c",
            "configFiles": files,
            "slurmConf": {"extra": {"TopologyPlugin": "topology/tree"}},
            "controller": {"external": {"host": "a", "port": 1}},
            "nodeSets": [{"name": "a", "replicas": 1, "machine": machine}],
        }
    )
    errors = [*check_cluster(spec), *check_pools(spec, [])]
    assert not [error for error in errors if error.path[0] == "config_files"]


@pytest.mark.parametrize(
    ("fields", "warned_of"),
    [
        ({}, True),
        ({"confine": {"memory": False, "devices": False}}, True),
        ({"confine": {"memory": False, "devices": False, "cores": False}}, False),
        ({"configFiles": {"cgroup.conf": "IgnoreSystemd=yes\nConstrainDevices = yes\n"}}, True),
        ({"configFiles": {"cgroup.conf": "IgnoreSystemd=yes\nConstrainDevices=no\n"}}, False),
        ({"configFiles": {"cgroup.conf": "CgroupPlugin=disabled\nConstrainDevices=yes\n"}}, False),
    ],
)
@pytest.mark.parametrize("plugin", ["task/affinity", "affinity", "task/none"])
def test_confinement_without_its_plugin(plugin: str, fields: dict[str, Any], *, warned_of: bool) -> None:
    lines = {"slurmConf": {"extra": {"taskPlugin": plugin}}}
    assert any("task/cgroup nothing" in text for text in warned(**lines, **fields)) == warned_of
    assert "task/cgroup nothing" not in str(
        warned(slurmConf={"extra": {"TaskPlugin": f"{plugin},task/cgroup"}}, **fields)
    )


def test_lines_of_gres_conf_for_nodes_of_another_cluster() -> None:
    node_set = {"name": "gpu", "machine": {"cpus": 8, "memory": "32Gi"}, "replicas": 2, "partition": {}}
    files = {"gres.conf": "NodeName=dgx[01-02],gpu-[0-9],bm1 Name=nic Count=1\nName=fpga Count=1\n"}
    external = [{"name": "bm", "nodes": "bm[1-2]"}]
    fields = {"nodeSets": [node_set], "configFiles": files, "externalNodes": external}
    texts = [text for text in warned(**fields) if "no node is called" in text]
    assert len(texts) == 1
    assert "gres.conf:1: no node is called dgx[01-02], and" in texts[0]
    assert 'such as "gpu-[0-1]".' in texts[0]
    unknown = {**node_set, "replicas": None, "scalingMode": "DaemonSet"}
    assert "no node is called" not in str(warned(**{**fields, "nodeSets": [unknown]}))
