"""Whatever specification there is: written as files, and imported again, it comes to the same files."""

import tempfile
from dataclasses import replace
from pathlib import Path

from hypothesis import given

from pulumi_slurm.configuration.static import static_conf
from pulumi_slurm.model import NodePoolSpec, SlurmSpec
from pulumi_slurm.model.cluster_volumes import HEALTH_CHECK_FOLDER
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, render
from pulumi_slurm.slurmconf.diff import compare
from pulumi_slurm.slurmconf.hostlist import expand
from pulumi_slurm.slurmconf.version import Series
from pulumi_slurm_cli.importing import Accounting, import_cluster
from tests.unit.strategies import specs

STORAGE = {"AccountingStorageType": "accounting_storage/slurmdbd"}
"""The static form does not say where daemons run; but without a database, accounts and QoS mean nothing."""

HEALTH_CHECK = (f"HealthCheckProgram={HEALTH_CHECK_FOLDER}/", "HealthCheckInterval=")
LOST_KEYS = {"Reason", "HealthCheckProgram", "HealthCheckInterval"}
"""What can't come back: reasons belong to states, and the script of a health check is in none of Slurm's files."""


@given(specs())
def test_a_specification_comes_back_from_its_files(drawn: tuple[SlurmSpec, list[NodePoolSpec]]) -> None:
    spec, pools = drawn
    # Where slurmdbd runs is said by the import, not by files.
    extra = {key: text for key, text in spec.slurm_conf.extra.items() if key != "AccountingStorageHost"}
    spec = spec.model_copy(update={"slurm_conf": spec.slurm_conf.model_copy(update={"extra": extra})})
    files = static_conf(spec, pools)
    kept_database = Accounting.EXTERNAL if spec.accounting and spec.accounting.external else Accounting.NEW
    with tempfile.TemporaryDirectory() as folder:
        for file, conf in files.items():
            original = replace(
                conf, options={**conf.options, **(STORAGE if file is File.SLURM and spec.accounting else {})}
            )
            (Path(folder) / file).write_text(render(original))
        for name, script in spec.hooks.health_check.items():
            (Path(folder) / name).write_text(script)
        imported = import_cluster(Path(folder) / File.SLURM, spec.slurm_version, kept_database)
    assert imported.spec, imported.errors
    without_lines = [file for file, conf in files.items() if not conf.options and not conf.entries]
    lost = (*lost_entries(files[File.SLURM]), *without_lines, *HEALTH_CHECK)
    assert [str(one) for one in imported.left_out if not one.text.startswith(lost) and " Reason=" not in one.text] == []
    again = static_conf(imported.spec)
    for file, conf in files.items():
        differences = compare(conf, again.get(file, Conf(file)), Series.of(spec.slurm_version))
        kept = [one for one in differences if not (one.entry or "").startswith(lost) and one.key not in LOST_KEYS]
        assert [str(one) for one in kept] == []


def lost_entries(conf: Conf) -> tuple[str, ...]:
    """Return what can't come back: partitions without nodes, and autoscaled nodes that no job can ask for.

    Reasons of nodes are lost too: they belong to states, which are not configuration here.
    """
    held = {host for partition in conf.of("PartitionName") for host in expand(str(partition.options["Nodes"]))}
    empty = [entry for entry in conf.of("PartitionName") if not entry.options["Nodes"]]
    idle = [
        entry
        for entry in conf.of("NodeName")
        if entry.options.get("State") == "CLOUD" and held.isdisjoint(expand(entry.name))
    ]
    return tuple(f"{entry.keyword}={entry.name}" for entry in (*empty, *idle)) or ("nothing",)
