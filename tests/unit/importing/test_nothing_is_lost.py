"""Every key that Slurm knows is carried over, or is told to be left out."""

from itertools import permutations
from pathlib import Path

import pytest

from pulumi_slurm.configuration.static import static_conf
from pulumi_slurm.slurmconf.catalogue import File, Key, keys
from pulumi_slurm.slurmconf.conf import parse
from pulumi_slurm.slurmconf.diff import compare
from pulumi_slurm.slurmconf.precedence import PRECEDENCE
from pulumi_slurm.slurmconf.values import ValueType
from pulumi_slurm.slurmconf.version import Series
from pulumi_slurm_cli.importing import import_cluster

SERIES = Series.of("25.11")
VALUES = {
    ValueType.TEXT: "word",
    ValueType.WORD: "word",
    ValueType.NUMBER: "7",
    ValueType.DECIMAL: "0.5",
    ValueType.FLAG: "yes",
    ValueType.SECONDS: "7",
    ValueType.DURATION: "7:00",
    ValueType.MEMORY: "700",
    ValueType.LIST: "b,a",
    ValueType.SET: "a,b",
    ValueType.AMOUNTS: "a:1,b:2",
    ValueType.HOSTS: "n[0-1]",
}
SOMETHING_ELSE = {
    "BcastExclude": "/lib,/usr/lib",
    "ClusterName": "aspen",
    "CpuBind": "core",
    "Gres": "gpu:2",
    "PriorityWeightTRES": "CPU=2",
    "PropagatePrioProcess": "2",
    "State": "UNKNOWN",
    "Topology": "default:s1",
    "TRESWeights": "CPU=2",
    "TRESBillingWeights": "CPU=2",
}
"""Values of keys that take no word of any kind."""

NODE = "NodeName=n[0-1] CPUs=4 RealMemory=4096"
PARTITION = "PartitionName=p Nodes=n[0-1]"
NOT_ALONE = {"Nodes", "CPUs", "RealMemory", "Procs", "AccountingStorageType", "SlurmctldParameters"}
"""Keys of the frame around the one in question, and those of which others are made."""


def those(entry: str | None) -> list[Key]:
    entry_keys = keys(File.SLURM, entry, SERIES)
    return [key for key in entry_keys if not key.begins_entry and key.name not in NOT_ALONE]


def line(key: Key) -> str:
    words = [word.spellings[0] for word in (*key.words, *key.plugins) if word.known_in(SERIES)]
    smallest = str(key.smallest) if key.smallest and key.smallest > 7 else None
    value = words[0] if words else smallest or SOMETHING_ELSE.get(key.name, VALUES[key.type])
    return f"{key.name}={value}"


@pytest.mark.parametrize(
    ("entry", "frame"),
    [
        (None, f"{{}}\n{NODE}\n{PARTITION}\n"),
        ("NodeName", f"{NODE} {{}}\n{PARTITION}\n"),
        ("PartitionName", f"{NODE}\n{PARTITION} {{}}\n"),
    ],
)
def test_every_key_comes_along_or_is_told(entry: str | None, frame: str, tmp_path: Path) -> None:
    path = tmp_path / "slurm.conf"
    lost: list[str] = []
    for key in those(entry):
        path.write_text(frame.format(line(key)))
        imported = import_cluster(path)
        assert imported.spec, (key.name, imported.errors)
        is_listed = any(key.name in item.text for item in imported.left_out)
        differences = compare(parse(path.read_text(), File.SLURM, SERIES), static_conf(imported.spec)[File.SLURM])
        missing = [item for item in differences if item.key == key.name]
        if missing and not is_listed:
            lost += map(str, missing)
    assert lost == []


PAIRS = [
    (keyword, *pair)
    for keyword, rows in PRECEDENCE.items()
    for row in rows
    for pair in permutations(dict.fromkeys([*row.keys, row.name or row.keys[0]]), 2)
]


@pytest.mark.parametrize("place", ["both on the line", "both in DEFAULT", "one of each"])
@pytest.mark.parametrize(("keyword", "one", "other"), PAIRS)
def test_no_key_before_which_another_goes_is_lost(
    keyword: str, one: str, other: str, place: str, tmp_path: Path
) -> None:
    pairs = [f"{name}={value}" for name, value in ((one, OF_PAIRS[one][0]), (other, OF_PAIRS[other][1]))]
    on_line = {"both on the line": pairs, "both in DEFAULT": [], "one of each": pairs[1:]}[place]
    in_default = [pair for pair in pairs if pair not in on_line]
    frame = f"{keyword}=DEFAULT RealMemory=4096" if keyword == "NodeName" else f"{NODE}\n{keyword}=DEFAULT"
    begin = "NodeName=n[0-1]" if keyword == "NodeName" else PARTITION
    path = tmp_path / "slurm.conf"
    path.write_text(f"{' '.join([frame, *in_default])}\n{' '.join([begin, *on_line])}\n")
    imported = import_cluster(path)
    told = [item for item in imported.left_out if "Slurm reads" in item.reason]
    assert [item.text.partition(" ")[2] in pairs for item in told] == [True]


OF_PAIRS = {
    **dict.fromkeys(("Feature", "Features"), ("a", "b")),
    **dict.fromkeys(("CPUs", "Procs"), ("4", "8")),
    **dict.fromkeys(("Sockets", "SocketsPerBoard"), ("1", "2")),
    **dict.fromkeys(("OverSubscribe", "Shared"), ("FORCE:3", "YES:5")),
    **dict.fromkeys(("Priority", "PriorityTier", "PriorityJobFactor"), ("3", "5")),
    **dict.fromkeys(("DefMemPerNode", "DefMemPerCPU", "MaxMemPerNode", "MaxMemPerCPU"), ("100", "200")),
    **dict.fromkeys(("AllowAccounts", "DenyAccounts", "AllowQos", "DenyQos"), ("a", "b")),
}
"""Two values of each key."""
