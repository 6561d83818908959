"""The catalogue of keys: well-known facts of each series, and what is said of keys that a series does not know.

Whether the tables agree with real daemons is tested in `tests/slurmd/`.
"""

from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from pulumi_slurm.issue import Issue
from pulumi_slurm.slurmconf.catalogue import Change, File, Key, find, key_issue, keys
from pulumi_slurm.slurmconf.values import UnreadableError, ValueType
from pulumi_slurm.slurmconf.version import SERIES, Series

ENTRIES = {
    File.SLURM: {"NodeName", "NodeSet", "PartitionName", "DownNodes", "PowerAction", "FrontendName"},
    File.SLURMDBD: set(),
    File.GRES: {"Name", "NodeName"},
    File.CGROUP: set(),
    File.TOPOLOGY: {"SwitchName", "BlockName", "RingName"},
    File.HELPERS: {"Feature", "NodeName"},
    File.BURST_BUFFER: set(),
}
EVERY_KEY = [key for file in File for entry in (None, *sorted(ENTRIES[file])) for key in keys(file, entry)]
NEW, OLD = Series.of("26.05"), Series.of("23.02")
NEWEST = str(SERIES[-1])


def key(name: str, entry: str | None = None, file: File = File.SLURM) -> Key:
    catalogue_key = find(file, name, entry)
    assert catalogue_key
    return catalogue_key


@pytest.mark.parametrize(
    ("file", "entry", "name", "since", "until"),
    [
        (File.SLURM, None, "SlurmctldHost", "23.02", NEWEST),
        (File.SLURM, None, "ControlMachine", "23.02", NEWEST),
        (File.SLURM, None, "AuthAltTypes", "23.02", NEWEST),
        (File.SLURM, None, "TopologyPlugin", "23.02", NEWEST),
        (File.SLURM, None, "ExtSensorsType", "23.02", "23.02"),
        (File.SLURM, None, "CoreSpecPlugin", "23.02", "23.11"),
        (File.SLURM, None, "HashPlugin", "24.05", NEWEST),
        (File.SLURM, None, "TLSType", "24.05", NEWEST),
        (File.SLURM, None, "FrontendName", "23.02", "24.11"),
        (File.SLURM, None, "PrologTimeout", "25.05", NEWEST),
        (File.SLURM, None, "MetricsType", "25.11", NEWEST),
        (File.SLURM, None, "NamespaceType", "25.11", NEWEST),
        (File.SLURM, None, "PowerAction", "26.05", NEWEST),
        (File.SLURM, "NodeName", "RestrictedCoresPerGPU", "24.05", NEWEST),
        (File.SLURM, "NodeName", "Topology", "25.05", NEWEST),
        (File.SLURM, "PartitionName", "Topology", "25.05", NEWEST),
        (File.SLURM, "PartitionName", "Exclusive", "26.05", NEWEST),
        (File.SLURM, "PartitionName", "ExclusiveUser", "23.02", NEWEST),
        (File.SLURMDBD, None, "StoragePassScript", "25.11", NEWEST),
        (File.SLURMDBD, None, "PurgeJobAfter", "23.02", NEWEST),
        (File.CGROUP, None, "CgroupAutomount", "23.02", "23.02"),
        (File.CGROUP, None, "ConstrainKmemSpace", "23.02", "23.02"),
        (File.CGROUP, None, "SystemdTimeout", "24.05", NEWEST),
        (File.CGROUP, None, "CgroupSlice", "25.11", NEWEST),
        (File.TOPOLOGY, None, "BlockName", "23.11", NEWEST),
        (File.TOPOLOGY, None, "BlockLevels", "23.11", "23.11"),
        (File.TOPOLOGY, None, "BlockSizes", "24.05", NEWEST),
        (File.TOPOLOGY, "RingName", "Nodes", "26.05", NEWEST),
    ],
)
def test_a_key_is_known_from_its_first_series_to_its_last(
    file: File, entry: str | None, name: str, since: str, until: str
) -> None:
    knowing_series = [str(series) for series in SERIES if key(name, entry, file).known_in(series)]
    assert (knowing_series[0], knowing_series[-1]) == (since, until)
    assert (
        len(knowing_series)
        == [str(series) for series in SERIES].index(until) - [str(series) for series in SERIES].index(since) + 1
    )


@pytest.mark.parametrize("name", ["CacheGroups", "FastSchedule", "SallocDefaultCommand", "AccountingStoreJobComment"])
def test_keys_that_slurm_dropped_long_ago_are_retired_in_every_series(name: str) -> None:
    assert not any(key(name).known_in(series) for series in SERIES)
    assert key(name).replacement


@pytest.mark.parametrize(
    ("name", "entry", "series", "problem", "fix"),
    [
        ("SlurmdTimeot", None, "25.11", "there is no such key in slurm.conf", "Write SlurmdTimeout, if you mean that."),
        (
            "maxtme",
            "PartitionName",
            "25.11",
            "there is no such key on PartitionName lines of slurm.conf",
            "Write MaxTime, if you mean that.",
        ),
        (
            "MaxTime",
            None,
            "25.11",
            "it belongs on PartitionName lines of slurm.conf",
            "Leave it out here.",
        ),
        ("ConstrainCores", None, "25.11", "it belongs in cgroup.conf", "Leave it out here."),
        (
            "Xyzzy",
            None,
            "25.11",
            "there is no such key in slurm.conf",
            "Leave it out, or look for its name in the manual of slurm.conf.",
        ),
        (
            "MetricsType",
            None,
            "24.11",
            "it is new in Slurm 25.11, and this is 24.11",
            "Leave it out, or use Slurm 25.11.",
        ),
        (
            "FastSchedule",
            None,
            "24.11",
            "Slurm 19.05 was the last to heed it, and this is 24.11",
            "Leave it out; for FastSchedule=2 write SlurmdParameters=config_overrides.",
        ),
        (
            "PowerPlugin",
            None,
            "24.05",
            "Slurm 23.11 was the last to heed it, and this is 24.05",
            "Leave it out; SuspendProgram and ResumeProgram save power.",
        ),
    ],
)
def test_an_unknown_key_is_met_with_the_nearest_place_or_time(
    name: str, entry: str | None, series: str, problem: str, fix: str
) -> None:
    assert key_issue(File.SLURM, name, Series.of(series), entry) == Issue(problem, fix)


@given(st.sampled_from(EVERY_KEY), st.sampled_from(SERIES))
def test_there_is_an_issue_exactly_when_a_series_does_not_know_a_key(one: Key, series: Series) -> None:
    issue = key_issue(one.file, one.name.swapcase(), series, one.entry)
    assert (issue is None) == one.known_in(series)
    assert (one in keys(one.file, one.entry, series)) == one.known_in(series)


@given(st.sampled_from(EVERY_KEY), st.data())
def test_a_slip_of_the_pen_is_met_with_a_key_of_the_series(one: Key, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(one.name) - 1))
    slip = one.name[:at] + "x" + one.name[at:]
    issue = key_issue(one.file, slip, NEW, one.entry)
    if len(one.name) > 4 and one.known_in(NEW):
        assert issue
        assert issue.fix.startswith("Write ")
        suggested = issue.fix.removeprefix("Write ").removesuffix(", if you mean that.")
        suggestion = find(one.file, suggested, one.entry)
        assert suggestion
        assert suggestion.known_in(NEW)


def test_keys_are_found_in_any_case_and_keep_the_manuals_spelling() -> None:
    assert find(File.SLURM, "REALMEMORY", "NodeName") == key("RealMemory", "NodeName")
    assert key("realmemory", "NodeName").name == "RealMemory"
    assert find(File.SLURM, "RealMemory") is None
    for file in File:
        names = [one.name.lower() for one in keys(file)]
        assert names == sorted(set(names))


def test_every_entry_is_begun_by_a_key_of_its_name() -> None:
    for file, entries in ENTRIES.items():
        assert {one.name for one in keys(file) if one.begins_entry} == entries
    assert not any(one.begins_entry for one in EVERY_KEY if one.entry)
    assert all(keys(file, entry) for file, entries in ENTRIES.items() for entry in entries)


def test_retired_keys_say_what_to_write_instead() -> None:
    for one in EVERY_KEY:
        if one.until:
            assert (one.replacement or "").endswith("."), one
        if one.since and one.until:
            assert one.since <= one.until, one


def test_the_series_are_in_order() -> None:
    assert all(older < newer for older, newer in pairwise(SERIES))
    assert (str(OLD), str(NEW)) == (str(SERIES[0]), str(SERIES[-1]))


@pytest.mark.parametrize(
    ("name", "entry", "change", "earlier"),
    [
        ("KillWait", None, Change.RECONFIGURE, Change.RECONFIGURE),
        ("MaxJobCount", None, Change.RECONFIGURE, Change.RESTART_SLURMCTLD),
        ("GresTypes", None, Change.RECONFIGURE, Change.RESTART_ALL),
        ("CPUs", "NodeName", Change.RECONFIGURE, Change.RESTART_ALL),
        ("SlurmctldPort", None, Change.RESTART_ALL, Change.RESTART_ALL),
        ("SlurmdPort", None, Change.RESTART_ALL, Change.RESTART_ALL),
        ("AuthType", None, Change.UNSAFE, Change.UNSAFE),
        ("SelectType", None, Change.UNSAFE, Change.UNSAFE),
        ("SwitchType", None, Change.UNSAFE, Change.UNSAFE),
        ("StateSaveLocation", None, Change.UNSAFE, Change.UNSAFE),
        ("ClusterName", None, Change.UNSAFE, Change.UNSAFE),
    ],
)
def test_a_change_takes_less_since_reconfigure_starts_daemons_anew(
    name: str, entry: str | None, change: Change, earlier: Change
) -> None:
    assert key(name, entry).takes(Series(23, 11)) == key(name, entry).change == change
    assert key(name, entry).takes(OLD) == earlier


@pytest.mark.parametrize(
    ("name", "entry", "value_type"),
    [
        ("MaxTime", "PartitionName", ValueType.DURATION),
        ("SuspendTime", None, ValueType.SECONDS),
        ("RealMemory", "NodeName", ValueType.MEMORY),
        ("MaxNodes", "PartitionName", ValueType.NUMBER),
        ("Default", "PartitionName", ValueType.FLAG),
        ("State", "PartitionName", ValueType.WORD),
        ("SelectType", None, ValueType.TEXT),
        ("TaskPlugin", None, ValueType.LIST),
        ("SchedulerParameters", None, ValueType.SET),
        ("Nodes", "PartitionName", ValueType.HOSTS),
        ("NodeAddr", "NodeName", ValueType.TEXT),
    ],
)
def test_keys_have_the_type_of_the_manual(name: str, entry: str | None, value_type: ValueType) -> None:
    assert key(name, entry).type == value_type


def test_numbers_have_the_bounds_of_slurms_types() -> None:
    assert key("KillWait").read("65535") == 65535
    assert key("MinJobAge").read("4k") == 4096
    for name, text, message in [
        ("KillWait", "65536", 'this is more than Slurm can count here. Write at most "65535".'),
        ("KillWait", "1k", 'Slurm takes no unit here. Write "1024".'),
        ("MinJobAge", "4194304k", 'this is more than Slurm can count here. Write at most "4294967295".'),
    ]:
        with pytest.raises(UnreadableError) as error:
            key(name).read(text)
        assert str(error.value) == message


def test_words_that_slurm_refuses_are_refused() -> None:
    assert key("OverSubscribe", "PartitionName").read("force:4") == "FORCE:4"
    assert key("PreemptMode").read("suspend,gang") == "SUSPEND,GANG"
    assert key("PrologFlags").read("x11,Alloc") == ("Alloc", "x11")
    with pytest.raises(UnreadableError) as error:
        key("State", "PartitionName").read("DRAINED")
    assert str(error.value) == 'Slurm refuses "DRAINED" here. Write DRAIN, if you mean that.'


@pytest.mark.parametrize(
    ("name", "text", "series", "message"),
    [
        (
            "SelectTypeParameters",
            "CR_Core,OTHER_CONS_TRES",
            "24.05",
            'Slurm 24.05 refuses "OTHER_CONS_TRES" here, unlike other series.',
        ),
        ("SelectTypeParameters", "other_cons_tres", "23.11", ""),
        ("TaskPluginParam", "Sched", "25.11", 'Slurm refuses "Sched" here.'),
        ("TaskPluginParam", "autobind=threads", "25.11", ""),
        ("DebugFlags", "Backfil", "25.11", 'Slurm refuses "Backfil" here.'),
        ("DebugFlags", "TLS", "23.11", 'Slurm 23.11 refuses "TLS" here, unlike other series.'),
        ("SlurmdDebug", "10", "25.11", 'Slurm has no level "10". Write one of: quiet, '),
        ("SlurmdDebug", "9", "25.11", ""),
        ("PropagateResourceLimitsExcept", "NOSUCH", "25.11", 'Slurm refuses "NOSUCH" here.'),
        ("SuspendExcNodes", "cpu-[0-3,7]", "26.05", ""),
        ("SuspendExcNodes", "cpu-[0-3]:2,cpu-7", "26.05", ""),
        ("SuspendExcNodes", "ALL,cpu-[0-99999]", "26.05", "Slurm reads no hosts from ALL,cpu-[0-99999]: the range"),
        ("SuspendExcNodes", "cpu-[0-3,7]:2", "26.05", "Slurm reads no hosts from cpu-[0-3: "),
        ("MaxNodeCount", "64k", "25.11", ""),
        ("MaxNodeCount", "65537", "25.11", "this is more than Slurm can count here."),
        ("MaxNodeCount", "UNLIMITED", "25.11", "slurmctld exits on more"),
        ("FirstJobId", "0", "25.11", 'slurmctld exits on less. Write at least "1".'),
        ("MessageTimeout", "0", "25.11", 'slurmctld exits on less. Write at least "1".'),
        ("PropagatePrioProcess", "UNLIMITED", "25.11", "slurmctld exits on more."),
    ],
)
def test_words_and_ranges_are_those_of_the_series(name: str, text: str, series: str, message: str) -> None:
    if not message:
        key(name).read(text, Series.of(series))
        return
    with pytest.raises(UnreadableError) as error:
        key(name).read(text, Series.of(series))
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("name", "text", "series", "message"),
    [
        ("SchedulerType", "sched/backfill", "25.11", ""),
        (
            "SchedulerType",
            "sched/backfil",
            "25.11",
            'Slurm has no plugin "sched/backfil". Write sched/backfill, if you mean that.',
        ),
        ("SchedulerType", "backfill", "25.11", 'Slurm has no plugin "backfill"'),
        ("TaskPlugin", "affinity,task/cgroup", "25.11", ""),
        ("TaskPlugin", "affinity,task/cgroups", "25.11", 'Slurm has no plugin "task/cgroups"'),
        ("TopologyPlugin", "topology/3d_torus", "24.11", 'Slurm has no plugin "topology/3d_torus"'),
        (
            "TLSType",
            "tls/s2n",
            "25.11",
            'the images are built without the plugin "tls/s2n". Write one of: tls/none; or set images of yours that '
            "have it.",
        ),
        ("MCSPlugin", "mcs/label", "24.05", 'Slurm 24.05 has no plugin "mcs/label"'),
        ("JobContainerType", "job_container/tmpfs", "25.11", ""),
        ("AcctGatherInterconnectType", "acct_gather_interconnect/none", "26.05", ""),
        ("AcctGatherInfinibandType", "none", "24.11", ""),
        ("NamespaceType", "namespace/none", "25.11", ""),
        (
            "UrlParserType",
            "x",
            "25.11",
            'Slurm has no plugin "x". Leave it out.',
        ),
    ],
)
def test_plugins_are_those_of_the_series(name: str, text: str, series: str, message: str) -> None:
    issue = key(name).plugin_issue(text, Series.of(series))
    assert str(issue or "").startswith(message)
    assert bool(issue) == bool(message)


def test_scripts_and_controllers_may_stand_on_several_lines() -> None:
    repeating = {one.name for one in EVERY_KEY if one.repeats}
    assert repeating == {"SlurmctldHost", "Prolog", "Epilog", "PrologSlurmctld", "EpilogSlurmctld", "MutuallyExclusive"}
