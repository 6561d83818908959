"""What counts as a difference between two files, how it reads, and what it takes."""

import re
from random import Random

import pytest
from hypothesis import given, strategies as st

from pulumi_slurm.slurmconf.catalogue import Change, File
from pulumi_slurm.slurmconf.conf import Conf, parse
from pulumi_slurm.slurmconf.conf_error import LineError
from pulumi_slurm.slurmconf.diff import compare, takes
from pulumi_slurm.slurmconf.version import SERIES, Series

NEWEST = SERIES[-1]


def read(text: str, file: File = File.SLURM) -> Conf:
    return parse(text, file, NEWEST)


def between(old: str, new: str, file: File = File.SLURM) -> list[str]:
    return [str(difference) for difference in compare(read(old, file), read(new, file))]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("NodeName=gpu[1-4] CPUs=8", "NodeName=gpu[1-2] CPUs=8\nNodeName=gpu[3-4] CPUs=8"),
        ("NodeName=gpu1 CPUs=8\nNodeName=gpu2 CPUs=8", "NodeName=gpu2,gpu1 cpus=8"),
        ("NodeName=DEFAULT CPUs=8\nNodeName=a\nNodeName=b", "NodeName=a,b CPUs=8"),
        (
            "NodeName=a Sockets=2 CoresPerSocket=4 ThreadsPerCore=2",
            "NodeName=a Sockets=2 CoresPerSocket=4 CPUs=16 ThreadsPerCore=2",
        ),
        (
            "NodeName=a CPUs=16 CoresPerSocket=4 ThreadsPerCore=2",
            "NodeName=a Boards=1 CPUs=16 ThreadsPerCore=2 CoresPerSocket=4",
        ),
        ("NodeName=a CoresPerSocket=4", "NodeName=a CPUs=4 CoresPerSocket=4"),
        ("NodeName=a Boards=2 SocketsPerBoard=2", "NodeName=a Boards=2 SocketsPerBoard=2 CPUs=4"),
        ("NodeName=a Feature=x,y", "NodeName=a Features=y,x"),
        ("NodeName=a State=UNKNOWN Weight=1", "NodeName=a"),
        ("NodeName=a[1-2] NodeAddr=10.0.0.[1-2]", "NodeName=a1 NodeAddr=10.0.0.1\nNodeName=a2 NodeAddr=10.0.0.2"),
        ("PartitionName=p Nodes=a2,a1 State=UP Default=NO", "PartitionName=p Nodes=a[1-2] MaxTime=INFINITE"),
        ("PartitionName=p MaxTime=90", "PartitionName=p MaxTime=1:30:00"),
        ("NodeName=a[1-2]\nPartitionName=p Nodes=ALL", "NodeName=a[1-2]\nPartitionName=p Nodes=a[1-2]"),
        ("PartitionName=p Priority=5", "PartitionName=p PriorityTier=5 PriorityJobFactor=5"),
        ("PartitionName=p PriorityTier=7 Priority=5", "PartitionName=p Priority=5"),
        ("PartitionName=DEFAULT Priority=5\nPartitionName=p PriorityTier=7", "PartitionName=p Priority=5"),
        ("PartitionName=p OverSubscribe=NO Shared=FORCE", "PartitionName=p"),
        ("PartitionName=p DefMemPerCPU=5 DefMemPerNode=6", "PartitionName=p DefMemPerNode=6"),
        ("PartitionName=p AllowAccounts=a DenyAccounts=b", "PartitionName=p AllowAccounts=a"),
        ("PartitionName=p AllowAccounts=all DenyAccounts=b", "PartitionName=p DenyAccounts=b"),
        ("NodeName=a CPUs=96 Procs=48", "NodeName=a CPUs=96"),
        ("NodeName=DEFAULT CPUs=96\nNodeName=a Procs=48", "NodeName=a CPUs=96"),
        ("NodeName=a Features=x Feature=y", "NodeName=a Features=y"),
        ("NodeName=DEFAULT Feature=y\nNodeName=a Features=x", "NodeName=a Features=x"),
        ("NodeName=a Boards=2 Sockets=2 SocketsPerBoard=8", "NodeName=a Boards=2 SocketsPerBoard=8 CPUs=16"),
        ("NodeName=a Sockets=2 CoresPerSocket=4 CPUs=9", "NodeName=a Sockets=2 CoresPerSocket=4"),
        ("KillWait=30\nMinJobAge=300", "minjobage=300\nKILLWAIT=30 # as ever"),
        ("SchedulerParameters=defer,bf_continue", "SchedulerParameters=bf_continue,defer"),
        ("SchedulerParameters=bf_window=2,defer,bf_window=1", "SchedulerParameters=Defer,BF_Window=2,bf_window=1"),
        ("Licenses=b:1,a:2", "Licenses=a:2,b:1"),
        ("AccountingStorageEnforce=safe,nojobs", "AccountingStorageEnforce=NoJobs,safe"),
    ],
)
def test_the_same_in_other_words_is_no_difference(old: str, new: str) -> None:
    assert between(old, new) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("KillWait=30", "KillWait=60", "slurm.conf: KillWait: 30 -> 60 (reconfigure)"),
        ("", "KillWait=60", "slurm.conf: KillWait: not set -> 60 (reconfigure)"),
        ("ClusterName=a", "ClusterName=b", "slurm.conf: ClusterName: a -> b (unsafe with running jobs)"),
        (
            "PartitionName=gpu MaxTime=1-0",
            "PartitionName=gpu MaxTime=2-0",
            "slurm.conf: PartitionName=gpu MaxTime: 1-00:00:00 -> 2-00:00:00 (reconfigure)",
        ),
        (
            "NodeName=n[1-4] RealMemory=1000",
            "NodeName=n[1-2] RealMemory=1000\nNodeName=n[3-4] RealMemory=2000",
            "slurm.conf: NodeName=n[3-4] RealMemory: 1000 -> 2000 (reconfigure)",
        ),
        ("NodeName=n1", "NodeName=n[1-9]", "slurm.conf: NodeName=n[2-9]: not there -> there (reconfigure)"),
        (
            "NodeName=n[1-9]",
            "NodeName=n1",
            "slurm.conf: NodeName=n[2-9]: there -> not there (unsafe with running jobs)",
        ),
        (
            "",
            "PartitionName=p Nodes=ALL State=DRAIN",
            "slurm.conf: PartitionName=p: not there -> Nodes=ALL State=DRAIN (reconfigure)",
        ),
        (
            "PartitionName=p Nodes=n1",
            "",
            "slurm.conf: PartitionName=p: Nodes=n1 -> not there (unsafe with running jobs)",
        ),
        (
            "MaxNodeCount=9\nNodeName=n1\nPartitionName=p Nodes=ALL",
            "MaxNodeCount=9\nNodeName=n1\nPartitionName=p Nodes=n1",
            "slurm.conf: PartitionName=p Nodes: ALL -> n1 (reconfigure)",
        ),
    ],
)
def test_differences_read_well(old: str, new: str, expected: str) -> None:
    assert between(old, new) == [expected]


def test_a_node_set_that_a_partition_names_is_looked_into() -> None:
    nodes = "NodeName=a[1-4] Features=x\nNodeName=b1\n"
    by_set = nodes + "NodeSet=s Feature=x\nPartitionName=p Nodes=s"
    assert between(by_set, nodes + "PartitionName=p Nodes=a[1-4]") == [
        "slurm.conf: NodeSet=s: Feature=x -> not there (reconfigure)"
    ]
    assert between(by_set, nodes + "NodeSet=s Feature=x\nPartitionName=p Nodes=a[1-4],b1") == [
        "slurm.conf: PartitionName=p Nodes: s -> a[1-4],b1 (reconfigure)"
    ]


def test_devices_are_compared_one_by_one() -> None:
    old = "NodeName=n[1-2] Name=gpu File=/dev/nvidia[0-1]"
    lines = [f"NodeName=n{node} Name=gpu File=/dev/nvidia{device}" for node in (1, 2) for device in (0, 1)]
    assert between(old, "\n".join(lines), File.GRES) == []
    (gone,) = between(old, "\n".join(lines[:-1]), File.GRES)
    assert gone.startswith("gres.conf: Name=gpu File=/dev/nvidia1 NodeName=n2: there -> not there (")
    (typed,) = between(
        "Name=gpu File=/dev/nvidia[0-1]", "Name=gpu File=/dev/nvidia0\nName=gpu File=/dev/nvidia1 Type=a", File.GRES
    )
    assert typed.startswith("gres.conf: Name=gpu File=/dev/nvidia1 Type: not set -> a (")


def test_nodes_could_not_be_added_by_a_reconfigure_before_24_11() -> None:
    old, new = read("NodeName=a"), read("NodeName=a,b")
    assert takes(compare(old, new, Series.of("24.05"))) is Change.RESTART_ALL
    assert takes(compare(old, new, Series.of("24.11"))) is Change.RECONFIGURE


@pytest.mark.parametrize(
    ("old", "new", "unsafe"),
    [
        ("CPUs=8", "CPUs=16", True),
        ("Sockets=1 CoresPerSocket=8", "Sockets=2 CoresPerSocket=8", True),
        ("Sockets=1 CoresPerSocket=8", "Sockets=2 CoresPerSocket=4", False),
        ("Sockets=1 CoresPerSocket=8", "Sockets=1 CoresPerSocket=8 ThreadsPerCore=2", False),
        ("CPUs=8 RealMemory=1000", "CPUs=8 RealMemory=2000", False),
    ],
)
def test_other_cores_end_the_jobs_of_a_node(old: str, new: str, unsafe: bool) -> None:
    change = takes(compare(read(f"NodeName=a {old}"), read(f"NodeName=a {new}")))
    assert change is (Change.UNSAFE if unsafe else Change.RECONFIGURE)


def test_what_several_differences_take_is_the_most_of_them() -> None:
    assert takes([]) is None
    both = compare(read("SlurmctldPidFile=/a\nSlurmdPidFile=/a"), read("SlurmctldPidFile=/b\nSlurmdPidFile=/b"))
    assert {difference.takes for difference in both} == {Change.RESTART_SLURMCTLD, Change.RESTART_SLURMD}
    assert takes(both) is Change.RESTART_ALL
    assert takes([*both, *compare(read("ClusterName=a"), read("ClusterName=b"))]) is Change.UNSAFE


def test_two_different_files_are_not_compared() -> None:
    with pytest.raises(ValueError, match=re.escape("slurm.conf can't be compared with cgroup.conf")):
        compare(Conf(File.SLURM), Conf(File.CGROUP))


@st.composite
def clusters(draw: st.DrawFn) -> tuple[list[tuple[str, str]], dict[str, str]]:
    """Draw nodes with their options, and options of slurm.conf."""
    options = st.sampled_from(["CPUs=8", "CPUs=8 Weight=5", "CPUs=16 Features=a,b", "RealMemory=4000 Gres=gpu:2"])
    names = draw(st.lists(st.integers(0, 40).map("n{}".format), unique=True, max_size=12))
    keys = st.sampled_from(["KillWait", "MinJobAge", "MessageTimeout", "InactiveLimit"])
    return [(name, draw(options)) for name in names], draw(st.dictionaries(keys, st.integers(1, 300).map(str)))


def text_of(nodes: list[tuple[str, str]], options: dict[str, str]) -> str:
    lines = [f"NodeName={name} {rest}" for name, rest in nodes]
    return "\n".join([*(f"{key}={value}" for key, value in options.items()), *lines])


@given(clusters(), st.randoms())
def test_neither_order_nor_the_cut_of_lines_matters(
    drawn: tuple[list[tuple[str, str]], dict[str, str]], random: Random
) -> None:
    nodes, options = drawn
    together: dict[str, list[str]] = {}
    for name, rest in random.sample(nodes, len(nodes)):
        together.setdefault(rest, []).append(name)
    folded = [(",".join(names), rest) for rest, names in together.items()]
    shuffled = dict(random.sample(list(options.items()), len(options)))
    assert between(text_of(nodes, options), text_of(folded, shuffled)) == []


@given(clusters(), clusters())
def test_there_and_back_differs_by_the_same_keys(
    one: tuple[list[tuple[str, str]], dict[str, str]], other: tuple[list[tuple[str, str]], dict[str, str]]
) -> None:
    old, new = read(text_of(*one)), read(text_of(*other))
    forward = {(difference.entry, difference.key, difference.old, difference.new) for difference in compare(old, new)}
    back = {(difference.entry, difference.key, difference.new, difference.old) for difference in compare(new, old)}
    assert forward == back
    assert bool(forward) == (one[1] != other[1] or dict(one[0]) != dict(other[0]))


@pytest.mark.parametrize(
    "key",
    [
        "PrologFlags",
        "DebugFlags",
        "PrivateData",
        "SelectTypeParameters",
        "AccountingStorageEnforce",
        "SchedulerParameters",
    ],
)
def test_case_makes_no_difference_where_slurm_ignores_it(key: str) -> None:
    item = {"PrologFlags": "contain", "DebugFlags": "gres", "PrivateData": "jobs", "SelectTypeParameters": "cr_core"}
    word = item.get(key, "safe")
    assert between(f"{key}={word}", f"{key}={word.upper()}") == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # The first of a name counts.
        ("SchedulerParameters=bf_window=2,defer,bf_window=1", "SchedulerParameters=bf_window=1,defer,bf_window=2"),
        ("SchedulerParameters=bf_window=2,BF_window=1", "SchedulerParameters=BF_window=1,bf_window=2"),
        (
            "SlurmctldParameters=rl_bucket_size=9,rl_bucket_size=3",
            "SlurmctldParameters=rl_bucket_size=3,rl_bucket_size=9",
        ),
        # The last.
        ("PriorityWeightTRES=CPU=1,CPU=2", "PriorityWeightTRES=CPU=2,CPU=1"),
        ("SwitchParameters=adjust_limits,no_adjust_limits", "SwitchParameters=no_adjust_limits,adjust_limits"),
        # They add up.
        ("Licenses=a:1,a:1", "Licenses=a:1"),
        ("NodeName=n Gres=gpu:1,gpu:1", "NodeName=n Gres=gpu:1"),
        # A word that takes back those before it, or that means something at the beginning alone.
        ("AccountingStorageEnforce=nojobs,all", "AccountingStorageEnforce=all,nojobs"),
        ("JobAcctGatherFrequency=30,energy=60", "JobAcctGatherFrequency=energy=60,30"),
    ],
)
def test_the_order_of_words_counts_where_slurm_uses_one_of_them(old: str, new: str) -> None:
    assert between(old, new) != []


def test_case_counts_where_slurm_compares_exactly() -> None:
    assert between("LaunchParameters=use_interactive_step", "LaunchParameters=Use_Interactive_Step") != []


@pytest.mark.parametrize("key", ["AllowAccounts", "AllowQos", "DenyAccounts", "DenyQos"])
def test_slurm_turns_names_of_accounts_and_qos_into_small_letters(key: str) -> None:
    assert between(f"PartitionName=p {key}=Physics,BIO", f"PartitionName=p {key}=bio,physics") == []


def test_passwords_are_not_shown() -> None:
    (difference,) = between("JobCompPass=one", "JobCompPass=two")
    assert difference == "slurm.conf: JobCompPass: (not shown) -> (not shown) (reconfigure)"


def test_what_slurm_has_retired_is_passed_over_where_that_is_asked_for() -> None:
    passed_over: list[LineError] = []
    conf = parse("FastSchedule=1\nKillWait=30\nFrontendName=x\n", File.SLURM, NEWEST, passed_over=passed_over)
    assert conf.options == {"KillWait": 30}
    assert [(error.location.line, error.text) for error in passed_over] == [(1, "FastSchedule"), (3, "FrontendName")]
