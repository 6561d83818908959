"""Lines of slurmdbd.conf: what we accept starts the real slurmdbd, and what we refuse ends it, or keeps it waiting."""

import random
import re
import warnings
from typing import Any

import pytest

from pulumi_slurm.derived.operator_lines import slurmdbd_lines
from pulumi_slurm.errors import Severity, SpecError, format_path
from pulumi_slurm.loading import load
from pulumi_slurm.model import KeysSpec
from pulumi_slurm.model.accounting import OPERATOR_KEYS
from pulumi_slurm.model.releases.operator_version import operator_version
from pulumi_slurm.rules import check_cluster
from pulumi_slurm.slurmconf.catalogue import File, find, keys
from pulumi_slurm.slurmconf.conf import Conf, render
from pulumi_slurm.slurmconf.values import ValueType
from pulumi_slurm.slurmconf.version import Series
from tests.slurmd.cluster import Cluster
from tests.slurmd.daemon import DaemonError
from tests.slurmd.database import PORT
from tests.slurmd.differences import for_this_machine
from tests.slurmd.drawn_lines import values_of
from tests.slurmd.operator_files import SLURMDBD_CONF, files
from tests.slurmd.refusal import NODE_SETS, PLAIN, refused_at
from tests.waiting import has

ENDS = {
    "no number of months": ({"PurgeJobAfter": "forever"}, "Bad value .forever. for PurgeJobAfter"),
    "a number and no unit": ({"PurgeStepAfter": "12parsecs"}, "Invalid purge unit 'parsecs'"),
    "a space before the unit": ({"PurgeTXNAfter": "5 days"}, "Invalid purge unit ' days'"),
    "less than none": ({"PurgeUsageAfter": "-5days"}, "Invalid purge string '-5days'"),
    "a level that is none": ({"DebugLevel": "loud"}, "Invalid DebugLevel loud"),
    "a flag that is none": ({"DebugFlags": "DB_EVERYTHING"}, "Invalid DebugFlag: DB_EVERYTHING"),
    "no folder for archives": ({"ArchiveDir": "/nosuch"}, "/nosuch"),
    "no script for archives": ({"ArchiveScript": "/nosuch"}, "archive script"),
    "a hash that is none": ({"HashPlugin": "hash/none"}, "cannot create hash context for hash/none"),
    "no way to communicate": ({"CommunicationParameters": "DisableIPv4"}, "Both IPv4 and IPv6 support disabled"),
    "plugins elsewhere": ({"PluginDir": "/nosuch"}, "cannot create auth context"),
    "a TLS that is none": ({"TLSType": "tls/nosuch"}, "cannot create tls context"),
}
"""Lines that we refuse, and what slurmdbd says of them."""
VALUES = {
    "PurgeEventAfter": ("1month", "30d", "24h", "12", "months", "1 month", "0", "65536hours", "1M"),
    "ArchiveDir": ("/tmp", "/var/tmp", "/tmp/archive"),
    "DebugLevel": ("Debug2", "debug9"),
    "LogFile": ("/var/log/slurmdbd.log", "x"),
    "LogTimeFormat": ("rfc5424_ms", "thread_id", "nosuch"),
    "Parameters": ("PreserveCaseUser",),
    "PrivateData": ("jobs,usage", "jbos"),
    "TCPTimeout": ("0",),
}
"""Values beside those of the catalogue. Keys that the operator writes are not drawn."""
# An IPv6 that the hosts don't have; ciphers, which the library has as it was built: unknown ones keep it waiting.
NOT_DRAWN = {"enableipv6", "ssl_cipher"}


def judged(lines: dict[str, str], series: Series) -> list[str]:
    """Return the paths at which lines of slurmdbd.conf are refused for a series."""
    plain: dict[str, Any] = {**PLAIN, "accounting": {"extraConf": lines}}
    with warnings.catch_warnings(action="ignore"):
        try:
            spec, _ = load(plain)
        except SpecError as error:
            refused = {format_path(one.path) for one in error.errors}
            try:
                spec, _ = load({**plain, "slurmVersion": "26.05", "operatorVersion": "1.2.1"})
            except SpecError:
                return sorted(refused)
    spec = spec.model_copy(update={"slurm_version": str(series)})
    # What a file or a folder is missing for is a warning.
    errors = [e for e in check_cluster(spec) if e.severity is Severity.ERROR or e.path[:1] == ("accounting",)]
    return sorted(format_path(error.path) for error in errors if error.path != ("slurm_version",))


def conf(lines: dict[str, str]) -> str:
    """Return a slurmdbd.conf with these lines in place of the operator's."""
    stated = {key.lower() for key in lines}
    operators = [line for line in SLURMDBD_CONF.splitlines() if line.partition("=")[0].lower() not in stated]
    ours = render(Conf(File.SLURMDBD, slurmdbd_lines(operator_version("1.2.1"), KeysSpec(), lines)))
    return "\n".join([*operators, ours])


def start(cluster: Cluster, lines: dict[str, str]) -> None:
    """Start slurmdbd with these lines."""
    assert cluster.accounting
    cluster.accounting.start({"slurmdbd.conf": conf(lines)})


@pytest.mark.parametrize("name", ENDS)
def test_slurmdbd_ends_with_what_we_refuse(accounted_cluster: Cluster, name: str) -> None:
    lines, message = ENDS[name]
    series = Series.of(accounted_cluster.site.image.version)
    assert judged(lines, series) == [f"accounting.extraConf.{key}" for key in lines]
    assert accounted_cluster.accounting
    assert re.search(message, accounted_cluster.accounting.launch({"slurmdbd.conf": conf(lines)}).last_words())


def test_slurmdbd_waits_for_its_database_with_certificates_that_are_not_there(accounted_cluster: Cluster) -> None:
    lines = {"StorageParameters": "SSL_CA=/nosuch"}
    assert judged(lines, Series.of(accounted_cluster.site.image.version)) == ["accounting.extraConf.StorageParameters"]
    accounting = accounted_cluster.accounting
    assert accounting
    accounting.launch({"slurmdbd.conf": conf(lines)}).eventually_says("The database must be up when starting the MYSQL")
    assert PORT not in accounting.host.ports()


def test_slurmctld_waits_for_a_slurmdbd_that_hashes_by_another_plugin(accounted_cluster: Cluster) -> None:
    assert refused_at("{accounting: {}, slurmConf: {extra: {HashPlugin: hash/sha3}}}") == ["slurmConf.extra.HashPlugin"]
    start(accounted_cluster, {})
    controller = accounted_cluster.controller
    waiting = controller.launch(for_this_machine(files(f"{NODE_SETS}HashPlugin=hash/sha3\n", accounting=True)))
    waiting.eventually_says("Retrying initial connection to slurmdbd")
    waiting.kill()
    start(accounted_cluster, {"HashPlugin": "sha3"})
    accounted_cluster.start_controller(files(f"{NODE_SETS}HashPlugin=hash/sha3\n", accounting=True))


def test_slurmctld_hears_of_no_change_from_a_slurmdbd_that_hashes_by_another_plugin(accounted_cluster: Cluster) -> None:
    lines = {"HashPlugin": "sha3"}
    assert refused_at("accounting: {extraConf: {HashPlugin: sha3}}") == ["accounting.extraConf.HashPlugin"]
    controller, accounting = accounted_cluster.controller, accounted_cluster.accounting
    assert accounting

    def change(priority: int) -> None:
        controller.host.run(["sacctmgr", "--immediate", "modify", "qos", "normal", "set", f"priority={priority}"])

    def known() -> str:
        return controller.host.run(["scontrol", "show", "assoc_mgr", "flags=qos"])

    start(accounted_cluster, lines)
    accounted_cluster.start_controller(files(NODE_SETS, accounting=True))
    change(71)
    assert accounting.daemon
    accounting.daemon.eventually_says("Unable to open connection to registered cluster")
    assert "Priority=71" not in known()
    start(accounted_cluster, {})
    accounted_cluster.start_controller(files(NODE_SETS, accounting=True))
    change(72)
    accounting.daemon.eventually("telling slurmctld", known, has("Priority=72"))


def draw(source: random.Random, series: Series) -> dict[str, str]:
    there = [
        key
        for key in keys(File.SLURMDBD, series=series)
        if key.name.lower() not in {*OPERATOR_KEYS, "storageparameters"}
    ]
    lines = {}
    for key in source.sample(there, source.choice((1, 2, 2, 3))):
        texts = (*values_of(key), *VALUES.get("PurgeEventAfter" if key.name.endswith("After") else key.name, ()))
        items = source.sample([text for text in texts if text.lower() not in NOT_DRAWN], source.choice((1, 1, 2)))
        lines[key.name] = ",".join(items) if key.type in (ValueType.SET, ValueType.LIST) else items[0]
    return lines


MANY = pytest.param(300, marks=pytest.mark.repeats("tests/slurmd/test_slurmdbd.py, with fewer lines"))


@pytest.mark.parametrize("count", [60, MANY])
def test_what_we_accept_starts_slurmdbd(
    accounted_cluster: Cluster, seed: int, count: int, capsys: pytest.CaptureFixture[str]
) -> None:
    source, series = random.Random(seed), Series.of(accounted_cluster.site.image.version)
    accepted = 0
    for _ in range(count):
        lines = draw(source, series)
        if judged(lines, series):
            continue
        accepted += 1
        try:
            start(accounted_cluster, lines)
        except DaemonError as error:
            pytest.fail(f"slurmdbd {series} ends with {lines}: {error}", pytrace=False)
    with capsys.disabled():
        print(f"\nSlurm {series}: {accepted} of {count} drawn slurmdbd.conf are accepted, and start")
    assert accepted


def test_tables_of_both_files_have_the_same_words() -> None:
    """The same functions of Slurm read them."""
    for name, other in {"DebugFlags": "DebugFlags", "DebugLevel": "SlurmctldDebug", "HashPlugin": "HashPlugin"}.items():
        of_slurmdbd, of_slurm = find(File.SLURMDBD, name), find(File.SLURM, other)
        assert of_slurmdbd
        assert of_slurm
        assert (of_slurmdbd.words, of_slurmdbd.plugins) == (of_slurm.words, of_slurm.plugins)
