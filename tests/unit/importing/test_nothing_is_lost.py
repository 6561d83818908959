"""Every key that Slurm knows is carried over, or is told to be left out."""

from pathlib import Path

import pytest

from pulumi_slurm.configuration.static import static_conf
from pulumi_slurm.slurmconf.catalogue import File, Key, keys
from pulumi_slurm.slurmconf.conf import parse
from pulumi_slurm.slurmconf.diff import compare
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
