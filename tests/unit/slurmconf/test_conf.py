"""Configuration files: what Slurm reads, what it would refuse, and that nothing is lost on the way to text and back."""

import pytest
from hypothesis import given, strategies as st
from hypothesis.strategies import DrawFn

from pulumi_slurm.slurmconf.catalogue import File, Key, keys
from pulumi_slurm.slurmconf.catalogue.forms import has_form
from pulumi_slurm.slurmconf.conf import Conf, Entry, parse, render, with_defaults
from pulumi_slurm.slurmconf.conf_error import ConfError, LineError
from pulumi_slurm.slurmconf.values import Value, ValueType
from pulumi_slurm.slurmconf.version import SERIES, Series

NEWEST = SERIES[-1]


def slurm_conf(text: str, series: Series = NEWEST) -> Conf:
    return parse(text, File.SLURM, series)


def problems(text: str, file: File = File.SLURM, series: Series = NEWEST) -> list[str]:
    with pytest.raises(ConfError) as raised:
        parse(text, file, series)
    return str(raised.value).splitlines()


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("ClusterName=hpc", {"ClusterName": "hpc"}),
        ("  clustername  =  hpc  # ours", {"ClusterName": "hpc"}),
        ("CLUSTERNAME=hpc\r\n\r\n", {"ClusterName": "hpc"}),
        ('MailProg="/a b"', {"MailProg": "/a b"}),
        ('MailProg=""', {"MailProg": ""}),
        ('MailProg=a"b', {"MailProg": 'a"b'}),
        ('MailProg="a # b', {}),
        (r"MailProg=/a\#b\\c # d", {"MailProg": r"/a#b\c"}),
        ("MailProg=/a\\\nb", {"MailProg": "/ab"}),
        ("MailProg=\\  \n  /a", {"MailProg": "/a"}),
        ("MailProg=/a \\\\\nClusterName=b", {}),
        ("# MailProg=/a \\\nClusterName=b", {"ClusterName": "b"}),
        ("MailProg=/a \\# b", {}),
        ("ClusterName=a\nClusterName=b", {"ClusterName": "b"}),
        ("MailProg=/a\\", {"MailProg": "/a"}),
        ("SlurmctldHost=a(10.0.0.1)\nSlurmctldHost=b", {"SlurmctldHost": ("a(10.0.0.1)", "b")}),
        ("SlurmctldHost=a", {"SlurmctldHost": ("a",)}),
        ("Prolog=/a,b\nProlog=/c", {"Prolog": ("/a,b", "/c")}),
        ("PreemptMode=suspend,gang\nTrackWCKey=yes", {"PreemptMode": "SUSPEND,GANG", "TrackWCKey": True}),
        ("SlurmctldParameters=enable_configless\t", {"SlurmctldParameters": ("enable_configless",)}),
    ],
)
def test_lines_are_read_as_slurm_reads_them(text: str, options: dict[str, Value]) -> None:
    if options:
        assert slurm_conf(text) == Conf(File.SLURM, options)
    else:
        assert problems(text)


def test_scripts_add_up_only_where_slurm_lets_them() -> None:
    text = "Prolog=/a\nProlog=/b\n"
    assert slurm_conf(text, Series(24, 5)).options == {"Prolog": ("/a", "/b")}
    assert slurm_conf(text, Series(23, 11)).options == {"Prolog": ("/b",)}


def test_entries_have_typed_options() -> None:
    conf = slurm_conf(
        'nodename=gpu[1-2],gpu3 cpus=8 RealMemory=1000 Gres=gpu:a100:4 NodeAddr=10.0.0.[3,2,1] \\\n  reason="a b"\n'
        "PartitionName=main nodes=gpu3,gpu2,gpu1 default=yes MaxTime=1-0 TRESBillingWeights=CPU=1.0,Mem=0.25G\n"
    )
    (node,) = conf.of("NodeName")
    assert node.name == "gpu[1-3]"
    assert node.options["CPUs"] == 8
    assert node.options["NodeAddr"] == "10.0.0.[3,2,1]"
    assert node.options["Reason"] == "a b"
    (partition,) = conf.of("PartitionName")
    assert partition == Entry(
        "PartitionName",
        "main",
        {"Nodes": "gpu[1-3]", "Default": True, "MaxTime": 86400, "TRESBillingWeights": ("CPU=1.0", "Mem=0.25G")},
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("PartitionName=a MaxTime=60 State=up", "PartitionName=a State=UP MaxTime=01:00:00"),
        ("PartitionName=a Nodes=n[1-3]", "partitionname=a nodes=n2,n[1,3]"),
        ("NodeName=n1,n2", "NodeName=n[1-2]"),
        ("NodeName=n1\nPartitionName=p", "PartitionName=p\nNodeName=n1"),
        ("SlurmctldParameters=a,b", "SlurmctldParameters=b,a"),
        ("ClusterName=a\nMailProg=/b", "MailProg=/b # x\n\nClusterName = a"),
    ],
)
def test_files_that_mean_the_same_are_equal_and_give_one_text(one: str, other: str) -> None:
    assert slurm_conf(one) == slurm_conf(other)
    assert render(slurm_conf(one)) == render(slurm_conf(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("NodeName=n1\nNodeName=n2", "NodeName=n2\nNodeName=n1"),
        ("NodeName=n[1-2] NodeAddr=b,a", "NodeName=n[1-2] NodeAddr=a,b"),
        ("MailProg=/a", "MailProg=/A"),
    ],
)
def test_files_that_mean_something_else_are_not_equal(one: str, other: str) -> None:
    assert slurm_conf(one) != slurm_conf(other)


def test_every_error_has_its_line_and_a_fix() -> None:
    text = (
        "ClusterName=a\n"
        "Clustername2=a\n"
        "CacheGroups=1 # \\\n"
        "NodeName=n[3-1] CPUs=many \\\n"
        "   Colour=red\n"
        "\n"
        "PartitionName=p MaxTime=soon Nodes\n"
        "MailProg=/a SlurmUser=b\n"
        "SlurmctldParameters+=c\n"
        'MailProg="a\n'
        "MailProg=\n"
        "NodeName=DEFAULT NodeAddr=a\n"
        "NodeName=all CPUs=1\n"
    )
    errors = problems(text)
    begins = [
        "slurm.conf:2: Clustername2: there is no such key in slurm.conf. Write ClusterName",
        "slurm.conf:3: CacheGroups: ",
        "slurm.conf:4: NodeName=n[3-1]: Slurm does not read this hostlist: the range 3-1 in 'n[3-1]' runs backwards.",
        "slurm.conf:4: CPUs=many: this is not a whole number. Write",
        "slurm.conf:4: Colour: there is no such key on NodeName lines of slurm.conf. ",
        "slurm.conf:7: Nodes: is not key=value. ",
        "slurm.conf:7: MaxTime=soon: this is not a time that Slurm reads. ",
        "slurm.conf:8: SlurmUser=b: Slurm does not read it behind MailProg. Put it on a line of its own.",
        "slurm.conf:9: SlurmctldParameters+=: Slurm reads += as =, so an earlier value is lost. ",
        'slurm.conf:10: MailProg="a: the quotes do not enclose the whole value. ',
        "slurm.conf:11: MailProg=: is not key=value. ",
        "slurm.conf:12: NodeAddr: Slurm refuses it for NodeName=DEFAULT. ",
        "slurm.conf:13: NodeName=all: Slurm takes ALL for all nodes. ",
    ]
    assert [line[: len(begin)] for line, begin in zip(errors, begins, strict=True)] == begins


@pytest.mark.parametrize(
    ("file", "line", "message"),
    [
        (File.SLURM, "ConstrainCores=yes", "cgroup.conf"),
        (File.SLURM, "PartitionName=p RealMemory=1", "NodeName"),
        (File.GRES, "Name=gpu NodeName=n1", "NodeName"),
        (File.SLURMDBD, "ClusterName=a", "slurm.conf"),
        (File.CGROUP, "ConstrainCore=yes", "ConstrainCores"),
        (File.TOPOLOGY, "SwitchName=a Node=b", "Nodes"),
    ],
)
def test_a_key_is_judged_by_its_file_and_entry(file: File, line: str, message: str) -> None:
    (problem,) = problems(line, file)
    assert problem.startswith(f"{file}:1: ")
    assert message in problem


class TestInclude:
    FILES = {
        "nodes.conf": "NodeName=n1\nInclude more.conf\n",
        "more.conf": "NodeName=n2 CPUs=x\n",
        "a-hpc.conf": "NodeName=n3\n",
        "loop.conf": "\nInclude loop.conf\n",
    }

    def read(self, text: str) -> Conf:
        return parse(text, File.SLURM, NEWEST, include=self.FILES.__getitem__)

    def message(self, text: str) -> str:
        with pytest.raises(ConfError) as raised:
            self.read(text)
        return str(raised.value)

    def test_included_lines_stand_where_the_include_stands(self) -> None:
        conf = self.read("ClusterName=HPC\nNodeName=n1\ninclude\ta-%c.conf # ours\nNodeName=n5\n")
        assert [entry.name for entry in conf.entries] == ["n1", "n3", "n5"]

    def test_a_problem_in_an_included_file_names_that_file(self) -> None:
        assert self.message("\nInclude nodes.conf\n").startswith("more.conf:1: CPUs=x: ")

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ("Include none.conf", "cannot be read: 'none.conf'"),
            ("Include a-%c.conf", "ClusterName, which is not known yet"),
            ("  Include more.conf", "only at the beginning of a line"),
            ("Include more.conf a-hpc.conf", "takes one file name"),
            ("Include = more.conf", "takes one file name"),
            ("Include *.conf", "does not read patterns"),
            ("Include slurm.conf", "includes itself, by slurm.conf"),
        ],
    )
    def test_an_include_that_slurm_would_not_follow_is_a_problem(self, line: str, message: str) -> None:
        problem = self.message(f"\n{line}\n")
        assert problem.startswith("slurm.conf:2: Include")
        assert message in problem

    def test_a_circle_of_includes_is_found(self) -> None:
        assert self.message("Include loop.conf").startswith(
            "loop.conf:2: Include loop.conf: includes itself, by slurm.conf and loop.conf. "
        )

    def test_without_files_an_include_is_a_problem(self) -> None:
        assert "not at hand" in problems("Include a.conf")[0]


class TestDefaults:
    def test_they_hold_for_the_entries_after_them(self) -> None:
        conf = with_defaults(
            slurm_conf(
                "NodeName=n0\nNodeName=default CPUs=4 RealMemory=10\nNodeName=n1 CPUs=8\n"
                "NodeName=DEFAULT CPUs=16\nNodeName=n2\nPartitionName=DEFAULT MaxTime=5\nPartitionName=p Nodes=n0\n"
            )
        )
        assert {entry.name: dict(entry.options) for entry in conf.entries} == {
            "n0": {},
            "n1": {"CPUs": 8, "RealMemory": 10},
            "n2": {"CPUs": 16, "RealMemory": 10},
            "p": {"MaxTime": 300, "Nodes": "n0"},
        }

    def test_keys_that_slurm_reads_from_each_line_are_not_inherited(self) -> None:
        conf = with_defaults(slurm_conf("PartitionName=DEFAULT SuspendTime=5 State=UP\nPartitionName=p"))
        assert conf.entries == (Entry("PartitionName", "p", {"State": "UP"}),)

    def test_features_of_a_line_hold_under_either_name(self) -> None:
        conf = with_defaults(slurm_conf("NodeName=DEFAULT Feature=a\nNodeName=n Features=b"))
        assert conf.entries == (Entry("NodeName", "n", {"Features": ("b",)}),)


def test_gres_conf_has_one_kind_of_line_for_devices() -> None:
    conf = parse(
        "AutoDetect=off\nNodeName=n[1-2] Name=gpu File=/dev/nvidia[0-3]\n"
        "Name=shard Count=4\nNodeName=n3 AutoDetect=nvml\n",
        File.GRES,
        NEWEST,
    )
    assert [(entry.keyword, entry.name, entry.options.get("NodeName")) for entry in conf.entries] == [
        ("Name", "gpu", "n[1-2]"),
        ("Name", "shard", None),
        ("NodeName", "n3", None),
    ]
    assert render(conf).splitlines()[1] == "NodeName=n[1-2] Name=gpu File=/dev/nvidia[0-3]"


def test_the_nodes_of_a_ring_keep_their_order() -> None:
    (ring,) = parse("RingName=r Nodes=n3,n1,n2", File.TOPOLOGY, NEWEST).entries
    assert ring.options == {"Nodes": "n[3,1-2]"}


def test_rendering_begins_with_the_cluster_and_ends_with_entries() -> None:
    text = (
        "PartitionName=p Nodes=n1\nNodeName=n1\nAuthType=auth/slurm\nSlurmctldHost=b\nSlurmctldHost=a\nClusterName=c\n"
    )
    assert render(slurm_conf(text)) == (
        "ClusterName=c\nSlurmctldHost=b\nSlurmctldHost=a\nAuthType=auth/slurm\nNodeName=n1\nPartitionName=p Nodes=n1\n"
    )


@pytest.mark.parametrize("value", ['"a', 'a "b"', "a\nb", "a\0", '"', '"a"'])
def test_a_value_that_no_file_can_hold_is_not_rendered(value: str) -> None:
    with pytest.raises(ValueError, match="MailProg: "):
        render(Conf(File.SLURM, {"MailProg": value}))


def test_an_unknown_key_is_not_rendered() -> None:
    with pytest.raises(ValueError, match=r"slurm\.conf has no key Colour on NodeName lines"):
        render(Conf(File.SLURM, {}, (Entry("NodeName", "n", {"Colour": "red"}),)))


raw_texts = st.text(st.characters(codec="utf-8", exclude_characters='"\n\0'), max_size=12)
items = st.lists(st.from_regex(r"[a-z_]{1,6}(=[0-9]{1,3})?(:x)?", fullmatch=True), max_size=3).map(",".join)
host_texts = st.sampled_from(["n[1-3]", "m,n[001-012]", "a", "a-[0-2,5]"])
times = st.sampled_from(["5", "5:30", "1:02:03", "2-0", "UNLIMITED", "infinite"])
BY_TYPE = {
    ValueType.TEXT: raw_texts,
    ValueType.WORD: st.from_regex(r"[A-Za-z:/_]{1,8}", fullmatch=True),
    ValueType.NUMBER: st.integers(0, 65_000).map(str) | st.just("UNLIMITED"),
    ValueType.DECIMAL: st.floats(0, 1e6).map(str),
    ValueType.FLAG: st.sampled_from(["YES", "no", "True", "0", "up"]),
    ValueType.SECONDS: st.integers(0, 10**6).map(str) | st.just("none"),
    ValueType.DURATION: times,
    ValueType.MEMORY: st.integers(0, 10**6).map(str) | st.just("UNLIMITED"),
    ValueType.LIST: items,
    ValueType.SET: items,
    ValueType.AMOUNTS: items,
    ValueType.HOSTS: host_texts,
}


@st.composite
def confs(draw: DrawFn) -> tuple[Conf, Series]:
    """Draw what a file can say, from all keys that the catalogue has for a series."""
    file, series = draw(st.sampled_from(File)), draw(st.sampled_from(SERIES))
    plain = [key for key in keys(file, None, series) if not key.begins_entry]
    begins = [key for key in keys(file, None, series) if key.begins_entry]
    options = {key.name: draw(_typed(key, series)) for key in draw(_some(plain))}
    entries = []
    for key in draw(st.lists(st.sampled_from(begins), max_size=4)) if begins else []:
        # A hostlist counts by its names, so it has to be in the form that reading gives it.
        name = draw(host_texts if key.name in {"NodeName", "DownNodes"} else raw_texts)
        if key.name in {"NodeName", "PartitionName"} and draw(st.booleans()):
            name = "DEFAULT"
        below = [
            inner
            for inner in keys(file, key.name, series)
            if (inner.name not in {"NodeAddr", "NodeHostname", "BcastAddr"})
            and (file, inner.name) != (File.GRES, "Name")
        ]
        entries.append(Entry(key.name, name, {inner.name: draw(_typed(inner, series)) for inner in draw(_some(below))}))
    return Conf(file, options, tuple(entries)), series


def _some(keys_of_file: list[Key]) -> st.SearchStrategy[list[Key]]:
    # What is drawn for a type would hardly ever have a form such as "CPU=1.0,Mem=0.25G".
    among = [key for key in keys_of_file if not has_form(key.file, key.entry, key.name)]
    return st.lists(st.sampled_from(among), max_size=5, unique=True) if among else st.just([])


def _typed(key: Key, series: Series) -> st.SearchStrategy[Value]:
    words = [word.text for word in key.words if word.known_in(series) and not word.text.endswith(":")]
    texts = st.sampled_from(words) if words else BY_TYPE[key.type]
    if key.smallest is not None or (key.largest and key.largest & (key.largest + 1)):
        texts = st.integers(key.smallest or 0, key.largest or 2**16 - 1).map(str)
    value = texts.map(key.read)
    if not key.repeats:
        return value
    most = 3 if key.name == "SlurmctldHost" or series >= Series(24, 5) else 1
    return st.lists(raw_texts, min_size=1, max_size=most).map(tuple)


@given(confs())
def test_what_was_rendered_is_read_back(drawn: tuple[Conf, Series]) -> None:
    conf, series = drawn
    text = render(conf)
    assert parse(text, conf.file, series) == conf
    assert render(parse(text, conf.file, series)) == text


@given(st.text() | st.text(st.sampled_from('ab="\\#\n \t+NodeName[]-,')), st.sampled_from(File))
def test_any_text_is_read_or_refused_with_lines(text: str, file: File) -> None:
    conf = Conf(file)
    errors: tuple[LineError, ...] = ()
    try:
        conf = parse(text, file, NEWEST)
    except ConfError as error:
        errors = error.errors
    assert parse(render(conf), file, NEWEST) == conf
    assert all(1 <= error.location.line <= text.count("\n") + 1 and error.issue.fix for error in errors)
