"""Files that nobody foresaw: an import ends with a specification or with what is wrong, and never otherwise."""

import contextlib
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from pulumi_slurm.slurmconf import hostlist
from pulumi_slurm.slurmconf.conf_error import ConfError
from pulumi_slurm.slurmconf.topology import from_text
from pulumi_slurm.slurmconf.version import Series
from pulumi_slurm_cli.importing import Accounting, Imported, UnreadableFileError, import_cluster

KEYS = (
    *("NodeName", "PartitionName", "NodeSet", "DownNodes", "ClusterName", "SlurmctldHost", "Prolog", "KillWait"),
    *("Nodes", "CPUs", "RealMemory", "Gres", "Features", "State", "MaxTime", "QOS", "Default", "AllowAccounts"),
    *(
        "PreemptType",
        "PreemptMode",
        "SlurmctldParameters",
        "AccountingStorageType",
        "NoSuchKey",
        "TRESBillingWeights",
        "OverSubscribe",
    ),
)
VALUES = (
    *("n[1-3]", "n1", "a[01-02]b[1-2]", "DEFAULT", "ALL", "4", "-1", "0", "gpu:2", "gpu:a:1,gpu:b:2(S:0)", "CLOUD"),
    *("UNLIMITED", "1-0", "x,y", '"a b"', "YES", "preempt/qos", "OFF", "/etc/x.sh", "accounting_storage/slurmdbd"),
    *("gpu:0", "gpu:4K", "gpu:a:b:c", "FORCE:x", "FORCE:", "CPU=1.2.3,Mem=.", "CPU", "²", "0x10", "1e3", "a=b"),
    *("CPU=1,Mem=x", "FUTURE", "DOWN", "[", "%", "\\", "N_1", "1", "é", "99999999999999999999"),
)
NODE = "NodeName=n1 CPUs=4 RealMemory=4096\n"
lines = st.lists(st.tuples(st.sampled_from(KEYS), st.sampled_from(VALUES)), min_size=1, max_size=5).map(
    lambda pairs: " ".join(f"{key}={value}" for key, value in pairs)
)


def imported(text: str, accounting: Accounting = Accounting.EXTERNAL, /, **beside: str) -> Imported:
    with tempfile.TemporaryDirectory() as folder:
        for name, content in {"slurm_conf": text, **beside}.items():
            (Path(folder) / name.replace("_conf", ".conf")).write_text(content)
        return import_cluster(Path(folder) / "slurm.conf", accounting=accounting)


@given(st.lists(lines, min_size=1, max_size=6).map("\n".join))
def test_lines_of_any_kind(text: str) -> None:
    with contextlib.suppress(ConfError):
        result = imported(text)
        assert (result.spec is None) == bool(result.errors)


@given(st.text(max_size=60))
def test_text_of_any_kind(text: str) -> None:
    with contextlib.suppress(ConfError, UnreadableFileError):
        imported(text)


def test_old_ways_of_saying_something_are_translated() -> None:
    text = "SelectType=select/cons_res\nAccountingStoreJobComment=YES\nNodeName=n1 CPUs=4 RealMemory=4096\n"
    result = imported(text + "PartitionName=p Nodes=n1 Shared=FORCE:2 Priority=5\n")
    assert result.left_out == []
    assert result.data["slurmConf"]["extra"] == {
        "SelectType": "select/cons_tres",
        "AccountingStoreFlags": "job_comment",
    }
    assert result.data["partitions"] == [
        {
            "name": "p",
            "nodeSets": ["n"],
            "overSubscribe": "FORCE",
            "overSubscribeJobs": 2,
            "priorityTier": 5,
            "priorityJobFactor": 5,
        }
    ]


@pytest.mark.parametrize(
    "line",
    [
        *("NodeName=<NODES> State=UNKNOWN", "NodeName=n[1-${COUNT}]", "NodeName={{nodes}}", "NodeName=%(nodes)s"),
        *("NodeName=@NODES@", "NodeName=%NODES%", "NodeName=__NODES__", "NodeName=[NODES]", "NodeName=n1 CPUs=<CPUS>"),
        *("NodeName=n1 Gres=gpu:<TYPE>:8", "PartitionName=p Nodes=<NODES>", "PartitionName=$PART Nodes=ALL"),
        *("ClusterName=<cluster>", "SlurmctldHost={{ctl}}", "NodeSet=s Nodes=$(NODES)"),
        *("PartitionName=p Nodes=ALL AllowAccounts=<account>",),
    ],
)
def test_placeholders_of_templates_are_no_names(line: str) -> None:
    with pytest.raises(ConfError, match=r"slurm.conf:2: .*: this is a template's, to be filled in"):
        imported(f"{NODE}{line}\n")


@pytest.mark.parametrize("line", ["NodeName=((nodes))", "NodeName=*", "NodeName=n...", "PartitionName=p Nodes=!n1"])
def test_no_node_has_such_a_name(line: str) -> None:
    with pytest.raises(ConfError, match=r"slurm.conf:2: .*: Slurm has no such names"):
        imported(f"{NODE}{line}\n")


@pytest.mark.parametrize(
    "line",
    [
        *(
            'NodeName=n2 Reason="<broken>"',
            "NodeName=n2 Reason={ticket-12}",
            'DownNodes=n1 State=DOWN Reason="<bad disk>"',
        ),
        *("Licenses=a@b:3", "PartitionName=p AllowGroups=g@ad.org Nodes=ALL", "SlurmdLogFile=/var/log/slurmd.%n.log"),
        *(
            "SlurmctldHost=a(10.0.0.1)",
            'NodeName=n2 Reason="<broken> (fan)"',
            "StateSaveLocation=/x/{y}",
            "NodeName=a__b",
        ),
    ],
)
def test_what_only_looks_like_a_placeholder(line: str) -> None:
    assert imported(f"{NODE}{line}\n").spec


@pytest.mark.parametrize(
    ("nodes", "node_sets"),
    [
        ("node[1-300].example.org", {"node": 300}),
        ("node[1-300].dc[1-2].org", {"node": 300, "node-b": 300}),
        ("r[1-300]n1", {"r": 300}),
        ("n[1-20]-ib0", {"n": 20}),
        ("r[1-2]n[1-3].site7.org", {"r1n": 3, "r2n": 3}),
        ("a1.site2.org,b7.site2.org,c.org", {"a": 1, "b": 1, "c-org": 1}),
    ],
)
def test_a_number_in_the_middle_of_names_counts_them(nodes: str, node_sets: dict[str, int]) -> None:
    result = imported(f"NodeName={nodes} CPUs=4 RealMemory=4096\nPartitionName=p Nodes=ALL\n")
    assert {item["name"]: item["replicas"] for item in result.data["nodeSets"]} == node_sets
    old = [name for names in result.renamed for name in hostlist.expand(names)]
    assert sorted(old) == sorted(hostlist.expand(nodes))


@pytest.mark.parametrize(
    ("lines", "extra", "parameters"),
    [
        ("SchedulerParameters=kill_invalid_depend", {"DependencyParameters": "kill_invalid_depend"}, None),
        (
            "SchedulerParameters=defer,Max_Depend_Depth=5,KILL_INVALID_DEPEND\ndependencyparameters=max_depend_depth=9\n",
            {"DependencyParameters": "KILL_INVALID_DEPEND,max_depend_depth=9"},
            ["defer"],
        ),
        ("SchedulerParameters=kill_invalid_depend\nSchedulerParameters=defer\n", None, ["defer"]),
    ],
)
def test_words_that_moved_go_where_slurm_looks_for_them(
    lines: str, extra: dict[str, str] | None, parameters: list[str] | None
) -> None:
    conf = imported(f"{lines}\nNodeName=n1 CPUs=4 RealMemory=4096\n").data["slurmConf"]
    assert (conf.get("extra"), conf.get("schedulerParameters")) == (extra, parameters)


def test_hardware_that_is_not_given_is_guessed_and_told() -> None:
    result = imported("NodeName=n1 CPUs=4\nNodeName=m1 RealMemory=2048\n")
    assert [item["machine"] for item in result.data["nodeSets"]] == [
        {"cpus": 4, "memory": "4Gi"},
        {"cpus": 1, "memory": "2Gi"},
    ]
    assert [sentence for sentence in result.to_do if "RealMemory" in sentence or "CPUs" in sentence] == [
        "Node set n: its lines give no RealMemory; 1 GiB for each CPU is a guess. Write what there is.",
        "Node set m: its lines give no CPUs, for which Slurm takes 1. Write what there is.",
    ]


def test_gpus_of_two_types_are_not_one_machine() -> None:
    result = imported("NodeName=n1 CPUs=4 RealMemory=4096 Gres=gpu:a100:2,gpu:v100:1\n")
    assert result.data["nodeSets"][0]["machine"]["gpus"] == {"type": "a100", "count": 2}
    (left_out,) = result.left_out
    assert left_out.text == "NodeName=n1 Gres=gpu:v100:1"


@pytest.mark.parametrize(
    ("line", "hosts"),
    [
        ("node[1-3]", "node[0-2]"),
        ("node[001-003]", "node[000-002]"),
        ("Node_[0-1]", "node-[0-1]"),
        ("bigmem", "bigmem-0"),
        ("7x[1-2]", "x[0-1]"),
        ("node[1,5,9]", "node[0-2]"),
    ],
)
def test_names_of_nodes(line: str, hosts: str) -> None:
    result = imported(f"NodeName={line} CPUs=4 RealMemory=4096\n")
    assert result.spec
    assert list(result.renamed.values()) == [hosts]


def test_node_sets_whose_nodes_could_be_mistaken_for_one_another_get_other_names() -> None:
    result = imported("NodeName=gpu[0-9] CPUs=4 RealMemory=4096\nNodeName=gpu1-[0-9] CPUs=8 RealMemory=4096\n")
    assert result.spec
    assert [item["name"] for item in result.data["nodeSets"]] == ["gpu", "gpu1-b"]


def test_slurmdbd_conf_and_a_topology_of_old_names_stay_behind() -> None:
    result = imported(
        "NodeName=n1 CPUs=4 RealMemory=4096\n", slurmdbd_conf="DbdHost=x\n", topology_conf="SwitchName=s Nodes=z1\n"
    )
    assert [item.text for item in result.left_out] == ["slurmdbd.conf", "SwitchName=s Nodes=z1", "topology.conf"]


TOPOLOGY = """
- topology: fabric
  cluster_default: true
  tree:
    switches:
      - { switch: spine, children: "leaf[1-2]" }
      - { switch: leaf1, nodes: "n[1-2]" }
      - { switch: leaf2, nodes: "n[3-4],gone" }
"""


def test_a_topology_in_yaml_names_nodes_by_their_new_names() -> None:
    result = imported("NodeName=n[1-4] CPUs=4 RealMemory=4096\n", **{"topology.yaml": TOPOLOGY})
    assert result.spec
    (topology,) = from_text(result.spec.config_files["topology.yaml"], Series.of("25.11"))
    assert topology.tree
    assert [switch.nodes for switch in topology.tree.switches] == [None, "n[0-1]", "n[2-3]"]


def test_a_topology_whose_names_stay_keeps_its_text() -> None:
    text = TOPOLOGY.replace(",gone", "")
    result = imported("NodeName=n[0-4] CPUs=4 RealMemory=4096\n", **{"topology.yaml": text})
    assert result.data["configFiles"]["topology.yaml"] == text


def test_a_topology_that_is_none_is_told_with_its_line() -> None:
    with pytest.raises(ConfError, match=r"topology\.yaml:3: "):
        imported("NodeName=n1\n", **{"topology.yaml": "- topology: a\n  tree:\n    switch: x\n"})
