"""topology.yaml: what Slurm reads, what its plugins refuse, and the way there from topology.conf."""

import pytest
from hypothesis import given, strategies as st

from pulumi_slurm.slurmconf import topology as t
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import parse
from pulumi_slurm.slurmconf.conf_error import ConfError
from pulumi_slurm.slurmconf.version import SERIES, Series

NEWEST = SERIES[-1]
FIRST_WITH_YAML = Series(25, 5)

FIVE_KINDS = """\
---
- topology: fabric
  cluster_default: true
  tree:
    switches:
      - switch: core
        children: leaf2,leaf1
      - {switch: leaf1, nodes: "n[1-2]"}
      - {switch: leaf2, nodes: "n4,n3"}
- topology: racks
  block:
    block_sizes: [2, 4]
    blocks:
      - {block: a, nodes: "n[1-2]"}
      - {block: b, nodes: "n[3-4]"}
- topology: plain
  flat: true
- topology: circle
  ring: {rings: {ring: r, nodes: "n3,n1,n2"}}
- topology: pod
  torus3d:
    toruses:
      - name: p
        dims: {x: 2, y: 2, z: 1}
        nodes: n[1-4]
        placements: [{dims: {x: 1, y: 2, z: 1}}]
"""


def problems(text: str, series: Series = NEWEST) -> list[str]:
    with pytest.raises(ConfError) as raised:
        t.from_text(text, series)
    return str(raised.value).splitlines()


def test_every_kind_of_topology_is_read() -> None:
    fabric, racks, plain, circle, pod = t.from_text(FIVE_KINDS, NEWEST)
    switches = [
        t.Switch(switch="core", children="leaf[1-2]"),
        t.Switch(switch="leaf1", nodes="n[1-2]"),
        t.Switch(switch="leaf2", nodes="n[3-4]"),
    ]
    assert fabric == t.Topology(topology="fabric", cluster_default=True, tree=t.Tree(switches=switches))
    assert racks.block is not None
    assert racks.block.block_sizes == [2, 4]
    assert plain.flat is True
    assert circle.ring == t.Rings(rings=[t.Ring(ring="r", nodes="n[3,1-2]")])
    assert pod.torus3d is not None
    assert pod.torus3d.toruses[0].dims == t.Dims(x=2, y=2, z=1)


def test_a_file_is_written_and_read_back() -> None:
    read = t.from_text(FIVE_KINDS, NEWEST)
    assert t.from_text(t.to_text(read), NEWEST) == read


names = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), min_size=1, max_size=8)
hosts = st.sampled_from(["n[1-3]", "true", "001", "n1", "null"])
switches = st.builds(t.Switch, switch=names, nodes=st.none() | hosts)
blocks = st.builds(t.Block, block=names, nodes=st.none() | hosts)
topologies = st.one_of(
    st.builds(
        t.Topology,
        topology=names,
        cluster_default=st.booleans(),
        tree=st.builds(t.Tree, switches=st.lists(switches, min_size=1, unique_by=lambda switch: switch.switch)),
    ),
    st.builds(
        t.Topology,
        topology=names,
        block=st.builds(
            t.Blocks,
            block_sizes=st.none() | st.sampled_from([[3], [3, 6, 24]]),
            blocks=st.lists(blocks, min_size=1, unique_by=lambda block: block.block),
        ),
    ),
    st.builds(t.Topology, topology=names, flat=st.just(True)),
)


@given(st.lists(topologies, min_size=1, max_size=3, unique_by=lambda topology: topology.topology))
def test_whatever_is_written_is_read_back(written: list[t.Topology]) -> None:
    assert t.from_text(t.to_text(written), FIRST_WITH_YAML) == written


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "topology.yaml:1: the file: it should be a valid list."),
        ("- topology: a\n  tree: {", "topology.yaml:2: the file: it is not read: "),
        ("- topology: a\n  flat: true\n  flat: true", "topology.yaml:3: the file: it is not read: flat stands twice."),
        ("- topology: 001\n  flat: true", "topology.yaml:1: [0].topology: it is not text. Write text, and quote"),
        ("- flat: true", "topology.yaml:1: [0].topology: it is missing. Add it."),
        ("- topology: a\n  mesh: {}", "topology.yaml:2: [0].mesh: there is no such key."),
        (
            "- topology: a",
            "topology.yaml:1: [0]: this topology has no kind. Give exactly one of tree, block, flat, ring, torus3d.",
        ),
        (
            "- topology: a\n  flat: true\n- topology: a\n  flat: true",
            "topology.yaml:3: [1].topology: the name a is taken.",
        ),
        ("- &a\n  topology: a\n  tree: *a", "topology.yaml:3: [0].tree"),
    ],
)
def test_what_is_no_topology_is_told_with_its_line(text: str, message: str) -> None:
    assert any(problem.startswith(message) for problem in problems(text))


@pytest.mark.parametrize(
    ("network", "message"),
    [
        ("tree: {switches: [{switch: a, nodes: 'n[3-1]'}]}", "switches[0].nodes: Slurm does not read this hostlist: "),
        ("tree: {switches: [{switch: a, children: b}]}", "switches[0].children: there is no switch b. "),
        ("tree: {switches: [{switch: a, children: a}]}", "switches[0].children: the switch is below itself. "),
        ("tree: {switches: [{switch: a, children: b, nodes: n}, {switch: b}]}", "children: a switch has either "),
        ("tree: {switches: [{switch: a}, {switch: a}]}", "switches[1].switch: the name a is taken. "),
        ("block: {block_sizes: [3, 8], blocks: [{block: a}]}", "block_sizes[1]: 8 is not the base size, 3, times "),
        ("ring: {rings: [{ring: a, nodes: 'n[1-17]'}]}", "rings[0].nodes: 17 nodes; a ring has at most 16. "),
        (
            "torus3d: {toruses: [{name: a, dims: {x: 2, y: 2, z: 2}, nodes: 'n[1-7]'}]}",
            "toruses[0].nodes: its places are 2 x 2 x 2, and its nodes 7. ",
        ),
        (
            "torus3d: {toruses: [{name: a, dims: {x: 1, y: 1, z: 1}, regions: "
            "[{anchor: {x: 1, y: 0, z: 0}, dims: {x: 1, y: 1, z: 1}, nodes: n}]}]}",
            "regions[0].dims: the region is not within the torus. ",
        ),
        (
            "torus3d: {toruses: [{name: a, dims: {x: 1, y: 1, z: 1}, nodes: n, "
            "placements: [{dims: {x: 2, y: 1, z: 1}}]}]}",
            "placements[0].dims: the shape is empty, or larger than the torus. ",
        ),
        (
            "torus3d: {toruses: [{name: a, dims: {x: 1, y: 1, z: 1}, nodes: n, regions: []}]}",
            "toruses[0]: this torus has both nodes and regions. ",
        ),
    ],
)
def test_what_the_plugins_refuse_is_a_problem(network: str, message: str) -> None:
    (problem,) = problems(f"- topology: a\n  {network}\n")
    assert problem.startswith("topology.yaml:2: [0].")
    assert message in problem


@pytest.mark.parametrize(
    ("network", "first_series"),
    [
        ("flat: true", "25.05"),
        ("flat: {alpha_step_rank: true}", "26.05"),
        ("ring: {rings: [{ring: a, nodes: n}]}", "26.05"),
    ],
)
def test_a_kind_is_refused_before_its_series(network: str, first_series: str) -> None:
    text = f"- topology: a\n  {network}\n"
    for series in SERIES:
        if series >= Series.of(first_series):
            assert t.from_text(text, series)
        else:
            assert any(
                f"only {first_series} and" in p or f"new in Slurm {first_series}" in p for p in problems(text, series)
            )


@pytest.mark.parametrize(
    ("lines", "network", "same_as"),
    [
        (
            "SwitchName=a Switches=b,c LinkSpeed=100\nSwitchName=b Nodes=n[1-2]\nSwitchName=c Nodes=n3",
            "tree",
            "{switches: [{switch: a, children: 'b,c'}, {switch: b, nodes: 'n1,n2'}, {switch: c, nodes: n3}]}",
        ),
        ("BlockName=a Nodes=n1\nBlockSizes=1", "block", "{block_sizes: 1, blocks: {block: a, nodes: n1}}"),
        ("RingName=a Nodes=n2,n1", "ring", "{rings: {ring: a, nodes: 'n2,n1'}}"),
    ],
)
def test_topology_conf_has_its_equal(lines: str, network: str, same_as: str) -> None:
    topology = t.from_topology_conf(parse(lines, File.TOPOLOGY, NEWEST))
    assert [topology] == t.from_text(f"- topology: default\n  cluster_default: true\n  {network}: {same_as}\n", NEWEST)


@pytest.mark.parametrize("lines", ["", "SwitchName=a\nBlockName=b"])
def test_topology_conf_without_one_kind_of_lines_has_none(lines: str) -> None:
    with pytest.raises(ValueError, match="lines of one kind"):
        t.from_topology_conf(parse(lines, File.TOPOLOGY, NEWEST))


def errors_of(lines: str, kind: str, series: Series = NEWEST) -> list[str]:
    return [str(error) for error in t.topology_conf_errors(parse(lines, File.TOPOLOGY, series), kind, series)]


@pytest.mark.parametrize(
    ("kind", "lines", "series", "message"),
    [
        ("tree", "SwitchName=a Switches=b\nSwitchName=b Switches=a", "26.05", ":1: SwitchName=a: the switch is below"),
        ("tree", "SwitchName=a Switches=a", "26.05", ":1: SwitchName=a: the switch is below itself"),
        ("tree", "# x\nSwitchName=a Switches=z", "26.05", ":2: SwitchName=a: there is no switch z"),
        ("tree", "SwitchName=a Nodes=n\nSwitchName=a Nodes=m", "26.05", ":2: SwitchName=a: the name a is taken"),
        ("tree", "SwitchName=a Nodes=n Switches=b\nSwitchName=b Nodes=m", "26.05", "either switches or nodes"),
        ("tree", f"SwitchName={'a' * 65} Nodes=n", "26.05", "a name of more than 64 characters"),
        ("tree", "SwitchName=a", "24.11", "slurmctld 24.11 exits when nothing is below it"),
        (
            "tree",
            "SwitchName=a Nodes=n\nBlockName=b Nodes=n",
            "26.05",
            ":2: BlockName=b: topology/tree does not read it",
        ),
        ("tree", "SwitchName=a Nodes=n\nBlockSizes=4", "26.05", "BlockSizes=4: topology/tree does not read it"),
        ("tree", "# nothing", "26.05", "topology.conf:1: the file: slurmctld exits, since topology/tree finds no"),
        ("tree", "# nothing", "25.11", "topology/tree finds no SwitchName line"),
        ("block", "SwitchName=a Nodes=n", "26.05", ":1: SwitchName=a: topology/block does not read it"),
        ("block", "BlockSizes=4", "26.05", "topology/block finds no BlockName line"),
        ("block", "BlockName=b Nodes=n\nBlockSizes=four", "26.05", "slurmctld exits, since four is no number of nodes"),
        ("block", "BlockName=b Nodes=n\nBlockSizes=0", "26.05", "slurmctld exits, since 0 is no number of nodes"),
        ("block", "BlockName=b Nodes=n\nBlockSizes=4,6", "26.05", "6 is not the base size, 4, times a power of two"),
        ("block", "BlockName=b Nodes=n\nBlockName=b Nodes=m\nBlockSizes=1", "26.05", ":2: BlockName=b: the name b is"),
        ("ring", "RingName=a Nodes=n\nRingName=a Nodes=m", "26.05", ":2: RingName=a: the name a is taken"),
    ],
)
def test_topology_conf_that_ends_slurmctld_is_a_problem(kind: str, lines: str, series: str, message: str) -> None:
    messages = errors_of(lines, kind, Series.of(series))
    assert any(message in text for text in messages), messages


@pytest.mark.parametrize(
    ("kind", "lines"),
    [
        ("tree", "SwitchName=a Nodes=n\nSwitchName=A Nodes=m\nSwitchName=b\nSwitchName=c Switches=a,A,b LinkSpeed=1"),
        ("tree", "SwitchName=a Nodes=n\nSwitchName=b Switches=a\nSwitchName=c Switches=a\nSwitchName=d Nodes=n"),
        ("block", "BlockName=b\nBlockName=B Nodes=n\nBlockSizes=4abc,4,16"),
        ("ring", "RingName=a\nRingName=b Nodes=n[1-16]"),
    ],
)
def test_topology_conf_that_slurmctld_takes_is_right(kind: str, lines: str) -> None:
    assert errors_of(lines, kind) == []


@pytest.mark.parametrize(("depth", "ends"), [(21, False), (22, True)])
def test_switches_before_those_below_them_are_found_in_so_many_passes(depth: int, ends: bool) -> None:
    lines = [*(f"SwitchName=s{i} Switches=s{i + 1}" for i in range(depth)), f"SwitchName=s{depth} Nodes=n"]
    assert bool(errors_of("\n".join(lines), "tree")) == ends
    assert errors_of("\n".join(reversed(lines)), "tree") == []
