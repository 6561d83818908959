"""slurm.conf and slurmdbd.conf of a rehearsal: where they have to differ, so that nothing of the cluster is touched.

What is read at the start stays as it is, so that it is refused here as it would be there: plugins, partitions, node
sets, TRES, limits, topology. What would reach out, or would change jobs in the seconds of the look, is changed.
Source: src/slurmctld/controller.c, ping_nodes.c, job_mgr.c and job_scheduler.c of SchedMD/slurm at slurm-24.11 and
slurm-26.05, and https://slurm.schedmd.com/slurm.conf.html.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from pulumi_slurm.configuration.options import parse_options
from pulumi_slurm.model.ports import SLURMDBD_PORT
from pulumi_slurm.slurmconf.catalogue import File
from pulumi_slurm.slurmconf.conf import Conf, Entry
from pulumi_slurm.slurmconf.values import Value
from pulumi_slurm_cli.rehearsal.places import ADDRESS, DATABASE, DATABASE_PORT, DATABASE_USER, FOLDER, HOST, STATE


class Change(NamedTuple):
    """A key that a rehearsal changes."""

    value: Value | None
    """What it is in place of what is written; None leaves it out."""
    reason: str


_ALWAYS: Mapping[str, Change] = MappingProxyType(
    {
        "SlurmctldHost": Change((f"{HOST}({ADDRESS})",), "slurmctld is alone, and its clients are beside it"),
        "StateSaveLocation": Change(STATE, "it is a copy"),
        "SlurmctldPidFile": Change(f"{FOLDER}/slurmctld.pid", "the pod may write there"),
        "SlurmdTimeout": Change(0, "no node answers, and none becomes DOWN for it, with its jobs"),
        "InactiveLimit": Change(0, "no srun answers, and its job doesn't end for it"),
        "OverTimeLimit": Change("UNLIMITED", "no job ends because the copy has grown old"),
        "HealthCheckInterval": Change(0, "no node is asked"),
        "MailProg": Change("/bin/true", "nobody gets mail"),
    }
)
"""What is changed whatever is written."""

_WHERE_WRITTEN: Mapping[str, Change] = MappingProxyType(
    {
        "SlurmctldAddr": Change(None, "slurmctld's clients are beside it"),
        "SlurmctldLogFile": Change(None, "the log is read from what slurmctld prints"),
        "SlurmSchedLogFile": Change(None, "the log is read from what slurmctld prints"),
        "SlurmctldDebug": Change("info", "errors are read from the log"),
        "SlurmctldPrimaryOnProg": Change(None, "it would act as that of the cluster"),
        "SlurmctldPrimaryOffProg": Change(None, "it would act as that of the cluster"),
        "PrologSlurmctld": Change(None, "no job starts"),
        "EpilogSlurmctld": Change(None, "what a job leaves behind is the cluster's"),
        "ResumeProgram": Change("/bin/true", "no node is started"),
        "ResumeFailProgram": Change("/bin/true", "no node is started"),
        "SuspendProgram": Change("/bin/true", "no node is stopped"),
        "ResumeTimeout": Change(65533, "no node that starts is given up, with its jobs"),
        "JobCompType": Change(None, "the copy reports no job to others"),
        "AccountingStorageHost": Change(ADDRESS, "slurmdbd is that of the rehearsal"),
        "AccountingStoragePort": Change(SLURMDBD_PORT, "slurmdbd is that of the rehearsal"),
        "AccountingStorageBackupHost": Change(None, "slurmdbd is that of the rehearsal"),
        "AccountingStorageExternalHost": Change(None, "no other slurmdbd hears of the copy"),
    }
)
"""What is changed only where it is written."""

_NO_SCHEDULING = ("sched_interval=-1", "bf_interval=-1")
"""No pending job starts: src/slurmctld/job_scheduler.c, src/plugins/sched/backfill/backfill.c."""
_TELLS_NODES = "reconfig_on_restart"
"""By it slurmctld tells all nodes to read their configuration when it starts."""


_SLURMDBD_ALWAYS: Mapping[str, Change] = MappingProxyType(
    {
        "DbdHost": Change(HOST, "slurmdbd is alone, and its clients are beside it"),
        "DbdPort": Change(SLURMDBD_PORT, "slurmdbd is that of the rehearsal"),
        "StorageHost": Change(ADDRESS, "the database is a copy"),
        "StoragePort": Change(DATABASE_PORT, "the database is a copy"),
        "StorageUser": Change(DATABASE_USER, "the database is a copy"),
        "StorageLoc": Change(DATABASE, "the database is a copy"),
        "PidFile": Change(f"{FOLDER}/slurmdbd.pid", "the pod may write there"),
        "DebugLevel": Change("debug", "errors and changes of tables are read from the log"),
    }
)
_SLURMDBD_WHERE_WRITTEN: Mapping[str, Change] = MappingProxyType(
    {
        "DbdAddr": Change(None, "slurmdbd's clients are beside it"),
        "DbdBackupHost": Change(None, "slurmdbd is alone"),
        "LogFile": Change(None, "the log is read from what slurmdbd prints"),
        "StorageBackupHost": Change(None, "the database is a copy"),
        "StorageParameters": Change(None, "the copy takes connections without TLS"),
        "StoragePassScript": Change(None, "the password is that of the copy"),
        "ArchiveDir": Change(None, "the copy writes no archive"),
        "ArchiveScript": Change(None, "the copy writes no archive"),
    }
)


def harmless_slurmdbd(conf: Conf, password: str) -> tuple[Conf, list[str]]:
    """Return slurmdbd.conf as a rehearsal has it, with the password of its database, and each difference."""
    options = {key: value for key, value in conf.options.items() if key != "StoragePass"}
    changes = _changes(options, _SLURMDBD_ALWAYS, _SLURMDBD_WHERE_WRITTEN)
    changed, differences = _changed(options, changes)
    return replace(conf, options={**changed, "StoragePass": password}), differences


def harmless(conf: Conf) -> tuple[Conf, list[str]]:
    """Return slurm.conf as a rehearsal has it, and each difference with its reason, for people."""
    changes = _changes(conf.options, _ALWAYS, _WHERE_WRITTEN)
    if {"SuspendProgram", "ResumeProgram"} & changes.keys():
        changes["ResumeTimeout"] = _WHERE_WRITTEN["ResumeTimeout"]
    options, differences = _changed(conf.options, changes | dict(_words(conf.options)))
    entries = tuple(map(_without_its_limit, conf.entries))
    if entries != conf.entries:
        differences.append(f"PartitionName: no OverTimeLimit: {_ALWAYS['OverTimeLimit'].reason}")
    return replace(conf, options=options, entries=entries), differences


def _changes(
    options: Mapping[str, Value], always: Mapping[str, Change], where_written: Mapping[str, Change]
) -> dict[str, Change]:
    return {**always, **{key: change for key, change in where_written.items() if key in options}}


def _changed(options: Mapping[str, Value], changes: Mapping[str, Change]) -> tuple[dict[str, Value], list[str]]:
    kept = {key: value for key, value in options.items() if key not in changes}
    new = {key: change.value for key, change in changes.items() if change.value is not None}
    return kept | new, [_told(key, change) for key, change in changes.items() if options.get(key) != change.value]


def _told(key: str, change: Change) -> str:
    value = ",".join(change.value) if isinstance(change.value, tuple) else change.value
    return f"{key} is left out: {change.reason}" if value is None else f"{key}={value}: {change.reason}"


def _words(options: Mapping[str, Value]) -> Iterator[tuple[str, Change]]:
    """Yield the keys of which single words change."""
    names = {word.partition("=")[0] for word in _NO_SCHEDULING}
    words = _split(options.get("SchedulerParameters"))
    others = [word for word in words if word.partition("=")[0].lower() not in names]
    yield "SchedulerParameters", Change(_words_of("SchedulerParameters", [*_NO_SCHEDULING, *others]), "no job starts")
    parameters = _split(options.get("SlurmctldParameters"))
    kept = [word for word in parameters if word.lower() != _TELLS_NODES]
    if kept != parameters:
        yield "SlurmctldParameters", Change(_words_of("SlurmctldParameters", kept), "no node is told to read its files")


def _words_of(key: str, words: list[str]) -> Value | None:
    return parse_options(File.SLURM, {key: ",".join(words) or None}).get(key)


def _split(value: Value | None) -> list[str]:
    items = value if isinstance(value, tuple) else str(value or "").split(",")
    return [str(item).strip() for item in items if str(item).strip()]


def _without_its_limit(entry: Entry) -> Entry:
    if entry.keyword != "PartitionName" or "OverTimeLimit" not in entry.options:
        return entry
    return replace(entry, options={key: value for key, value in entry.options.items() if key != "OverTimeLimit"})
