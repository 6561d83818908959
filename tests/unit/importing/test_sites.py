"""Configurations in the style of real sites: each becomes settings that load, and no key of them is lost silently."""

from pathlib import Path

import pytest
import yaml

from pulumi_slurm.configuration.static import static_conf
from pulumi_slurm.loading import load
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.statements import Reader, Statement
from pulumi_slurm_cli.importing import Imported, Source, import_cluster, stack_yaml
from pulumi_slurm_cli.importing.successors import successors
from tests.unit.importing.sites import SITES, write_site

SAME_AS_OTHERS = {
    "accountingstoragetype": {"accounting"},
    "clustername": {"name"},
    "feature": {"features"},
    "priority": {"prioritytier"},
    "procs": {"cpus"},
    "shared": {"oversubscribe"},
}
"""Keys that go on under another name, or as a field of the specification."""
HELD_ANYWAY = {"state", "nodes", "default", "weight"}
"""Keys whose usual values mean nothing, and those of partitions that became node sets."""


def statements(path: Path) -> list[Statement]:
    source = Source(path)
    reader = Reader(source.included, skipped=[])
    read = list(reader.read(source.text(), "slurm.conf"))
    assert reader.errors == []
    return [new for statement in read for new in successors(statement)]


def goes_on(imported: Imported, keys: set[str]) -> bool:
    assert imported.spec
    conf = static_conf(imported.spec)[File.SLURM]
    names = {*conf.options, *(key for entry in conf.entries for key in entry.options), *imported.data}
    if imported.spec.hooks.model_dump(exclude_defaults=True):
        names |= {"Prolog", "Epilog", "PrologSlurmctld", "EpilogSlurmctld"}
    return bool(keys & {name.lower() for name in names})


@pytest.mark.parametrize("name", SITES)
def test_a_site_becomes_settings_that_load(name: str, tmp_path: Path) -> None:
    path = write_site(name, tmp_path)
    imported = import_cluster(path)
    assert imported.spec, imported.errors
    settings = yaml.safe_load(stack_yaml(imported))["config"]["slurm:cluster"]
    assert load(settings)[0] == imported.spec
    told = " ".join([*(item.text for item in imported.left_out), *imported.to_do]).lower()
    lost = []
    for statement in statements(path):
        for key, value in statement.pairs:
            same = {key.lower()} | SAME_AS_OTHERS.get(key.lower(), set())
            is_usual = key.lower() in HELD_ANYWAY or value.lower() in {
                "no",
                "all",
                "unlimited",
                "infinite",
                "0",
                "1",
                "accounting_storage/none",
            }
            is_told = key.lower() in {"nodename", "partitionname"} or f"{key.lower()}=" in told
            if not is_usual and not is_told and not goes_on(imported, same):
                lost.append(f"{statement.location}: {key}={value}")
    assert lost == []


def test_there_are_forty_sites() -> None:
    assert len(SITES) >= 40
