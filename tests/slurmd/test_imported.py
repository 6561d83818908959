"""Imported clusters on real slurmctld: what the specification comes to shows the same as the original did.

Nodes have their new names on both sides. What belongs to the site, and what needs a database, is the same on both or
left out; the rest may differ in what is listed here with its reason.
"""

import fnmatch
from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest

from devcluster.slurm_images import SlurmImage
from pulumi_slurm.configuration.static import static_conf
from pulumi_slurm.slurmconf import hostlist
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, parse, render
from pulumi_slurm.slurmconf.values import Value
from pulumi_slurm.slurmconf.version import Series
from pulumi_slurm_cli.importing import Source, import_cluster
from pulumi_slurm_cli.importing.conf_file import read_conf_file
from tests.slurmd.controller import Controller
from tests.slurmd.scontrol import show_config, show_nodes, show_partitions
from tests.slurmd.site import Site
from tests.unit.importing.round_trip import CLUSTERS, with_new_names

OF_THE_SITE = """\
ClusterName=c
SlurmctldHost=c-controller-0
SlurmctldPort=6817
SlurmdPort=6818
SlurmUser=slurm
AuthType=auth/slurm
CredType=cred/slurm
StateSaveLocation=/var/spool/slurmctld
SlurmdSpoolDir=/var/spool/slurmd
SlurmctldPidFile=/run/slurmctld.pid
AccountingStorageType=accounting_storage/none
"""
OF_A_DATABASE = {
    *("AccountingStorageHost", "AccountingStoragePort", "AccountingStorageUser", "AccountingStorageEnforce"),
    *("AccountingStorageTRES", "QOS", "AllowQos", "TRESBillingWeights"),
}
LISTED = "the original names it by a NodeSet"
POWER = "the autoscaler starts and stops pods"
MACHINES = "about the old machines"
ABSENT = "its file is not at hand"
IN_PODS = "there is no systemd in a pod"
A_STATE = "states of single nodes are not configuration"
DIFFERENCES = {
    "static": {
        "mailprog": MACHINES,
        "rebootprogram": MACHINES,
        "slurmctldlogfile": "the operator sets it",
        "ignoresystemd*": IN_PODS,
    },
    "cloud": {
        "suspend*": POWER,
        "resume*": POWER,
        "partition * Suspend*": POWER,
        "partition * Resume*": POWER,
        "partition * PowerDownOnIdle": POWER,
        "slurmctldparameters": "workers in pods are configless, and no cloud nodes",
        "taskprolog": ABSENT,
    },
    "gpu": {
        "prolog": "it became a hook, which slurmctld knows by another line",
        "schedulerparameters": "a job goes on elsewhere where a hook has failed, by nohold_on_prolog_fail",
        "epilog": ABSENT,
        "healthcheckprogram": ABSENT,
        "healthcheckinterval": "there is no program to run",
        "ignoresystemd*": IN_PODS,
        "node a01[67] *": A_STATE,
    },
    "hybrid": {
        "node rack1-node06 *": A_STATE,
        "partition * NodeSets": LISTED,
        "partition fleet *": "nothing is known of nodes that register by themselves",
        "partition everything *": "a node set grows by its replicas, so spare nodes have no line",
        "slurmctldparameters": "the operator sets it",
    },
}
SINCE_26_05 = {"cloud": {"node static-* SuspendTime": POWER}}
"""What newer releases show of the same."""


def sides(name: str, series: Series) -> tuple[dict[str, str], dict[str, str]]:
    """Return the files of the original and of what the imported specification comes to."""
    folder = CLUSTERS / name
    imported = import_cluster(folder / "slurm.conf")
    assert imported.spec, imported.errors
    written = static_conf(imported.spec)
    original = {}
    for file in File:
        if (folder / file).exists():
            source = Source(folder / file)
            conf = read_conf_file(source.text(), file, series, file, source.included).conf
            original[file] = with_new_names(conf, imported.renamed)
    scripts = {path.name: path.read_text() for path in folder.glob("*.lua")}
    return {**here(original, series), **scripts}, {**here(written, series), **scripts}


def here(files: Mapping[File, Conf], series: Series) -> dict[str, str]:
    site = parse(OF_THE_SITE, File.SLURM, series)
    """Return the files with this site's lines, and without what needs a database."""
    texts = {file.value: render(conf) for file, conf in files.items() if file is not File.SLURM}
    conf = files[File.SLURM]
    entries = tuple(replace(entry, options=without(entry.options)) for entry in conf.entries)
    return {**texts, "slurm.conf": render(Conf(File.SLURM, {**without(conf.options), **site.options}, entries))}


def without(options: Mapping[str, Value]) -> dict[str, Value]:
    return {key: value for key, value in options.items() if key not in OF_A_DATABASE}


@pytest.fixture(scope="module")
def controller(image: SlurmImage, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Controller]:
    with Site(image, tmp_path_factory.mktemp("imported")) as site:
        yield Controller(site.host("c-controller-0"))


def slurmctld_values(controller: Controller, files: dict[str, str]) -> dict[str, str]:
    """Return what slurmctld shows of everything, by kind, name and key."""
    conf = parse(files["slurm.conf"], File.SLURM, Series.of("26.05"))
    names = [host for entry in conf.of("NodeName") if entry.name != "DEFAULT" for host in hostlist.expand(entry.name)]
    hosts = controller.host.read("/etc/hosts").split("\n")[:2]
    # slurmctld looks up the address of each node.
    controller.host.write("/etc/hosts", "\n".join([*hosts, f"10.11.9.9 {' '.join(names)}", ""]))
    controller.start({"cgroup.conf": "", **files})
    host = controller.host
    values = {key: value for key, value in show_config(host).items() if key != "boot_time"}
    for object_type, items in (("partition", show_partitions(host)), ("node", show_nodes(host))):
        values |= {f"{object_type} {name} {key}": value for name, item in items.items() for key, value in item.items()}
    return values


@pytest.mark.parametrize("name", DIFFERENCES)
def test_slurmctld_shows_the_same(controller: Controller, image: SlurmImage, name: str) -> None:
    original, written = (slurmctld_values(controller, files) for files in sides(name, Series.of(image.version)))
    different = {key for key in original.keys() | written.keys() if original.get(key) != written.get(key)}
    allowed = {**DIFFERENCES[name], **(SINCE_26_05.get(name, {}) if image.series == "26.05" else {})}
    explained = {pattern: set(fnmatch.filter(different, pattern)) for pattern in allowed}
    assert different - set().union(*explained.values()) == set()
    assert [pattern for pattern, keys in explained.items() if not keys] == []
    assert len(original) > 500


def test_every_example_is_here() -> None:
    assert sorted(DIFFERENCES) == sorted(path.name for path in CLUSTERS.iterdir())
