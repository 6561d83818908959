"""What an import can't carry over, or had to guess, is told: each on its own line of the file."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

from pulumi_slurm.slurmconf.conf import Entry
from pulumi_slurm.slurmconf.node_lines import NodeLine
from pulumi_slurm_cli.importing import (
    Accounting,
    Imported,
    UnreadableFileError,
    import_cluster,
    node_groups,
    node_names,
    stack_yaml,
)
from tests.unit.importing.test_odd_files import imported

NODES = "NodeName=n[1-4] CPUs=4 RealMemory=4096\n"
CLUSTER = "ClusterName=c\n"
ENTRY = Entry("NodeName", "n", {}, None)


def told(result: Imported) -> list[str]:
    return [f"{Path(item.location.file).name}:{item.location.line} {item.text}" for item in result.left_out]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{NODES}NodeName=n[3-6] CPUs=4 RealMemory=4096\n", ["slurm.conf:2 NodeName=n[3-4]"]),
        (f"{NODES}PartitionName=p Nodes=n[1-6],x\n", ["slurm.conf:2 PartitionName=p Nodes: n[5-6],x"]),
        (f"{NODES}PartitionName=p Nodes=n1\nPartitionName=p Nodes=n2\n", ["slurm.conf:2 PartitionName=p Nodes=n1"]),
        (f"{NODES}PartitionName=p Nodes=n1 AllocNodes=login\n", ["slurm.conf:2 PartitionName=p AllocNodes=login"]),
        (
            "NodeName=n1 CPUs=4 RealMemory=4096 Gres=gpu:tesla:two,x:1\n",
            ["slurm.conf:1 NodeName=n1 Gres=gpu:tesla:two"],
        ),
        (
            f"{NODES}PartitionName=p Nodes=n1 Default=YES\nPartitionName=q Nodes=n2 Default=YES\n",
            ["slurm.conf:2 PartitionName=p Default=YES"],
        ),
        ("SlurmctldHost=a\nSlurmctldHost=b\n", ["slurm.conf:1 SlurmctldHost=a", "slurm.conf:2 SlurmctldHost=b"]),
        (
            "AccountingStorageType=accounting_storage/filetxt\n",
            ["slurm.conf:1 AccountingStorageType=accounting_storage/filetxt"],
        ),
        (
            f"{NODES}PartitionName=p Nodes=n1 Shared=FORCE OverSubscribe=NO\n",
            ["slurm.conf:2 PartitionName=p Shared=FORCE"],
        ),
        ("NodeName=n1 CPUs=4 Procs=8 RealMemory=4096\n", ["slurm.conf:1 NodeName=n1 Procs=8"]),
        ("NodeName=n1 CPUs=9 Sockets=2 CoresPerSocket=4 RealMemory=4096\n", ["slurm.conf:1 NodeName=n1 CPUs=9"]),
        ("NodeName=n1 Procs=9 Sockets=2 CoresPerSocket=4 RealMemory=4096\n", ["slurm.conf:1 NodeName=n1 Procs=9"]),
        ('AuthInfo="a=1","b=2"\nKillWait=60\n', ["slurm.conf:1 AuthInfo=(not shown)"]),
        (f"KillWait=30\n{NODES}KillWait=60\nKillWait=60\n", ["slurm.conf:1 KillWait=30"]),
        ("NodeName=n1 CPUs=4 RealMemory=4096 Weight=3 weight=5\n", ["slurm.conf:1 NodeName=n1 Weight=3"]),
    ],
)
def test_what_is_left_out_of_slurm_conf(text: str, expected: list[str]) -> None:
    assert told(imported(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            f"PartitionName=DEFAULT DefMemPerNode=1000\n{NODES}PartitionName=p Nodes=n1 DefMemPerCPU=500\n",
            ["3 PartitionName=p DefMemPerCPU=500: Slurm reads DefMemPerNode of PartitionName=DEFAULT instead."],
        ),
        (
            f"PartitionName=DEFAULT DefMemPerCPU=5\n{NODES}PartitionName=p Nodes=n1 DefMemPerNode=7\n"
            "PartitionName=q Nodes=n2 DefMemPerNode=8\nPartitionName=r Nodes=n3\n",
            ["1 PartitionName=DEFAULT DefMemPerCPU=5: Slurm reads DefMemPerNode of PartitionName=p,q instead."],
        ),
        (
            f"PartitionName=DEFAULT Shared=FORCE OverSubscribe=NO\n{NODES}PartitionName=p Nodes=n1\n",
            ["1 PartitionName=DEFAULT Shared=FORCE: Slurm reads OverSubscribe of this line instead."],
        ),
        (
            f"PartitionName=DEFAULT ExclusiveUser=YES\n{NODES}PartitionName=p Nodes=n1\n",
            ["1 PartitionName=DEFAULT ExclusiveUser=YES: Slurm hands this on to no line."],
        ),
        (
            f"{NODES}PartitionName=p Nodes=n1\nPartitionName=DEFAULT MaxTime=5\n",
            [
                "3 PartitionName=DEFAULT MaxTime=00:05:00: "
                "No line after it takes this: each has its own, or there is none."
            ],
        ),
        (
            "NodeName=DEFAULT CPUs=8 RealMemory=4096\nNodeName=n1 Procs=16\n",
            ["2 NodeName=n1 Procs=16: Slurm reads CPUs of NodeName=DEFAULT instead."],
        ),
        (
            "NodeName=DEFAULT CPUs=9 RealMemory=4096\nNodeName=n1 Sockets=2 CoresPerSocket=4\n",
            ["1 NodeName=DEFAULT CPUs=9: This fits no number of sockets and cores, and Slurm counts 8 instead."],
        ),
    ],
)
def test_what_default_lines_say_and_lines_do_not_have_is_told(text: str, expected: list[str]) -> None:
    left_out = imported(text).left_out
    assert [f"{item.location.line} {item.text}: {item.reason}" for item in left_out] == expected


def test_of_lines_of_one_thing_with_which_slurmctld_ends_one_is_kept() -> None:
    text = f"{NODES}NodeName=n1 CPUs=4 RealMemory=4096\nPartitionName=p Nodes=n1\nPartitionName=p Nodes=n2\n"
    assert [f"{item.location.line} {item.reason}" for item in imported(text).left_out] == [
        "2 An earlier line is about the same nodes, with which slurmctld wouldn't start: that one is kept.",
        "3 A later line is about the same partition, with which slurmctld wouldn't start: that one is kept.",
    ]


def test_words_of_one_name_keep_their_order() -> None:
    lines = "SchedulerParameters=bf_window=9,defer,bf_window=1\nSlurmctldParameters=rl_log_freq=9,rl_log_freq=3\n"
    assert imported(f"{CLUSTER}{lines}{NODES}").data["slurmConf"] == {
        "schedulerParameters": ["bf_window=9", "bf_window=1", "defer"],
        "extra": {"SlurmctldParameters": "enable_configless,rl_log_freq=9,rl_log_freq=3"},
    }


def test_nodes_of_other_files_that_have_no_node_set() -> None:
    gres_conf = "AutoDetect=off\n\nNodeName=n[1-9] Name=gpu File=/dev/nvidia0\nNodeName=m1 Name=gpu File=/dev/nvidia0\n"
    topology_conf = "# switches\nSwitchName=s1 Nodes=n[1-4],gone\n"
    result = imported(NODES, gres_conf=gres_conf, topology_conf=topology_conf)
    assert told(result) == [
        "gres.conf:3 Name=gpu NodeName=n[5-9]",
        "gres.conf:4 Name=gpu NodeName=m1",
        "topology.conf:2 SwitchName=s1 Nodes=gone",
    ]
    assert result.spec
    assert result.spec.config_files["topology.conf"] == "SwitchName=s1 Nodes=n[0-3]\n"


def test_switches_above_nodes_that_have_no_node_set_go_with_them() -> None:
    lines = ["s1 Nodes=n[1-4]", "s2 Nodes=gone", "s3 Switches=s[1-2]", "s4 Switches=s2", "s5 Switches=s[3-4]"]
    topology_conf = "".join(f"SwitchName={line}\n" for line in lines)
    result = imported(NODES + "TopologyPlugin=topology/tree\n", topology_conf=topology_conf)
    assert told(result) == ["topology.conf:2 SwitchName=s2 Nodes=gone"]
    assert result.spec
    kept = "SwitchName=s1 Nodes=n[0-3]\nSwitchName=s3 Switches=s1\nSwitchName=s5 Switches=s3\n"
    assert result.spec.config_files["topology.conf"] == kept


def test_nodes_of_topology_yaml_that_have_no_node_set() -> None:
    text = "- topology: t\n  cluster_default: true\n  tree: {switches: [{switch: s, nodes: 'n[1-4],gone'}]}\n"
    assert told(imported(NODES, **{"topology.yaml": text})) == ["topology.yaml:1 nodes: gone"]


@pytest.mark.parametrize("text", ["# nothing\n", "", "NodeName=gone Name=gpu File=/dev/nvidia0\n"])
def test_a_gres_conf_without_lines_does_not_take_the_place_of_the_operators(text: str) -> None:
    result = imported(NODES, gres_conf=text)
    assert "configFiles" not in result.data
    (reason,) = {item.reason for item in result.left_out if item.text == "gres.conf"}
    assert "by which GPUs are detected" in reason


def test_a_cluster_without_a_name_is_a_guess() -> None:
    assert any("no ClusterName" in sentence for sentence in imported(NODES).to_do)
    assert not any("ClusterName" in sentence for sentence in imported(CLUSTER + NODES).to_do)


def test_of_two_gpu_types_the_more_frequent_one_stays() -> None:
    result = imported("NodeName=n1 CPUs=4 RealMemory=4096 Gres=gpu:a100:1,gpu:v100:4\n")
    assert result.data["nodeSets"][0]["machine"]["gpus"] == {"type": "v100", "count": 4}
    assert told(result) == ["slurm.conf:1 NodeName=n1 Gres=gpu:a100:1"]


def test_gres_of_one_kind_add_up() -> None:
    result = imported("NodeName=n1 CPUs=4 RealMemory=4096 Gres=gpu:a:1,tmp:1K,gpu:a:2,tmp:2\n")
    (node_set,) = result.data["nodeSets"]
    assert (node_set["machine"]["gpus"], node_set["extraGres"]) == ({"type": "a", "count": 3}, ["tmp:1026"])
    assert told(result) == []


def test_any_number_of_node_sets_may_have_one_prefix() -> None:
    lines = [f"NodeName=n{number} CPUs=4 RealMemory=4096 Weight={number + 2}\n" for number in range(720)]
    result = imported(CLUSTER + "".join(lines))
    names = [item["name"] for item in result.data["nodeSets"]]
    assert (len(set(names)), names[1], names[25], names[26], names[702]) == (720, "n-b", "n-z", "n-aa", "n-aaa")


def test_a_partition_open_to_all_accounts_makes_none() -> None:
    text = f"{CLUSTER}AccountingStorageType=accounting_storage/slurmdbd\n{NODES}"
    for word in ("all", "ALL"):
        result = imported(f"{text}PartitionName=p Nodes=n1 AllowAccounts={word}\n", Accounting.NEW)
        assert "accounts" not in result.data["accounting"]


@pytest.mark.parametrize(
    ("lines", "backups"),
    [
        (
            "SlurmctldHost=a\nSlurmctldHost=b\nSlurmctldHost=c(10.0.0.3)\n",
            ["SlurmctldHost=b", "SlurmctldHost=c(10.0.0.3)"],
        ),
        ("ControlMachine=a\nBackupController=b\n", ["BackupController=b"]),
        ("SlurmctldHost=a\n", []),
    ],
)
def test_a_second_slurmctld_is_something_to_do(lines: str, backups: list[str]) -> None:
    left_out = imported(f"{lines}{NODES}").left_out
    assert [item.text for item in left_out if not item.routine] == backups
    assert all("controller.ha" in item.reason for item in left_out if not item.routine)


def test_scripts_by_a_pattern_are_those_in_the_folder(tmp_path: Path) -> None:
    (tmp_path / "prolog.d").mkdir()
    for name in ("20-b.sh", "10-a.sh", ".hidden", "README"):
        (tmp_path / "prolog.d" / name).write_text(f"#!/bin/sh\necho {name}\n")
    conf = tmp_path / "slurm.conf"
    lines = "Prolog=/etc/slurm/prolog.d/*.sh\nEpilog=/etc/slurm/epilog.d/*\n"
    conf.write_text(f"{CLUSTER}{lines}{NODES}PartitionName=p Nodes=ALL\n")
    result = import_cluster(conf)
    assert result.spec
    assert list(result.data["hooks"]) == ["prolog"]
    assert list(result.data["hooks"]["prolog"]) == ["10-a.sh", "20-b.sh"]
    assert [item.text for item in result.left_out] == ["Epilog=/etc/slurm/epilog.d/*"]
    assert result.left_out[0].reason == "No file beside slurm.conf matches it. Put its text into hooks.epilog."
    outside = tmp_path.parent / "outside.sh"
    outside.write_text("echo\n")
    (tmp_path / "prolog.d" / "30-c.sh").symlink_to(outside)
    with pytest.raises(UnreadableFileError, match=r"30-c\.sh: it is outside of"):
        import_cluster(conf)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("TaskPlugin=task/affinity", "It would leave out task/cgroup"),
        ("TaskPlugin=task/none", "It would leave out task/cgroup"),
        ("HealthCheckInterval=300", "It goes with HealthCheckProgram"),
        ("HealthCheckNodeState=ANY,CYCLE", "It goes with HealthCheckProgram"),
    ],
)
def test_a_line_that_is_worse_than_none(line: str, reason: str) -> None:
    (item,) = imported(f"{line}\n{NODES}").left_out
    assert item.text == line
    assert item.reason.startswith(reason)


@pytest.mark.parametrize(("mpi", "needed"), [("pmix", True), ("pmix_v4", True), ("pmi2", False), ("none", False)])
def test_what_an_mpi_needs_of_images(mpi: str, *, needed: bool) -> None:
    to_do = imported(f"MpiDefault={mpi}\n{NODES}").to_do
    assert any(f"MpiDefault={mpi}: each srun fails where" in sentence for sentence in to_do) == needed


def test_a_task_plugin_that_is_meant_is_kept() -> None:
    assert imported(f"TaskPlugin=task/cgroup\n{NODES}").data["slurmConf"]["extra"] == {"TaskPlugin": "task/cgroup"}
    result = imported(f"TaskPlugin=task/affinity\n{NODES}", cgroup_conf="ConstrainCores=no\n")
    assert result.data["slurmConf"]["extra"] == {"TaskPlugin": "task/affinity"}


def test_how_long_records_are_kept_is_told_line_by_line() -> None:
    dbd = "DbdHost=h\nPurgeJobAfter=12months\nArchiveJobs=yes\nStoragePass=x\n"
    result = imported(f"AccountingStorageType=accounting_storage/slurmdbd\n{NODES}", slurmdbd_conf=dbd)
    of_dbd = [item for item in result.left_out if "slurmdbd.conf" in item.location.file]
    assert [(item.location.line, item.text) for item in of_dbd] == [
        (1, "slurmdbd.conf"),
        (2, "PurgeJobAfter=12months"),
        (3, "ArchiveJobs=YES"),
    ]


@pytest.mark.parametrize("name", ["n{}", "n{}.example.org", "r{}n1", "n{}-ib0"])
def test_an_import_takes_time_in_proportion_to_nodes(name: str) -> None:
    """Counted by calls, not by the clock."""
    work = []
    for nodes in (100, 1000):
        text = f"NodeName={name.format(f'[1-{nodes}]')} CPUs=4 RealMemory=4096\n"
        work.append(_calls_of(imported, text))
    assert work[1] <= 10 * work[0]


def test_names_without_a_number_take_time_in_proportion_too() -> None:
    work = []
    for nodes in (100, 1000):
        groups = node_groups.node_groups([NodeLine(ENTRY, [*map(word, range(nodes))], {})], [])
        work.append(_calls_of(node_names.node_set_names, groups))
    assert work[1] <= 11 * work[0]


def word(number: int) -> str:
    return "".join(chr(ord("a") + int(digit)) for digit in str(number)) + "-x"


def _calls_of(run: Callable[..., object], argument: object) -> int:
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        run(argument)
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize(
    ("lines", "beside", "host"),
    [
        ("AccountingStorageHost=localhost\nSlurmctldHost=head(10.0.0.1)\n", "", "head"),
        ("AccountingStorageHost=127.0.0.1\nControlMachine=head\n", "", "head"),
        ("SlurmctldHost=head\n", "DbdHost=db\nDbdAddr=10.0.0.2\n", "10.0.0.2"),
        ("SlurmctldHost=localhost\n", "DbdHost=localhost\nwrong\n", "slurmdbd.example.org"),
        ("AccountingStorageHost=db_1\nSlurmctldHost=head\n", "", "db_1"),
    ],
)
def test_where_slurmdbd_is(lines: str, beside: str, host: str) -> None:
    text = f"{CLUSTER}AccountingStorageType=accounting_storage/slurmdbd\n{lines}"
    result = imported(text, **({"slurmdbd_conf": beside} if beside else {}))
    assert result.spec
    assert result.data["accounting"]["external"]["host"] == host
    assert any("is a guess" in sentence for sentence in result.to_do) == (host != "db_1")


def test_lines_of_the_operator_are_told_together() -> None:
    operators = ["ControlMachine=a", "ControlAddr=b", "BackupAddr=d", "CryptoType=crypto/munge"]
    result = imported(CLUSTER + "\n".join(operators))
    assert "slurmConf" not in result.data
    assert [item.text for item in result.left_out if item.routine] == operators
    comments = stack_yaml(result).partition("\nconfig:\n")[0]
    assert comments.count("#\n") == 1


def test_no_password_goes_into_the_settings_of_a_stack() -> None:
    result = imported(
        f"{CLUSTER}JobCompType=jobcomp/mysql\nJobCompHost=db\nJobCompPass=geheim\nDefaultStoragePass=geheim\n"
    )
    assert "geheim" not in stack_yaml(result)
    assert [item.text for item in result.left_out] == [
        "JobCompType=jobcomp/mysql",
        "JobCompHost=db",
        "JobCompPass=(not shown)",
        "DefaultStoragePass=(not shown)",
    ]


def test_keys_that_need_each_other_stay_behind_together() -> None:
    result = imported(f"{CLUSTER}JobCompType=jobcomp/filetxt\nJobCompLoc=/var/log/jobs\n")
    assert [item.text for item in result.left_out] == ["JobCompType=jobcomp/filetxt", "JobCompLoc=/var/log/jobs"]
    assert result.left_out[0].reason == "It goes with JobCompLoc, which is left out."


def test_an_included_file_lies_beside_the_copy_whatever_its_path_was(tmp_path: Path) -> None:
    (tmp_path / "conf.d").mkdir()
    (tmp_path / "conf.d" / "nodes.conf").write_text(NODES)
    (tmp_path / "partitions.conf").write_text("PartitionName=p Nodes=ALL\n")
    main = tmp_path / "slurm.conf"
    main.write_text("Include /etc/slurm/conf.d/nodes.conf\nInclude /etc/slurm/partitions.conf\n")
    result = import_cluster(main)
    assert [item["name"] for item in result.data["partitions"]] == ["p"]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"ClusterName=c # M\xfcnchen\n" + NODES.encode(), True),
        (b"\xef\xbb\xbfClusterName=c\r\n" + NODES.encode(), False),
        (f"ClusterName=c\n{NODES}".encode("utf-16"), False),
    ],
)
def test_encodings(content: bytes, told: bool, tmp_path: Path) -> None:
    path = tmp_path / "slurm.conf"
    path.write_bytes(content)
    result = import_cluster(path)
    assert (result.data["name"], len(result.data["nodeSets"])) == ("c", 1)
    assert any("Latin-1" in sentence for sentence in result.to_do) == told


def test_the_last_of_several_default_partitions_stays() -> None:
    result = imported(f"{NODES}PartitionName=p Nodes=n1 Default=YES\nPartitionName=q Nodes=n2 Default=YES\n")
    assert result.spec
    assert [partition.default for partition in result.spec.partitions] == [False, True]


def test_jobs_of_select_linear_keep_whole_nodes() -> None:
    shared = {"p": " OverSubscribe=NO", "q": "", "r": " OverSubscribe=YES"}
    lines = [f"PartitionName={name} Nodes=n1{option}" for name, option in shared.items()]
    result = imported("\n".join(["SelectType=select/linear", NODES, *lines, ""]))
    assert result.spec
    assert [str(partition.over_subscribe) for partition in result.spec.partitions] == ["EXCLUSIVE", "EXCLUSIVE", "YES"]
    assert any("select/linear" in line for line in result.to_do)
    alone = imported(f"SelectType=select/cons_tres\n{NODES}PartitionName=p Nodes=n1\n")
    assert alone.spec
    assert alone.spec.partitions[0].over_subscribe is None


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("gres.conf", "NodeName=n1 Name=gpu File=/dev/nvidia0\n", "this is a gres.conf"),
        ("cgroup.conf", "ConstrainCores=yes\n", "this is a cgroup.conf"),
        ("slurmdbd.conf", "DbdHost=a\n", "this is a slurmdbd.conf"),
        ("slurm.conf", "# nothing\n\n", "no lines but comments"),
    ],
)
def test_a_file_that_describes_no_cluster_is_refused(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(UnreadableFileError, match=message):
        import_cluster(tmp_path / name)


def test_plugins_of_plugstack_conf_stay_behind() -> None:
    """Slinky's images don't have them, and slurmd exits without a required one."""
    plugstack_conf = "# plugins\nrequired /usr/lib64/slurm/x.so a=b # c\n\ninclude /etc/slurm/plugstack.conf.d/*.conf\n"
    result = imported(NODES, plugstack_conf=plugstack_conf)
    assert told(result) == [
        "plugstack.conf:2 required /usr/lib64/slurm/x.so a=b",
        "plugstack.conf:4 include /etc/slurm/plugstack.conf.d/*.conf",
    ]
    assert result.spec
    assert result.spec.config_files == {}
